"""Closing a memory: what is being opened is closed too, and nothing leaks."""

import asyncio
import threading
import time
from pathlib import Path

import pytest

from backstory import AsyncMemory
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
