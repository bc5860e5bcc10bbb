"""Search among the passages of a document: words by BM25, meaning by cosine, all scored exactly.

BM25: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), k1 = 1.2, b = 0.75.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from backstory.core.block.passage_table import PassageTable, Row, build_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self

    from numpy.typing import NDArray

    from backstory.core.terms import QueryTerms

_K1: Final = 1.2
_B: Final = 0.75
KEYWORD_WEIGHT: Final = 0.4
"""As for messages: the words decide a little less than the meaning."""
# Without a cosine: what holds less of the query's weight than this has hardly to do with it.
_LEAST_SHARE: Final = 0.08
_MOST_OF_CHAPTER: Final = 2
# So many rows may stand apart: they are put into columns again with each change.
_LEAST_APART: Final = 256
_MOST_APART: Final = 2000
_APART_SHARE: Final = 8


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which passages may be found.

    Attributes:
        before: Only those of chapters below this number.
        within: Only those of these chapters; None = all.
        floor: The least cosine; a passage without a vector passes by its words.
        most: How many, at most two of one chapter.
    """

    before: int
    floor: float
    most: int
    within: frozenset[int] | None = None


class Passages:
    """The passages of a document, immutable: most of them in one table, the latest in another.

    So a chapter that is added does not rearrange all. What was replaced is dead in the first table.

    Args:
        rows: Of all passages, in order of chapters.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._base = build_table(rows)
        self._apart: dict[tuple[int, int], Row] = {}
        self._tail = build_table(())

    def __len__(self) -> int:
        return sum(table.count for table in self._tables)

    @property
    def _tables(self) -> tuple[PassageTable, PassageTable]:
        return self._base, self._tail

    @property
    def nbytes(self) -> int:
        """Memory in bytes; of the rows that stand apart twice, with their own form."""
        return self._base.nbytes + 2 * self._tail.nbytes

    @property
    def has_vectors(self) -> bool:
        """Whether any passage has a vector."""
        return any(table.matrix is not None for table in self._tables)

    def changed(self, rows: Iterable[Row]) -> Self | None:
        """The passages with others added or in their place; None if all had better be built anew.

        Args:
            rows: New ones, and new forms of known ones.
        """
        apart = self._apart | {(row.number, row.place): row for row in rows}
        if len(apart) > max(_LEAST_APART, min(_MOST_APART, len(self._base) // _APART_SHARE)):
            return None
        made = type(self)(())
        made._apart = apart
        made._tail = build_table([apart[key] for key in sorted(apart)])
        made._base = self._base.without(apart)
        return made

    def best(
        self, terms: QueryTerms, vector: NDArray[np.float32] | None, wanted: Wanted
    ) -> list[tuple[int, int]]:
        """The passages nearest to a query, best first, as (chapter, place).

        Args:
            terms: The words of the query.
            vector: Of length 1, or None for words only.
            wanted: Which may be found.
        """
        ends = [table.end(wanted.before) for table in self._tables]
        words = self._keyword(terms, ends)
        parts = [
            _scored(table, end, found, vector, wanted)
            for table, end, found in zip(self._tables, ends, words, strict=True)
        ]
        score, numbers, places = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.lexsort((-places, -numbers, -score))
        return _spread(numbers[order].tolist(), places[order].tolist(), wanted.most)

    def _keyword(self, terms: QueryTerms, ends: Sequence[int]) -> list[NDArray[np.float32]]:
        """BM25 as a share of what a passage would score that holds every word of the query."""
        scores = [np.zeros(end, dtype=np.float32) for end in ends]
        count = len(self)
        if not count:
            return scores
        mean = sum(table.words for table in self._tables) / count or 1.0
        norms = [
            np.float32(_K1) * (1 - _B + _B * table.lengths / np.float32(mean))
            for table in self._tables
        ]
        most = 0.0
        for key in terms.keys:
            held = [table.holding(key) for table in self._tables]
            holders = sum(len(rows) for rows, _ in held)
            if not holders:
                continue
            idf = math.log(1 + (count - holders + 0.5) / (holders + 0.5))
            most += idf
            for score, norm, (rows, times) in zip(scores, norms, held, strict=True):
                shown = slice(int(np.searchsorted(rows, len(score))))
                counts = times[shown]
                score[rows[shown]] += np.float32(idf) * counts / (counts + norm[rows[shown]])
        return [score / np.float32(most) for score in scores] if most else scores


def _scored(
    table: PassageTable,
    end: int,
    words: NDArray[np.float32],
    vector: NDArray[np.float32] | None,
    wanted: Wanted,
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
    """Score, chapter and place of the rows that may be shown and have to do with the query."""
    score = words
    passes = words >= _LEAST_SHARE
    if vector is not None and table.matrix is not None:
        cosines = table.matrix[:end] @ vector
        has_vector = table.has_vector[:end]
        passes = np.where(has_vector, cosines >= wanted.floor, passes)
        # a row without a vector is compared by its words alone
        meant = np.clip(cosines, 0.0, 1.0).astype(np.float32) * has_vector
        score = np.float32(KEYWORD_WEIGHT) * words + np.float32(1 - KEYWORD_WEIGHT) * meant
    elif vector is not None:
        score = np.float32(KEYWORD_WEIGHT) * words
    if table.alive is not None:
        passes &= table.alive[:end]
    if wanted.within is not None:
        chapters = np.fromiter(wanted.within, dtype=np.int64)
        passes &= np.isin(table.numbers[:end], chapters)
    rows = np.flatnonzero(passes)
    return score[rows], table.numbers[rows], table.places[rows]


def _spread(numbers: Sequence[int], places: Sequence[int], most: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    taken: Counter[int] = Counter()
    for number, place in zip(numbers, places, strict=True):
        if len(found) == most:
            break
        if taken[number] < _MOST_OF_CHAPTER:
            taken[number] += 1
            found.append((number, place))
    return found
