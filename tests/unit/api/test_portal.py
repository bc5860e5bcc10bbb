"""The portal between blocking code and the event loop."""

import asyncio
import contextvars
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from backstory.api.portal import PORTAL, Blocking, Portal, _Call
from backstory.errors import ClosedError, WrongThreadError


@pytest.fixture
def portal() -> Iterator[Portal]:
    portal = Portal()
    yield portal
    portal.close()


async def double(value: int) -> int:
    await asyncio.sleep(0)
    return 2 * value


async def fail() -> None:
    await asyncio.sleep(0)
    raise LookupError("gone")


class Stream:
    """A stream of numbers that records how far it was read and whether it was ended."""

    def __init__(self, length: int, fails: bool = False) -> None:
        self.length = length
        self.fails = fails
        self.given = 0
        self.ended = False
        self.tasks: set[int] = set()

    async def read(self) -> AsyncIterator[int]:
        try:
            for number in range(self.length):
                await asyncio.sleep(0)
                self.tasks.add(id(asyncio.current_task()))
                self.given += 1
                yield number
            if self.fails:
                raise LookupError("broken")
        finally:
            await asyncio.sleep(0.02)
            self.ended = True


def test_gives_the_result(portal: Portal) -> None:
    assert [portal.run(double(n)) for n in range(5)] == [0, 2, 4, 6, 8]


def test_gives_the_error(portal: Portal) -> None:
    with pytest.raises(LookupError, match="gone"):
        portal.run(fail())


