"""The command line.

This module imports nothing that takes time: ``--version`` answers at once, and a command's
module is loaded when it runs (``load``).
"""

import io
import os
import sys
from collections.abc import Callable
from typing import Any, Final

from backstory import __version__

INTERRUPTED: Final = 130

# What `backstory --help` lists, in this order.
SUMMARIES: Final = {
    "demo": "See it work: a conversation remembered, understood, searched, packed. Offline.",
    "add": "Remember a message, or a whole chat from a file.",
    "chat": "Talk in the terminal, with memory; with a language model where one is set.",
    "search": "Find what a user's memory holds about something.",
    "context": "Print the memory block for a prompt, within a token budget.",
    "facts": "List what is true now, and since when; as of a day; correct it.",
    "profile": "Show what is true of a user now, by category.",
    "contradictions": "List statements that cannot both hold, and decide them.",
    "collisions": "Find things filed under two kinds that exclude each other.",
    "timeline": "Show what happened when, as a line from the earliest to the latest.",
    "summaries": "Show conversations, days and weeks in short.",
    "observations": "Show what the user does again and again.",
    "graph": "Draw how the people, places and things of a memory are tied.",
    "emotions": "Show how a user felt: the course of days, and moments of strong feeling.",
    "intentions": "List what a user means to do; save, bring up once a day, resolve.",
    "quality": "Show how good responses were, and how the user took them.",
    "list": "List a user's messages.",
    "get": "Show a message or a fact.",
    "update": "Change a message or a fact.",
    "delete": "Delete a message or a fact.",
    "users": "List who is remembered, and how much.",
    "export": "Write everything of a user to a file.",
    "import": "Read an export, past chats of ChatGPT or Claude, or another memory.",
    "forget": "Remove everything of a user, with a receipt.",
    "book": "Keep a long document: chapters, threads, continuity, the block for the next one.",
    "reindex": "Move the store to another embedder, or back.",
    "consolidate": "Digest sessions, or do the daily or the weekly run; say what waits.",
    "worker": "Do all background work of the store, until stopped.",
    "doctor": "Check what works, what is missing, and how to fix it.",
    "db": "Show the store's version, or upgrade it.",
}


def main() -> int:
    """Run the command line on ``sys.argv``; gives the exit code."""
    _replace_closed_streams()
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


def _replace_closed_streams() -> None:
    """Open the null device in place of standard streams that the caller closed (``>&-``).

    Python has None there; and the next file that is opened, of the database too, would get the
    number of the closed stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def load(name: str) -> Any:
    """Give the Typer application of a command, importing its module now."""
    return _LOADERS[name]()


def _demo() -> Any:
    from backstory.cli.commands import demo

    return demo.app


def _add() -> Any:
    from backstory.cli.commands import add

    return add.app


def _chat() -> Any:
    from backstory.cli.commands import chat

    return chat.app


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


def _facts() -> Any:
    from backstory.cli.commands import facts

    return facts.app


def _profile() -> Any:
    from backstory.cli.commands import profile

    return profile.app


def _contradictions() -> Any:
    from backstory.cli.commands import contradictions

    return contradictions.app


def _graph() -> Any:
    from backstory.cli.commands import graph

    return graph.app


def _intentions() -> Any:
    from backstory.cli.commands import intentions

    return intentions.app


def _quality() -> Any:
    from backstory.cli.commands import quality

    return quality.app


def _collisions() -> Any:
    from backstory.cli.commands import collisions

    return collisions.app


def _emotions() -> Any:
    from backstory.cli.commands import emotions

    return emotions.app


def _list() -> Any:
    from backstory.cli.commands import records

    return records.list_app


def _get() -> Any:
    from backstory.cli.commands import records

    return records.get_app


def _update() -> Any:
    from backstory.cli.commands import records

    return records.update_app


def _delete() -> Any:
    from backstory.cli.commands import records

    return records.delete_app


def _export() -> Any:
    from backstory.cli.commands import moving

    return moving.export_app


def _import() -> Any:
    from backstory.cli.commands import moving

    return moving.import_app


def _forget() -> Any:
    from backstory.cli.commands import moving

    return moving.forget_app


def _book() -> Any:
    from backstory.cli.commands import book

    return book.app


def _reindex() -> Any:
    from backstory.cli.commands import reindex

    return reindex.app


def _consolidate() -> Any:
    from backstory.cli.commands import consolidate

    return consolidate.app


def _worker() -> Any:
    from backstory.cli.commands import worker

    return worker.app


def _timeline() -> Any:
    from backstory.cli.commands import timeline

    return timeline.app


def _summaries() -> Any:
    from backstory.cli.commands import summaries

    return summaries.app


def _observations() -> Any:
    from backstory.cli.commands import summaries

    return summaries.patterns


_LOADERS: Final[dict[str, Callable[[], Any]]] = {
    "demo": _demo,
    "add": _add,
    "chat": _chat,
    "search": _search,
    "context": _context,
    "facts": _facts,
    "profile": _profile,
    "contradictions": _contradictions,
    "collisions": _collisions,
    "graph": _graph,
    "timeline": _timeline,
    "summaries": _summaries,
    "observations": _observations,
    "emotions": _emotions,
    "intentions": _intentions,
    "quality": _quality,
    "list": _list,
    "get": _get,
    "update": _update,
    "delete": _delete,
    "users": _users,
    "export": _export,
    "import": _import,
    "forget": _forget,
    "book": _book,
    "reindex": _reindex,
    "consolidate": _consolidate,
    "worker": _worker,
    "doctor": _doctor,
    "db": _db,
}
