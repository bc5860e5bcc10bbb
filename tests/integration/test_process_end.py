"""A memory works until the process really ends: the main thread may end before."""

import subprocess
import sys
from pathlib import Path

import pytest

from backstory import Memory
from tests.counts import cases

# Real starts of an interpreter: what a library loads after the end is part of what is tested.
OTHER_THREAD_AND_AT_EXIT = """
import atexit, sys, threading, time
from backstory import Memory
memory, last = Memory(sys.argv[1]), Memory(sys.argv[1])
memory.add("before", user_id="vera")
last.add("before, too", user_id="vera")
atexit.register(lambda: last.add("I work at Volmar.", user_id="vera"))

def go_on():
    threading.main_thread().join()
    time.sleep(0.3)
    memory.add("I live in Lund.", user_id="vera")
    assert memory.search("Lund", user_id="vera", kind="messages")[0].text == "I live in Lund."
    memory.close()
    with Memory(":memory:", embedder=None) as plain:
        plain.add("word " * 20_000, user_id="vera")

threading.Thread(target=go_on).start()
"""
FIRST_USE_AT_EXIT = """
import atexit, sys
from backstory import Memory

def add():
    with Memory(sys.argv[1]) as memory:
        memory.add("before", user_id="vera")
        memory.add("I live in Lund.", user_id="vera")
        memory.add("I work at Volmar.", user_id="vera")

atexit.register(add)
"""


@pytest.mark.parametrize("script", [OTHER_THREAD_AND_AT_EXIT, FIRST_USE_AT_EXIT])
def test_calls_after_the_main_thread_ended(tmp_path: Path, script: str) -> None:
    path = tmp_path / "memory.db"
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=55,
    )
    assert (done.returncode, done.stderr) == (0, "")
    with Memory(path, embedder=None) as memory:
        stored = {message.text: message for message in memory.get_all(user_id="vera").items}
        assert {"before", "I live in Lund.", "I work at Volmar."} <= set(stored)
        assert memory.doctor().ok


AT_FIRST_ROUND = """
import sys, time
from backstory.jobs import background
background.FIRST_S = background.ROUND_S = 0.001
from backstory import Memory
memory = Memory(sys.argv[1], embedder=None)
memory.add("I live in Lund.", user_id="vera")
time.sleep(float(sys.argv[2]))
"""


@pytest.mark.parametrize("pause_s", [0.0, 0.003, 0.006, 0.009][:: cases(2, 1)])
def test_background_work_ends_quietly_with_the_process(tmp_path: Path, pause_s: float) -> None:
    """Nor is a memory that lives until then a leak."""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", AT_FIRST_ROUND, str(tmp_path / "m.db"), str(pause_s)],
        capture_output=True,
        text=True,
        check=False,
        timeout=55,
    )
    # the debug mode of asyncio tells of slow steps
    told = [line for line in done.stderr.splitlines() if not line.startswith("Executing <")]
    assert (done.returncode, told) == (0, [])
