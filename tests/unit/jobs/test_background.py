"""The rounds of background work go on whatever a step does."""

import asyncio
import logging
from datetime import timedelta

import pytest

from backstory.core.model.schedule import Schedule
from backstory.jobs.background import Background
from backstory.models.system import SystemClock
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.facts.vectors import FactVectors
from backstory.services.held import HeldSessions
from backstory.services.reading import ReadingService
from backstory.settings import Settings
from backstory.storage.factory import make_store
from tests.unit.services.test_episodes import Counting, Part, World


def nothing_to_read() -> ReadingService:
    """No round asks for it: no message is unread."""
    raise AssertionError


def no_facts() -> FactVectors:
    """No round asks for it: no fact needs a vector."""
    raise AssertionError


class Failing(Background):
    """Its first step fails in the first round."""

    error: BaseException | None = None
    rounds: asyncio.Queue[int]

    async def end_sessions(self) -> int:
        """Fail once."""
        self.rounds.put_nowait(1)
        error, self.error = self.error, None
        if error is not None:
            raise error
        return await super().end_sessions()


@pytest.mark.parametrize("error", [RuntimeError("the secret text"), SystemExit(3)])
def test_a_step_that_fails_ends_nothing(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        store = make_store(Settings(url=":memory:").location)
        await store.open(may_upgrade=True)
        clock, wakeup = SystemClock(), asyncio.Event()
        work = Failing(
            store,
            VectorMaker(store, None, clock),
            nothing_to_read,
            no_facts,
            HeldSessions(),
            clock,
            "default",
            timedelta(hours=1),
            wakeup,
        )
        work.error, work.rounds = error, asyncio.Queue()
        work.start()
        for _ in range(2):
            wakeup.set()
            async with asyncio.timeout(10):
                await work.rounds.get()
        await work.stop()
        await store.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert type(error).__name__ in caplog.text
    assert "secret" not in caplog.text


def test_days_and_weeks_wait_for_the_second_round() -> None:
    """Sessions do not; and with a worker of a queue at work, nothing is done here."""

    async def run() -> None:
        step = Counting("counting")
        world = World((Part(),), steps=(step,), schedule=Schedule())
        await world.talk("one")
        world.clock.advance(timedelta(days=8))
        work = Background(
            world.store,
            VectorMaker(world.store, None, world.clock),
            nothing_to_read,
            no_facts,
            HeldSessions(),
            world.clock,
            "default",
            timedelta(hours=1),
            asyncio.Event(),
            consolidation=lambda: world.consolidation,
        )
        await work.round()
        assert (await world.texts(), step.runs) == (["one"], 0)
        await work.round()
        assert step.runs == 2  # one daily run, one weekly: not one for each day
        await work.round()
        assert step.runs == 2

        async def has_worker() -> bool:
            return True

        world.store.runs.has_worker = has_worker  # type: ignore[method-assign]
        world.clock.advance(timedelta(days=1))
        await world.talk("two", session="second")
        await work.round()
        assert step.runs == 2
        assert (await world.consolidation.status()).sessions_due == 1

    asyncio.run(run())
