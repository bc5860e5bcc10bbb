"""The bridge from blocking code to the event loop that the blocking classes run on.

One daemon thread per process owns one event loop. It starts with the first call, ends in order
at exit, and starts anew in the child after a fork. Calling from a thread that runs another event
loop (a notebook) works: the caller blocks, the loop of this module does not.
"""

import asyncio
import atexit
import contextlib
import os
import queue
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, aclosing
from typing import Any, Generic, Self, TypeVar

from backstory.errors import ClosedError, WrongThreadError

T = TypeVar("T")
TwinT = TypeVar("TwinT")

_STOP_TIMEOUT_S = 10.0
_ITEMS_AHEAD = 64
_AFTER_FORK = (
    "This object was opened before the process forked, and its threads stayed in the parent; "
    "open a new one in the child."
)


class Portal:
    """Runs coroutines on an event loop in a background thread.

    It is safe to use from any number of threads. Closing it is not final: the next call starts
    a new thread.
    """

    def __init__(self) -> None:
        self.forks = 0
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._thread: threading.Thread | None = None
        self._abandoned: list[object] = []

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end and give its result.

        An interruption of the caller (KeyboardInterrupt) cancels the coroutine.

        Raises:
            WrongThreadError: Called on the event loop itself, where waiting would never end.
        """
        if self._is_own_thread():
            coroutine.close()
            raise WrongThreadError
        loop, call = self._running_loop(), _Call(coroutine)
        try:
            return asyncio.run_coroutine_threadsafe(call.carry_out(), loop).result()
        finally:
            if not call.ended.is_set():
                loop.call_soon_threadsafe(call.cancel)

    def iterate(self, stream: AsyncIterator[T]) -> Iterator[T]:
        """Give the items of an asynchronous stream one by one.

        One task reads the stream, at most 64 items ahead. Leaving the iteration early ends the
        stream before control returns.

        Raises:
            WrongThreadError: Called on the event loop itself.
        """
        if self._is_own_thread():
            raise WrongThreadError
        return self._items(stream)

    def close(self) -> None:
        """Cancel what runs, end the loop and its thread. Calling it twice is allowed."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(self._stop.set)
        thread.join(_STOP_TIMEOUT_S)

    def forget(self) -> None:
        """Start anew in a forked child, where the thread does not exist.

        The old loop is kept, not closed: it shares its poll object with the parent, and closing
        it would take the parent's wake-up pipe away.
        """
        self.forks += 1
        self._lock = threading.Lock()
        self._abandoned.append(self._loop)
        self._loop = self._thread = None

    def _is_own_thread(self) -> bool:
        return threading.current_thread() is self._thread

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._stop = asyncio.Event()
                self._thread = threading.Thread(
                    target=_serve, args=(self._loop, self._stop), name="backstory", daemon=True
                )
                self._thread.start()
            return self._loop

    def _items(self, stream: AsyncIterator[T]) -> Iterator[T]:
        loop = self._running_loop()
        ready: queue.SimpleQueue[tuple[T] | None] = queue.SimpleQueue()
        room = asyncio.Semaphore(_ITEMS_AHEAD)
        call = _Call(_pump(stream, ready, room))
        try:
            pump = asyncio.run_coroutine_threadsafe(call.carry_out(), loop)
            pump.add_done_callback(lambda _: ready.put(None))
            while (item := ready.get()) is not None:
                yield item[0]
                loop.call_soon_threadsafe(room.release)
            pump.result()
        finally:
            if not call.ended.is_set():
                loop.call_soon_threadsafe(call.cancel)
                # The garbage collector may end the iteration on any thread, the loop's included.
                if not self._is_own_thread():
                    call.ended.wait(_STOP_TIMEOUT_S)


class _Call(Generic[T]):
    """A coroutine that can be cancelled from the moment before it is handed to the loop.

    A KeyboardInterrupt may reach the caller before it holds the future of the call.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self.ended = threading.Event()
        self._coroutine = coroutine
        self._task: asyncio.Task[Any] | None = None
        self._cancelled = False

    async def carry_out(self) -> T:
        try:
            self._task = asyncio.current_task()
            if self._cancelled:
                self._coroutine.close()
                raise asyncio.CancelledError
            return await self._coroutine
        finally:
            self.ended.set()

    def cancel(self) -> None:
        """End the call, begun or not. For the thread of the loop."""
        self._cancelled = True
        if self._task is not None:
            self._task.cancel()


def _serve(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        while not stop.is_set():
            # An exit that a task raises leaves the loop, after whoever waits for the task was
            # given it. The other calls go on.
            with contextlib.suppress(SystemExit, KeyboardInterrupt):
                runner.run(_until(stop))


async def _until(stop: asyncio.Event) -> None:
    await stop.wait()


async def _pump(
    stream: AsyncIterator[T],
    ready: "queue.SimpleQueue[tuple[T] | None]",
    room: asyncio.Semaphore,
) -> None:
    async with AsyncExitStack() as stack:
        if isinstance(stream, AsyncGenerator):
            await stack.enter_async_context(aclosing(stream))
        async for item in stream:
            await room.acquire()
            ready.put((item,))


PORTAL = Portal()
atexit.register(PORTAL.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=PORTAL.forget)


class Blocking(Generic[TwinT]):
    """The base of the generated blocking classes: an asynchronous twin and the way to it."""

    _twin: TwinT
    _forks: int

    @classmethod
    def _of(cls, twin: TwinT) -> Self:
        """The blocking object around a twin, without the constructor."""
        made = cls.__new__(cls)
        made._wrap(twin)
        return made

    def _wrap(self, twin: TwinT) -> None:
        self._twin = twin
        self._forks = PORTAL.forks

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if self._forks != PORTAL.forks:
            coroutine.close()
            raise ClosedError(_AFTER_FORK)
        return PORTAL.run(coroutine)

    def _iterate(self, stream: AsyncIterator[T]) -> Iterator[T]:
        if self._forks != PORTAL.forks:
            raise ClosedError(_AFTER_FORK)
        return PORTAL.iterate(stream)
