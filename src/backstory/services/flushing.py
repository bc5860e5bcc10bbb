"""Finishes what is pending: readings and digests first, then the vectors of all of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from backstory.core.model.moving import Progress
from backstory.core.model.results import FlushResult
from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.facts.vectors import FactVectors
from backstory.services.reading import ReadingService
from backstory.services.understanding import ReadResult

if TYPE_CHECKING:
    from backstory.services.consolidating.consolidation import Consolidation
    from backstory.services.consolidating.episodes import Digested
    from backstory.services.consolidating.vectors import DerivedVectors


class Flushing:
    """Does now what the background would do.

    Args:
        store: Says what is pending.
        reading: Reads messages.
        vectors: Makes the vectors of messages.
        fact_vectors: Makes the vectors of facts.
        consolidation: Gives what digests sessions, asked for when one is due; None = they wait
            until a caller asks for it.
        derived_vectors: Gives what makes the vectors of derived records, likewise.
    """

    def __init__(
        self,
        store: Store,
        reading: ReadingService,
        vectors: VectorMaker,
        fact_vectors: FactVectors,
        consolidation: Callable[[], Consolidation] | None = None,
        derived_vectors: Callable[[], DerivedVectors] | None = None,
    ) -> None:
        self._store = store
        self._reading = reading
        self._vectors = vectors
        self._fact_vectors = fact_vectors
        self._consolidation = consolidation
        self._derived_vectors = derived_vectors

    async def flush(
        self,
        scope: Scope | None,
        tenant_id: str,
        timeout_s: float,
        progress: Progress | None = None,
    ) -> FlushResult:
        """Read and embed everything that is pending, each thing tried once, in a time limit.

        Args:
            scope: Of this user; None = of all.
            tenant_id: Of this tenant.
            timeout_s: The limit.
            progress: Called with how many messages were read, and how many there were to read.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout_s
        with await self._telling(scope, tenant_id, progress):
            read, unread = await self._read(scope, tenant_id, timeout_s)
        left = max(end - loop.time(), 0.001)
        digested, undigested = await self._digest(scope, tenant_id, left)
        left = max(end - loop.time(), 0.001)
        done = await self._vectors.flush(scope, tenant_id, left)
        left = max(end - loop.time(), 0.001)
        made, problems = await self._embed_facts(scope, tenant_id, left)
        left = max(end - loop.time(), 0.001)
        derived, unmade = await self._embed_derived(scope, tenant_id, left)
        await self._store.tend()
        return replace(
            done,
            read=read.read,
            embedded=done.embedded + made + derived,
            digested=sum(one.sessions for one in digested),
            failed=done.failed + read.failed,
            reasons=tuple(
                sorted({*done.reasons, *read.reasons, *problems, *unmade, *_reasons(digested)})
            ),
            pending=done.pending + unread + undigested,
        )

    async def _telling(
        self, scope: Scope | None, tenant_id: str, progress: Progress | None
    ) -> contextlib.AbstractContextManager[None]:
        """Tell of messages that are read, here or in the background."""
        if progress is None:
            return contextlib.nullcontext()
        total = await self._store.facts.count_unread(scope, tenant_id)
        done = 0

        def told(count: int) -> None:
            nonlocal done
            done = min(done + count, total)
            progress(done, total)

        return self._reading.telling(told)

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

    async def _digest(
        self, scope: Scope | None, tenant_id: str, timeout_s: float
    ) -> tuple[list[Digested], int]:
        """What was digested, and how many sessions are left: time ran out, or others are at it."""
        if self._consolidation is None:
            return [], 0
        if not await self._store.derived.count_due(scope, tenant_id):
            return [], 0
        found: dict[str, Digested] = {}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._consolidation().digest(scope, found=found)
        return list(found.values()), await self._store.derived.count_due(scope, tenant_id)

    async def _embed_facts(
        self, scope: Scope | None, tenant_id: str, timeout_s: float
    ) -> tuple[int, set[str]]:
        try:
            async with asyncio.timeout(timeout_s):
                return await self._fact_vectors.flush(scope, tenant_id)
        except TimeoutError:
            return 0, set()

    async def _embed_derived(
        self, scope: Scope | None, tenant_id: str, timeout_s: float
    ) -> tuple[int, set[str]]:
        if self._derived_vectors is None:
            return 0, set()
        if not await self._store.derived.pending(scope, tenant_id, 1):
            return 0, set()
        try:
            async with asyncio.timeout(timeout_s):
                return await self._derived_vectors().flush(scope, tenant_id)
        except TimeoutError:
            return 0, set()


def _reasons(digested: Sequence[Digested]) -> list[str]:
    return [f"{part}: {why}" for one in digested for part, why in one.failed.items()]
