"""Makes the vectors of passages: in the call that adds a chapter, on flush, or in the background.

What is left to do is read from the store, so a crash loses and repeats nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from backstory.errors import EmbeddingDimensionError, EmbeddingError

if TYPE_CHECKING:
    from backstory.core.model.embedding import Generation
    from backstory.ports.documents import DocumentScope, DocumentStore, PassageText
    from backstory.services.embedding.vectors import VectorMaker

_BATCH: Final = 64
_PAGE: Final = 256
AT_ONCE: Final = 64
"""So many passages of a chapter are embedded in the call that adds it; a longer rest waits."""
_PROBE: Final = "passage"


class PassageVectors:
    """Embeds passages with the embedder of the store's active generation.

    Args:
        documents: Where passages are.
        vectors: Makes vectors.
    """

    def __init__(self, documents: DocumentStore, vectors: VectorMaker) -> None:
        self._documents = documents
        self._vectors = vectors
        self._one_drain = asyncio.Lock()

    async def make_at_once(
        self, scope: DocumentScope, passages: Sequence[PassageText]
    ) -> str | None:
        """Embed what a call has just stored, if that costs no call of a service.

        Returns:
            Why it failed, or None.
        """
        if not self._vectors.embeds_at_once:
            return None
        _, reason = await self._make(scope, list(passages[:AT_ONCE]))
        return reason

    async def flush(self, scope: DocumentScope) -> tuple[int, tuple[str, ...]]:
        """Embed all passages that wait, each tried once.

        Returns:
            How many were embedded, and why others were not.
        """
        if not self._vectors.works:
            return 0, ()
        made = 0
        async with self._one_drain:
            while True:
                try:
                    generation = await self._generation()
                except EmbeddingError as error:
                    return made, (str(error),)
                if generation is None:
                    return made, ()
                waiting = await self._documents.pending(scope, generation, _PAGE)
                stored, reason = await self._make(scope, waiting)
                made += stored
                if reason is not None:
                    return made, (reason,)
                # none stored: others do the same work, or the texts were replaced meanwhile
                if not waiting or not stored:
                    return made, ()

    async def count_pending(self, scope: DocumentScope) -> int:
        """How many passages wait; none do without an embedder."""
        if not self._vectors.works:
            return 0
        return await self._documents.count_pending(scope, await self._vectors.generation())

    async def _generation(self) -> Generation | None:
        generation = await self._vectors.generation()
        if generation is None and self._vectors.works:
            generation, _ = await self._vectors.embedded([_PROBE])
        return generation

    async def _make(
        self, scope: DocumentScope, passages: Sequence[PassageText]
    ) -> tuple[int, str | None]:
        stored = 0
        for start in range(0, len(passages), _BATCH):
            batch = passages[start : start + _BATCH]
            try:
                stored += await self._batch(scope, batch)
            except EmbeddingError as error:
                if error.retryable or isinstance(error, EmbeddingDimensionError):
                    return stored, str(error)
                one_by_one, reason = await self._singly(scope, batch, error)
                stored += one_by_one
                if reason is not None and not one_by_one:
                    return stored, reason
        return stored, None

    async def _batch(self, scope: DocumentScope, batch: Sequence[PassageText]) -> int:
        if not batch:
            return 0
        generation, rows = await self._vectors.embedded([passage.text for passage in batch])
        pairs = list(zip(batch, rows, strict=True))
        return await self._documents.put_vectors(scope, generation, pairs)

    async def _singly(
        self, scope: DocumentScope, batch: Sequence[PassageText], error: EmbeddingError
    ) -> tuple[int, str | None]:
        """One text may be what the embedder refuses: the others must not wait for it."""
        if len(batch) == 1:
            return 0, str(error)
        stored, reason = 0, None
        for passage in batch:
            try:
                stored += await self._batch(scope, [passage])
            except EmbeddingError as failure:
                reason = str(failure)
        return stored, reason
