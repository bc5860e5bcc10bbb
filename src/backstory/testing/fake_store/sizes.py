"""Vectors of another size are refused."""

from collections.abc import Sequence

from backstory.core.model.embedding import Generation
from backstory.errors import EmbeddingDimensionError


def check_sizes(generation: Generation, vectors: Sequence[bytes]) -> None:
    """Refuse vectors of another size than the generation's."""
    size = (generation.identity.dimensions or 0) * 4
    for vector in vectors:
        if len(vector) != size:
            raise EmbeddingDimensionError(
                f"the store holds vectors of {size // 4} dimensions, this one has "
                f"{len(vector) // 4}; nothing of this batch was stored"
            )
