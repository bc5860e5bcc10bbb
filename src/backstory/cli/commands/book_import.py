"""``backstory book import``: a folder of texts, a Markdown or text file, an EPUB."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, TypeAlias, cast

import typer

from backstory.api import Memory
from backstory.api.books import BookFile, Numbering, read_book
from backstory.cli.book_files import (
    ADDED,
    KNOWN,
    LEFT_OUT,
    REVISED,
    BookImporter,
    Item,
    Outcome,
    finish,
)
from backstory.cli.books import Planned, Unit, all_documents
from backstory.cli.options import Common, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line
from backstory.cli.progress import progress_bar
from backstory.cli.stores import missing_file, opened
from backstory.errors import InvalidInputError

_MOST_LINES: Final = 20
_DEFAULT: Final = "book"

Source: TypeAlias = Annotated[
    Path, typer.Argument(metavar="PATH", help="A folder, a Markdown or text file, an EPUB.")
]
Target: TypeAlias = Annotated[
    str | None,
    typer.Option("--book", "-b", metavar="ID", help="Where it goes. None: as the file is called."),
]
Level: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1, max=6, metavar="N", help="Of the headings that begin a chapter. None: found."
    ),
]
How: TypeAlias = Annotated[
    str,
    typer.Option(metavar="HOW", help='"auto": from names or headings, else in order; or "order".'),
]
Encoding: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Of texts without a mark that says it. None: UTF-8."),
]
Revise: TypeAlias = Annotated[
    bool, typer.Option("--revise", help="Replace chapters that are there with another text.")
]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Store nothing; say what would be stored.")
]
Report: TypeAlias = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write what became of each item, as JSON."),
]


def register(app: typer.Typer) -> None:
    """Add the command to the group."""
    command(app, "import", user="none")(import_book)


def import_book(
    common: Common,
    path: Source,
    book: Target = None,
    planned: Planned = None,
    unit: Unit = None,
    level: Level = None,
    numbering: How = "auto",
    encoding: Encoding = None,
    revise: Revise = False,
    dry_run: DryRun = False,
    report: Report = None,
) -> None:
    """Read a book from files: one chapter a file, a heading, or an entry of its contents.

    What is there already is passed over: an import that was stopped is run again.
    """
    read = read_book(path, encoding=encoding, level=level, numbering=cast("Numbering", numbering))
    if not read.parts and not read.left_out:
        raise InvalidInputError(f"there is no chapter in {one_line(str(path))}")
    settings = common.settings()
    if dry_run and missing_file(settings) is not None:
        settings = settings.with_values({"url": ":memory:"})
    name = book if book is not None else path.resolve().stem or _DEFAULT
    with (
        opened(settings, create=True) as memory,
        progress_bar("importing", common) as reached,
        _reporting(report, path) as each,
    ):
        outcome = _run(memory, read, name, (planned, unit), revise, dry_run, reached, each)
    if common.as_json:
        emit({"book": name, **outcome.to_dict()})
    else:
        _show(name, outcome)
    if outcome.problems:
        raise InvalidInputError(f"{counted(len(outcome.problems), 'item')} not stored")


def _run(
    memory: Memory,
    read: BookFile,
    name: str,
    plan: tuple[int | None, str | None],
    revise: bool,
    dry_run: bool,
    reached: Callable[[int, int], None],
    each: Callable[[Item], None],
) -> Outcome:
    planned, unit = plan
    is_there = any(info.id == name for info in all_documents(memory))
    document = memory.document(name, planned, unit=unit)
    if read.parts and not dry_run:
        document.create()  # chapters that are there already store no plan
    into = document if is_there or not dry_run else None
    outcome = BookImporter(into, revise=revise, dry_run=dry_run).run(read, reached, each)
    finish(document, outcome)
    return outcome


def _show(name: str, outcome: Outcome) -> None:
    screen, errors = Screen(), Screen(stderr=True)
    rows = [item for item in outcome.items if item.status in {ADDED, REVISED}]
    if rows:
        screen.table(
            [("chapter", "right"), ("title", "fold"), ("from", "fold")],
            [[f"{item.number:,}", item.title, item.place] for item in rows[:_MOST_LINES]],
        )
    if len(rows) > _MOST_LINES:
        screen.say((f"and {len(rows) - _MOST_LINES:,} more; --json lists them", "dim"))
    for item in outcome.problems[:_MOST_LINES]:
        errors.say((one_line(item.place), "bold"), f": {one_line(item.reason or item.status)}")
    counts = outcome.counts
    verb = "Would store" if outcome.dry_run else "Stored"
    said = [f"{counts[ADDED]:,} new", f"{counts[REVISED]:,} revised", f"{counts[KNOWN]:,} {KNOWN}"]
    said += [f"{counts[LEFT_OUT]:,} {LEFT_OUT}", f"{len(outcome.problems):,} problems"]
    screen.say(f"{verb} in {one_line(name)}: {', '.join(said)}; numbered {outcome.book.numbered}.")
    for item in (item for item in outcome.items if item.status == LEFT_OUT):
        screen.say((f"  left out: {one_line(item.place)} ({one_line(item.reason or '')})", "dim"))
    if outcome.pending:
        errors.say((f"note: {counted(outcome.pending, 'passage')} without a vector", "yellow"))
    if outcome.degraded:
        errors.say((f"note: {one_line(outcome.degraded)}", "yellow"))


@contextmanager
def _reporting(report: Path | None, source: Path) -> Iterator[Callable[[Item], None]]:
    """Gives what writes each item as a line of a file, or nowhere."""
    if report is None:
        yield _nowhere
        return
    place = report.expanduser()
    if place.exists() and source.exists() and place.samefile(source):
        raise typer.BadParameter("the report would replace the book", param_hint="--report")
    try:
        file = place.open("w", encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(
            f"{one_line(str(report))} cannot be written ({error.strerror})", param_hint="--report"
        ) from error
    with file:
        yield lambda item: _write(file.write, item)


def _write(write: Callable[[str], int], item: Item) -> None:
    write(json.dumps(item.to_dict()) + "\n")


def _nowhere(_: Item) -> None:
    """A report that nobody asked for."""
