"""Books for people: which document is meant, and how blocks, threads and entities are shown."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Final, TypeAlias

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from backstory.api import (
    Block,
    Conflict,
    Document,
    DocumentInfo,
    Entity,
    EntityState,
    Memory,
    PlotThread,
)
from backstory.cli.bars import STYLES, bar
from backstory.cli.options import Common
from backstory.cli.output import Screen, counted
from backstory.cli.plain import clipped, one_line
from backstory.cli.stores import opened
from backstory.errors import NotFoundError

MANY: Final = 1_000_000
_PAGE: Final = 100

BookName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--book", "-b", metavar="ID", help="Which one. None: the only one that is stored."
    ),
]
Number: TypeAlias = Annotated[
    int | None, typer.Option("--chapter", "-c", min=1, metavar="N", help="Its number.")
]
Planned: TypeAlias = Annotated[
    int | None,
    typer.Option("--planned", min=1, metavar="N", help="How many chapters it will have."),
]
Unit: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="WORD", help='What a part is called: "lesson", "scene". None: as it is.'),
]
AsOf: TypeAlias = Annotated[
    int | None,
    typer.Option("--as-of", min=0, metavar="N", help="As it stood after this chapter. None: now."),
]


def all_documents(memory: Memory) -> list[DocumentInfo]:
    """All documents of the tenant."""
    found: list[DocumentInfo] = []
    while page := memory.documents(_PAGE, found[-1].id if found else None):
        found += page
    return found


@contextmanager
def opened_book(common: Common, book: str | None) -> Iterator[Document]:
    """Open the store and the document that is meant, which must be there.

    Raises:
        NotFoundError: There is no such document, or none at all.
        BadParameter: None was named, and there are several.
    """
    with opened(common.settings()) as memory:
        yield _meant(memory, book)


def _meant(memory: Memory, book: str | None) -> Document:
    known = [info.id for info in all_documents(memory)]
    if book is None and len(known) > 1:
        names = ", ".join(one_line(name) for name in known[:10])
        raise typer.BadParameter(
            f"name one of the {len(known)} books: {names}", param_hint="--book"
        )
    if not known:
        raise NotFoundError("no book is stored here yet; `backstory book init ID` begins one")
    if book is not None and book not in known:
        raise NotFoundError(
            f"there is no book {book!r} here; `backstory book` lists those there are"
        )
    return memory.document(book if book is not None else known[0])


def write_text(text: str) -> None:
    """Write a text to stdout as it is, whatever the locale; a terminal also gets a line break."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    if sys.stdout.isatty() and text:
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


def show_block_budget(screen: Screen, block: Block, *, indent: int = 0) -> None:
    """Print each section's use of the budget, and what the whole text costs."""
    width = max(10, min(32, screen.width - 48 - indent))
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "left", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for place, section in enumerate(block.sections):
        offered = len(section.kept) + len(section.left_out)
        table.add_row(
            Text(str(section.part)),
            bar(section.tokens, block.budget, width, screen.signs, STYLES[place % len(STYLES)]),
            Text(f"{section.tokens:,}"),
            Text(f"{len(section.kept)} of {offered} items", "dim"),
        )
    fits = block.tokens <= block.budget
    sign = screen.signs.good if fits else screen.signs.bad
    table.add_row(
        Text("all", "bold"),
        bar(block.tokens, block.budget, width, screen.signs, "bold"),
        Text(f"{block.tokens:,}", "bold"),
        Text(f"of {block.budget:,} tokens {sign}", "bold green" if fits else "bold red"),
    )
    screen.print(Padding(table, (0, 0, 0, indent), expand=False))


def show_threads(screen: Screen, threads: Sequence[PlotThread], overdue: frozenset[int]) -> None:
    """Print threads, one a row."""
    screen.table(
        ["thread", "status", ("planted", "right"), ("due", "right"), "kind", ("promise", "fold")],
        [
            [
                f"T{one.number}",
                _status(one, overdue),
                _at(screen, one.planted_in),
                _at(screen, one.deadline),
                one.kind or "",
                one.summary + (f" ({one.note})" if one.note else ""),
            ]
            for one in threads
        ],
    )


def _status(thread: PlotThread, overdue: frozenset[int]) -> str:
    if thread.number in overdue:
        return "overdue"
    closed = f" in {thread.closed_in}" if thread.closed_in is not None else ""
    hidden = ", hidden" if thread.hidden else ""
    return f"{thread.status}{closed}{hidden}"


def _at(screen: Screen, chapter: int | None) -> str:
    return screen.signs.dash if chapter is None else f"{chapter:,}"


def show_entities(screen: Screen, entities: Sequence[Entity]) -> None:
    """Print entities with what holds of them last, one a row."""
    screen.table(
        ["name", "kind", "chapters", ("times", "right"), ("what is so", "fold")],
        [
            [
                one.name + (f" ({', '.join(one.aliases)})" if one.aliases else ""),
                str(one.kind) + (", hidden" if one.hidden else ""),
                _span(screen, one),
                f"{one.mentions:,}",
                "; ".join(said_of(state) for state in one.states),
            ]
            for one in entities
        ],
    )


def _span(screen: Screen, entity: Entity) -> str:
    if entity.first_chapter is None or entity.last_chapter is None:
        return screen.signs.dash
    if entity.first_chapter == entity.last_chapter:
        return f"{entity.first_chapter:,}"
    return f"{entity.first_chapter:,}{screen.signs.dash}{entity.last_chapter:,}"


def said_of(state: EntityState) -> str:
    """A state in words: what, since when, and who knows."""
    since = f"since {state.chapter}" if state.chapter else "from the beginning"
    who = ""
    if state.hidden:
        who = ", author only"
    elif state.known_by:
        who = f", known to {', '.join(one.name for one in state.known_by)}"
    return f"{state.attribute} {state.value} ({since}{who})"


def show_conflicts(screen: Screen, conflicts: Sequence[Conflict], *, indent: int = 0) -> None:
    """Print conflicts, each with both passages."""
    room = max(20, 4 * (screen.width - indent - 16))
    for place, one in enumerate(conflicts):
        if place:
            screen.print()
        screen.say(
            (screen.signs.bad, "red"), " ", (one.about, "bold"), f": {one.why}", indent=indent
        )
        first = f"chapter {one.known_chapter}" if one.known_chapter else "a note"
        for where, passage in ((first, one.known_passage), (f"chapter {one.chapter}", one.passage)):
            shown = clipped(passage, room, screen.signs.ellipsis)
            screen.paragraph(Text.assemble((f"{where}: ", "dim"), shown), indent + 4)


def problems_line(number: int) -> str:
    """How many contradictions there are."""
    return counted(number, "contradiction") if number else "no contradiction"
