"""Processes that start at once: forks of one that has loaded the library already.

Starting an interpreter and loading the library takes as long as what most tests do with it. A
fork is a process of its own like any other: it has its own memory, threads, files, locks and
signals, and it ends as an interpreter does. What it shares with the others is what was loaded and
compiled by the time of the fork; no store, event loop or thread was left open then.

Where the start itself is tested, use ``subprocess``.
"""

import asyncio
import atexit
import gc
import json
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import types
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import IO, Any

from backstory import AsyncMemory, Settings
from backstory.testing import HashEmbedder

ROOT = Path(__file__).resolve().parents[1]
_ROOM = 2**20
_THREAD_S = 60.0


@dataclass(frozen=True)
class Ended:
    """What a process left: its exit code (negative: the signal), and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


class Forked:
    """A running process, with the names of ``subprocess.Popen``."""

    def __init__(self, source: socket.socket, request: dict[str, Any]) -> None:
        self._status, theirs = socket.socketpair()
        self._written = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it ended
        to_read, their_write = os.pipe()
        their_read, to_write = os.pipe()
        fds = [their_read, their_write, self._written.fileno(), theirs.fileno()]
        socket.send_fds(source, [json.dumps(request).encode()], fds)
        os.close(their_read)
        os.close(their_write)
        theirs.close()
        self.stdin: IO[str] = os.fdopen(to_write, "w", encoding="utf-8")
        self.stdout: IO[str] = os.fdopen(to_read, encoding="utf-8")
        self._told = self._status.makefile()
        self.pid = int(self._told.readline())
        self.returncode: int | None = None

    def kill(self) -> None:
        """End it at once (SIGKILL)."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout_s: float = 120.0) -> int:
        """Wait for its end and give its exit code. Raises TimeoutExpired, and kills it then."""
        if self.returncode is None:
            self._status.settimeout(timeout_s)
            try:
                self.returncode = int(self._told.readline())
            except TimeoutError as error:
                self.kill()
                raise TimeoutExpired("forked", timeout_s) from error
            self._told.close()
            self._status.close()
        return self.returncode

    def finish(self) -> Ended:
        """Wait for its end and give what it wrote since the last reading."""
        self.stdin.close()
        printed = ""
        if not self.stdout.closed:
            with self.stdout:
                printed = self.stdout.read()
        with self._written:
            code = self.wait()
            self._written.seek(0)
            return Ended(code, printed, self._written.read().decode())


def start(script: str, *arguments: str) -> Forked:
    """Start a process that runs a script with ``sys.argv[1:]``; its stdin and stdout are pipes."""
    request = {
        "script": script,
        "argv": ["-c", *arguments],
        "cwd": str(Path.cwd()),
        "env": dict(os.environ),
    }
    return Forked(_source(), request)


def run(script: str, *arguments: str) -> Ended:
    """Run a script in a process of its own, to the end."""
    return start(script, *arguments).finish()


@cache
def _source() -> socket.socket:
    """The socket of a process that forks on request. It ends when this process does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = Popen(
            [sys.executable, "-m", "tools.forked", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
        )

    def end() -> None:
        ours.close()
        try:
            process.wait(10)
        except TimeoutExpired:
            process.kill()
            process.wait()

    atexit.register(end)
    return ours


def _serve(requests: socket.socket) -> None:
    """Fork until nobody can ask any more. Returns in each fork with what it has to do."""
    while True:
        message, fds, _, _ = socket.recv_fds(requests, _ROOM, 4)
        while _reaped():
            pass
        if not message:
            return
        if os.fork():
            for fd in fds:
                os.close(fd)
            continue
        # This one waits for the other, so that several may run at once.
        status = fds.pop()
        child = os.fork()
        if child == 0:
            requests.close()
            os.close(status)
            _become(json.loads(message), fds)
            return
        os.write(status, b"%d\n" % child)
        for fd in fds:
            os.close(fd)
        _, code = os.waitpid(child, 0)
        os.write(status, b"%d\n" % os.waitstatus_to_exitcode(code))
        os._exit(0)


def _reaped() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _become(request: dict[str, Any], fds: Sequence[int]) -> None:
    """Run a script as the main program."""
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
        os.close(fd)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - the standard streams of a start
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    os.chdir(request["cwd"])
    sys.argv = request["argv"]
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    exec(compile(request["script"], "<string>", "exec"), main.__dict__)  # noqa: S102


async def load() -> None:
    """Use a memory once, so that what it loads and compiles is there; then forks may be made."""
    import_module("sqlalchemy.dialects.postgresql.psycopg")
    settings = Settings(background=False)
    async with AsyncMemory(":memory:", settings=settings, embedder=HashEmbedder()) as memory:
        await memory.add("I moved to Lund in May.", user_id="u")
        await memory.flush("u")
        await memory.context("u", "Where do I live?")
    others = [one for one in threading.enumerate() if one is not threading.main_thread()]
    for thread in others:  # closing told them to end, and does not wait until they have
        thread.join(_THREAD_S)
    if left := [thread for thread in others if thread.is_alive()]:
        message = f"a process with threads must not fork: {left}"
        raise RuntimeError(message)
    gc.freeze()


if __name__ == "__main__":
    import_module("pytest")
    asyncio.run(load())
    with socket.socket(fileno=int(sys.argv[1])) as given:
        _serve(given)
