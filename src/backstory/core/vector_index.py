"""Vectors that are kept decoded, and an exact search over all of them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic

import numpy as np
from numpy.typing import NDArray

from backstory.core.vector_rows import (
    K,
    RejectedVector,
    Rejection,
    VectorLike,
    read_numbers,
    read_vectors,
)
from backstory.errors import InvalidInputError

__all__ = ["RejectedVector", "Rejection", "VectorHit", "VectorIndex", "VectorLike"]

_SMALLEST_ROOM: Final = 64
_ROWS_AT_ONCE: Final = 1024
_FEW: Final = 8  # fewer than one row in so many: copying them costs less than comparing all
_HALF_ULP: Final = 2.0**-24  # of a float32 at 1
_QUERY: Final = "the query"


@dataclass(frozen=True, slots=True)
class VectorHit(Generic[K]):
    """What was found, with its cosine, -1 to 1."""

    key: K
    score: float


class VectorIndex(Generic[K]):
    """Vectors by key, searched by comparing all of them.

    Each vector is divided by its length and kept as float32. Whoever uses one index from several
    threads has to see to it that they take turns.

    Args:
        dimensions: Numbers of each vector; None for those of the first one that is added.

    Attributes:
        rejected: What was given and has no direction or cannot be read, in the order given. Such a
            vector is not in the index: it would come first in every search, or spoil its order.
    """

    def __init__(self, dimensions: int | None = None) -> None:
        if dimensions is not None and dimensions < 1:
            message = f"an index has at least one dimension; it was given {dimensions}"
            raise InvalidInputError(message)
        self._dimensions = dimensions
        self._matrix = np.zeros((0, dimensions or 0), dtype=np.float32)
        self._positions = np.zeros(0, dtype=np.int64)
        self._keys: list[K] = []
        self._rows: dict[K, int] = {}
        self.rejected: list[RejectedVector[K]] = []

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    @property
    def keys(self) -> tuple[K, ...]:
        """The keys in the order of the rows, which is that of a mask."""
        return tuple(self._keys)

    @property
    def dimensions(self) -> int | None:
        """Numbers of each vector; None while that is open."""
        return self._dimensions

    @property
    def nbytes(self) -> int:
        """Memory of the vectors in bytes, with the room for more."""
        return self._matrix.nbytes + self._positions.nbytes

    def add(self, key: K, vector: VectorLike, position: int = 0) -> None:
        """Add one vector, or put it in the place of the one with the same key.

        Args:
            key: By which it is found.
            vector: Numbers, or little-endian float32 as bytes or as base64 text.
            position: A number that a search can be limited by, such as a chapter's.

        Raises:
            EmbeddingDimensionError: It has another size than the others.
            InvalidInputError: It is not a vector.
        """
        self.add_many([(key, vector)], [position])

    def add_many(
        self, rows: Iterable[tuple[K, VectorLike]], positions: Iterable[int] | None = None
    ) -> None:
        """Add vectors as ``add`` does; where one raises an error none is added.

        Args:
            rows: Pairs of a key and a vector. Of pairs with the same key the last one counts.
            positions: One for each pair; 0 where they are left out.

        Raises:
            EmbeddingDimensionError: A vector has another size than the others.
            InvalidInputError: Something is not a vector, or positions are missing.
        """
        pairs = list(rows)
        places = np.zeros(len(pairs), np.int64)
        if positions is not None:
            places = _places(positions)
        if len(places) != len(pairs):
            message = f"{len(pairs)} vectors were given, but {len(places)} positions"
            raise InvalidInputError(message)
        last = list({key: place for place, (key, _) in enumerate(pairs)}.values())
        pairs, places = [pairs[place] for place in last], places[last]
        read = read_vectors(pairs, self._dimensions)
        self.remove(rejected.key for rejected in read.rejected)
        self._put([pairs[place][0] for place in read.kept], read.matrix, places[read.kept])
        self.rejected += read.rejected

    def remove(self, keys: Iterable[K]) -> None:
        """Take vectors out; keys that are not there are ignored.

        A call copies those that stay: take many out with one call.
        """
        gone = [self._rows[key] for key in set(keys) if key in self._rows]
        if not gone:
            return
        stays = np.ones(len(self), dtype=bool)
        stays[gone] = False
        self._matrix = self._matrix[: len(self)][stays]
        self._positions = self._positions[: len(self)][stays]
        self._keys = [key for key, stay in zip(self._keys, stays.tolist(), strict=True) if stay]
        self._rows = {key: row for row, key in enumerate(self._keys)}

    def search(
        self,
        query: VectorLike,
        k: int = 6,
        *,
        min_score: float = -1.0,
        relative_floor: float | None = None,
        within: range | None = None,
        mask: NDArray[np.bool_] | Sequence[bool] | None = None,
    ) -> list[VectorHit[K]]:
        """The vectors with the highest cosine to a query.

        The order is exact: rows are compared in single precision first, and those that may be among
        the best again in double precision. A query of zeros finds nothing.

        Args:
            query: Of the size of the others, in any of the forms that ``add`` takes.
            k: The most hits, >= 0.
            min_score: The least cosine of a hit.
            relative_floor: The least cosine as a part of the best hit's, where that is above zero.
            within: Only vectors at these positions, such as ``range(1, 40)`` for chapters 1 to 39.
            mask: Only rows where it is true; one entry for each of ``keys``.

        Returns:
            The best first; those with the same cosine in the order of ``keys``.

        Raises:
            EmbeddingDimensionError: The query has another size.
            InvalidInputError: The query is not a finite vector, or a limit cannot be meant.
        """
        _check_limits(k, min_score, relative_floor)
        unit = self._unit_query(query)
        allowed = self._allowed(within, None if mask is None else np.asarray(mask))
        if unit is None or k == 0 or not self._keys:
            return []
        rows = self._candidates(unit, k, min_score, allowed)
        scores = self._exact(rows, unit)
        order = np.argsort(-scores, kind="stable")[:k]
        found = np.clip(scores[order], -1.0, 1.0)  # rounded rows may be a little longer than 1
        hits = [
            VectorHit(self._keys[row], score)
            for row, score in zip(rows[order].tolist(), found.tolist(), strict=True)
            if score >= min_score
        ]
        if relative_floor is not None and hits and hits[0].score > 0:
            floor = hits[0].score * relative_floor
            return [hit for hit in hits if hit.score >= floor]
        return hits

    def _unit_query(self, query: VectorLike) -> NDArray[np.float32] | None:
        numbers = read_numbers(_QUERY, query)
        if numbers is not None and len(numbers) == self._dimensions:
            largest = float(np.abs(numbers).max())
            if 0 < largest < math.inf:  # the way of nearly all, with fewer steps
                numbers = numbers.astype(np.float64) / largest
                return (numbers / math.sqrt(np.dot(numbers, numbers))).astype(np.float32)
        read = read_vectors([(_QUERY, query)], self._dimensions)
        if not read.rejected:
            unit: NDArray[np.float32] = read.matrix[0]
            return unit
        reason = read.rejected[0].reason
        if reason is Rejection.NO_DIRECTION:
            return None
        message = f"the query cannot be compared: {reason}"
        raise InvalidInputError(message)

    def _allowed(
        self, within: range | None, mask: NDArray[np.bool_] | None
    ) -> NDArray[np.bool_] | None:
        """The rows that may be found; None for all."""
        count = len(self)
        if mask is not None and (mask.shape != (count,) or mask.dtype != np.bool_):
            message = f"a mask needs {count} booleans; it is {mask.dtype} of shape {mask.shape}"
            raise InvalidInputError(message)
        if within is None:
            return mask
        if within.step != 1:
            message = f"a range of positions must have step 1; it is {within}"
            raise InvalidInputError(message)
        positions = self._positions[:count]
        is_within = (positions >= within.start) & (positions < within.stop)
        return is_within if mask is None else is_within & mask

    def _candidates(
        self, unit: NDArray[np.float32], k: int, min_score: float, allowed: NDArray[np.bool_] | None
    ) -> NDArray[np.intp]:
        """The rows that may be among the best by an exact comparison, ascending."""
        matrix = self._matrix[: len(self)]
        if allowed is None:
            rows, scores = None, matrix @ unit
        elif np.count_nonzero(allowed) * _FEW < len(self):
            rows = np.flatnonzero(allowed)
            scores = matrix[rows] @ unit
        else:
            rows, scores = None, np.where(allowed, matrix @ unit, -np.inf)
        # what rounding can add to one product and take from another
        margin = 2 * (len(unit) + 2) * _HALF_ULP
        least = max(min_score, -1.0)
        if k < len(scores):
            least = max(least, float(np.partition(scores, -k)[-k]))
        found = np.flatnonzero(scores >= least - margin)
        return found if rows is None else rows[found]

    def _exact(self, rows: NDArray[np.intp], unit: NDArray[np.float32]) -> NDArray[np.float64]:
        query = unit.astype(np.float64)
        scores = np.empty(len(rows))
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            part = slice(start, start + _ROWS_AT_ONCE)
            # row by row: a product of the whole matrix may differ for equal rows
            scores[part] = np.vecdot(self._matrix[rows[part]].astype(np.float64), query)
        return scores

    def _put(
        self, keys: list[K], matrix: NDArray[np.float32], positions: NDArray[np.int64]
    ) -> None:
        if not keys:
            return
        self._dimensions = matrix.shape[1]
        places = [self._rows.get(key, -1) for key in keys]
        for key, place in zip(keys, places, strict=True):
            if place < 0:
                self._rows[key] = len(self._keys)
                self._keys.append(key)
        self._reserve(len(self._keys))
        rows = [self._rows[key] for key in keys]
        self._matrix[rows] = matrix
        self._positions[rows] = positions

    def _reserve(self, count: int) -> None:
        room = len(self._positions)
        if count <= room:
            return
        room = max(count, 2 * room, _SMALLEST_ROOM)
        matrix = np.zeros((room, self._dimensions or 0), dtype=np.float32)
        matrix[: len(self._matrix)] = self._matrix.reshape(-1, matrix.shape[1])
        positions = np.zeros(room, dtype=np.int64)
        positions[: len(self._positions)] = self._positions
        self._matrix, self._positions = matrix, positions


def _places(positions: Iterable[int]) -> NDArray[np.int64]:
    try:
        return np.array(list(positions), dtype=np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        message = f"a position must be an int of at most 64 bits: {error}"
        raise InvalidInputError(message) from error


def _check_limits(k: int, min_score: float, relative_floor: float | None) -> None:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 0:
        message = f"k must be an int, at least 0; it is {k!r}"
        raise InvalidInputError(message)
    for name, limit in (("min_score", min_score), ("relative_floor", relative_floor)):
        if limit is not None and math.isnan(limit):
            message = f"{name} is not a number, so that nothing could be found"
            raise InvalidInputError(message)
