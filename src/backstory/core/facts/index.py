"""The searchable form of one user's facts: words by idf, meaning by cosine, all scored exactly.

A user has few facts beside many messages, so the index is made anew when they change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.facts.draft import CURRENT
from backstory.core.model.fact import FactStatus
from backstory.core.postings import Postings
from backstory.core.times import to_micros

if TYPE_CHECKING:
    from datetime import datetime

    from backstory.core.model.fact import Fact
    from backstory.core.terms import QueryTerms

_HEADER: Final = np.uint32(2)
_KIND_SHIFT: Final = np.uint32(30)
_ALWAYS: Final = np.iinfo(np.int64).min
_NEVER: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, kw_only=True)
class IndexedFact:
    """One fact with what search reads of it."""

    fact: Fact
    terms: NDArray[np.uint32]
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, kw_only=True)
class FactScores:
    """What both arms say of every row.

    Attributes:
        keyword: The sum of the idf of the query's words that the row holds; 0 where none occurs.
            BM25 without counts and lengths: facts are short sentences of much the same length, and
            what is repeated in one is our own wording.
        most: What a row would score that holds every word of the query once.
        cosines: To the query's vector, or None without one.
    """

    keyword: NDArray[np.float32]
    most: float
    cosines: NDArray[np.float32] | None

    def fused(self, keyword_weight: float) -> NDArray[np.float32]:
        """One score in [0, 1] of both arms.

        The words count by their share of the whole query, not of the best row: a fact that holds
        only the name in a question is no good answer to it, however little else is stored.
        """
        share = np.float32(1 / max(self.most, 1e-9))
        words: NDArray[np.float32] = np.minimum(self.keyword * share, np.float32(1))
        if self.cosines is None:
            return words
        meaning = np.clip(self.cosines, 0.0, 1.0)
        mixed: NDArray[np.float32] = keyword_weight * words + (1 - keyword_weight) * meaning
        return mixed


@dataclass(frozen=True, kw_only=True, eq=False)
class FactTable:
    """Facts in columns.

    Attributes:
        facts: In order of recording.
        postings: Which rows hold a term.
        matrix: Vectors, one row each; rows without one are zeros.
        has_vector: Which rows have a vector.
    """

    facts: tuple[Fact, ...]
    postings: Postings
    matrix: NDArray[np.float32] | None
    has_vector: NDArray[np.bool_]
    rows: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.facts)

    def current(self, now: datetime) -> NDArray[np.bool_]:
        """Which facts are true at a time, by the rule of ``is_current``."""
        at = to_micros(now)
        begun, over, is_held = self._times
        found: NDArray[np.bool_] = is_held & (begun <= at) & (at < over)
        return found

    @cached_property
    def retracted(self) -> NDArray[np.bool_]:
        """Which facts were taken back."""
        return self._flags(lambda fact: fact.status is FactStatus.RETRACTED)

    @cached_property
    def _times(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Begin and end of each fact in microseconds, and whether it is active or disputed."""
        begun = [_ALWAYS if f.valid_from is None else to_micros(f.valid_from) for f in self.facts]
        over = [_NEVER if f.valid_until is None else to_micros(f.valid_until) for f in self.facts]
        is_held = self._flags(lambda fact: fact.status in CURRENT)
        return np.array(begun, dtype=np.int64), np.array(over, dtype=np.int64), is_held

    def _flags(self, is_true: Callable[[Fact], bool]) -> NDArray[np.bool_]:
        return np.array([is_true(fact) for fact in self.facts], dtype=np.bool_)

    def score(self, terms: QueryTerms, vector: NDArray[np.float32] | None) -> FactScores:
        """Score every fact against a query."""
        keyword = np.zeros(len(self), dtype=np.float32)
        most = 0.0
        for key in terms.keys:
            rows, _ = self.postings.find(key)
            idf = math.log(1 + (len(self) - len(rows) + 0.5) / (len(rows) + 0.5))
            most += idf
            keyword[rows] += np.float32(idf)
        cosines = None
        if vector is not None and self.matrix is not None:
            cosines = np.vecdot(self.matrix, vector).astype(np.float32)
        return FactScores(keyword=keyword, most=most, cosines=cosines)


def build_fact_table(items: Sequence[IndexedFact]) -> FactTable:
    """Put facts into columns."""
    lengths = [len(item.terms) for item in items]
    terms = np.concatenate([i.terms for i in items]) if items else np.zeros(0, dtype=np.uint32)
    rows = np.repeat(np.arange(len(items), dtype=np.int64), lengths)
    # the date of a row is no word of it
    words = terms >> _KIND_SHIFT < _HEADER
    has_vector = np.array([item.vector is not None for item in items], dtype=np.bool_)
    matrix = None
    if has_vector.any():
        size = next(len(item.vector) for item in items if item.vector is not None)
        matrix = np.zeros((len(items), size), dtype=np.float32)
        for row, item in enumerate(items):
            if item.vector is not None:
                matrix[row] = item.vector
    return FactTable(
        facts=tuple(item.fact for item in items),
        postings=Postings.build(terms[words], rows[words]),
        matrix=matrix,
        has_vector=has_vector,
        rows={item.fact.id: row for row, item in enumerate(items)},
    )
