"""Processes that tell through a pipe what was acknowledged: what lies in it outlives its writer."""

import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

_PATIENCE_S = 60.0
spawning = multiprocessing.get_context("forkserver")
PRELOADED = [
    "bench.preloaded",
    "bench.children",
    "bench.crashing",
    "bench.fact_crashing",
    "backstory.reading.rules.reader",
    "backstory.services.facts.curating",
    "backstory.services.ingest",
    "backstory.storage.engines.sqlite",
]
spawning.set_forkserver_preload(PRELOADED)


def must(holds: object, what: str) -> None:
    """Say what is wrong if something does not hold.

    Raises:
        AssertionError: It does not.
    """
    if not holds:
        raise AssertionError(what)


@dataclass
class Child:
    """A process that writes to a store until it is killed, or ends.

    Attributes:
        url: The store.
        user: Whose data it writes.
        acknowledged: Numbers of what was acknowledged so far.
    """

    url: str
    user: str
    acknowledged: list[int] = field(default_factory=list, kw_only=True)

    def _start(self, target: Callable[..., None], *arguments: Any) -> None:
        """Start it; ``target`` is given the pipe, the store and the user first."""
        self._ours, theirs = spawning.Pipe(duplex=False)
        given = (theirs, self.url, self.user, *arguments)
        self._process = spawning.Process(target=target, args=given, daemon=True)
        self._process.start()
        theirs.close()

    def wait_until(self, count: int) -> None:
        """Wait until so many were acknowledged."""
        give_up = time.monotonic() + _PATIENCE_S
        while len(self.acknowledged) < count:
            lives = self._process.is_alive() and time.monotonic() < give_up
            must(lives, f"the writer of {self.user} stopped: {self._why()}")
            self._read(0.05, most=1)

    def kill(self) -> None:
        """End it with SIGKILL, and read what it had acknowledged."""
        self._process.kill()
        self._finish()

    def _finish(self) -> None:
        self._process.join()
        self._read(0.0)
        self._ours.close()

    def _read(self, wait_s: float, most: int = 10**9) -> None:
        try:
            while most > 0 and self._ours.poll(wait_s):
                most -= 1
                self._take(self._ours.recv())
        except (EOFError, OSError):
            return

    def _take(self, told: Any) -> None:
        self.acknowledged.append(told)

    def _why(self) -> object:
        return "it told nothing else"
