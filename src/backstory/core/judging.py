"""The rule judge: whether two statements are the same claim.

Two statements share a slot only if treating them as one could never change what an
assistant should do or say. Rules cannot read, so this judge merges only what is equal after
normalisation and says "separate" to everything else. A claim stored twice is recoverable, a
claim merged away is not.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from backstory.core.values import normal_key, normal_value
from backstory.core.wordlists import word_set
from backstory.errors import InvalidInputError

Separation: TypeAlias = Literal["different_question", "conflicting_answer"]
Axis: TypeAlias = Literal["value", "key"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """What a judge says about two statements.

    Attributes:
        compatible: Whether they may be treated as one.
        separation: Why not: one answers what the other's key never asked, or both answer the
            same with something else. None: the judge did not say, which is no evidence.
        axis: Whether values (is it a rewording?) or keys (is it a claim already held?) decided.
        reason: A short sentence for people.
    """

    compatible: bool
    separation: Separation | None
    axis: Axis
    reason: str


_KEYED: Final = re.compile(r"\s*([^\W\d]\w*(?:[._/-]\w+)*)\s*[:=]\s*(\S.*)", re.DOTALL)
_WORD: Final = re.compile(r"\w+(?:['\u2019]\w+)*|[&+#]+")
_JOINING: Final = re.compile(r"(?<=[^\W\d])['\u2019.,;:/-]+(?=[^\W\d]|\s|$)")
_DIGIT: Final = re.compile(r"\d")

_ONE_OFF: Final = re.compile(
    r"\b(?:today|tonight|tomorrow|this (?:time|once|morning|afternoon|evening|week|weekend)"
    r"|just (?:once|now)|for now|right now|until (?:later|tomorrow|monday|next \w+)|only this once"
    r"|(?:the|your) next (?:run|reply|message|answer))\b",
    re.IGNORECASE,
)
_DIRECTIVE: Final = re.compile(
    r"^\W*(?:(?:please|ok|okay|and|then|so|just)\W+)*"
    r"(?:skip|stop|start|do|don['\u2019]?t|use|ignore|run|send|remind|leave|keep|pause|hold|cancel|wait"
    r"|answer|reply|write|speak|call|turn|switch|set|let|give|make|go|show|tell|avoid|forget)\b",
    re.IGNORECASE,
)
_NEGATION: Final = word_set(
    "not no never none without nothing nobody neither nor stopped quit former formerly ex longer "
    "cannot"
)
_NEGATED: Final = re.compile(r"(?<=\w)n'?t\b")
# What comes and goes with a negation.
_SILENT: Final = _NEGATION | word_set("do doe did any more i are wa were am can could will would")

# Each legal form of a firm with the other ways to write it.
_FORMS: Final = {
    form: forms.split("|")[0]
    for forms in (
        "ltd|limited",
        "inc|incorporated", "corp|corporation", "llc|l l c", "plc|p l c", "llp|l l p",
        "gmbh", "gmbh co kg|gmbh & co kg", "ag", "kg", "ohg", "ug", "ev|e v", "se", "ab",
        "aktiebolag", "as|a s", "asa", "aps", "oy", "oyj", "bv|b v", "nv|n v",
        "sa|s a", "sas", "sarl|s a r l",
        "srl|s r l", "spa|s p a", "sl|s l", "sro|s r o", "sp z o o|sp z oo", "doo|d o o",
        "kft", "zrt",
        "pty ltd|pty limited", "pte ltd|pte limited", "kk|k k", "co|company", "co ltd|co limited",
        "lda", "ltda", "eood", "ood", "hf", "ehf", "tbk", "sdn bhd",
    )
    for form in forms.split("|")
}  # fmt: skip
_EAST_ASIAN_FORM: Final = re.compile(
    "(?:\u682a\u5f0f\u4f1a\u793e|\u6709\u9650\u4f1a\u793e|\u6709\u9650\u516c\u53f8"
    "|\u80a1\u4efd\u6709\u9650\u516c\u53f8|\uc8fc\uc2dd\ud68c\uc0ac|\\(\u682a\\)|\\(\uc8fc\\))"
)
_LONGEST_FORM: Final = 4
# No short form of a name by themselves.
_BEGINNINGS: Final = word_set(
    "a al an bad big big da das de del den der di die dr el fort ga great king la lake las le "
    "little los lower mr mrs ms mount mt new north old port prof queen saint san santa sir south "
    "st the upper van von west east"
)
# What follows these tells one from the next: no firm, no longer name.
_LABELS: Final = word_set(
    "blood class draft grade group level model phase plan section series size team type unit "
    "version vitamin"
)
_TELLS_APART: Final = re.compile(r"[ivx]+|\w{1,2}|junior|senior|elder|younger")
_PARTICLES: Final = word_set(
    "of and the de da do dos del della di du la le van von der den zu und et y e i & +"
)


def decide_compatible(statement_a: str, statement_b: str) -> Judgement:
    """Say whether two statements, or two values, are the same claim.

    Compatible is only what is equal after normalisation (``normal_value``), but for a hyphen or
    the like between words, after a firm's legal form is left out on one side, or where one is a
    name and the other the same name cut short after a word. Names that differ in a number or an
    identifier never are. A statement may begin with its key (``work.employer: Volvo``); then the
    keys must be the same too.

    Args:
        statement_a: A statement or a value; any text.
        statement_b: The one to compare it with. The order does not matter.
    """
    key_a, value_a = _split(statement_a)
    key_b, value_b = _split(statement_b)
    if key_a is None or key_b is None:
        key_a = key_b = None
        value_a, value_b = statement_a, statement_b
    if key_a != key_b:
        return _separate("key", None, "the keys differ, and rules do not know what they ask")
    same = _same(value_a, value_b)
    if same:
        return Judgement(compatible=True, separation=None, axis="value", reason=same)
    return _separate("value", *_difference(value_a, value_b))


def _separate(axis: Axis, separation: Separation | None, reason: str) -> Judgement:
    return Judgement(compatible=False, separation=separation, axis=axis, reason=reason)


def _split(statement: str) -> tuple[str | None, str]:
    match = _KEYED.fullmatch(statement)
    if not match:
        return None, statement
    try:
        return normal_key(match.group(1)), match.group(2)
    except InvalidInputError:
        return None, statement


def _same(value_a: str, value_b: str) -> str | None:
    """Why two values are the same, or None."""
    form_a, form_b = normal_value(value_a), normal_value(value_b)
    if not form_a or not form_b:
        return None
    if form_a == form_b:
        return "equal after normalisation"
    firm_a, legal_a = _without_legal_form(value_a)
    firm_b, legal_b = _without_legal_form(value_b)
    comparable = not (legal_a and legal_b) or legal_a == legal_b
    if comparable and firm_a == firm_b and (legal_a or legal_b):
        return "equal but for a legal form"
    if _unjoined(form_a) == _unjoined(form_b):
        return "equal but for signs between words"
    if comparable and (_is_short_form(value_a, value_b) or _is_short_form(value_b, value_a)):
        return "one is the short form of the name"
    return None


def _unjoined(form: str) -> str:
    """A normal form without the signs between letters; those at numbers carry meaning."""
    return " ".join(_JOINING.sub(" ", form).split())


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _normal_words(text: str) -> list[str]:
    return _words(normal_value(text))


def _without_legal_form(value: str) -> tuple[str, str | None]:
    """The normal words of a firm's name, and the legal form that was taken off."""
    bare = _EAST_ASIAN_FORM.sub(" ", normal_value(value)).strip()
    if bare and bare != normal_value(value):
        return bare, "\u682a"
    words, shown = _normal_words(value), _words(value)
    if len(words) == len(shown):
        for count in range(min(_LONGEST_FORM, len(words) - 1), 0, -1):
            form = _FORMS.get(" ".join(words[-count:]))
            if form and _may_be_firm(shown[:-count]) and not _is_word(shown[-1]):
                return " ".join(words[:-count]), form
    return " ".join(words) or normal_value(value), None


