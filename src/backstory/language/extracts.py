"""What was said in a conversation, in a few of its own sentences. Pure.

The sentences are chosen by LexRank; what is asked, what is only polite and what an assistant says
counts less, and what holds a number, a date or a name counts more: exact values never come back
once a summary has lost them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Final

import numpy as np

from backstory.core.continuity.prose import sentences
from backstory.core.text import clean, one_line
from backstory.core.wordlists import word_set
from backstory.language.lexicon import STOP_WORDS
from backstory.language.lexrank import SentenceWords, fill
from backstory.language.words import bare, tokens

STRETCHES: Final = 4
"""Parts of a conversation that each give a sentence before one gives two."""
_CUT: Final = "\u2026"
_QUESTION: Final = 0.4
_ASSISTANT: Final = 0.5
_EXACT: Final = 1.5
_OWN: Final = 1.3
_TO_OTHER: Final = 0.6
_REACTS: Final = 0.5
_ENOUGH_WORDS: Final = 8
_LEAST: Final = 0.05
_LONG_WORD: Final = 12
_UNSPACED_END: Final = ("\u3002", "\uff01", "\uff1f", "\u300d", "\u300f")
_ASKED: Final = re.compile("[?\uff1f\u061f\u037e\u055e\u1367][\"'\u201d\u2019\u00bb\u300d)]*$")
_NUMBER: Final = re.compile(r"\d")
_NAME: Final = re.compile(r"(?<=[^.!?\s:] )[^\W\d_a-z]\w*[a-z]\w*")
_SECOND_PERSON: Final = re.compile(r"\b(?:you|you\w*'\w+|your|yours)\b", re.IGNORECASE)
_REACTION: Final = re.compile(
    r"^(?:wow|woah|whoa|thanks|thank you|yeah|yep|yes|hey|oh|aw+|haha|cool|great|nice|awesome"
    r"|amazing|sounds?|that's|that sounds|glad|congrats|sorry)\b",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = re.compile(r"\b(?:I|I'\w+|I\u2019\w+|my|we|our|me|us)\b")
_POLITE: Final = word_set(
    "hi hello hey hiya howdy yo thanks thank thx ty welcome bye goodbye goodnight cheers ok okay "
    "okey k yes yeah yep yup no nope nah sure please sorry wow whoa oh ah aha haha hahaha lol lmao "
    "great nice cool awesome amazing wonderful perfect lovely fantastic super absolutely exactly "
    "totally right true agreed good morning afternoon evening night day there dear friend again "
    "later soon talk see care take hope well fine hmm mhm um uh congrats congratulations pleasure "
    "worry problem hola gracias adios si vale buenos dias buenas tardes noches bonjour bonsoir "
    "salut merci oui au revoir hallo guten tag morgen abend danke bitte ja nein tsch\u00fcss moin "
    "hej tack tak ciao grazie prego ol\u00e1 obrigado obrigada tchau "
    "\u043f\u0440\u0438\u0432\u0435\u0442 \u0441\u043f\u0430\u0441\u0438\u0431\u043e "
    "\u0434\u0430 \u043d\u0435\u0442 \u043f\u043e\u043a\u0430 "
    "\u0645\u0631\u062d\u0628\u0627 \u0634\u0643\u0631\u0627 \u0634\u0643\u0631\u064b\u0627 "
    "\u05e9\u05dc\u05d5\u05dd \u05ea\u05d5\u05d3\u05d4"
)
_POLITE_WHOLE: Final = word_set(
    "\u4f60\u597d \u60a8\u597d \u8c22\u8c22 \u8b1d\u8b1d \u518d\u89c1 \u518d\u898b "
    "\u597d\u7684 \u597d \u55e8 \u65e9\u4e0a\u597d \u665a\u5b89 "
    "\u3053\u3093\u306b\u3061\u306f \u3053\u3093\u3070\u3093\u306f "
    "\u304a\u306f\u3088\u3046 \u304a\u306f\u3088\u3046\u3054\u3056\u3044\u307e\u3059 "
    "\u3042\u308a\u304c\u3068\u3046 "
    "\u3042\u308a\u304c\u3068\u3046\u3054\u3056\u3044\u307e\u3059 \u306f\u3044 "
    "\u3044\u3044\u3048 \u304a\u3084\u3059\u307f \u3055\u3088\u3046\u306a\u3089 "
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0e02\u0e2d\u0e1a\u0e04\u0e38\u0e13 "
    "\uc548\ub155 \uc548\ub155\ud558\uc138\uc694 \uac10\uc0ac\ud569\ub2c8\ub2e4"
)
_LETTERS: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, kw_only=True)
class Said:
    """One turn of a conversation.

    Attributes:
        who: As it is shown: the name or the role of who speaks; "" shows none.
        text: What was said.
        message_id: Its message.
        by_user: Whether a person says it; what an assistant says counts less.
        on: Its day, which is shown before it; None shows none.
        group: Which part of the whole it belongs to.
    """

    who: str
    text: str
    message_id: str
    by_user: bool = True
    on: date | None = None
    group: int = 0


@dataclass(frozen=True, kw_only=True)
class Extract:
    """Sentences of a conversation.

    Attributes:
        text: A line for each who speaks in turn: ``Vera: I moved to Oslo. I like it.``
        said: The sentences, in order, each as ``Said``.
    """

    text: str
    said: tuple[Said, ...]


def extract(turns: Sequence[Said], *, most_chars: int) -> Extract | None:
    """The sentences that say most of what was said, verbatim but for line breaks, in order.

    Args:
        turns: In order. Fenced code in them is passed over.
        most_chars: The longest text, names included; 50 or more.

    Returns:
        None if nothing was said but greetings and the like.
    """
    found, weights = _worth_it([piece for turn in turns for piece in _sentences(turn)])
    if not found:
        return None
    chosen = _choose(found, weights, most_chars)
    if not chosen:
        first = next((one for one in found if one.by_user), found[0])
        room = most_chars - len(_label(first))
        return _made([replace(first, text=_clip(first.text, room))])
    return _made([found[place] for place in sorted(chosen)])


def is_said(text: str) -> bool:
    """Whether a text says anything but greetings, thanks, a yes or a no, in some languages."""
    if _LETTERS.sub("", text) in _POLITE_WHOLE:
        return False
    return any(
        any(map(str.isalnum, word)) and word not in STOP_WORDS and word not in _POLITE
        for word in map(bare, tokens(text))
    )


def _sentences(turn: Said) -> list[Said]:
    found = []
    for outside in turn.text.split("```")[::2]:
        for span in sentences(outside):
            text = clean(one_line(span.text)).strip()
            if is_said(text):
                found.append(_with_text(turn, text))
    return found


def _with_text(turn: Said, text: str) -> Said:
    # not ``replace``, which takes several times as long: a day has thousands
    made = object.__new__(Said)
    made.__dict__.update(turn.__dict__, text=text)
    return made


def _worth_it(found: Sequence[Said]) -> tuple[list[Said], list[float]]:
    """What one would tell of a conversation, and how much each sentence is worth.

    What an assistant says stands alone only where it names something: people also say yes to that.
    """
    names = frozenset(name for who in {one.who for one in found} for name in tokens(who))
    weighed = [(one, _weight(one, names)) for one in found]
    if not any(one.by_user for one in found):
        kept = [(one, weight) for one, weight in weighed if _is_exact(one, names)]
    else:
        kept = [(one, weight) for one, weight in weighed if weight >= _LEAST]
        kept = kept or [(one, weight) for one, weight in weighed if one.by_user]
    return [one for one, _ in kept], [weight for _, weight in kept]


def _choose(found: Sequence[Said], weights: Sequence[float], room: int) -> set[int]:
    words = SentenceWords([one.text for one in found])
    worth = words.rank() * words.weights * np.array(weights)
    order = [int(place) for place in np.argsort(-worth, kind="stable")]
    groups = dict.fromkeys(one.group for one in found)
    stretches: dict[int, list[int]]
    if len(groups) > 1:
        number = {group: at for at, group in enumerate(groups)}
        stretches = {at: [] for at in number.values()}
        for place in order:
            stretches[number[found[place].group]].append(place)
    else:
        stretches = {at: [] for at in range(STRETCHES)}
        for place in order:
            stretches[place * STRETCHES // len(found)].append(place)

    def cost(place: int) -> int:
        # as if each stood on a line of its own, which is the most that it takes
        return len(_label(found[place])) + len(found[place].text)

    # the part that says most comes first
    ranked = sorted(stretches.values(), key=lambda some: -worth[some[0]] if some else 0.0)
    return fill(ranked, words, room, cost, gap=1)


def _weight(one: Said, speakers: frozenset[str]) -> float:
    """How much a sentence is worth beside what LexRank says of it."""
    weight = 1.0 if one.by_user else _ASSISTANT
    said = [word for word in map(bare, tokens(one.text)) if word not in STOP_WORDS]
    own = set(said) - speakers - _POLITE
    weight *= min(sum(map(_size, own)) / _ENOUGH_WORDS, 1.0)
    if _ASKED.search(one.text):
        return weight * _QUESTION
    if _REACTION.search(one.text):
        weight *= _REACTS
    if _is_exact(one, speakers):
        weight *= _EXACT
    if _FIRST_PERSON.search(one.text):
        weight *= _OWN
    elif _SECOND_PERSON.search(one.text):
        weight *= _TO_OTHER
    return weight


def _is_exact(one: Said, speakers: frozenset[str]) -> bool:
    """Whether a sentence holds a number, or the name of anything but those who speak."""
    return _NUMBER.search(one.text) is not None or any(
        not speakers.issuperset(tokens(name)) for name in _NAME.findall(one.text)
    )


def _size(word: str) -> int:
    """How many words a word is: a run of an unspaced script is several."""
    return 1 if word.isascii() or len(word) <= _LONG_WORD else len(word) // 2


def _label(one: Said) -> str:
    day = f"{one.on.isoformat()} " if one.on is not None else ""
    return f"{day}{one.who}: " if one.who else day


def _made(said: Sequence[Said]) -> Extract:
    lines = []
    for label, some in groupby(said, key=_label):
        lines.append(label + joined([one.text for one in some]))
    return Extract(text="\n".join(lines), said=tuple(said))


def joined(texts: Sequence[str]) -> str:
    """Sentences behind each other; where the script writes no blanks, without one."""
    return "".join(
        text if number == len(texts) - 1 or text.endswith(_UNSPACED_END) else f"{text} "
        for number, text in enumerate(texts)
    )


def _clip(text: str, room: int) -> str:
    """The beginning of a text, behind a word if it has blanks, with a mark that it goes on."""
    if len(text) <= room:
        return text
    cut = text[: room - 1]
    blank = cut.rfind(" ", len(cut) // 2)
    return (cut[:blank] if blank > 0 else cut).rstrip() + _CUT
