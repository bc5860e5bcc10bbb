"""Search among the passages of a document: words by BM25, meaning by cosine, all scored exactly.

BM25: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), k1 = 1.2, b = 0.75.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from backstory.core.postings import Postings
from backstory.core.terms import KEY_BITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from backstory.core.terms import QueryTerms

_K1: Final = 1.2
_B: Final = 0.75
KEYWORD_WEIGHT: Final = 0.4
"""As for messages: the words decide a little less than the meaning."""
# Without a cosine: what holds less of the query's weight than this has hardly to do with it.
_LEAST_SHARE: Final = 0.08
_MOST_OF_CHAPTER: Final = 2
_HEADER: Final = np.uint32(2)


@dataclass(frozen=True, kw_only=True, eq=False)
class PassageTable:
    """The passages of a document in columns, in order of chapters.

    Attributes:
        numbers, places: The chapter of each row, and its place in it.
        lengths: How many words each has.
        postings: Which rows hold a term.
        matrix: Vectors of length 1, one row each; rows without one are zeros. None = no vectors.
        has_vector: Which rows have a vector.
    """

    numbers: NDArray[np.int64]
    places: NDArray[np.int64]
    lengths: NDArray[np.float32]
    postings: Postings
    matrix: NDArray[np.float32] | None
    has_vector: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays in bytes."""
        columns = (self.numbers, self.places, self.lengths, self.has_vector)
        own = sum(column.nbytes for column in columns) + self.postings.nbytes
        return own + (0 if self.matrix is None else self.matrix.nbytes)

    def best(
        self,
        terms: QueryTerms,
        vector: NDArray[np.float32] | None,
        mask: NDArray[np.bool_],
        floor: float,
        most: int,
    ) -> list[tuple[int, int]]:
        """The passages nearest to a query, best first, as (chapter, place).

        Args:
            terms: The words of the query.
            vector: Of length 1, or None for words only.
            mask: The rows that may be shown.
            floor: The least cosine; a passage without a vector passes by its words.
            most: How many, at most two of one chapter.
        """
        words = self._keyword(terms)
        score = words
        passes = words >= _LEAST_SHARE
        if vector is not None and self.matrix is not None:
            cosines = self.matrix @ vector
            passes = np.where(self.has_vector, cosines >= floor, passes)
            # a row without a vector is compared by its words alone
            mixed = KEYWORD_WEIGHT * words + (1 - KEYWORD_WEIGHT) * np.clip(cosines, 0.0, 1.0)
            score = np.where(self.has_vector, mixed, KEYWORD_WEIGHT * words)
        rows = np.flatnonzero(passes & mask)
        order = rows[np.lexsort((-rows, -score[rows]))].tolist()
        return self._spread(order, most)

    def _spread(self, order: Sequence[int], most: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        taken: Counter[int] = Counter()
        for row in order:
            if len(found) == most:
                break
            number = int(self.numbers[row])
            if taken[number] < _MOST_OF_CHAPTER:
                taken[number] += 1
                found.append((number, int(self.places[row])))
        return found

    def _keyword(self, terms: QueryTerms) -> NDArray[np.float32]:
        """BM25 as a share of what a passage would score that holds every word of the query."""
        score = np.zeros(len(self), dtype=np.float32)
        if not len(self):
            return score
        mean = float(self.lengths.mean()) or 1.0
        norm = np.float32(_K1) * (1 - _B + _B * self.lengths / np.float32(mean))
        most = 0.0
        for key in terms.keys:
            rows, counts = self.postings.find(key)
            if not len(rows):
                continue
            idf = math.log(1 + (len(self) - len(rows) + 0.5) / (len(rows) + 0.5))
            most += idf
            score[rows] += np.float32(idf) * counts / (counts + norm[rows])
        if most:
            score *= np.float32((1 + _K1) / (most * (1 + _K1)))
        return score


def build_table(
    numbers: Sequence[int],
    places: Sequence[int],
    terms: Sequence[bytes],
    vectors: Sequence[bytes | None],
) -> PassageTable:
    """Put passages into columns."""
    arrays = [np.frombuffer(each, dtype="<u4").astype(np.uint32) for each in terms]
    words = [array[(array >> np.uint32(KEY_BITS)) < _HEADER] for array in arrays]
    lengths = np.array([int((w >> np.uint32(KEY_BITS) == 0).sum()) for w in words], np.float32)
    joined = np.concatenate(words) if words else np.zeros(0, dtype=np.uint32)
    rows = np.repeat(np.arange(len(words), dtype=np.int64), [len(each) for each in words])
    has_vector = np.array([vector is not None for vector in vectors], dtype=np.bool_)
    matrix = None
    size = next((len(vector) // 4 for vector in vectors if vector is not None), 0)
    if size:
        blank = bytes(4 * size)
        data = b"".join(blank if vector is None else vector for vector in vectors)
        matrix = np.frombuffer(data, dtype="<f4").astype(np.float32).reshape(-1, size)
    return PassageTable(
        numbers=np.array(numbers, dtype=np.int64),
        places=np.array(places, dtype=np.int64),
        lengths=lengths,
        postings=Postings.build(joined, rows),
        matrix=matrix,
        has_vector=has_vector,
    )
