"""Threads of our own: what they promise."""

import asyncio
import gc
import threading
import time

import pytest

from backstory.threads import Workers, run_in_thread


def names(prefix: str) -> list[str]:
    """Living threads of one pool."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith(prefix)]


def wait_for_none(prefix: str) -> None:
    """Wait until the threads of one pool are gone."""
    give_up = time.monotonic() + 5
    while names(prefix):
        assert time.monotonic() < give_up
        time.sleep(0.01)


def test_results_and_errors_reach_the_caller() -> None:
    async def run() -> None:
        workers = Workers(2, "t-results")
        assert await workers.run(divmod, 7, 2) == (3, 1)
        with pytest.raises(ZeroDivisionError):
            await workers.run(divmod, 7, 0)
        assert await workers.run(divmod, 7, 2) == (3, 1)
        await workers.close()
        assert await run_in_thread(divmod, 7, 2) == (3, 1)

    asyncio.run(run())
    wait_for_none("t-results")
    wait_for_none("backstory-once")


def test_as_many_at_once_as_there_are_threads() -> None:
    async def run() -> None:
        workers = Workers(3, "t-many")
        together = threading.Barrier(3)
        await asyncio.gather(*(workers.run(together.wait, 5) for _ in range(3)))
        await workers.close()

    asyncio.run(run())


def test_closing_finishes_what_is_queued() -> None:
    done: list[int] = []

    def work(number: int) -> None:
        time.sleep(0.02)
        done.append(number)

    async def run() -> None:
        workers = Workers(1, "t-close")
        calls = [asyncio.create_task(workers.run(work, number)) for number in range(5)]
        await asyncio.sleep(0)
        await workers.close()
        assert done == list(range(5))
        await asyncio.gather(*calls)
        await workers.close()
        with pytest.raises(RuntimeError, match="ended"):
            await workers.run(work, 5)

    asyncio.run(run())


def test_a_cancelled_call_is_not_begun() -> None:
    done: list[str] = []

    async def run() -> None:
        workers = Workers(1, "t-cancel")
        gate = threading.Event()
        first = asyncio.create_task(workers.run(gate.wait, 5))
        second = asyncio.create_task(workers.run(done.append, "begun"))
        await asyncio.sleep(0.02)
        second.cancel()
        await asyncio.sleep(0)
        gate.set()
        await first
        await workers.close()

    asyncio.run(run())
    assert done == []


def test_forgotten_workers_end() -> None:
    workers = Workers(2, "t-forgotten")
    assert len(names("t-forgotten")) == 2
    del workers
    gc.collect()
    wait_for_none("t-forgotten")


def test_settling_waits_for_what_runs_and_not_for_ever() -> None:
    async def run() -> None:
        workers = Workers(1, "t-settle")
        call = asyncio.create_task(workers.run(time.sleep, 0.3))
        await asyncio.sleep(0.05)
        begun = time.monotonic()
        workers.settle(0.05)
        assert time.monotonic() - begun < 0.2
        workers.settle(5)
        assert time.monotonic() - begun > 0.2
        await call
        await workers.close()

    asyncio.run(run())