def test_uses_one_thread_for_all_callers(portal: Portal) -> None:
    async def where() -> tuple[int, int]:
        return threading.get_ident(), id(asyncio.get_running_loop())

    places = [portal.run(where())]
    callers = [
        threading.Thread(target=lambda: places.append(portal.run(where()))) for _ in range(8)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(places) == 9
    assert len(set(places)) == 1
    assert places[0][0] != threading.get_ident()


def test_callers_do_not_wait_for_each_other(portal: Portal) -> None:
    first_is_in, second_was_in = threading.Event(), asyncio.Event()

    async def first() -> str:
        first_is_in.set()
        await second_was_in.wait()
        return "first"

    async def second() -> None:
        second_was_in.set()

    results: list[str] = []
    caller = threading.Thread(target=lambda: results.append(portal.run(first())))
    caller.start()
    assert first_is_in.wait(5)
    portal.run(second())
    caller.join(5)
    assert results == ["first"]


def test_works_where_another_loop_runs(portal: Portal) -> None:
    async def notebook() -> int:
        return portal.run(double(21))

    assert asyncio.run(notebook()) == 42


def test_refuses_its_own_thread(portal: Portal) -> None:
    async def nested() -> int:
        return portal.run(double(1))

    async def nested_stream() -> list[int]:
        return list(portal.iterate(Stream(3).read()))

    with pytest.raises(WrongThreadError, match="AsyncMemory"):
        portal.run(nested())
    with pytest.raises(WrongThreadError, match="AsyncMemory"):
        portal.run(nested_stream())


def test_takes_the_context_of_the_caller(portal: Portal) -> None:
    trace: contextvars.ContextVar[str] = contextvars.ContextVar("trace", default="none")

    async def read() -> str:
        return trace.get()

    trace.set("request 7")
    assert portal.run(read()) == "request 7"


def test_close_cancels_what_runs_and_allows_another_start(portal: Portal) -> None:
    cancelled: list[str] = []

    async def background() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            cancelled.append("background")

    async def start() -> asyncio.Task[None]:
        task = asyncio.create_task(background())
        await asyncio.sleep(0)
        return task

    task = portal.run(start())
    portal.close()
    portal.close()
    assert cancelled == ["background"]
    assert task.cancelled()
    assert portal.run(double(1)) == 2


def test_streams_in_order_from_one_task(portal: Portal) -> None:
    stream = Stream(1000)
    assert list(portal.iterate(stream.read())) == list(range(1000))
    assert stream.ended
    assert len(stream.tasks) == 1


def test_stream_passes_its_error_on_after_its_items(portal: Portal) -> None:
    seen: list[int] = []
    with pytest.raises(LookupError, match="broken"):
        seen.extend(item for item in portal.iterate(Stream(3, fails=True).read()) if item >= 0)
    items = portal.iterate(Stream(2, fails=True).read())
    assert [next(items), next(items)] == [0, 1]
    with pytest.raises(LookupError, match="broken"):
        next(items)


def test_stream_does_not_run_far_ahead(portal: Portal) -> None:
    stream = Stream(100_000)
    items = portal.iterate(stream.read())
    assert next(items) == 0
    time.sleep(0.05)
    assert stream.given < 100


def test_leaving_a_stream_ends_it(portal: Portal) -> None:
    stream = Stream(100_000)
    for item in portal.iterate(stream.read()):
        if item == 3:
            break
    gc.collect()
    assert stream.ended


@pytest.mark.alone
def test_a_call_costs_little(portal: Portal) -> None:
    portal.run(double(1))
    times = []
    for _ in range(300):
        start = time.perf_counter()
        portal.run(double(1))
        times.append(time.perf_counter() - start)
    assert sorted(times)[len(times) // 2] < 0.002


def test_an_interruption_cancels_the_coroutine(portal: Portal) -> None:
    states: list[str] = []
    ended = threading.Event()

    async def wait() -> None:
        states.append("started")
        try:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            states.append("cancelled")
            raise
        finally:
            ended.set()

    with pytest.raises(KeyboardInterrupt):
        portal.run(wait())
    assert ended.wait(5)
    assert states == ["started", "cancelled"]


def test_a_call_that_is_cancelled_before_it_starts_never_does(portal: Portal) -> None:
    started: list[str] = []

    async def body() -> None:
        started.append("body")

    async def cancel_then_carry_out() -> None:
        call = _Call(body())
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call.carry_out()
        assert call.ended.is_set()

    portal.run(cancel_then_carry_out())
    assert started == []


class Twin:
    async def answer(self) -> int:
        return 42

    async def count(self) -> AsyncIterator[int]:
        yield 1


class BlockingTwin(Blocking[Twin]):
    def __init__(self) -> None:
        self._wrap(Twin())

    def answer(self) -> int:
        return self._run(self._twin.answer())

    def count(self) -> Iterator[int]:
        return self._iterate(self._twin.count())


def test_a_blocking_object_of_before_a_fork_is_closed() -> None:
    before = BlockingTwin()
    assert (before.answer(), list(before.count())) == (42, [1])
    portal_forks = PORTAL.forks
    PORTAL.forks += 1
    try:
        with pytest.raises(ClosedError, match="forked"):
            before.answer()
        with pytest.raises(ClosedError, match="forked"):
            before.count()
        assert BlockingTwin().answer() == 42
    finally:
        PORTAL.forks = portal_forks


FORK = """
import os
from backstory.api.portal import PORTAL
from tests.unit.api.test_portal import BlockingTwin, double
from backstory.errors import ClosedError

before = BlockingTwin()
assert before.answer() == 42
child = os.fork()
if child == 0:
    assert PORTAL.run(double(4)) == 8
    assert BlockingTwin().answer() == 42
    try:
        before.answer()
    except ClosedError:
        PORTAL.close()
        os._exit(7)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert before.answer() == 42
"""

EXIT = """
import asyncio
from backstory.api.portal import PORTAL

async def background():
    try:
        await asyncio.sleep(3600)
    finally:
        print("ended in order", flush=True)

async def start():
    globals()["task"] = asyncio.create_task(background())
    await asyncio.sleep(0)

PORTAL.run(start())
"""


def _python(program: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", *options, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_child_and_parent_both_work_after_a_fork() -> None:
    done = _python(FORK, "-W", "ignore::DeprecationWarning")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_loop_ends_in_order_at_exit() -> None:
    done = _python(EXIT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended in order\n", "")


async def _leave() -> None:
    await asyncio.sleep(0)
    raise SystemExit(3)


async def _leave_in_a_task() -> None:
    await asyncio.gather(double(1), _leave())


@pytest.mark.parametrize("leave", [_leave, _leave_in_a_task])
def test_an_exit_on_the_loop_reaches_the_caller_and_ends_nothing_else(
    portal: Portal, leave: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(portal.run, asyncio.sleep(0.2, "slow"))
        for _ in range(2):
            with pytest.raises(SystemExit):
                pool.submit(portal.run, leave()).result(10)
        assert slow.result(10) == "slow"
        assert pool.submit(portal.run, double(4)).result(10) == 8
