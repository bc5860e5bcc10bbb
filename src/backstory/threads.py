"""Threads for work that would block an event loop, usable until the process really ends.

The standard library's ThreadPoolExecutor takes no more work from the moment that the main thread
ends. A program may go on after that: in its other threads, and in what it registered with atexit.
"""

import asyncio
import atexit
import os
import queue
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")
_Job = tuple["Future[Any]", Callable[[], Any]]
_Jobs = queue.SimpleQueue[_Job | None]

_EXIT_S = 5.0


class Workers:
    """A fixed number of daemon threads with one queue.

    They all start here, not with the first job: newer Pythons start no thread once the main
    thread has ended. They end with ``end``, ``close``, or when the object is forgotten.

    Args:
        count: How many threads, 1 or more.
        name: What their names begin with.
    """

    def __init__(self, count: int, name: str) -> None:
        self._jobs: _Jobs = queue.SimpleQueue()
        self._count = count
        self._lock = threading.Lock()
        self._has_ended = False
        self._unfinished: set[Future[Any]] = set()
        self._served: list[Future[None]] = [Future() for _ in range(count)]
        for number, served in enumerate(self._served):
            threading.Thread(
                target=_serve, args=(self._jobs, served), name=f"{name}-{number}", daemon=True
            ).start()
        weakref.finalize(self, _stop, self._jobs, count).atexit = False
        _ALL.add(self)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in one of the threads and give its result.

        A cancelled call is not begun; one that is running goes on, and its result is dropped.

        Raises:
            RuntimeError: The workers were ended.
        """
        return await asyncio.wrap_future(self._submit(partial(function, *args, **kwargs)))

    def _submit(self, call: Callable[[], T]) -> "Future[T]":
        future: Future[T] = Future()
        with self._lock:
            if self._has_ended:
                raise RuntimeError("these workers were ended")
            self._unfinished.add(future)
            future.add_done_callback(self._unfinished.discard)
            self._jobs.put((future, call))
        return future

    def end(self) -> None:
        """Take no more work. What is queued is still done. Calling it twice is allowed."""
        with self._lock:
            if not self._has_ended:
                self._has_ended = True
                _stop(self._jobs, self._count)

    async def close(self) -> None:
        """Take no more work, and wait until what is queued is done."""
        self.end()
        await asyncio.gather(*map(asyncio.wrap_future, self._served))

    def settle(self, timeout_s: float) -> None:
        """Wait, for a limited time, until nothing is queued or running."""
        wait(list(self._unfinished), timeout_s)


async def run_in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function in a thread of its own: ``asyncio.to_thread``, but until the process ends."""
    try:
        workers = Workers(1, "backstory-once")
    except RuntimeError:  # newer Pythons start no thread once the main thread has ended
        return function(*args, **kwargs)
    try:
        return await workers.run(function, *args, **kwargs)
    finally:
        workers.end()


def _serve(jobs: _Jobs, served: "Future[None]") -> None:
    while (job := jobs.get()) is not None:
        _carry_out(*job)
        del job  # while this waits, nothing of the last job is kept alive
    served.set_result(None)


def _carry_out(future: "Future[Any]", call: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call()
    except BaseException as error:  # noqa: BLE001 - whoever waits for the call raises it
        future.set_exception(error)
    else:
        future.set_result(result)


def _stop(jobs: _Jobs, count: int) -> None:
    for _ in range(count):
        jobs.put(None)


def _settle_all() -> None:
    # A thread that is inside a C library while the process takes that library down may crash it.
    for workers in list(_ALL):
        workers.settle(_EXIT_S)


_ALL: "weakref.WeakSet[Workers]" = weakref.WeakSet()
atexit.register(_settle_all)
if hasattr(os, "register_at_fork"):
    # the threads stay in the parent: in a child nothing would ever be done
    os.register_at_fork(after_in_child=_ALL.clear)
