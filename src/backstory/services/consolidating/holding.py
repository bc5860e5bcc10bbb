"""The hold on a run: one piece of work at a time for a user, for as long as it lives."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from backstory.core.model.run import ConsolidationRun
from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope
from backstory.core.runs.deciding import retry_at
from backstory.errors import BackstoryError
from backstory.ports.clock import Clock
from backstory.ports.processes import Processes
from backstory.ports.runs import RunClaim
from backstory.ports.store import Store
from backstory.tasks import end

_LEASE: Final = timedelta(seconds=60)
_BEAT_S: Final = 15.0
_MOST_CHARS: Final = 500


@dataclass
class Held:
    """A run that is going on.

    Attributes:
        run: As it was begun.
        is_lost: Whether another process took it over, or the user was forgotten: then nothing
            more is to be done.
        problem: What failed; None = nothing.
        receipt: What was done.
        again: When it is tried again, if it failed; known when the block was left.
    """

    run: ConsolidationRun
    is_lost: bool = False
    problem: str | None = None
    receipt: dict[str, Any] = field(default_factory=dict)
    again: datetime | None = None


class Holds:
    """Begins runs, says that they are alive, and notes how they ended.

    Args:
        store: The store.
        clock: The time.
        processes: Names this process.
    """

    def __init__(self, store: Store, clock: Clock, processes: Processes) -> None:
        self._store = store
        self._clock = clock
        self._processes = processes

    def is_over(self, holder: str) -> bool:
        """Whether a piece of work has certainly ended."""
        return self._processes.is_over(holder)

    @contextlib.asynccontextmanager
    async def hold(
        self, scope: Scope, kind: RunKind, period: str, *, again: bool = False, force: bool = False
    ) -> AsyncIterator[Held | None]:
        """Hold a run while a ``with`` block runs; None if it must not be begun now.

        Leaving the block notes what ``Held.problem`` and ``receipt`` say. When the block is
        cancelled, the run is free at once for whoever comes next.
        """
        holder = self._processes.begin()
        try:
            held = await self._begun(scope, kind, period, holder, again=again, force=force)
            if held is None:
                yield None
                return
            beat = asyncio.get_running_loop().create_task(self._beats(scope, held))
            try:
                yield held
            except asyncio.CancelledError:
                await asyncio.shield(self._release(scope, held))
                raise
            except Exception as error:
                held.problem = said_of(error)
                await self._finish(scope, held)
                raise
            else:
                await self._finish(scope, held)
            finally:
                await end(beat)
        finally:
            self._processes.end(holder)

    async def _begun(
        self, scope: Scope, kind: RunKind, period: str, holder: str, *, again: bool, force: bool
    ) -> Held | None:
        now = self._clock.now()
        claim = RunClaim(
            scope=scope,
            kind=kind,
            period=period,
            holder=holder,
            lease_until=now + _LEASE,
            again=again,
            force=force,
        )
        run = await self._store.runs.begin(claim, now, self._processes.is_over)
        return None if run is None else Held(run)

    async def _finish(self, scope: Scope, held: Held) -> None:
        now = self._clock.now()
        if held.problem is not None:
            held.again = retry_at(held.run, now)
        noted = await self._store.runs.finish(scope, held.run, now, held.problem, held.receipt)
        held.is_lost = held.is_lost or not noted

    async def _release(self, scope: Scope, held: Held) -> None:
        # if this fails too, the next one sees that the holder is over, or waits for the lease
        with contextlib.suppress(BackstoryError):
            await self._store.runs.extend(scope, held.run, self._clock.now())

    async def _beats(self, scope: Scope, held: Held) -> None:
        while not held.is_lost:
            await asyncio.sleep(_BEAT_S)
            # a database that is busy now may be reached by the next beat
            with contextlib.suppress(BackstoryError):
                until = self._clock.now() + _LEASE
                held.is_lost = not await self._store.runs.extend(scope, held.run, until)


def said_of(error: BaseException) -> str:
    """What may be shown of an error: of a foreign one its name; it may quote what users said."""
    if isinstance(error, BackstoryError):
        # it may quote what a server answered, in whatever characters
        text = str(error).encode(errors="replace").decode().replace("\0", "?")
        return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"
    if isinstance(error, TimeoutError):
        return "it took too long"
    return type(error).__name__
