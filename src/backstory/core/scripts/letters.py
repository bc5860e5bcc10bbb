"""The script of each letter of a text, and texts as runs of one script."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from unicodedata import category, normalize

import numpy as np

from backstory.core._script_tables import RANGES

# Letters that say about as much as one word of an alphabet with blanks.
LETTERS_PER_WORD: Final = {
    "Han": 1.5, "Hiragana": 2.5, "Katakana": 2.5, "Bopomofo": 2.0, "Yi": 1.5,
    "Thai": 4.0, "Lao": 4.0, "Khmer": 4.0, "Myanmar": 4.0, "Tibetan": 4.0,
}  # fmt: skip
_LONG: Final = 20_000
_LONGEST_ABBREVIATION: Final = 5
_NONE: Final = "\x00"
_MARK: Final = "\x01"
_FIRST_LABEL: Final = 0xE000
_SURROGATE: Final = re.compile("[\ud800-\udfff]+")
_RUN: Final = re.compile(r"([^\x00\x01])(?:\1|\x01)*")


def _bounds() -> tuple[list[int], list[tuple[int, str]]]:
    ranges = []
    for name, spelled in RANGES.items():
        for one in spelled.split():
            first, _, last = one.partition("-")
            ranges.append((int(first, 16), int(last or first, 16), name))
    ranges.sort()
    return [first for first, _, _ in ranges], [(last, name) for _, last, name in ranges]


_FIRSTS, _LASTS = _bounds()
_NAMES: Final = tuple(RANGES)
_LABELS: Final = {name: chr(_FIRST_LABEL + place) for place, name in enumerate(_NAMES)}


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


def count_chars(text: str) -> Mapping[str, int]:
    """How often each character occurs; long texts by numpy, which is five times as fast.

    Lone surrogates of a long text are not counted: they are no letters.
    """
    if len(text) < _LONG:
        return Counter(text)
    points = np.frombuffer(_SURROGATE.sub("", text).encode("utf-32-le"), dtype="<u4")
    counts = np.bincount(points)
    met = np.flatnonzero(counts)
    return dict(zip(map(chr, met.tolist()), counts[met].tolist(), strict=True))


def count_scripts(text: str) -> dict[str, int]:
    """How many letters of each script a text has, the most frequent first."""
    counts: Counter[str] = Counter()
    for char, count in count_chars(text).items():
        name = script_of(char)
        if name is not None:
            counts[name] += count
    return dict(counts.most_common())


class Word(NamedTuple):
    """A run of letters of one script, with the marks on them.

    Attributes:
        text: As it stands in the text.
        script: The long name.
        start: Where it begins in the text.
    """

    text: str
    script: str
    start: int

    @property
    def folded(self) -> str:
        """Without differences of case and of compatible forms."""
        return normalize("NFKC", self.text).casefold()

    @property
    def units(self) -> float:
        """1.0, or the share of a word that its letters are in a script without blanks."""
        per_word = LETTERS_PER_WORD.get(self.script)
        return 1.0 if per_word is None else sum(map(str.isalpha, self.text)) / per_word

    @property
    def is_abbreviation(self) -> bool:
        """Whether it is at most five letters, all of them capitals."""
        return self.text.isupper() and sum(map(str.isalpha, self.text)) <= _LONGEST_ABBREVIATION

    @property
    def is_name(self) -> bool:
        """Whether it may be a name in the middle of another script: it begins with a capital."""
        return self.text[0].isupper() and self.text[0].lower() != self.text[0]


class _Labels(dict[int, str]):
    """A table for ``str.translate``, filled as characters are met: one sign for each script."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        name = script_of(char)
        if name is not None:
            label = _LABELS[name]
        else:
            label = _MARK if category(char).startswith("M") else _NONE
        self[point] = label
        return label


_LABELLED: Final = _Labels()


def words(text: str) -> Iterator[Word]:
    """The runs of letters of one script; a mark belongs to the letter before it."""
    for run in _RUN.finditer(text.translate(_LABELLED)):
        name = _NAMES[ord(run[1]) - _FIRST_LABEL]
        yield Word(text[run.start() : run.end()], name, run.start())
