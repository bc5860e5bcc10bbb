"""The rounds of background work go on whatever a step does."""

import asyncio
import logging
from datetime import timedelta

import pytest

from backstory.jobs.background import Background
from backstory.models.system import SystemClock
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.facts.vectors import FactVectors
from backstory.services.held import HeldSessions
from backstory.services.reading import ReadingService
from backstory.settings import Settings
from backstory.storage.factory import make_store


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
