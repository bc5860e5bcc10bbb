"""Which of the languages of one script a text is in, by its small words and by its letters.

Each word of a text that stands in the list of a language counts for it, the more the fewer lists
have it; each word with letters that a language lacks counts against it.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import category, normalize

_UNSEEN: Final = re.compile("[\u200d-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u00ad\u0640]")
_APOSTROPHES: Final = "'\u2018\u2019\u02bc\u02bb\u02b9`\u00b4"
# Marks of stress that textbooks and dictionaries put on Cyrillic vowels.
_STRESS: Final = re.compile("(?<=[\u0400-\u052f])[\u0300\u0301]")
_MAX_LETTER_WEIGHT: Final = 2.0
_LACKING: Final = 1.2


@dataclass(frozen=True, slots=True)
class Guess:
    """A language and how sure it is.

    Attributes:
        language: Primary subtag.
        share: Of the words, how many are in its list, in [0, 1].
        lead: Its score by that of the next language, 1.0 or more; infinite without a next one.
        words: How many words there were.
    """

    language: str
    share: float
    lead: float
    words: int


class Family:
    """The languages of one script.

    Args:
        words: Small words of each language, separated by blanks. One that begins with a hyphen
            is an ending, one that ends with it a beginning; these count half.
        letters: What each language has besides the letters that all share.
        base: The letters that all share. Empty: all that no language has for itself.
    """

    def __init__(
        self, words: Mapping[str, str], letters: Mapping[str, str], base: str = ""
    ) -> None:
        self.languages: Final = tuple(words)
        listed: defaultdict[str, list[str]] = defaultdict(list)
        for language, spelled in words.items():
            for word in dict.fromkeys(normalize("NFC", spelled).split()):
                listed[word].append(language)
        self._listed: Final = dict(listed)
        self._endings: Final = sorted({len(word) for word in listed if word.startswith("-")})
        self._beginnings: Final = sorted({len(word) for word in listed if word.endswith("-")})
        self._base: Final = frozenset(base)
        self._letters: Final = {
            language: frozenset(normalize("NFC", letters.get(language, ""))) for language in words
        }
        self._special: Final = frozenset().union(*self._letters.values())

    def guess(self, text: str) -> Guess | None:
        """The language of a text; None where no word of any list is in it."""
        counts = Counter(tokens(text))
        total = sum(counts.values())
        scores: defaultdict[str, float] = defaultdict(float)
        known: defaultdict[str, float] = defaultdict(float)
        for word, count in counts.items():
            languages, weight = self._of(word)
            for language in languages:
                scores[language] += count * weight
                known[language] += count if word in self._listed else 0.5 * count
        if not scores:
            return None
        for letters, count in self._special_letters(counts).items():
            self._judge(letters, count, scores)
        first, *others = sorted(scores, key=lambda one: (-scores[one], one))
        if scores[first] <= 0:
            return None
        second = max((scores[one] for one in others), default=0.0)
        lead = scores[first] / second if second > 0 else math.inf
        return Guess(first, known[first] / total, lead, total)

    def _of(self, word: str) -> tuple[Sequence[str], float]:
        """The languages that a word speaks for, and how much for each."""
        found = self._listed.get(word)
        if found is None and "'" in word:
            found = self._listed.get(word.partition("'")[2])
        if found is not None:
            return found, self._weight(len(found))
        part = self._part_of(word)
        return part, 0.5 * self._weight(len(part)) if part else 0.0

    def _part_of(self, word: str) -> Sequence[str]:
        for length in self._endings:
            if len(word) > length and (found := self._listed.get("-" + word[1 - length :])):
                return found
        for length in self._beginnings:
            if len(word) > length and (found := self._listed.get(word[: length - 1] + "-")):
                return found
        return ()

    def _weight(self, lists: int) -> float:
        return math.log(1 + len(self.languages) / lists)

    def _special_letters(self, counts: Mapping[str, int]) -> Counter[frozenset[str]]:
        special: Counter[frozenset[str]] = Counter()
        for word, count in counts.items():
            if letters := frozenset(filter(self._is_special, word)):
                special[letters] += count
        return special

    def _is_special(self, char: str) -> bool:
        if not self._base:
            return char in self._special
        return char not in self._base and char.isalpha()

    def _judge(self, letters: frozenset[str], count: int, scores: defaultdict[str, float]) -> None:
        having = [one for one in self.languages if letters <= self._letters[one]]
        weight = min(_MAX_LETTER_WEIGHT, 0.5 * self._weight(max(1, len(having))))
        for language in scores:
            scores[language] += count * (weight if language in having else -_LACKING)


class _Inner(dict[int, str]):
    """What belongs to words: letters, marks and apostrophes; filled as characters are met."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        kept = char if category(char)[0] in "LM" else " "
        self[point] = "'" if char in _APOSTROPHES else kept
        return self[point]


_INNER: Final = _Inner()


def tokens(text: str) -> Iterator[str]:
    """The words of a text with their marks, lower case, composed, without invisible signs."""
    plain = _STRESS.sub("", _UNSEEN.sub("", normalize("NFKC", text))).lower().translate(_INNER)
    for found in plain.split():
        word = found.strip("'")
        if any(category(char).startswith("L") for char in word):
            yield word
