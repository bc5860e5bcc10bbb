"""The command line.

This module imports nothing that takes time: ``--version`` answers at once, and a command's
module is loaded when it runs (``load``).
"""

import io
import sys
from collections.abc import Callable
from typing import Any, Final

from backstory import __version__

INTERRUPTED: Final = 130

# What `backstory --help` lists, in this order.
SUMMARIES: Final = {
    "demo": "See it work: a conversation remembered, searched, and packed. Offline.",
    "add": "Remember a message, or a whole chat from a file.",
    "search": "Find what a user's memory holds about something.",
    "context": "Print the memory block for a prompt, within a token budget.",
    "users": "List who is remembered, and how much.",
    "doctor": "Check what works, what is missing, and how to fix it.",
    "db": "Show the store's version, or upgrade it.",
}


def main() -> int:
    """Run the command line on ``sys.argv``; gives the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character shows "?" instead of ending the program.
            stream.reconfigure(errors="replace")
    try:
        if sys.argv[1:] == ["--version"]:
            print(f"backstory {__version__}", flush=True)
            return 0
        from backstory.cli.app import run

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return 141


def load(name: str) -> Any:
    """Give the Typer application of a command, importing its module now."""
    return _LOADERS[name]()


def _demo() -> Any:
    from backstory.cli.commands import demo

    return demo.app


def _add() -> Any:
    from backstory.cli.commands import add

    return add.app


def _search() -> Any:
    from backstory.cli.commands import search

    return search.app


def _context() -> Any:
    from backstory.cli.commands import context

    return context.app


def _users() -> Any:
    from backstory.cli.commands import users

    return users.app


def _doctor() -> Any:
    from backstory.cli.commands import doctor

    return doctor.app


def _db() -> Any:
    from backstory.cli.commands import db

    return db.app


_LOADERS: Final[dict[str, Callable[[], Any]]] = {
    "demo": _demo,
    "add": _add,
    "search": _search,
    "context": _context,
    "users": _users,
    "doctor": _doctor,
    "db": _db,
}
