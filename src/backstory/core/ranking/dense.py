"""The dense arm: exact cosines to all of the user's vectors."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.partition import Partition
from backstory.errors import EmbeddingDimensionError

_SHARES: Final = np.array([1, 1, 1 / 2, 1 / 3], dtype=np.float32)
"""By the number of turns that take part."""


def cosines(partition: Partition, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine of every message's vector to the query's; 0 where there is none.

    Each row's product is taken by itself (``vecdot``): a matrix product is twice as fast, but its
    last bits depend on how many rows stand beside, and the same store must give the same order
    however its partition came about.

    Args:
        partition: The messages.
        vector: The query's embedding, of length 1.

    Raises:
        EmbeddingDimensionError: The query's vector has another size.
    """
    result = np.zeros(len(partition), dtype=np.float32)
    if partition.dimensions is None:
        return result
    if vector.shape != (partition.dimensions,):
        message = f"The query's vector has shape {vector.shape}, not ({partition.dimensions},)."
        raise EmbeddingDimensionError(message)
    query = np.ascontiguousarray(vector, dtype=np.float32)
    for block in partition.blocks:
        if block.matrix is not None:
            np.vecdot(block.matrix, query, out=result[block.start : block.start + block.size])
    return result


def window_means(
    partition: Partition, scores: NDArray[np.float32], counted: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Return the mean of each turn's score and its two neighbours' in the session.

    The mean of cosines is the product with the mean vector, which stands for the passage around
    the turn without being embedded.

    Args:
        partition: The messages.
        scores: The cosines, 0 where not counted.
        counted: Which messages take part; a mean is over those only.
    """
    padded = np.append(scores, np.float32(0))
    total = scores + padded.take(partition.previous)
    total += padded.take(partition.following)
    weights = np.append(counted, [False]).view(np.uint8)
    number = weights.take(partition.previous)
    number += weights.take(partition.following)
    number += weights[:-1]
    total *= _SHARES.take(number, mode="clip")
    return total
