"""Whether two summaries promise the same: by words, in their order, and without any guessing.

The same are summaries whose words are equal but for articles, endings and punctuation. Alike are
those that share most words in the same order; they may still be two threads ("the red key", "the
blue key"), so likeness is only reported.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import zip_longest
from typing import Final
from unicodedata import category, normalize

from backstory.core.scripts import script_of
from backstory.core.wordlists import word_set

ALIKE: Final = 0.75
"""Share of common words from which two summaries are alike."""

_MOST_WORDS: Final = 60
_MOST_CHARS: Final = 600
_ENDING: Final = re.compile(r"(?<=...)(?:'s|\u2019s|s|es|ed|ing|d)$")
_EMPTY: Final = word_set("a an the is are was were will be")
_UNSPACED: Final = frozenset(
    ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Yi")
)


@dataclass(frozen=True, slots=True)
class Double:
    """A summary that says the same as a new one, or nearly.

    Attributes:
        number: Of the thread.
        is_same: Whether it says the same; else it is only alike.
    """

    number: int
    is_same: bool


class Summaries:
    """Summaries of threads in which doubles are looked for."""

    def __init__(self, summaries: Iterable[tuple[int, str]] = ()) -> None:
        """Take (number of the thread, summary); of the same ones the first counts."""
        self._by_words: dict[tuple[str, ...], int] = {}
        for number, summary in summaries:
            self.add(number, summary)

    def add(self, number: int, summary: str) -> None:
        """Take one more."""
        self._by_words.setdefault(summary_words(summary), number)

    def find(self, summary: str) -> Double | None:
        """The thread that says the same, else the one that is most alike, else None."""
        words = summary_words(summary)
        if words in self._by_words:
            return Double(self._by_words[words], is_same=True)
        counts = Counter(words)
        best = (ALIKE, -math.inf)
        for known, number in self._by_words.items():
            # in any order they share at least as much as in theirs, which rules out most
            if (_most_alike(counts, known), -number) > best:
                ratio = SequenceMatcher(None, words, known, autojunk=False).ratio()
                best = max(best, (ratio, -number))
        return None if best[1] == -math.inf else Double(-int(best[1]), is_same=False)

    def same(self, summary: str) -> int | None:
        """The thread that says the same, or None."""
        return self._by_words.get(summary_words(summary))


def _most_alike(counts: Counter[str], known: tuple[str, ...]) -> float:
    """The likeness that two summaries have at most, by their words in any order."""
    shared = sum(min(count, known.count(word)) for word, count in counts.items())
    return 2.0 * shared / (counts.total() + len(known))


@lru_cache(maxsize=4096)
def summary_words(summary: str) -> tuple[str, ...]:
    """The words that tell one promise from another, without articles and English endings.

    Letters of scripts that are written without blanks count one by one. A summary without words
    is one word as a whole.
    """
    text = normalize("NFKC", summary[:_MOST_CHARS]).casefold()
    words = list(_words(text))
    told = [_ENDING.sub("", word) for word in words if word not in _EMPTY] or words
    return tuple(told[:_MOST_WORDS]) or (text.strip(),)


def _words(text: str) -> Iterator[str]:
    word = ""
    for char, following in zip_longest(text, text[1:], fillvalue=" "):
        is_inner = bool(word) and char in "'\u2019" and following.isalpha()
        is_letter = is_inner or category(char)[0] in "LMN"
        if not is_letter or (word and category(char)[0] != "M" and _stands_alone(char, word[-1])):
            if word:
                yield word
            word = ""
        if is_letter:
            word += char
    if word:
        yield word


def _stands_alone(char: str, last: str) -> bool:
    if char.isascii() and last.isascii():
        return False
    return script_of(char) in _UNSPACED or script_of(last) in _UNSPACED
