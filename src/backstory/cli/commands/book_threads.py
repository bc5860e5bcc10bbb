"""``backstory book threads``: what was promised to the reader, and what became of it."""

from collections.abc import Callable
from typing import Annotated, TypeAlias

import typer

from backstory.api import Document, PlotThread
from backstory.cli.books import AsOf, BookName, Number, opened_book, show_threads
from backstory.cli.options import Common, Yes, command
from backstory.cli.output import Screen, emit
from backstory.cli.plain import one_line

app = typer.Typer(add_completion=False, invoke_without_command=True)

Thread: TypeAlias = Annotated[str, typer.Argument(metavar="THREAD", help="Its number, as 3 or T3.")]
Note: TypeAlias = Annotated[str, typer.Option(metavar="TEXT", help="How, in words.")]


@command(app, None, user="none")
def threads(
    common: Common,
    every: Annotated[bool, typer.Option("--all", help="Closed ones, too.")] = False,
    as_of: AsOf = None,
    book: BookName = None,
) -> None:
    """List the open threads, the most urgent first."""
    with opened_book(common, book) as document:
        overdue = frozenset(one.number for one in document.status().overdue)
        if every or as_of is not None:
            found = document.threads.list(as_of_chapter=as_of)
        else:
            found = document.threads.list_open(limit=1000)
    if as_of is not None:
        overdue = frozenset()
        if not every:
            found = [one for one in found if one.closed_in is None]
    if common.as_json:
        emit([one.to_dict() for one in found])
        return
    if found:
        show_threads(Screen(), found, overdue)
    else:
        Screen(stderr=True).say("No thread is open." if not every else "There is no thread.")


@command(app, "plant", user="none")
def plant(
    common: Common,
    summary: Annotated[str, typer.Argument(metavar="PROMISE", help="What the reader is owed.")],
    chapter: Annotated[
        int | None,
        typer.Option("--chapter", "-c", min=1, metavar="N", help="Where. None: it is planned."),
    ] = None,
    deadline: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="By which chapter it closes. None: by the end."),
    ] = None,
    kind: Annotated[str | None, typer.Option(metavar="WORD", help='Such as "mystery".')] = None,
    hidden: Annotated[bool, typer.Option("--hidden", help="Only the author may see it.")] = False,
    book: BookName = None,
) -> None:
    """Enter a thread."""
    with opened_book(common, book) as document:
        made = document.threads.plant(summary, chapter, deadline, kind, hidden=hidden)
    _print(common, made)


@command(app, "progress", user="none")
def progress(
    common: Common, thread: Thread, chapter: Number = None, note: Note = "", book: BookName = None
) -> None:
    """A chapter takes a thread further."""
    _change(common, book, lambda document: document.threads.progress(thread, chapter, note))


@command(app, "resolve", user="none")
def resolve(
    common: Common, thread: Thread, chapter: Number = None, note: Note = "", book: BookName = None
) -> None:
    """A chapter keeps the promise of a thread."""
    _change(common, book, lambda document: document.threads.resolve(thread, chapter, note))


@command(app, "abandon", user="none")
def abandon(
    common: Common, thread: Thread, chapter: Number = None, note: Note = "", book: BookName = None
) -> None:
    """Give a thread up."""
    _change(common, book, lambda document: document.threads.abandon(thread, chapter, note))


@command(app, "reopen", user="none")
def reopen(
    common: Common, thread: Thread, chapter: Number = None, note: Note = "", book: BookName = None
) -> None:
    """A chapter takes a closed thread up again."""
    _change(common, book, lambda document: document.threads.reopen(thread, chapter, note))


@command(app, "delete", user="none")
def delete(common: Common, thread: Thread, yes: Yes = False, book: BookName = None) -> None:
    """Remove a thread, with what chapters did to it."""
    if not yes:
        raise typer.BadParameter("nothing was removed; --yes removes the thread for good")
    with opened_book(common, book) as document:
        document.threads.delete(thread)
    if common.as_json:
        emit({"thread": thread, "deleted": True})
        return
    Screen().say(f"Deleted: {one_line(thread)}.")


def _change(common: Common, book: str | None, call: Callable[[Document], PlotThread]) -> None:
    with opened_book(common, book) as document:
        changed = call(document)
    _print(common, changed)


def _print(common: Common, thread: PlotThread) -> None:
    if common.as_json:
        emit(thread.to_dict())
        return
    show_threads(Screen(), [thread], frozenset())
