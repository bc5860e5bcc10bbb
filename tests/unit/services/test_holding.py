"""Who holds a run and is cancelled is told so, whatever it is doing."""

import asyncio

import pytest

from backstory.core.location import Location
from backstory.core.model.schedule import RunKind
from backstory.models.processes import SystemProcesses
from backstory.services.consolidating.holding import Holds
from backstory.storage.factory import make_store
from backstory.testing.clock import FakeClock
from backstory.testing.stores.base import VERA, add


async def until_the_beat_ends() -> None:
    """Wait until the beat of a run was cancelled and has not ended."""
    async with asyncio.timeout(20):
        while not any(map(_is_ending_beat, asyncio.all_tasks())):  # noqa: ASYNC110 - none is told
            await asyncio.sleep(0)


def _is_ending_beat(task: asyncio.Task[object]) -> bool:
    return "_beats" in repr(task) and task.cancelling() > 0


def test_a_cancellation_is_not_lost_while_the_beat_ends() -> None:
    async def run() -> None:
        store = make_store(Location("memory", ""))
        await store.open(may_upgrade=True)
        await add(store, "hello")
        holds = Holds(store, FakeClock(), SystemProcesses())

        async def work() -> None:
            async with holds.hold(VERA, RunKind.EPISODIC, "sessions", again=True) as held:
                assert held is not None
            await asyncio.Event().wait()

        task = asyncio.create_task(work())
        await until_the_beat_ends()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 5)
        await store.close()

    asyncio.run(run())
