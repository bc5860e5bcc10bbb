"""The searchable form of one user's facts: words by idf, meaning by cosine, all scored exactly.

A change makes a new table of the old one in a time that does not grow with what it leaves alone,
but for copying a few arrays: a user who speaks gets a fact with every few messages.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

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
# So many new rows are indexed again with each further one, in less than 1 ms.
_MOST_RECENT: Final = 256


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
        """One score in [0, 1]: the sum of the parts."""
        first, *others = self.parts(keyword_weight).values()
        return sum(others, first)

    def parts(self, keyword_weight: float) -> dict[str, NDArray[np.float32]]:
        """What the score of each row is made of: "keyword" and "dense".

        The words count by their share of the whole query, not of the best row: a fact that holds
        only the name in a question is no good answer to it, however little else is stored.
        """
        share = np.float32(1 / max(self.most, 1e-9))
        words: NDArray[np.float32] = np.minimum(self.keyword * share, np.float32(1))
        if self.cosines is None:
            return {"keyword": words}
        meaning = np.clip(self.cosines, 0.0, 1.0)
        return {"keyword": keyword_weight * words, "dense": (1 - keyword_weight) * meaning}


@dataclass(frozen=True, kw_only=True, eq=False)
class FactTable:
    """Facts in columns, immutable; tables that follow one another share memory.

    Attributes:
        facts: In order of recording.
        terms: Of each fact, as they were given.
        postings: Which rows hold a term: of the rows below ``settled``, then of the others.
        settled: So many rows are in the first of the two indexes.
        buffer: Vectors, one row each, and room for more; rows without one are zeros.
        has_vector: Which rows have a vector.
        rows: The row of each fact, by its id.
        times: Begin and end of each fact in microseconds.
        held: Which facts are active or disputed.
        retracted: Which facts were taken back.
    """

    facts: tuple[Fact, ...]
    terms: tuple[NDArray[np.uint32], ...]
    postings: tuple[Postings, Postings]
    settled: int
    buffer: NDArray[np.float32] | None
    has_vector: NDArray[np.bool_]
    rows: dict[str, int]
    times: NDArray[np.int64]
    held: NDArray[np.bool_]
    retracted: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.facts)

    @property
    def matrix(self) -> NDArray[np.float32] | None:
        """The vectors of all rows; None if there are none."""
        return None if self.buffer is None else self.buffer[: len(self)]

    def without_vectors(self) -> FactTable:
        """The same facts and words alone: what follows it shares nothing that is written to."""
        return replace(self, buffer=None, has_vector=np.zeros(len(self), dtype=np.bool_))

    def current(self, now: datetime) -> NDArray[np.bool_]:
        """Which facts are true at a time, by the rule of ``is_current``."""
        at = to_micros(now)
        found: NDArray[np.bool_] = self.held & (self.times[0] <= at) & (at < self.times[1])
        return found

    def score(self, terms: QueryTerms, vector: NDArray[np.float32] | None) -> FactScores:
        """Score every fact against a query."""
        keyword = np.zeros(len(self), dtype=np.float32)
        most = 0.0
        for key in terms.keys:
            parts = [index.find(key)[0] for index in self.postings]
            found = sum(len(part) for part in parts)
            idf = math.log(1 + (len(self) - found + 0.5) / (found + 0.5))
            most += idf
            for rows in parts:
                if len(rows):
                    keyword[rows] += np.float32(idf)
        cosines = None
        if vector is not None and self.matrix is not None:
            cosines = np.vecdot(self.matrix, vector).astype(np.float32)
        return FactScores(keyword=keyword, most=most, cosines=cosines)

    def changed(self, items: Sequence[IndexedFact]) -> FactTable:
        """The table with facts in their new form: known ones in their rows, others behind them."""
        if not items:
            return self
        known = [(self.rows[i.fact.id], i) for i in items if i.fact.id in self.rows]
        new = [item for item in items if item.fact.id not in self.rows]
        size = len(self) + len(new)
        rows = self.rows
        if new:
            rows = rows | {item.fact.id: n for n, item in enumerate(new, len(self))}
        placed = [*known, *enumerate(new, len(self))]
        facts = [*self.facts, *(item.fact for item in new)]
        terms = [*self.terms, *(item.terms for item in new)]
        times, held = _grown(self.times, size), _grown(self.held, size)
        retracted = _grown(self.retracted, size)
        reworded = any(not np.array_equal(item.terms, terms[row]) for row, item in known)
        for row, item in placed:
            facts[row], terms[row] = item.fact, item.terms
            times[:, row] = _span(item.fact)
            held[row] = item.fact.status in CURRENT
            retracted[row] = item.fact.status is FactStatus.RETRACTED
        postings, settled = self.postings, self.settled
        if reworded or size - settled > max(_MOST_RECENT, settled // 8):
            postings, settled = (_postings(terms, 0), _NO_POSTINGS), size
        elif new:
            postings = (postings[0], _postings(terms[settled:], settled))
        buffer, has_vector = self._vectors(placed, size)
        return FactTable(
            facts=tuple(facts),
            terms=tuple(terms),
            postings=postings,
            settled=settled,
            buffer=buffer,
            has_vector=has_vector,
            rows=rows,
            times=times,
            held=held,
            retracted=retracted,
        )

    def _vectors(
        self, placed: Sequence[tuple[int, IndexedFact]], size: int
    ) -> tuple[NDArray[np.float32] | None, NDArray[np.bool_]]:
        """The buffer with new vectors, and which rows have one.

        Rows that hold nothing in any earlier table are written where they are; else it is copied.
        """
        has_vector = _grown(self.has_vector, size)
        given = [(row, item.vector) for row, item in placed]
        buffer = self.buffer
        if buffer is None:
            length = next((len(vector) for _, vector in given if vector is not None), None)
            if length is None:
                return None, has_vector
            buffer = np.zeros((size, length), dtype=np.float32)
        elif size > len(buffer) or any(row < len(self) for row, _ in given if has_vector[row]):
            buffer = _roomy(buffer[: len(self)], size)
        for row, vector in given:
            has_vector[row] = vector is not None
            buffer[row] = 0 if vector is None else vector
        return buffer, has_vector


def _grown(column: NDArray[Any], size: int) -> NDArray[Any]:
    """A copy with room for new rows, which are zeros."""
    grown = np.zeros((*column.shape[:-1], size), dtype=column.dtype)
    grown[..., : column.shape[-1]] = column
    return grown


def _roomy(matrix: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """A copy with some more rows than are needed now."""
    copied = np.zeros((size + size // 8 + 8, matrix.shape[1]), dtype=np.float32)
    copied[: len(matrix)] = matrix
    return copied


def _span(fact: Fact) -> tuple[int, int]:
    begun = _ALWAYS if fact.valid_from is None else to_micros(fact.valid_from)
    return begun, _NEVER if fact.valid_until is None else to_micros(fact.valid_until)


def _postings(terms: Sequence[NDArray[np.uint32]], first: int) -> Postings:
    """The index of the words of rows from ``first`` on."""
    found = np.concatenate(terms) if terms else np.zeros(0, dtype=np.uint32)
    lengths = [len(some) for some in terms]
    rows = np.repeat(np.arange(first, first + len(terms), dtype=np.int64), lengths)
    # the date of a row is no word of it
    words = found >> _KIND_SHIFT < _HEADER
    return Postings.build(found[words], rows[words])


_NO_POSTINGS: Final = _postings((), 0)
_EMPTY: Final = FactTable(
    facts=(),
    terms=(),
    postings=(_NO_POSTINGS, _NO_POSTINGS),
    settled=0,
    buffer=None,
    has_vector=np.zeros(0, dtype=np.bool_),
    rows={},
    times=np.zeros((2, 0), dtype=np.int64),
    held=np.zeros(0, dtype=np.bool_),
    retracted=np.zeros(0, dtype=np.bool_),
)


def build_fact_table(items: Sequence[IndexedFact]) -> FactTable:
    """Put facts into columns."""
    return _EMPTY.changed(items)
