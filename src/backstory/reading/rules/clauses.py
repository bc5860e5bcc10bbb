"""Clauses: where one statement of a sentence ends and the next begins."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backstory.reading.rules.fillers import skip_fillers
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.text import Sentence, Word

PRONOUNS: Final = word_set("i we he she they it you")
_OPENERS: Final = PRONOUNS | {"my", "our", "there", "mine", "ours"}
_TIMES: Final = word_set(
    """
    these now nowadays currently since from as today meanwhile lately then in on at
    """
)
_ALWAYS: Final = word_set(
    """
    because if unless until although whereas which who where when whenever while though whether
    whose
    """
)  # fmt: skip
_JOINING: Final = word_set("and but so since plus yet or as then except")
_CONJUNCTIONS: Final = _ALWAYS | _JOINING
_FIRST_VERBS: Final = word_set(
    """
    am work live love hate adore loathe dislike speak play drive ride own have teach study
    collect keep enjoy prefer can do did was got grew moved lived worked reside commute run sing
    would will started used like
    """
)
_BARE_VERBS: Final = _FIRST_VERBS - word_set(
    """
    like love enjoy work play live run own study drive ride keep sing do started used commute
    collect
    """
)
"""Those that begin a clause behind a comma alone; the others need "and" or "but"."""
_ADVERBS: Final = word_set(
    """
    also still just now really currently always only never mostly usually then both
    """
)
_SEPARATORS: Final = word_set(", \u00b7 ) : (")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause.

    Attributes:
        words: Its words, without the conjunction.
        lead: The conjunction before it in lower case, or "".
        heir: It has no subject of its own and takes that of the clause before it.
        sentence: The number of its sentence in the message.
        first: It begins its sentence.
        sign: What the sentence ends with.
        quoted: A quotation ends right before it.
        body: Where it begins to say something, behind greetings and fillers.
        lows: Its words in lower case.
        bag: The same as a set.
        announces: A colon stands behind it.
    """

    words: tuple[Word, ...]
    lead: str
    heir: bool
    sentence: int
    first: bool
    sign: str
    quoted: bool = False
    body: int = 0
    lows: tuple[str, ...] = ()
    bag: frozenset[str] = frozenset()
    announces: bool = False

    @property
    def start(self) -> int:
        """Where it begins in the message."""
        return self.words[0].start

    @property
    def end(self) -> int:
        """Where it ends in the message."""
        return self.words[-1].end

    def low(self, start: int = 0, end: int | None = None) -> str:
        """Its words in lower case, contractions spelt out, one blank between them."""
        return " ".join(self.lows[start:end])


def clauses(sentences: Sequence[Sentence]) -> list[Clause]:
    """All clauses of a message."""
    return [
        clause for number, sentence in enumerate(sentences) for clause in split(sentence, number)
    ]


def split(sentence: Sentence, number: int) -> list[Clause]:
    """The clauses of a sentence."""
    words = sentence.words
    cuts, before = [0], words[0].low
    for at, word in enumerate(words):
        may_begin = at > 0 and (word.low in _CONJUNCTIONS or before in _SEPARATORS)
        if may_begin and _begins(words, at, joined=cuts[-1] == at - 1):
            cuts.append(at)
        before = word.low
    cuts.append(len(words))
    found: list[Clause] = []
    for start, end in itertools.pairwise(cuts):
        clause = _clause(
            words[start:end],
            sentence,
            number,
            quoted=start > 0 and words[start - 1].low == '"',
            first=start == 0,
        )
        if clause is not None:
            found.append(clause)
    return found


