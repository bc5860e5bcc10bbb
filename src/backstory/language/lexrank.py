"""Which sentences of a text say most of what it says, by LexRank. Pure.

G. Erkan and D. Radev, "LexRank: graph-based lexical centrality as salience in text summarization",
JAIR 22 (2004), in its continuous form. The graph is never built: a step of its random walk is two
sparse products, so that the time grows with the words of a text and not with the square of its
sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.terms import FORM, KEY_MASK
from backstory.language.lexicon import STOP_WORDS
from backstory.language.words import bare, token_terms, tokens

_DAMPING: Final = 0.85
_STEPS: Final = 30
_PRECISION: Final = 1e-6
_ALIKE: Final = 0.5
_FEW_TERMS: Final = 3
_SHORT: Final = 0.3
_LONGEST_SHARE: Final = 0.6
MOST_TRIED: Final = 50
"""Sentences of a stretch; the best of a long text are far better than its fiftieth."""

_Floats = NDArray[np.float64]
_Indices = NDArray[np.int64]


@dataclass(slots=True)
class SentenceWords:
    """Sentences as sparse rows of tf-idf, each of length 1.

    Attributes:
        weights: Of each sentence, less than 1 where it has next to no words of its own.
    """

    rows: _Indices
    columns: _Indices
    values: _Floats
    starts: _Indices
    weights: _Floats
    size: int

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(_terms(text)) for text in texts]
        lengths = np.array([len(one) for one in counted], dtype=np.int64)
        self.starts = np.concatenate(([0], np.cumsum(lengths)))
        self.rows = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
        keys = np.fromiter((key for one in counted for key in one), np.int64)
        distinct, columns = np.unique(keys, return_inverse=True)
        self.columns = columns.reshape(-1).astype(np.int64)
        self.size = len(distinct)
        often = np.bincount(self.columns, minlength=self.size)
        rare = np.log((1 + len(texts)) / (1 + often)) + 1
        times = np.fromiter((n for one in counted for n in one.values()), np.float64)
        weighted = times * rare[self.columns]
        norms = np.sqrt(np.bincount(self.rows, weighted**2, minlength=len(texts)))
        self.values = weighted / norms[self.rows]
        self.weights = np.where(lengths < _FEW_TERMS, _SHORT, 1.0)

    def similar(self, to: _Floats) -> _Floats:
        """Sums of the similarities of each sentence to all, weighted."""
        shared = np.bincount(self.columns, self.values * to[self.rows], minlength=self.size)
        values = self.values * shared[self.columns]
        return np.bincount(self.rows, values, minlength=len(to)).astype(np.float64)

    def rank(self) -> _Floats:
        """How central each sentence is; they sum to 1."""
        count = len(self.weights)
        degrees = np.maximum(self.similar(np.ones(count)), _PRECISION)
        ranks = np.full(count, 1 / count)
        for _ in range(_STEPS):
            following = (1 - _DAMPING) / count + _DAMPING * self.similar(ranks / degrees)
            if float(np.abs(following - ranks).sum()) < _PRECISION:
                break
            ranks = following
        return ranks

    def repeats(self, place: int, taken: Iterable[int]) -> bool:
        """Whether a sentence says much the same as one of those that are taken."""
        mine = self._row(place)
        return any(
            sum(value * mine.get(key, 0.0) for key, value in self._row(other).items()) > _ALIKE
            for other in taken
        )

    def _row(self, place: int) -> dict[int, float]:
        span = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return dict(zip(self.columns[span].tolist(), self.values[span].tolist(), strict=True))


def fill(
    stretches: Iterable[Iterable[int]],
    words: SentenceWords,
    room: int,
    cost: Callable[[int], int],
    gap: int,
) -> set[int]:
    """The best sentences that fit, each stretch of the text in turn, none that repeats another.

    Args:
        stretches: The places of the sentences of each part of the text, the best first. Each part
            gives a sentence before one gives two: a summary tells the whole.
        words: Of the sentences.
        room: What the sentences may take together.
        cost: What one takes, by its place.
        gap: What each but the first takes beside.
    """
    waiting = [list(places)[:MOST_TRIED] for places in stretches]
    taken: set[int] = set()
    left = room
    while any(waiting):
        for queue in waiting:
            while queue:
                place = queue.pop(0)
                price = cost(place) + (gap if taken else 0)
                most = left if taken else max(left * _LONGEST_SHARE, 1)
                if price <= min(left, most) and not words.repeats(place, taken):
                    taken.add(place)
                    left -= price
                    break
    return taken


def _terms(text: str) -> list[int]:
    """Keys of the words that say something; those of form variants are left out."""
    return [
        term & KEY_MASK
        for word in tokens(text)
        if bare(word) not in STOP_WORDS
        for term in token_terms(word)
        if term < FORM
    ]
