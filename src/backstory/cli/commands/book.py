"""``backstory book``: a long document, from its files to the block for the next chapter."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from backstory.api import Block, ChapterResult, DocumentStatus
from backstory.cli.books import (
    BookName,
    Number,
    Planned,
    Unit,
    all_documents,
    opened_book,
    problems_line,
    show_block_budget,
    show_conflicts,
    show_threads,
    write_text,
)
from backstory.cli.commands import book_entities, book_import, book_threads
from backstory.cli.failures import FAILED
from backstory.cli.options import Common, Yes, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line
from backstory.cli.reading import text_of
from backstory.cli.stores import opened
from backstory.errors import FileError

app = typer.Typer(add_completion=False, invoke_without_command=True)
app.add_typer(book_threads.app, name="threads", help="List threads; plant, advance, close them.")
app.add_typer(book_entities.app, name="entities", help="List who and what occurs; say more of it.")
book_import.register(app)

File = Annotated[str, typer.Argument(metavar="FILE", help='A text in UTF-8; "-" reads stdin.')]


@command(app, None, user="none")
def books(common: Common) -> None:
    """List the books that are stored."""
    with opened(common.settings()) as memory:
        found = all_documents(memory)
    if common.as_json:
        emit([info.to_dict() for info in found])
        return
    screen = Screen()
    if not found:
        screen.say("No book is stored here yet. `backstory book init ID` begins one.")
        return
    dash = screen.signs.dash
    screen.table(
        ["book", "unit", ("chapters", "right"), ("last", "right"), ("planned", "right"), "since"],
        [
            [
                info.id,
                info.unit,
                f"{info.chapters:,}",
                dash if info.last_chapter is None else f"{info.last_chapter:,}",
                dash if info.planned_chapters is None else f"{info.planned_chapters:,}",
                info.created_at.date().isoformat(),
            ]
            for info in found
        ],
    )


@command(app, "init", user="none")
def init(
    common: Common,
    book: Annotated[str, typer.Argument(metavar="ID", help="What the book is called here.")],
    planned: Planned = None,
    unit: Unit = None,
) -> None:
    """Begin a book, or change what is planned of it."""
    with opened(common.settings(), create=True) as memory:
        info = memory.document(book, planned, unit=unit).create()
    if common.as_json:
        emit(info.to_dict())
        return
    planned_as = f", {info.planned_chapters:,} planned" if info.planned_chapters else ""
    Screen().say(f"{one_line(info.id)}: {counted(info.chapters, info.unit)}{planned_as}.")


@command(app, "add", user="none")
def add(
    common: Common,
    number: Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="Of the chapter.")],
    file: File,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Its title.")] = None,
    summary: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Yours. None: one is made.")
    ] = None,
    revise: Annotated[
        bool, typer.Option("--revise", help="Replace the chapter of this number.")
    ] = False,
    book: BookName = None,
) -> None:
    """Store a chapter, with what can be read in it."""
    text = _text_of(file)
    with opened_book(common, book) as document:
        store = document.revise_chapter if revise else document.add_chapter
        result = store(number, text, summary, title)
        if result.pending:
            document.flush()
    if common.as_json:
        emit(result.to_dict())
        return
    _show_result(Screen(), result)


def _show_result(screen: Screen, result: ChapterResult) -> None:
    chapter = result.chapter
    title = f" {one_line(chapter.title)}" if chapter.title else ""
    screen.say((f"{chapter.number}{title}", "bold"), f": {one_line(chapter.summary)}")
    if result.entities:
        screen.say(("in it: ", "dim"), ", ".join(map(one_line, result.entities)), indent=2)
    if result.threads:
        screen.say(("threads: ", "dim"), ", ".join(f"T{one}" for one in result.threads), indent=2)
    if result.withdrawn:
        screen.say(
            (f"{result.withdrawn:,} records of the old text were withdrawn", "dim"), indent=2
        )
    for reason in (*result.rejected, *([result.degraded] if result.degraded else [])):
        Screen(stderr=True).say((f"note: {one_line(reason)}", "yellow"))


def _text_of(file: str) -> str:
    """The text of a file, or of stdin."""
    if file == "-":
        return text_of(file)
    place = Path(file).expanduser()
    try:
        data = place.read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{one_line(file)} is not UTF-8 ({error.reason})") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise typer.BadParameter(
            f"{one_line(file)} cannot be read ({reason})", param_hint="FILE"
        ) from error


@command(app, "block", user="none")
def block(
    common: Common,
    chapter: Annotated[
        int | None,
        typer.Argument(metavar="CHAPTER", min=1, help="To be written. None: behind the last."),
    ] = None,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", "-t", min=0, help="The budget; never exceeded.")
    ] = 6000,
    query: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help='What it is about. None: what came last; "": no search.'),
    ] = None,
    as_of: Annotated[
        int | None,
        typer.Option("--as-of", min=0, metavar="N", help="Nothing of later chapters is shown."),
    ] = None,
    knower: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what this character may know.")
    ] = None,
    count: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help='Token counter: "bound", "bytes", "tiktoken:ENCODING", a file.'
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say on stderr what was left out, and why.")
    ] = False,
    book: BookName = None,
) -> None:
    """Print the context for writing a chapter, within a token budget.

    stdout gets exactly the text, in UTF-8. What could not be had is said on stderr; the summary
    too when that is a terminal, or with --explain.
    """
    with opened_book(common, book) as document:
        built = document.block(
            chapter,
            max_tokens,
            query=query,
            as_of_chapter=as_of,
            knower=knower,
            count_tokens=count,
        )
    if common.as_json:
        emit(built.to_dict())
        return
    write_text(built.text)
    screen = Screen(stderr=True)
    if explain or screen.is_terminal:
        _explain(screen, built)
    for problem in built.missing:
        screen.say((f"note: {one_line(problem)}", "yellow"))


def _explain(screen: Screen, built: Block) -> None:
    screen.print()
    show_block_budget(screen, built)
    for section in built.sections:
        reasons = Counter(item.reason for item in section.left_out)
        if reasons:
            said = ", ".join(f"{number} ({reason})" for reason, number in reasons.items())
            screen.say((f"left out of {section.part}: {said}", "dim"))


@command(app, "check", user="none")
def check(
    common: Common,
    file: File,
    chapter: Number = None,
    book: BookName = None,
) -> None:
    """Find what in a text contradicts the chapters before it; nothing is stored.

    The exit code is 1 if something does.
    """
    text = _text_of(file)
    with opened_book(common, book) as document:
        found = document.check(text, chapter)
    if common.as_json:
        emit([one.to_dict() for one in found])
    else:
        show_conflicts(Screen(), found)
        Screen(stderr=True).say(f"{problems_line(len(found))} found".capitalize() + ".")
    if found:
        raise typer.Exit(FAILED)


@command(app, "status", user="none")
def status(common: Common, book: BookName = None) -> None:
    """Say how a book stands: gaps, threads that are owed, contradictions."""
    with opened_book(common, book) as document:
        info, found = document.info(), document.status()
    if common.as_json:
        emit({"book": info.to_dict(), **found.to_dict()})
        return
    screen = Screen()
    planned = f" of {info.planned_chapters:,}" if info.planned_chapters else ""
    last = f", the last is {info.last_chapter:,}" if info.last_chapter else ""
    screen.say((one_line(info.id), "bold"), f": {info.chapters:,}{planned} {info.unit}s{last}")
    show_status(screen, found)


def show_status(screen: Screen, found: DocumentStatus) -> None:
    """Print gaps, open threads and contradictions."""
    if found.missing:
        screen.say(f"missing: {', '.join(map(str, found.missing))}")
    if found.pending:
        screen.say((f"{counted(found.pending, 'passage')} without a vector", "yellow"))
    overdue = frozenset(one.number for one in found.overdue)
    if found.open_threads:
        screen.print()
        show_threads(screen, found.open_threads, overdue)
    owed = ", ".join(f"T{one.number}" for one in found.owed)
    screen.say(f"\nTo close in the next chapter: {owed or 'nothing'}")
    screen.say(f"In the chapters: {problems_line(len(found.contradictions))}\n")
    show_conflicts(screen, found.contradictions)


@command(app, "export", user="none")
def export(
    common: Common,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file; it is replaced.")],
    book: BookName = None,
) -> None:
    """Write everything of a book to a file; `backstory import` reads it."""
    with opened_book(common, book) as document:
        done = document.export(path)
    if common.as_json:
        emit(done.to_dict())
        return
    numbers = ", ".join(f"{number:,} {kind}" for kind, number in done.records.items() if number)
    Screen().say(f"Wrote {numbers} to {one_line(done.path)} ({done.size:,} bytes).")


@command(app, "delete", user="none")
def delete(common: Common, yes: Yes = False, book: BookName = None) -> None:
    """Remove a book with everything that belongs to it, for good."""
    if not yes:
        raise typer.BadParameter("nothing was removed; --yes removes the whole book for good")
    with opened_book(common, book) as document:
        name, done = document.id, document.delete()
    if common.as_json:
        emit({"id": name, "deleted": done})
        return
    Screen().say(f"Deleted: {one_line(name)}.")
