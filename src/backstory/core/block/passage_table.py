"""The passages of a document in columns, for an exact search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from backstory.core.postings import Postings
from backstory.core.terms import KEY_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_HEADER: Final = np.uint32(2)
_PLACE_BITS: Final = 32


class Row(NamedTuple):
    """A passage.

    Attributes:
        number: Its chapter.
        place: Its place in the chapter, from 0.
        terms: Its words as they are stored.
        vector: Of length 1, little-endian float32; or None.
    """

    number: int
    place: int
    terms: bytes
    vector: bytes | None


@dataclass(frozen=True, kw_only=True, eq=False)
class PassageTable:
    """Passages in order of chapters: those before one are the first so many rows.

    Attributes:
        numbers, places: The chapter of each row, and its place in it.
        lengths: How many words each has.
        postings: Which rows hold a term.
        matrix: Vectors of length 1, one row each; rows without one are zeros. None = no vectors.
        has_vector: Which rows have a vector.
        alive: Which rows count; None = all.
        count, words: How many rows count, and how many words they have.
    """

    numbers: NDArray[np.int64]
    places: NDArray[np.int64]
    lengths: NDArray[np.float32]
    postings: Postings
    matrix: NDArray[np.float32] | None
    has_vector: NDArray[np.bool_]
    alive: NDArray[np.bool_] | None
    count: int
    words: float

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays in bytes."""
        columns = (self.numbers, self.places, self.lengths, self.has_vector)
        own = sum(column.nbytes for column in columns) + self.postings.nbytes
        return own + (0 if self.matrix is None else self.matrix.nbytes)

    def end(self, before: int) -> int:
        """How many rows are of chapters below a number."""
        return int(np.searchsorted(self.numbers, before))

    def holding(self, key: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The rows that hold a term, ascending, and how often."""
        rows, times = self.postings.find(key)
        if self.alive is not None:
            alive = self.alive[rows]
            rows, times = rows[alive], times[alive]
        return rows, times

    def without(self, keys: Iterable[tuple[int, int]]) -> PassageTable:
        """The table in which some passages, by chapter and place, do not count."""
        own = self.numbers << _PLACE_BITS | self.places
        gone = np.array([number << _PLACE_BITS | place for number, place in keys], dtype=np.int64)
        rows = np.searchsorted(own, gone)
        rows = rows[rows < len(own)]
        rows = rows[np.isin(own[rows], gone)]
        if not len(rows):
            return self
        alive = np.ones(len(self), dtype=np.bool_) if self.alive is None else self.alive.copy()
        alive[rows] = False
        words = float(self.lengths[alive].sum(dtype=np.float64))
        return replace(self, alive=alive, count=int(alive.sum()), words=words)


def build_table(rows: Sequence[Row]) -> PassageTable:
    """Put passages, in order of chapters and places, into columns."""
    arrays = [np.frombuffer(row.terms, dtype="<u4").astype(np.uint32) for row in rows]
    words = [array[(array >> np.uint32(KEY_BITS)) < _HEADER] for array in arrays]
    lengths = np.array([int((w >> np.uint32(KEY_BITS) == 0).sum()) for w in words], np.float32)
    joined = np.concatenate(words) if words else np.zeros(0, dtype=np.uint32)
    at = np.repeat(np.arange(len(words), dtype=np.int64), [len(each) for each in words])
    return PassageTable(
        numbers=np.array([row.number for row in rows], dtype=np.int64),
        places=np.array([row.place for row in rows], dtype=np.int64),
        lengths=lengths,
        postings=Postings.build(joined, at),
        matrix=_matrix(rows),
        has_vector=np.array([row.vector is not None for row in rows], dtype=np.bool_),
        alive=None,
        count=len(rows),
        words=float(lengths.sum(dtype=np.float64)),
    )


def _matrix(rows: Sequence[Row]) -> NDArray[np.float32] | None:
    size = next((len(row.vector) // 4 for row in rows if row.vector is not None), 0)
    if not size:
        return None
    blank = bytes(4 * size)
    data = b"".join(blank if row.vector is None else row.vector for row in rows)
    return np.frombuffer(data, dtype="<f4").astype(np.float32, copy=False).reshape(-1, size)