def _may_be_firm(words: list[str]) -> bool:
    return _are_names(words) and words[-1].casefold() not in _LABELS


def _is_word(form: str) -> bool:
    """Whether a legal form is written like the word or the unit that it may also be."""
    return len(form) <= 2 and form.islower()


def _are_names(words: list[str]) -> bool:
    return bool(words) and all(
        (word[0].isupper() and not _DIGIT.search(word)) or word.casefold() in _PARTICLES
        for word in words
    )


def _is_short_form(short: str, long: str) -> bool:
    """Whether ``short`` is the first words of the name ``long``."""
    first, whole, shown = _normal_words(short), _normal_words(long), _words(long)
    if not first or len(first) >= len(whole) or whole[: len(first)] != first:
        return False
    rest = whole[len(first) :]
    return (
        _are_names(shown)
        and not set(rest) & (_NEGATION | _LABELS)
        and not any(map(_TELLS_APART.fullmatch, rest))
        and not set(first) <= (_BEGINNINGS | _PARTICLES)
        and first[-1] not in _PARTICLES | _LABELS
        and len("".join(first)) > 2
    )


def _difference(value_a: str, value_b: str) -> tuple[Separation | None, str]:
    """Why two unequal values are kept apart."""
    if _is_one_off(value_a) != _is_one_off(value_b):
        return "different_question", "one is for a single occasion only"
    words_a, words_b = _normal_words(value_a), _normal_words(value_b)
    if _is_denied(value_a) != _is_denied(value_b) and _positive(words_a) == _positive(words_b):
        return "conflicting_answer", "one denies what the other says"
    numbers_a, numbers_b = _identifying(words_a), _identifying(words_b)
    if numbers_a and numbers_b and numbers_a != numbers_b and _frame(words_a) == _frame(words_b):
        return "conflicting_answer", "they differ in a number or an identifier"
    return None, "not equal after normalisation"


def _is_one_off(statement: str) -> bool:
    return bool(_DIRECTIVE.search(statement) and _ONE_OFF.search(statement))


def _is_denied(statement: str) -> bool:
    form = normal_value(statement)
    return bool(_NEGATED.search(form)) or not _NEGATION.isdisjoint(_words(form))


def _positive(words: list[str]) -> list[str]:
    bare = (re.sub(r"s$", "", word) for word in words if not _NEGATED.search(word))
    return [word for word in bare if word not in _SILENT]


def _identifying(words: list[str]) -> list[str]:
    return [word for word in words if _DIGIT.search(word)]


def _frame(words: list[str]) -> list[str]:
    """The words with their digits masked: what two identifiers of one series share."""
    return [_DIGIT.sub("", word) for word in words]
