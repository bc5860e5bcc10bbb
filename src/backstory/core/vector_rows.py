"""Read vectors as rows of length one: from numbers, bytes or base64 text."""

import binascii
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from backstory.errors import EmbeddingDimensionError, InvalidInputError

K = TypeVar("K", bound=Hashable)

VectorLike: TypeAlias = str | bytes | bytearray | memoryview | Sequence[float] | NDArray[Any]
"""Numbers, or little-endian float32 as bytes or as base64 text."""

_ROWS_AT_ONCE: Final = 1024
_SHOWN: Final = 60  # characters of a key in a message


class Rejection(StrEnum):
    """Why a vector is not taken."""

    NOT_FINITE = "a number in it is not finite"
    NO_DIRECTION = "all of its numbers are zero"
    UNREADABLE = "not little-endian float32, or not base64"


@dataclass(frozen=True, slots=True)
class RejectedVector(Generic[K]):
    """A vector that was not taken, and why."""

    key: K
    reason: Rejection


@dataclass(frozen=True, eq=False)
class VectorRows(Generic[K]):
    """Vectors that were read.

    Attributes:
        kept: Which of the pairs, by their place; one for each row.
        matrix: float32, each row of length 1.
        rejected: The others, in the order of the pairs.
    """

    kept: list[int]
    matrix: NDArray[np.float32]
    rejected: list[RejectedVector[K]]


def read_vectors(
    pairs: Sequence[tuple[K, VectorLike]], dimensions: int | None = None
) -> VectorRows[K]:
    """Read vectors and divide each by its length.

    Args:
        pairs: A key, which is for messages only, and a vector.
        dimensions: Numbers of each vector; None for those of the first that can be read.

    Raises:
        EmbeddingDimensionError: A vector has another size.
        InvalidInputError: Something is not a vector.
    """
    kept: list[int] = []
    parts: list[NDArray[np.float32]] = []
    rejected: list[tuple[int, Rejection]] = []
    for start in range(0, len(pairs), _ROWS_AT_ONCE):
        places, rows = [], []
        for place, (key, vector) in enumerate(pairs[start : start + _ROWS_AT_ONCE], start):
            row = read_numbers(key, vector)
            if row is None:
                rejected.append((place, Rejection.UNREADABLE))
                continue
            dimensions = _checked_size(key, len(row), dimensions)
            places.append(place)
            rows.append(row)
        if rows:
            units, reasons = _unit_rows(np.array(rows, dtype=np.float64))
            parts.append(units)
            rejected += [(p, why) for p, why in zip(places, reasons, strict=True) if why]
            kept += [p for p, why in zip(places, reasons, strict=True) if not why]
    empty = np.zeros((0, dimensions or 0), dtype=np.float32)
    return VectorRows(
        kept=kept,
        matrix=np.concatenate([empty, *parts]),
        rejected=[RejectedVector(pairs[place][0], why) for place, why in sorted(rejected)],
    )


def _checked_size(key: object, size: int, dimensions: int | None) -> int:
    wanted = size if dimensions is None else dimensions
    if size != wanted or size == 0:
        numbers = "numbers" if dimensions is None else f"numbers, and those here have {wanted}"
        message = f"the vector of {_shown(key)} has {size} {numbers}"
        raise EmbeddingDimensionError(message)
    return wanted


def read_numbers(key: object, vector: VectorLike) -> NDArray[Any] | None:
    """The numbers of a vector, or None if text or bytes do not hold any."""
    if isinstance(vector, str | bytes | bytearray | memoryview):
        # copied: what is read must not change with a buffer, and a view need not be in one piece
        raw = _from_base64(vector) if isinstance(vector, str) else bytes(vector)
        return np.frombuffer(raw, dtype="<f4") if raw and len(raw) % 4 == 0 else None
    try:
        row = np.asarray(vector, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        message = f"the vector of {_shown(key)} is not a row of numbers: {error}"
        raise InvalidInputError(message) from error
    if row.ndim != 1:
        message = f"the vector of {_shown(key)} has {row.ndim} dimensions instead of one"
        raise InvalidInputError(message)
    return row


def _from_base64(text: str) -> bytes | None:
    try:
        raw = binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        return None
    return raw if len(text) == -(-len(raw) // 3) * 4 else None


def _unit_rows(
    matrix: NDArray[np.float64],
) -> tuple[NDArray[np.float32], list[Rejection | None]]:
    """The rows that have a direction, divided by their length; for each row why it has none."""
    # by the largest number first, so that no square is too large or too small for a double
    largest = np.abs(matrix).max(axis=1)
    is_finite = np.isfinite(largest)
    is_unit = is_finite & (largest > 0)
    units = matrix[is_unit] / largest[is_unit, None]
    units /= np.sqrt(np.einsum("ij,ij->i", units, units))[:, None]
    reasons = [
        None if unit else Rejection.NO_DIRECTION if finite else Rejection.NOT_FINITE
        for unit, finite in zip(is_unit.tolist(), is_finite.tolist(), strict=True)
    ]
    return units.astype(np.float32), reasons


def _shown(key: object) -> str:
    text = repr(key)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
