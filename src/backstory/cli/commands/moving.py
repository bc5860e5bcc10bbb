"""``backstory export``, ``backstory import`` and ``backstory forget``."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Annotated, TextIO

import typer

from backstory.api import ForgetReceipt, ImportItem, ImportResult, Memory
from backstory.cli.options import Common, Yes, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line
from backstory.cli.progress import progress_bar
from backstory.cli.stores import missing_file, opened
from backstory.errors import InvalidInputError
from backstory.settings import Settings

export_app = typer.Typer(add_completion=False)
import_app = typer.Typer(add_completion=False)
forget_app = typer.Typer(add_completion=False)
_MOST_PROBLEMS = 20
_READ_S = 7 * 24 * 3600.0


@command(export_app, "export")
def export(
    common: Common,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file; it is replaced.")],
) -> None:
    """Write everything that is stored of a user to a file, vectors included."""
    with opened(common.settings()) as memory, progress_bar("exporting", common) as reached:
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
        str,
        typer.Option(
            "--format",
            metavar="NAME",
            help="auto, backstory, messages, chatgpt, claude, locomo, mem0, langmem or zep.",
        ),
    ] = "auto",
    infer: Annotated[
        bool, typer.Option("--infer/--no-infer", help="Whether facts are read in the chats.")
    ] = True,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Store nothing; count what would be stored.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write what became of each item, as JSON."),
    ] = None,
) -> None:
    """Read a backstory export, past chats (ChatGPT, Claude, JSON Lines), mem0, LangMem or Zep.

    What is there already is skipped: an import that was stopped is run again.
    """
    settings = common.settings()
    _check_readable(path)
    if report is not None:
        _check_apart(report, path, settings)
    if dry_run and missing_file(settings) is not None:
        settings = settings.with_values({"url": ":memory:"})
    with opened(settings, create=True) as memory:
        with progress_bar("importing", common) as reached, _reporting(report) as each:
            done = memory.import_file(
                path,
                form,
                user_id=common.user,
                infer=infer,
                dry_run=dry_run,
                progress=reached,
                each=each,
            )
        pending = done.pending
        if pending and not dry_run:
            pending = _finished(memory, done, common)
    if common.as_json:
        emit({**done.to_dict(), "pending": pending})
    else:
        _show(done, pending)
    if done.problem_count:
        raise InvalidInputError(f"{counted(done.problem_count, 'record')} not stored, or in part")


def _finished(memory: Memory, done: ImportResult, common: Common) -> int:
    """Read and embed what waits, however long a model takes; gives how much is left."""
    with progress_bar("reading", common) as reached:
        # a document belongs to no user
        flushed = memory.flush(done.user_id or None, timeout_s=_READ_S, progress=reached)
    return flushed.failed + flushed.pending


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
    what = "Would import" if done.dry_run else "Imported"
    left_out = sum(done.left_out.values())
    counts = [
        f"{sum(done.skipped.values()):,} already there",
        *([f"{left_out:,} left out"] if left_out else []),
        counted(done.problem_count, "problem"),
    ]
    owner = f" for {one_line(done.user_id)}" if done.user_id else ""
    Screen().say(f"{what} {_numbers(done.imported)}{owner} ({done.format}); {', '.join(counts)}.")
    for reason, number in done.left_out.items():
        Screen().say((f"  left out: {number:,} {one_line(reason)}", "dim"))
    if done.undated:
        many = "has no time of its own" if done.undated == 1 else "have no time of their own"
        Screen().say((f"  {counted(done.undated, 'message')} {many}", "dim"))
    if pending:
        errors.say((f"note: {counted(pending, 'record')} without a vector", "yellow"))


def _check_readable(path: Path) -> None:
    """See that a file can be read before a store is made, or a report is begun, for nothing.

    Raises:
        BadParameter: It cannot.
    """
    place = path.expanduser()
    shown = one_line(str(path))
    if place.exists() and not place.is_file():
        raise typer.BadParameter(f"{shown} is no file; it is read twice", param_hint="PATH")
    try:
        with place.open("rb"):
            pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise typer.BadParameter(f"{shown} cannot be read ({reason})", param_hint="PATH") from error


def _check_apart(report: Path, path: Path, settings: Settings) -> None:
    """See that a report takes the place of nothing that is in use.

    Raises:
        BadParameter: It would.
    """
    location = settings.location
    used = [path] if location.kind != "sqlite" else [path, Path(location.target)]
    place = report.expanduser()
    for other in (one.expanduser() for one in used):
        if place.exists() and other.exists() and place.samefile(other):
            raise typer.BadParameter(
                f"{one_line(str(report))} is read or written already; name another file",
                param_hint="--report",
            )


@contextmanager
def _reporting(report: Path | None) -> Iterator[Callable[[ImportItem], None] | None]:
    """Gives what writes each item as a line of a file; None without one."""
    if report is None:
        yield None
        return
    try:
        file = report.expanduser().open("w", encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(
            f"{one_line(str(report))} cannot be written ({error.strerror})", param_hint="--report"
        ) from error
    # the import calls on its event loop, which must not wait for a disk
    items = SimpleQueue[ImportItem | None]()
    writer = Thread(target=_write_lines, args=(file, items))
    with file:
        writer.start()
        try:
            yield items.put
        finally:
            items.put(None)
            writer.join()


def _write_lines(file: TextIO, items: "SimpleQueue[ImportItem | None]") -> None:
    while (item := items.get()) is not None:
        file.write(json.dumps(item.to_dict()) + "\n")


def _numbers(records: Mapping[str, int]) -> str:
    found = [counted(number, kind) for kind, number in records.items() if number]
    return ", ".join(found) or "nothing"
