"""All background work of one store, in a process of its own, until it is told to stop."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final, Protocol

from backstory.core.model.run import ConsolidationReport
from backstory.jobs.background import Background, attempt
from backstory.ports.store import Store
from backstory.services.consolidating.consolidation import Consolidation

ROUND_S: Final = 10.0
DRAIN_S: Final = 30.0
"""What is going on when a worker is told to stop may take so long to end."""


class Queue(Protocol):
    """Wakes up for single runs."""

    async def run(self, stop: asyncio.Event, drain_s: float) -> None:
        """Work until told to stop."""
        ...


class Worker:
    """Works in rounds, and beside them when it is called through a queue.

    Args:
        store: The open store.
        background: Ends sessions, reads, makes vectors.
        consolidation: Consolidates.
        queue: Wakes up for single runs; None = rounds alone.
        say: Is told in words what is done.
        round_s: The time between two rounds.
    """

    def __init__(
        self,
        store: Store,
        background: Background,
        consolidation: Consolidation,
        queue: Queue | None,
        say: Callable[[str], None],
        *,
        round_s: float = ROUND_S,
    ) -> None:
        self._store = store
        self._background = background
        self._consolidation = consolidation
        self._queue = queue
        self._say = say
        self._round_s = round_s

    async def run(self, stop: asyncio.Event, drain_s: float = DRAIN_S) -> None:
        """Work until told to stop; then finish what is going on, at most for so long."""
        rounds = asyncio.create_task(self._rounds(stop))
        tasks = [rounds]
        if self._queue is not None:
            tasks.append(asyncio.create_task(self._called(self._queue, stop, drain_s)))
        waiting = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({waiting, *tasks}, return_when=asyncio.FIRST_COMPLETED)
            stop.set()  # also when a part ended by an error
            await asyncio.wait(tasks, timeout=drain_s)
        finally:
            stop.set()
            waiting.cancel()
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        for result in ended:
            if isinstance(result, Exception):
                raise result

    async def _called(self, queue: Queue, stop: asyncio.Event, drain_s: float) -> None:
        """Answer calls; while the queue cannot be reached, the rounds find what is due."""
        while not stop.is_set():
            try:
                await queue.run(stop, drain_s)
            except Exception as error:  # noqa: BLE001 - a queue that fails must not end the rounds
                self._say(f"the queue failed ({type(error).__name__}), and is tried again")
                await _pause(stop, self._round_s)

    async def _rounds(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await self._round(lambda: not stop.is_set())
            await _pause(stop, self._round_s)

    async def _round(self, go_on: Callable[[], bool]) -> None:
        consolidation = self._consolidation
        ended = await attempt(self._background.end_sessions)
        await attempt(self._background.read_due)
        digested = await attempt(lambda: consolidation.digest(None, go_on=go_on))
        queued = await attempt(consolidation.queue_due)
        done = await attempt(lambda: consolidation.run_waiting(go_on))
        if go_on():
            await attempt(self._background.make_vectors)
            await attempt(self._store.tend)
        self._tell(ended or 0, digested, queued or 0, done or 0)

    def _tell(
        self, ended: int, digested: ConsolidationReport | None, queued: int, done: int
    ) -> None:
        users = digested.users if digested is not None else ()
        sessions = sum(user.done.get("sessions", 0) for user in users)
        counts = {
            "sessions ended": ended,
            "sessions digested": sessions,
            "runs queued": queued,
            "runs done": done,
        }
        told = [f"{count} {what}" for what, count in counts.items() if count]
        told += [
            f"{name} failed: {why}" for user in users for name, why in sorted(user.failed.items())
        ]
        if told:
            self._say(", ".join(told))


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    """Wait, or until told to stop."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
