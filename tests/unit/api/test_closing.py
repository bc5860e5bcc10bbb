"""Closing a memory: what is being opened is closed too, and nothing leaks."""

import asyncio
import gc
import threading
import time
import warnings
import weakref
from pathlib import Path

import pytest

from backstory import AsyncMemory, Memory
from backstory.api.portal import PORTAL
from backstory.errors import ClosedError


@pytest.mark.parametrize("pause_s", [0, 0.001, 0.003, 0.01])
def test_closing_while_opening(tmp_path: Path, pause_s: float) -> None:
    async def run() -> None:
        memory = AsyncMemory(tmp_path / "memory.db", embedder=None)
        adding = asyncio.create_task(memory.add("x", user_id="u"))
        await asyncio.sleep(pause_s)
        await memory.close()
        await asyncio.gather(adding, return_exceptions=True)
        error = adding.exception()
        assert error is None or isinstance(error, ClosedError), error
        with pytest.raises(ClosedError):
            await memory.search("x", user_id="u")
        assert memory._services is None
        assert asyncio.all_tasks() == {asyncio.current_task()}

    before = threading.active_count()
    asyncio.run(run())
    give_up = time.monotonic() + 5
    while threading.active_count() > before:
        assert time.monotonic() < give_up, threading.enumerate()
        time.sleep(0.01)


def _threads() -> set[str]:
    return {thread.name for thread in threading.enumerate() if thread.name != "backstory"}


def test_a_dropped_memory_warns_and_is_closed(tmp_path: Path) -> None:
    before = _threads()
    memory = Memory(tmp_path / "memory.db", embedder=None)
    memory.add("x", user_id="u")
    work = weakref.ref(memory._twin._services.background)  # type: ignore[union-attr]
    with pytest.warns(ResourceWarning, match="was not closed"):
        del memory
    give_up = time.monotonic() + 5
    while work() is not None or _threads() > before:
        assert time.monotonic() < give_up, threading.enumerate()
        time.sleep(0.01)
        gc.collect()


def test_a_session_keeps_its_memory_open(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", embedder=None)
    session = memory.session(user_id="u")
    twin = memory._twin
    del memory
    gc.collect()
    assert session.add("user", "x").text == "x"
    PORTAL.run(twin.close())


def test_a_dropped_asynchronous_memory_warns_and_is_closed(tmp_path: Path) -> None:
    async def run() -> None:
        memory = AsyncMemory(tmp_path / "memory.db", embedder=None)
        await memory.add("x", user_id="u")
        with pytest.warns(ResourceWarning, match="was not closed"):
            del memory
        await asyncio.sleep(0)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait_for(asyncio.gather(*others, return_exceptions=True), 5)

    asyncio.run(run())


def test_a_closed_memory_and_one_that_never_opened_do_not_warn(tmp_path: Path) -> None:
    AsyncMemory(tmp_path / "memory.db", embedder=None)
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        memory.add("x", user_id="u")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        del memory
        gc.collect()
    assert not [warning for warning in caught if "was not closed" in str(warning.message)]
