"""The hold on an unfinished generation: one piece of work at a time, for as long as it lives."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import timedelta
from types import TracebackType
from typing import Final, Self

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.errors import BackstoryError, StoreBusyError
from backstory.ports.clock import Clock
from backstory.ports.processes import Processes
from backstory.ports.store import Store
from backstory.tasks import end

_LEASE: Final = timedelta(seconds=60)
_BEAT_S: Final = 5.0
_TAKEN: Final = (
    "another process took this reindex over, because this one gave no sign of life for a minute"
)


class Lease:
    """Holds the generation of a model while a ``with`` block runs.

    Args:
        store: The store.
        clock: The time.
        processes: Names this process.
        identity: The model.

    Attributes:
        done: How many records have their vector, for who asks.
        total: How many there are.
        problem: Why it stops, if it stops before the switch.
    """

    def __init__(
        self, store: Store, clock: Clock, processes: Processes, identity: EmbedderIdentity
    ) -> None:
        self._store = store
        self._clock = clock
        self._processes = processes
        self._identity = identity
        self._holder = processes.begin()
        self._generation: Generation | None = None
        self._beat: asyncio.Task[None] | None = None
        self._is_lost = False
        self.has_switched = False
        self.done = 0
        self.total = 0
        self.problem: str | None = None

    @property
    def generation(self) -> Generation:
        """The generation that is held."""
        if self._generation is None:
            raise AssertionError
        return self._generation

    async def __aenter__(self) -> Self:
        now = self._clock.now()
        try:
            self._generation = await self._store.reindexing.begin(
                self._identity, self._holder, now, now + _LEASE, self._processes.is_over
            )
        except BaseException:
            self._processes.end(self._holder)
            raise
        self._beat = asyncio.get_running_loop().create_task(self._beats())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._beat is not None:
            await end(self._beat)
        if isinstance(error, BackstoryError):
            self.problem = str(error)
        elif error is not None:
            # not its message, which may hold what users said
            self.problem = type(error).__name__
        self._processes.end(self._holder)
        if not self.has_switched:
            # if this fails too, the next one sees that the work of this name is over
            with contextlib.suppress(BackstoryError):
                await asyncio.shield(self._note(is_over=True))

    def check(self) -> None:
        """See that the work still is ours.

        Raises:
            StoreBusyError: Another process took it over.
        """
        if self._is_lost:
            raise StoreBusyError(_TAKEN)

    async def switch(self, *, keep_old: bool) -> int:
        """Make the generation the active one. Gives how many records are pending.

        Raises:
            StoreBusyError: Another process took it over.
        """
        pending = await self._store.reindexing.switch(
            self.generation, self._holder, self._clock.now(), keep_old=keep_old
        )
        if pending is None:
            raise StoreBusyError(_TAKEN)
        self.has_switched = True
        return pending

    async def _beats(self) -> None:
        while not self.has_switched:
            await asyncio.sleep(_BEAT_S)
            # a database that is busy now may be reached by the next beat
            with contextlib.suppress(BackstoryError):
                self._is_lost = not await self._note() and not self.has_switched

    async def _note(self, *, is_over: bool = False) -> bool:
        return await self._store.reindexing.note(
            self.generation,
            self._holder,
            lease_until=None if is_over else self._clock.now() + _LEASE,
            done=self.done,
            total=self.total,
            problem=self.problem,
        )
