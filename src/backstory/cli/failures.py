"""How commands end: exit codes, and errors as one line or as JSON."""

import json
import os
import sys
from typing import Final, TextIO

import typer

from backstory.cli import INTERRUPTED
from backstory.cli.plain import one_line
from backstory.errors import BackstoryError, NotFoundError

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
NOT_FOUND: Final = 3
PIPE_CLOSED: Final = 141  # what a shell reports of a program that SIGPIPE ended

__all__ = ["FAILED", "INTERRUPTED", "NOT_FOUND", "OK", "PIPE_CLOSED", "USAGE"]


def report(error: BackstoryError, *, as_json: bool) -> int:
    """Write an error of backstory to stderr; gives the exit code."""
    _write(error.code, str(error), as_json=as_json)
    return NOT_FOUND if isinstance(error, NotFoundError) else FAILED


def report_usage(error: typer.TyperException, *, as_json: bool) -> int:
    """Write an error of the command line itself to stderr; gives the exit code."""
    message = one_line(error.format_message())
    context = getattr(error, "ctx", None)
    if context is not None:
        stop = "" if message.endswith((".", "?")) else "."
        message = f"{message}{stop} See `{context.command_path} --help`"
    _write("usage", message, as_json=as_json)
    return USAGE


def _write(code: str, message: str, *, as_json: bool) -> None:
    if as_json:
        line = json.dumps({"error": code, "message": message})
    else:
        line = f"backstory: {one_line(message)}"
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def report_io(error: OSError, *, as_json: bool) -> int:
    """Write that input or output failed (a full disk behind ``>``); gives the exit code."""
    _discard(sys.stdout)
    _write("io", f"reading or writing failed ({error.strerror or error})", as_json=as_json)
    return FAILED


def pipe_closed() -> int:
    """Who read our output has gone: say nothing more; gives the exit code."""
    for stream in (sys.stdout, sys.stderr):
        _discard(stream)
    return PIPE_CLOSED


def _discard(stream: TextIO) -> None:
    """Let what is still buffered go nowhere: it would fail again when the interpreter ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
