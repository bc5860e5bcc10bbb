"""Background work of one open memory: sessions that are over, and all that waits.

Everything to do is read from the store. A wake-up call that gets lost costs waiting for the
next round, nothing else.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from backstory.errors import BackstoryError
from backstory.ports.clock import Clock
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.held import HeldSessions
from backstory.tasks import end

if TYPE_CHECKING:
    from backstory.services.consolidating.consolidation import Consolidation
    from backstory.services.facts.vectors import FactVectors
    from backstory.services.reading import ReadingService

# The first round leaves the processor to what the process was started for.
FIRST_S = 0.5
ROUND_S = 30.0
_DRAIN_S = 3600.0
_log = logging.getLogger(__name__)
T = TypeVar("T")


class Background:
    """Runs rounds of background work until it is stopped.

    Args:
        store: The open store.
        vectors: Makes pending vectors.
        reading: Gives what reads messages. It is asked for when a round begins, not before: what
            is not used costs no import.
        fact_vectors: Gives what makes pending vectors of facts, likewise.
        held: Sessions that live handles keep open.
        clock: The time of this server.
        tenant_id: Whose data it works on.
        timeout: A session without a message for so long is over.
        wakeup: Set when there is something to do before the next round.
        documents: Makes the pending vectors of documents; None = there are none.
        consolidation: Gives what consolidates, asked for when there is something to do; None =
            nothing is consolidated by itself.
        derived: Makes the pending vectors of derived records; None = there are none.
    """

    def __init__(
        self,
        store: Store,
        vectors: VectorMaker,
        reading: "Callable[[], ReadingService]",
        fact_vectors: "Callable[[], FactVectors]",
        held: HeldSessions,
        clock: Clock,
        tenant_id: str,
        timeout: timedelta,
        wakeup: asyncio.Event,
        documents: Callable[[], Awaitable[object]] | None = None,
        consolidation: "Callable[[], Consolidation] | None" = None,
        derived: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._reading = reading
        self._fact_vectors = fact_vectors
        self._held = held
        self._clock = clock
        self._tenant_id = tenant_id
        self._timeout = timeout
        self._wakeup = wakeup
        self._documents = documents
        self._consolidation = consolidation
        self._derived = derived
        self._rounds = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, on the running event loop."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def wake(self) -> None:
        """Begin the next round at once."""
        self._wakeup.set()

    async def stop(self) -> None:
        """End after the step in progress; what is left is done by the next process."""
        task, self._task = self._task, None
        if task is not None:
            await end(task)

    async def _run(self) -> None:
        pause = FIRST_S
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._wakeup.wait()
            self._wakeup.clear()
            await self.round()
            pause = ROUND_S

    async def round(self) -> None:
        """Do what there is to do, each part of it tried once."""
        for step in (
            self.end_sessions,
            self.read_due,
            self._consolidate,
            self.make_vectors,
            self._store.tend,
        ):
            await attempt(step)
        self._rounds += 1

    async def end_sessions(self) -> int:
        """End the sessions that are over."""
        before = self._clock.now() - self._timeout
        return await self._store.sessions.end_timed_out(
            self._tenant_id, before, self._held.of_all()
        )

    async def read_due(self) -> None:
        """Read the sessions that are due."""
        if await self._store.facts.count_unread(None, self._tenant_id):
            idle_before = self._clock.now() - self._timeout
            await self._reading().read_due(self._tenant_id, idle_before)

    async def _consolidate(self) -> None:
        if self._consolidation is None or await self._store.runs.has_worker():
            return  # a worker is called for it
        if await self._store.derived.count_due(None, self._tenant_id):
            await self._consolidation().digest(None)
        if self._rounds:  # a process that lives for one call leaves days and weeks to others
            await self._consolidation().queue_due()
            await self._consolidation().run_waiting()

    async def make_vectors(self) -> None:
        """Make the vectors that are pending."""
        await self._vectors.flush(None, self._tenant_id, _DRAIN_S)
        if await self._store.facts.pending(None, self._tenant_id, 1):
            await self._fact_vectors().flush(None, self._tenant_id)
        if self._derived is not None:
            await self._derived()
        if self._documents is not None:
            await self._documents()


async def attempt(step: Callable[[], Awaitable[T]]) -> T | None:
    """Do a step of background work; one that fails is logged, and done in the next round."""
    try:
        return await step()
    except BackstoryError as error:
        # the next round tries again; the state in the store says what is left
        _log.warning("background work failed and will be tried again: %s", error)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - foreign code may raise anything
        # not its message, which may hold what users said
        _log.warning(
            "background work failed and will be tried again: %s in %s",
            type(error).__name__,
            _place(error),
        )
    return None


def _place(error: BaseException) -> str:
    """The function that an error comes from, without what it worked on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "an unknown place"
    return f"{trace.tb_frame.f_code.co_qualname}, line {trace.tb_lineno}"
