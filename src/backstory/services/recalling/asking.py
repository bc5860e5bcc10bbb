"""A query made ready for the dense arm, begun while the store is asked what has changed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from backstory.core.ranking.dense import cosines
from backstory.core.text import abridge
from backstory.errors import EmbeddingError
from backstory.language.terms import dense_query_text
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from backstory.core.model.embedding import Generation
    from backstory.core.partition import Partition
    from backstory.services.embedding.vectors import VectorMaker
    from backstory.services.recalling.requests import Request

INLINE_ROWS: Final = 20_000
"""Above this many messages, ranking takes more than a few ms: it leaves the event loop free."""
# Of a longer query, what begins and what ends it is embedded: a pasted page keeps its question.
_EMBEDDED_CHARS: Final = (2000, 500)


@dataclass(frozen=True, kw_only=True, eq=False)
class Asked:
    """What the dense arm is asked of one partition.

    Attributes:
        text: What was embedded; None = nothing.
        vector: Of the text.
        cosines: Of the partition's vectors to it, if they were compared already.
        degraded: Why there is no vector although there should be one.
    """

    partition: Partition
    text: str | None = None
    vector: NDArray[np.float32] | None = None
    cosines: NDArray[np.float32] | None = None
    degraded: str | None = None


class Asking:
    """Embeds queries.

    Args:
        vectors: The embedder.
    """

    def __init__(self, vectors: VectorMaker) -> None:
        self._vectors = vectors

    async def early(self, request: Request, partition: Partition, generation: Generation) -> Asked:
        """Do what can be done while the store is asked whether the partition is current."""
        await asyncio.sleep(0)  # let that question go out first
        asked = await self.of(request, partition, generation)
        vector = asked.vector
        if vector is None or partition.is_distant:
            return asked
        if len(partition) < INLINE_ROWS:
            return replace(asked, cosines=cosines(partition, vector))
        return replace(asked, cosines=await run_in_thread(cosines, partition, vector))

    async def of(
        self,
        request: Request,
        partition: Partition,
        generation: Generation | None,
        early: Asked | None = None,
    ) -> Asked:
        """Embed the query for a partition.

        Args:
            request: What is asked.
            partition: The user's messages as of now.
            generation: Of the vectors.
            early: What was made for an earlier state of it.
        """
        if early is not None and early.partition is partition:
            return early
        if not request.dense:
            return Asked(partition=partition)
        if generation is None or not partition.has_vector.any():
            return Asked(partition=partition, degraded=self._vectors.problem)
        names = tuple(name for name in partition.speakers.values if name)
        text = dense_query_text(abridge(request.query, *_EMBEDDED_CHARS), names)
        if early is not None and early.text == text:
            return replace(early, partition=partition, cosines=None)
        try:
            vector = await self._vectors.embed_query(text, generation)
        except EmbeddingError as error:
            problem = f"searched by keywords only: {error}"
            return Asked(partition=partition, degraded=problem)
        return Asked(partition=partition, text=text, vector=vector)
