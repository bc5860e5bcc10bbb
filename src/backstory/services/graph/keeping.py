"""Keeps a mirror of the graph in step with the store it is computed from.

What the mirror holds of a user has a stamp: that of the graph it was made of. A push that got lost,
because a process ended or the server was away, is made up for at the next use.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final, Protocol

from backstory.core.graph.value import Graph
from backstory.core.model.derived import RelationStatus
from backstory.errors import BackstoryError
from backstory.ports.graph import GraphMirror, GraphStore, When
from backstory.tasks import end

if TYPE_CHECKING:
    from backstory.core.model.scope import Scope
    from backstory.ports.clock import Clock
    from backstory.services.graph.own import FactGraph

_PAUSE_S: Final = 0.2
_log = logging.getLogger(__name__)


class MirrorStore(GraphStore, GraphMirror, Protocol):
    """A graph store that is a mirror."""


class Keeper:
    """Brings a mirror up to date.

    Args:
        store: The mirror.
        own: What it repeats.
        clock: The time of a push.
    """

    def __init__(self, store: MirrorStore, own: FactGraph, clock: Clock) -> None:
        self.store = store
        self._own = own
        self._clock = clock
        self._locks: dict[Scope, asyncio.Lock] = {}
        self._waiting: dict[Scope, None] = {}
        self._task: asyncio.Task[None] | None = None

    async def catch_up(self, scope: Scope) -> int:
        """Push what changed since the last push; gives how many records were written.

        Raises:
            StoreUnavailableError: The mirror does not answer.
        """
        lock = self._locks.setdefault(scope, asyncio.Lock())
        try:
            async with lock:
                known = await self._own.whole(scope, When(now=self._clock.now()))
                if await self.store.stamp(scope) == known.mark:
                    return 0
                return await self.store.replace(scope, told(known.graph), known.mark)
        finally:
            if not lock.locked():
                self._locks.pop(scope, None)

    def note(self, scope: Scope) -> None:
        """Push beside the calls, soon. It is no matter if that fails."""
        self._waiting[scope] = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._push())

    async def forget(self, scope: Scope) -> int:
        """Remove a user from the mirror; gives how many records that were."""
        self._waiting.pop(scope, None)
        async with self._locks.setdefault(scope, asyncio.Lock()):
            return await self.store.forget(scope)

    async def close(self) -> None:
        """End; what was not pushed is made up for at the next use."""
        task, self._task = self._task, None
        if task is not None:
            await end(task)
        await self.store.aclose()

    async def _push(self) -> None:
        while self._waiting:
            await asyncio.sleep(_PAUSE_S)
            waiting, self._waiting = self._waiting, {}
            for scope in waiting:
                try:
                    await self.catch_up(scope)
                except BackstoryError as error:
                    _log.warning("the graph is brought up to date at its next use: %s", error)


def told(graph: Graph) -> Graph:
    """What others may see: nothing that was taken back."""
    kept = [r for r in graph.relations if r.status is not RelationStatus.RETRACTED]
    alone = (name for name in graph.entities if name not in graph.beside)
    return graph.of(kept, also=alone)
