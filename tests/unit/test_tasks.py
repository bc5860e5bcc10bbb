"""Who ends a task beside it hears of a cancellation of its own."""

import asyncio

import pytest

from backstory.tasks import end


async def stubborn(ending: asyncio.Event, may_end: asyncio.Event) -> None:
    """Say that a cancellation came, and end when that is allowed."""
    try:
        await asyncio.Event().wait()
    finally:
        ending.set()
        await may_end.wait()


def test_a_cancellation_of_the_caller_is_not_taken_for_that_of_the_task() -> None:
    async def run() -> None:
        ending, may_end = asyncio.Event(), asyncio.Event()
        beside = asyncio.create_task(stubborn(ending, may_end))
        await asyncio.sleep(0)

        async def close() -> None:
            await end(beside)
            pytest.fail("the cancellation was lost")

        caller = asyncio.create_task(close())
        await ending.wait()
        caller.cancel()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await caller
        await asyncio.wait([beside])

    asyncio.run(run())


def test_all_have_ended_and_a_failure_is_told() -> None:
    async def fail() -> None:
        message = "it failed"
        raise RuntimeError(message)

    async def run() -> None:
        failed, waiting = asyncio.create_task(fail()), asyncio.create_task(asyncio.sleep(1000))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="it failed"):
            await end(waiting, failed)
        assert waiting.cancelled()

    asyncio.run(run())
