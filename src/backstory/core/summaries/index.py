"""The searchable form of one user's summaries of sessions: words by idf, meaning by cosine."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.model.derived import Summary

_NOWHERE: Final = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class SummaryTable:
    """Summaries in columns, in one order.

    Attributes:
        summaries: One for each session.
        postings: The rows that hold each word, by its key.
        matrix: The vector of each, zeros where there is none; None if none has one.
        has_vector: Which have one.
    """

    summaries: tuple[Summary, ...]
    postings: Mapping[int, NDArray[np.int64]]
    matrix: NDArray[np.float32] | None
    has_vector: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.summaries)

    def cosines(self, vector: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """The cosine of each to a query; NaN without a vector."""
        if vector is None or self.matrix is None or self.matrix.shape[1] != len(vector):
            return np.full(len(self), np.nan, dtype=np.float32)
        close = np.vecdot(self.matrix, vector)
        found: NDArray[np.float32] = np.where(self.has_vector, close, np.nan).astype(np.float32)
        return found

    def keyword(self, keys: Sequence[int]) -> NDArray[np.float32]:
        """Which share of a query's words each holds, rare words counting more; 0 to 1."""
        scores = np.zeros(len(self), dtype=np.float64)
        most = 0.0
        for key in keys:
            rows = self.postings.get(key, _NOWHERE)
            idf = math.log(1 + (len(self) - len(rows) + 0.5) / (len(rows) + 0.5))
            most += idf
            scores[rows] += idf
        share: NDArray[np.float32] = (scores / max(most, 1e-9)).astype(np.float32)
        return share


def build_table(
    summaries: Sequence[Summary],
    words: Sequence[frozenset[int]],
    vectors: Sequence[bytes | None],
) -> SummaryTable:
    """Put summaries into columns.

    Args:
        summaries: In any order.
        words: The keys of the words of each.
        vectors: Little-endian float32 of each, None while there is none.
    """
    found: dict[int, list[int]] = {}
    for row, keys in enumerate(words):
        for key in keys:
            found.setdefault(key, []).append(row)
    length = next((len(vector) for vector in vectors if vector), 0)
    usable = [vector is not None and len(vector) == length > 0 for vector in vectors]
    matrix = None
    if length:
        matrix = np.zeros((len(vectors), length // 4), dtype=np.float32)
        for row, vector in enumerate(vectors):
            if vector is not None and usable[row]:
                matrix[row] = np.frombuffer(vector, dtype="<f4")
    return SummaryTable(
        summaries=tuple(summaries),
        postings={key: np.array(rows, dtype=np.int64) for key, rows in found.items()},
        matrix=matrix,
        has_vector=np.array(usable, dtype=np.bool_),
    )
