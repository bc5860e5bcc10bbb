"""The guard around an embedder: whatever it does, vectors come out of it or an EmbeddingError.

A caller's object is foreign code. Errors of any kind and vectors of any shape end here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from backstory.errors import (
    EmbeddingDimensionError,
    EmbeddingError,
    EmbeddingUnavailableError,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from backstory.ports.embedder import Embedder

# float16 rounds a length by less than this.
_LENGTH_TOLERANCE = 1e-3
_NUMBERS = "fiu"


async def embed(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Embed texts with an embedder that is not trusted.

    Args:
        embedder: Any object of the port.
        texts: One text or more.

    Returns:
        float32 of shape (len(texts), dimensions > 0): finite rows of length 1.

    Raises:
        EmbeddingError: The embedder failed, or gave something that is not such vectors.
        EmbeddingDimensionError: It gave another size than it says it gives.
    """
    try:
        given = await embedder.embed(texts)
    except EmbeddingError:
        raise
    except OSError as error:  # connections and timeouts are among these
        raise EmbeddingUnavailableError(f"the embedder failed: {_named(error)}") from error
    except Exception as error:  # foreign code may raise anything
        raise EmbeddingError(f"the embedder failed: {_named(error)}") from error
    return _unit_rows(_numbers(given), len(texts), embedder.identity.dimensions)


def _numbers(given: object) -> NDArray[np.float64]:
    try:
        array = np.asarray(given)
    except Exception as error:  # converting runs code of the given object
        raise EmbeddingError(f"the embedder gave no vectors: {_named(error)}") from error
    if array.dtype.kind not in _NUMBERS:
        raise EmbeddingError(f"the embedder gave no vectors but {type(given).__name__}")
    return array.astype(np.float64)


def _unit_rows(
    array: NDArray[np.float64], count: int, dimensions: int | None
) -> NDArray[np.float32]:
    if array.ndim != 2 or len(array) != count or not array.shape[1]:
        raise EmbeddingError(
            f"the embedder gave an array of shape {array.shape} for {count} texts; "
            f"wanted ({count}, dimensions)"
        )
    if dimensions is not None and array.shape[1] != dimensions:
        raise EmbeddingDimensionError(
            f"the embedder gave {array.shape[1]} dimensions and says that it gives {dimensions}"
        )
    highest = np.abs(array).max(axis=1, keepdims=True)
    if not np.isfinite(highest).all():
        raise EmbeddingError("the embedder gave vectors with NaN or infinity")
    if not highest.all():
        raise EmbeddingError("the embedder gave vectors of zeros")
    # scaled first: squares of large or tiny numbers leave the range of float64
    lengths = highest * np.linalg.norm(array / highest, axis=1, keepdims=True)
    lengths[np.abs(lengths - 1) <= _LENGTH_TOLERANCE] = 1
    rows: NDArray[np.float32] = (array / lengths).astype(np.float32)
    return rows


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
