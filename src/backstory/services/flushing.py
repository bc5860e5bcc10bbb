"""Finishes what is pending: readings first, then the vectors of messages and facts."""

import asyncio
from dataclasses import replace

from backstory.core.model.results import FlushResult
from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.facts.vectors import FactVectors
from backstory.services.reading import ReadingService, ReadResult


class Flushing:
    """Does now what the background would do.

    Args:
        store: Says what is pending.
        reading: Reads messages.
        vectors: Makes the vectors of messages.
        fact_vectors: Makes the vectors of facts.
    """

    def __init__(
        self,
        store: Store,
        reading: ReadingService,
        vectors: VectorMaker,
        fact_vectors: FactVectors,
    ) -> None:
        self._store = store
        self._reading = reading
        self._vectors = vectors
        self._fact_vectors = fact_vectors

    async def flush(self, scope: Scope | None, tenant_id: str, timeout_s: float) -> FlushResult:
        """Read and embed everything that is pending, each thing tried once, in a time limit."""
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout_s
        read, unread = await self._read(scope, tenant_id, timeout_s)
        left = max(end - loop.time(), 0.001)
        done = await self._vectors.flush(scope, tenant_id, left)
        left = max(end - loop.time(), 0.001)
        made, problems = await self._embed_facts(scope, tenant_id, left)
        await self._store.tend()
        return replace(
            done,
            read=read.read,
            embedded=done.embedded + made,
            failed=done.failed + read.failed,
            reasons=tuple(sorted({*done.reasons, *read.reasons, *problems})),
            pending=done.pending + unread,
        )

    async def _read(
        self, scope: Scope | None, tenant_id: str, timeout_s: float
    ) -> tuple[ReadResult, int]:
        """What was read, and how many messages are left because time ran out."""
        result = ReadResult()
        try:
            async with asyncio.timeout(timeout_s):
                await self._reading.read_all(scope, tenant_id, result)
        except TimeoutError:
            return result, await self._store.facts.count_unread(scope, tenant_id)
        return result, 0

    async def _embed_facts(
        self, scope: Scope | None, tenant_id: str, timeout_s: float
    ) -> tuple[int, set[str]]:
        try:
            async with asyncio.timeout(timeout_s):
                return await self._fact_vectors.flush(scope, tenant_id)
        except TimeoutError:
            return 0, set()
