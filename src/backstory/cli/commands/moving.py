"""``backstory export``, ``backstory import`` and ``backstory forget``."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from backstory.api import ForgetReceipt, ImportResult
from backstory.cli.options import Common, Yes, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line
from backstory.cli.stores import opened
from backstory.errors import InvalidInputError

export_app = typer.Typer(add_completion=False)
import_app = typer.Typer(add_completion=False)
forget_app = typer.Typer(add_completion=False)
_MOST_PROBLEMS = 20


@command(export_app, "export")
def export(
    common: Common,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file; it is replaced.")],
) -> None:
    """Write everything that is stored of a user to a file, vectors included."""
    with opened(common.settings()) as memory, _progress("exporting", common) as reached:
        done = memory.export_user(common.user or "", path, progress=reached)
    if common.as_json:
        emit(done.to_dict())
        return
    Screen().say(f"Wrote {_numbers(done.records)} to {one_line(done.path)} ({done.size:,} bytes).")


@command(import_app, "import", user="optional")
def import_file(
    common: Common,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file.")],
    form: Annotated[
        str, typer.Option("--format", metavar="NAME", help="backstory, mem0, langmem or zep.")
    ] = "backstory",
    infer: Annotated[
        bool, typer.Option("--infer/--no-infer", help="Whether another memory's chats are read.")
    ] = True,
) -> None:
    """Read an export of backstory, mem0, LangMem or Zep.

    What is there already is skipped: an import that was stopped is run again.
    """
    with (
        opened(common.settings(), create=True) as memory,
        _progress("importing", common) as reached,
    ):
        done = memory.import_file(path, form, user_id=common.user, infer=infer, progress=reached)
        pending = done.pending
        if pending:
            flushed = memory.flush(done.user_id)
            pending = flushed.failed + flushed.pending
    if common.as_json:
        emit({**done.to_dict(), "pending": pending})
    else:
        _show(done, pending)
    if done.problem_count:
        raise InvalidInputError(f"{counted(done.problem_count, 'record')} not stored, or in part")


@command(forget_app, "forget", user="none")
def forget(
    common: Common,
    user: Annotated[str, typer.Argument(metavar="USER", help="Whose memory is removed.")],
    yes: Yes = False,
) -> None:
    """Remove everything of a user, for good, and print the receipt."""
    if not yes:
        raise typer.BadParameter(
            f"nothing was removed; --yes removes everything of {one_line(user)!r} for good"
        )
    with opened(common.settings()) as memory:
        receipt = memory.forget_user(user)
    if common.as_json:
        emit(receipt.to_dict())
        return
    _show_receipt(Screen(), user, receipt)


def _show_receipt(screen: Screen, user: str, receipt: ForgetReceipt) -> None:
    removed = {table: rows for table, rows in receipt.rows.items() if rows}
    if not removed:
        screen.say(f"Nothing of {one_line(user)!r} was stored.")
    else:
        screen.say(f"Forgotten: {one_line(user)}, {counted(receipt.total, 'row')}.\n")
        screen.table(
            ["table", ("rows", "right")], [[table, f"{rows:,}"] for table, rows in removed.items()]
        )
        screen.print()
    screen.say(f"receipt {receipt.ids_hash}\nof      {receipt.forgotten_at.isoformat()}")


def _show(done: ImportResult, pending: int) -> None:
    errors = Screen(stderr=True)
    for problem in done.problems[:_MOST_PROBLEMS]:
        errors.say((f"{problem.position}", "bold"), f": {one_line(problem.reason)}")
    if len(done.problems) > _MOST_PROBLEMS:
        errors.say(f"and {len(done.problems) - _MOST_PROBLEMS:,} more; --json lists them")
    Screen().say(
        f"Imported {_numbers(done.imported)} for {one_line(done.user_id)}; "
        f"{sum(done.skipped.values()):,} already there, {done.problem_count:,} problems."
    )
    if pending:
        errors.say((f"note: {counted(pending, 'record')} without a vector", "yellow"))


def _numbers(records: Mapping[str, int]) -> str:
    found = [counted(number, kind) for kind, number in records.items() if number]
    return ", ".join(found) or "nothing"


@contextmanager
def _progress(what: str, common: Common) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on stderr if that is a terminal; gives what is called with the numbers."""
    screen = Screen(stderr=True)
    progress = Progress(
        TextColumn(what),
        BarColumn(),
        TaskProgressColumn(),
        console=screen,
        transient=True,
        disable=common.as_json or not screen.is_terminal,
    )
    with progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
