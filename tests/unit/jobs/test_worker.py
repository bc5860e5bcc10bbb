"""A worker goes on when its queue fails, and finishes what is going on before it ends."""

import asyncio
from datetime import timedelta

import pytest

from backstory.core.model.scope import Scope
from backstory.jobs.background import Background
from backstory.jobs.worker import Worker
from backstory.services.consolidating.consolidation import Consolidation
from backstory.services.consolidating.digest import Digest
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.held import HeldSessions
from backstory.testing.stores.base import VERA
from tests.unit.services.test_episodes import Part, World


class Queue:
    """Fails as often as it is told, then waits."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.at_work = asyncio.Event()

    async def run(self, stop: asyncio.Event, drain_s: float) -> None:
        del drain_s
        if self.failures:
            self.failures -= 1
            raise ConnectionError
        self.at_work.set()
        await stop.wait()


def worker(world: World, consolidation: Consolidation, queue: Queue, said: list[str]) -> Worker:
    store, clock = world.store, world.clock

    def none() -> None:
        raise AssertionError

    background = Background(
        store,
        VectorMaker(store, None, clock),
        none,  # type: ignore[arg-type]
        none,  # type: ignore[arg-type]
        HeldSessions(),
        clock,
        VERA.tenant_id,
        timedelta(minutes=5),
        asyncio.Event(),
    )
    return Worker(store, background, consolidation, queue, said.append, round_s=0.01)


@pytest.mark.parametrize("failures", [0, 3])
def test_a_queue_that_fails_is_tried_again(failures: int) -> None:
    async def scenario() -> None:
        world, queue, stop, said = World(()), Queue(failures), asyncio.Event(), list[str]()
        task = asyncio.create_task(worker(world, world.consolidation, queue, said).run(stop))
        async with asyncio.timeout(10):
            await queue.at_work.wait()
            stop.set()
            await task
        assert sum("ConnectionError" in line for line in said) == failures

    asyncio.run(scenario())


def test_what_is_going_on_is_finished_and_nothing_else_is_begun() -> None:
    async def scenario() -> None:
        stop, begun = asyncio.Event(), asyncio.Event()

        async def slow(_: Digest) -> None:
            begun.set()
            await asyncio.sleep(0.1)

        world, said = World((Part(before=slow),)), list[str]()
        await world.talk("one")
        await world.talk("two", scope=Scope(VERA.tenant_id, "wilma"))
        task = asyncio.create_task(worker(world, world.consolidation, Queue(0), said).run(stop))
        async with asyncio.timeout(10):
            await begun.wait()
            stop.set()
            await task
        assert await world.texts() == ["one"]
        assert (await world.consolidation.status()).sessions_due == 1
        assert said == ["1 sessions digested"]

    asyncio.run(scenario())


def test_what_takes_too_long_is_given_up_and_free_for_others() -> None:
    async def scenario() -> None:
        stop, begun = asyncio.Event(), asyncio.Event()

        async def hang(_: Digest) -> None:
            begun.set()
            await asyncio.sleep(3600)

        part = Part(before=hang)
        world = World((part,))
        await world.talk("one")
        task = asyncio.create_task(
            worker(world, world.consolidation, Queue(0), []).run(stop, drain_s=0.05)
        )
        async with asyncio.timeout(10):
            await begun.wait()
            stop.set()
            await task
        part.before = None
        await world.process().digest(None)
        assert await world.texts() == ["one"]

    asyncio.run(scenario())
