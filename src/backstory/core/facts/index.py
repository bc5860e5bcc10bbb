"""The searchable form of one user's facts: words by BM25, meaning by cosine, all scored exactly.

A user has few facts beside many messages, so the index is made anew when they change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.postings import Postings

if TYPE_CHECKING:
    from backstory.core.model.fact import Fact
    from backstory.core.terms import QueryTerms

# A fact is a short sentence, all of much the same length: no length normalisation is needed.
_K1: Final = 1.2
_HEADER: Final = np.uint32(2)
_KIND_SHIFT: Final = np.uint32(30)


@dataclass(frozen=True, kw_only=True)
class IndexedFact:
    """One fact with what search reads of it."""

    fact: Fact
    terms: NDArray[np.uint32]
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, kw_only=True)
class FactScores:
    """What both arms say of every row: BM25 and its share of the best, and the cosine."""

    keyword: NDArray[np.float32]
    cosines: NDArray[np.float32] | None

    def fused(self, keyword_weight: float) -> NDArray[np.float32]:
        """One score in [0, 1]: both arms, the words scaled by the best row."""
        best = float(self.keyword.max(initial=0.0))
        words = self.keyword / best if best > 0 else self.keyword
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

    def score(self, terms: QueryTerms, vector: NDArray[np.float32] | None) -> FactScores:
        """Score every fact against a query."""
        keyword = np.zeros(len(self), dtype=np.float32)
        for key in terms.keys:
            rows, counts = self.postings.find(key)
            if len(rows):
                idf = math.log(1 + (len(self) - len(rows) + 0.5) / (len(rows) + 0.5))
                keyword[rows] += np.float32(idf) * counts / (counts + np.float32(_K1))
        cosines = None
        if vector is not None and self.matrix is not None:
            cosines = np.vecdot(self.matrix, vector).astype(np.float32)
        return FactScores(keyword=keyword, cosines=cosines)


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