def _clause(
    words: Sequence[Word], sentence: Sentence, number: int, *, first: bool, quoted: bool
) -> Clause | None:
    begin = 0
    while begin < len(words) and words[begin].is_sign:
        begin += 1
    lead = ""
    while begin < len(words) and words[begin].low in _CONJUNCTIONS:
        lead = lead or words[begin].low
        begin += 1
    end = len(words)
    while end > begin and words[end - 1].is_sign and words[end - 1].low != ")":
        end -= 1
    announces = any(word.low == ":" for word in words[end:])
    if begin >= end:
        return None
    kept = tuple(words[begin:end])
    heir = not first and _verb_at(kept, 0, _FIRST_VERBS)
    lows = tuple(word.low for word in kept)
    return Clause(
        kept,
        lead,
        heir,
        number,
        first,
        sentence.end,
        quoted,
        skip_fillers(kept),
        lows,
        frozenset(lows),
        announces,
    )


def _begins(words: Sequence[Word], at: int, *, joined: bool) -> bool:
    """Whether a new clause begins with this word; ``joined``: one began with the word before."""
    word, before = words[at], words[at - 1]
    if word.start == before.start:  # the second part of a contraction
        return False
    if joined and at > 1 and before.low in _CONJUNCTIONS:
        return False
    if word.low in _ALWAYS:
        return True
    if word.low in _JOINING:
        return _opens(words, at + 1) or (
            word.low in {"and", "but"} and _verb_at(words, at + 1, _FIRST_VERBS)
        )
    if before.low in _SEPARATORS:
        return (
            _opens(words, at)
            or _verb_at(words, at, _BARE_VERBS)
            or _is_done_instead(words, at)
            or _goes_on(words, at)
        )
    return False


_GOING_ON: Final = word_set("study teach play collect speak own drive run work volunteer keep")
_NOT_PLAIN: Final = word_set(
    "to want need would like love can could should will might if let lets must may you"
)


_MOST_WORDS: Final = 60
"""Words. Further on in a sentence no list of what one does goes on."""


def _goes_on(words: Sequence[Word], at: int) -> bool:
    """Whether "study X there" begins here, in a list of what one does: "I live in Y, study …"."""
    if words[at].low not in _GOING_ON or words[at - 1].low != ",":
        return False
    if at > _MOST_WORDS or at + 1 >= len(words) or words[at + 1].is_sign:
        return False
    plain = _NOT_PLAIN.isdisjoint(word.low for word in words[:at])
    return plain and words[skip_fillers(words)].low == "i"


_DOINGS: Final = word_set("learning playing studying working living driving doing going")
_INSTEAD: Final = word_set("now instead nowadays")


def _is_done_instead(words: Sequence[Word], at: int) -> bool:
    """Whether "learning the drums instead" begins here: what one does now, without a subject."""
    if words[at].low not in _DOINGS or words[at - 1].low != ",":
        return False
    for word in words[at + 1 : at + 9]:
        if word.is_sign:
            return False
        if word.low in _INSTEAD:
            return True
    return False


def _opens(words: Sequence[Word], at: int) -> bool:
    """Whether a subject stands here, perhaps after a time: "these days I", "since April we"."""
    if at < len(words) and words[at].low in _TIMES:
        for word in words[at + 1 : at + 5]:
            if word.is_sign or word.low in _CONJUNCTIONS:
                return False
            if word.low in {"i", "we", "my"}:
                return True
        return False
    if at + 1 < len(words) and words[at].low in _WHOSE and words[at + 1].low == "name":
        return True
    return at < len(words) and words[at].low in _OPENERS


_WHOSE: Final = word_set("his her its their")


def _placed(words: Sequence[Word], at: int) -> bool:
    """Whether "at", "for", "as" or "in" follows a verb."""
    return at + 1 < len(words) and words[at + 1].low in {"at", "for", "as", "in", "from"}


def _verb_at(words: Sequence[Word], at: int, verbs: frozenset[str]) -> bool:
    """Whether a verb in the first person stands here, perhaps after adverbs."""
    for index in range(at, min(at + 4, len(words))):
        low = words[index].low
        if low not in _ADVERBS:
            return low in verbs or (low in {"work", "live"} and _placed(words, index))
    return False
