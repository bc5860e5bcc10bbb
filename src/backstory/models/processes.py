"""Which process is at a long piece of work, and whether it still lives."""

import os
import secrets
import socket
import sys

# What this process is at.
_ALIVE: set[str] = set()


class SystemProcesses:
    """Names are host, process id and a random number, with colons between.

    On another host, and on Windows, it cannot be known whether a process lives: there a piece of
    work counts as over when its lease ends.
    """

    def begin(self) -> str:
        """A new name for a piece of work of this process."""
        name = f"{_host()}:{os.getpid()}:{secrets.token_hex(8)}"
        _ALIVE.add(name)
        return name

    def end(self, name: str) -> None:
        """The work of this name is over."""
        _ALIVE.discard(name)

    def is_over(self, name: str) -> bool:
        """Whether the work of this name has certainly ended."""
        host, _, rest = name.rpartition(":")[0].rpartition(":")
        if host != _host() or not rest.isdigit():
            return False
        process = int(rest)
        # a process that was started again in a container has the number of the one before
        return name not in _ALIVE if process == os.getpid() else not _lives(process)


def _host() -> str:
    return socket.gethostname()


def _lives(process: int) -> bool:
    if sys.platform == "win32":
        # there a signal of any number ends the process
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
