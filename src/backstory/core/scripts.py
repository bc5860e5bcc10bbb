"""Which scripts a text is written in, and whether a derived text keeps to those of its source.

What a model derives from a message must be written as the message is. This check looks at the
two texts and nothing else: it knows no languages, and shares neither a verdict nor a sample
with whatever chose the language of the prompt.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final
from unicodedata import category, normalize

from backstory.core._script_tables import RANGES

_MAX_FOREIGN: Final = 0.25
_SECOND_SHARE: Final = 0.4
_SECOND_UNITS: Final = 6.0
_NAME_WEIGHT: Final = 0.25
_LONGEST_ABBREVIATION: Final = 5
# Letters that say about as much as one word of an alphabet with blanks.
_LETTERS_PER_WORD: Final = {
    "Han": 1.5, "Hiragana": 2.5, "Katakana": 2.5, "Bopomofo": 2.0, "Yi": 1.5,
    "Thai": 4.0, "Lao": 4.0, "Khmer": 4.0, "Myanmar": 4.0, "Tibetan": 4.0,
}  # fmt: skip
# Scripts that one language writes together: who writes the first may write the others.
_COMPANIONS: Final = {
    "Hiragana": {"Hiragana", "Katakana", "Han"},
    "Katakana": {"Hiragana", "Katakana", "Han"},
    "Bopomofo": {"Bopomofo", "Han"},
}


def _bounds() -> tuple[list[int], list[tuple[int, str]]]:
    ranges = []
    for name, spelled in RANGES.items():
        for one in spelled.split():
            first, _, last = one.partition("-")
            ranges.append((int(first, 16), int(last or first, 16), name))
    ranges.sort()
    return [first for first, _, _ in ranges], [(last, name) for _, last, name in ranges]


_FIRSTS, _LASTS = _bounds()


def script_of(letter: str) -> str | None:
    """The Unicode script of a letter by its long name (``Latin``, ``Han``); None for all else.

    Letters of every script of Unicode 18.0 that this Python knows as letters. Those that scripts
    share, such as the prolonged sound mark of kana, have none.
    """
    if not letter.isalpha():
        return None
    point = ord(letter)
    place = bisect_right(_FIRSTS, point) - 1
    if place < 0:
        return None
    last, name = _LASTS[place]
    return name if point <= last else None


def count_scripts(text: str) -> dict[str, int]:
    """How many letters of each script a text has, the most frequent first."""
    counts = Counter(map(script_of, text))
    counts.pop(None, None)
    return {name: count for name, count in counts.most_common() if name is not None}


def same_writing(derived: str, source: str) -> bool:
    """Whether a derived text is written in the script or scripts of its own source.

    A word may always be repeated as the source writes it, such as a name. Other words must be in a
    script that carries the source: the one with most words, or a second one with at least 40 %
    of them. Japanese carries kana and Han together, once the source has kana. Up to a quarter of
    the derived text may be in other scripts, and abbreviations in capitals do not count, as
    long as there is a word in a carrying script.

    Args:
        derived: What a model made of the source: a fact, a name, a summary.
        source: The text that it was made from.

    Returns:
        True when there are no letters to compare.
    """
    carrying = _carrying(source)
    words = list(_words(derived))
    if not carrying or not words:
        return True
    known = {word.folded for word in _words(source)}
    whole = normalize("NFKC", source).casefold()
    own = foreign = 0.0
    for word in words:
        if word.script in carrying:
            own += word.units
        elif _is_repeated(word, known, whole):
            continue
        elif not word.is_abbreviation:
            foreign += word.units
    if not own and any(
        word.is_abbreviation and not _is_repeated(word, known, whole) for word in words
    ):
        return False
    return foreign <= _MAX_FOREIGN * (own + foreign)


@dataclass(frozen=True, slots=True)
class _Word:
    """A run of letters of one script, with the marks on them."""

    text: str
    script: str
    letters: int

    @property
    def folded(self) -> str:
        return normalize("NFKC", self.text).casefold()

    @property
    def units(self) -> float:
        return self.letters / _LETTERS_PER_WORD.get(self.script, float(self.letters))

    @property
    def is_abbreviation(self) -> bool:
        return self.text.isupper() and self.letters <= _LONGEST_ABBREVIATION

    @property
    def is_name(self) -> bool:
        """Whether it may be a name in the middle of another script: it begins with a capital."""
        return self.text[0].isupper() and self.text[0].lower() != self.text[0]


def _words(text: str) -> Iterator[_Word]:
    for script, run in groupby(_labelled(text), key=lambda one: one[0]):
        spelled = "".join(char for _, char in run)
        if script is not None:
            letters = sum(map(str.isalpha, spelled))
            yield _Word(spelled, script, letters)


def _labelled(text: str) -> Iterator[tuple[str | None, str]]:
    """Each character with its script; a mark has that of the letter before it."""
    script: str | None = None
    for char in text:
        found = script_of(char)
        if found is None and script is not None and category(char).startswith("M"):
            found = script
        script = found
        yield found, char


def _carrying(source: str) -> frozenset[str]:
    """The scripts that a text derived from this source may be written in."""
    units: defaultdict[str, float] = defaultdict(float)
    for word in _words(source):
        units[word.script] += word.units * (_NAME_WEIGHT if word.is_name else 1.0)
    if not units:
        return frozenset()
    total = sum(units.values())
    first = max(units, key=lambda name: (units[name], name))
    carrying = {first} | {
        name for name, share in units.items() if share >= max(_SECOND_SHARE * total, _SECOND_UNITS)
    }
    japanese = carrying & {"Han"} and units.keys() & {"Hiragana"}
    companions = {"Hiragana", "Katakana", "Han"} if japanese else set[str]()
    return frozenset(carrying.union(companions, *(_COMPANIONS.get(name, ()) for name in carrying)))


def _is_repeated(word: _Word, known: set[str], whole: str) -> bool:
    if word.script in _LETTERS_PER_WORD:
        return word.folded in whole
    return word.folded in known
