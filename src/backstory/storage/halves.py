"""Values in PostgreSQL's binary form: half-precision vectors of pgvector, and arrays.

As text, a vector is five times as large, and both sides would print and parse every number.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.storage.engines.base import Binary

_BIGINT: Final = 20
"""The type number of ``bigint`` in every PostgreSQL."""


def usable(vectors: Sequence[bytes]) -> NDArray[np.bool_]:
    """Which stored vectors can be compared: not those of zeros, or with NaN or infinity.

    Args:
        vectors: Little-endian float32, all of one size.
    """
    rows = np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(vectors), -1)
    with np.errstate(all="ignore"):
        squares = np.vecdot(rows, rows)
    return np.asarray(np.isfinite(squares) & (squares > 0))


def half(vector: NDArray[np.float32]) -> Binary:
    """One vector as a ``halfvec``."""
    head = np.array([len(vector), 0], dtype=">i2")
    return Binary(head.tobytes() + vector.astype(">f2").tobytes())


def halves(vectors: Sequence[bytes], type_number: int) -> Binary:
    """Stored vectors as a ``halfvec[]``.

    Args:
        vectors: Little-endian float32, all of one size.
        type_number: The oid of ``halfvec``, which differs between databases.
    """
    numbers = np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(vectors), -1)
    size = numbers.shape[1]
    fields = [("bytes", ">i4"), ("size", ">i2"), ("unused", ">i2"), ("numbers", ">f2", (size,))]
    rows = np.zeros(len(vectors), dtype=fields)
    rows["bytes"], rows["size"], rows["numbers"] = 4 + 2 * size, size, numbers
    return _array(rows.tobytes(), type_number, len(vectors))


def integers(values: NDArray[np.int64]) -> Binary:
    """Numbers as a ``bigint[]``: a list of 100,000 of them takes the driver 30 ms."""
    rows = np.zeros(len(values), dtype=[("bytes", ">i4"), ("value", ">i8")])
    rows["bytes"], rows["value"] = 8, values
    return _array(rows.tobytes(), _BIGINT, len(values))


def _array(content: bytes, type_number: int, count: int) -> Binary:
    """One dimension, no nulls, counted from 1."""
    head = np.array([1 if count else 0, 0, type_number], dtype=">i4").tobytes()
    return Binary(head + np.array([count, 1], dtype=">i4").tobytes() + content if count else head)
