"""A user's events in columns: chosen by meaning, whatever their dates are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from backstory.core.postings import Postings
from backstory.core.terms import HEADER, date_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from backstory.core.model.derived import Event
    from backstory.core.terms import QueryTerms

KEYWORD_WEIGHT: Final = 0.4
"""As for facts: the words decide a little less than the meaning."""
_TINY: Final = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class EventScores:
    """What both arms say of every event.

    Attributes:
        keyword: The sum of the idf of the query's words that the event holds; 0 where none occurs.
        most: What an event would score that holds every word.
        cosines: To the query's vector, nan where an event has none; None without a query vector.
    """

    keyword: NDArray[np.float32]
    most: float
    cosines: NDArray[np.float32] | None

    @property
    def fused(self) -> NDArray[np.float64]:
        """One score in [0, 1]: the sum of the parts."""
        first, *others = self.parts.values()
        return sum(others, first)

    @cached_property
    def parts(self) -> dict[str, NDArray[np.float64]]:
        """What the score of each event is made of: "keyword" and "dense".

        An event without a vector is judged by its words alone.
        """
        words = np.minimum(self.keyword.astype(np.float64) / max(self.most, _TINY), 1.0)
        if self.cosines is None:
            return {"keyword": words}
        meaning = np.clip(np.where(np.isnan(self.cosines), words, self.cosines), 0.0, 1.0)
        return {"keyword": KEYWORD_WEIGHT * words, "dense": (1 - KEYWORD_WEIGHT) * meaning}


@dataclass(frozen=True, kw_only=True, eq=False)
class EventTable:
    """Events with what search reads of them.

    Attributes:
        events: In any order.
        postings: Which rows hold a term.
        matrix: Their vectors; zeros where there is none. None if no event has one.
        has_vector: Which rows have one.
    """

    events: Sequence[Event]
    postings: Postings
    matrix: NDArray[np.float32] | None
    has_vector: NDArray[np.bool_]

    @cached_property
    def _rows_of_dates(self) -> Mapping[int, list[int]]:
        found: dict[int, list[int]] = {}
        for row, event in enumerate(self.events):
            for key in date_keys(event.occurred_on, event.precision):
                found.setdefault(key, []).append(row)
        return found

    def dated(self, keys: Iterable[int]) -> NDArray[np.bool_]:
        """Which events lie at one of the dates, see ``core.terms.date_keys``."""
        result = np.zeros(len(self.events), dtype=np.bool_)
        for key in keys:
            result[self._rows_of_dates.get(key, [])] = True
        return result

    def score(self, terms: QueryTerms, vector: NDArray[np.float32] | None) -> EventScores:
        """Score every event against a query."""
        size = len(self.events)
        keyword = np.zeros(size, dtype=np.float32)
        most = 0.0
        for key in terms.keys:
            rows = self.postings.find(key)[0]
            idf = math.log(1 + (size - len(rows) + 0.5) / (len(rows) + 0.5))
            most += idf
            keyword[rows] += np.float32(idf)
        cosines = None
        if vector is not None and self.matrix is not None:
            cosines = np.vecdot(self.matrix, vector).astype(np.float32)
            cosines[~self.has_vector] = np.nan
        return EventScores(keyword=keyword, most=most, cosines=cosines)


def build_event_table(
    events: Sequence[Event],
    terms: Sequence[NDArray[np.uint32]],
    vectors: Mapping[int, NDArray[np.float32]],
) -> EventTable:
    """Put events into columns.

    Args:
        events: The events.
        terms: The terms of the text of each.
        vectors: Of those that have one, by their place.
    """
    size = len(events)
    lengths = [len(some) for some in terms]
    joined = np.concatenate([np.zeros(0, dtype=np.uint32), *terms])
    rows = np.repeat(np.arange(size, dtype=np.int64), lengths)
    words = joined < HEADER
    matrix = None
    has_vector = np.zeros(size, dtype=np.bool_)
    if vectors:
        matrix = np.zeros((size, len(next(iter(vectors.values())))), dtype=np.float32)
        for row, vector in vectors.items():
            matrix[row], has_vector[row] = vector, True
    return EventTable(
        events=tuple(events),
        postings=Postings.build(joined[words], rows[words]),
        matrix=matrix,
        has_vector=has_vector,
    )
