"""``backstory demo --book``."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from backstory import __version__
from backstory.api import Block, Document, Memory
from backstory.api.books import BookPart
from backstory.cli import tour_book as tour
from backstory.cli.books import show_block_budget, show_conflicts, show_threads
from backstory.cli.output import Screen
from backstory.cli.plain import one_line

_KNOWERS: Final = ("Ada", "Ilse")
_CODE: Final = """\
from backstory import Memory
book = Memory("novel.db").document("novel", planned_chapters=14)
book.add_chapter(1, "Ada's eyes were green. She counted the light.")
book.threads.plant("Who put out the lamp?", chapter=1)
print(book.block(2, max_tokens=6000).text)
print(book.check("Ada's eyes were brown."))"""


def data(memory: Memory) -> dict[str, Any]:
    """All that the demo of a book shows, as data."""
    novel = tour.read_novel()
    document, ms = tour.remember(memory, novel, _unseen)
    status = document.status()
    block = tour.build(document, tour.BUDGET)
    return {
        "book": document.id,
        "title": novel.title,
        "chapters": len(novel.parts),
        "words": novel.words,
        "remember_ms": round(ms, 1),
        "block": {"ms": round(block.ms, 1), **block.block.to_dict()},
        "status": status.to_dict(),
        "threads": [thread.to_dict() for thread in document.threads.list()],
        "draft": [one.to_dict() for one in tour.check_draft(document)],
        "as_of": tour.as_of(document).to_dict(),
        "knowers": {
            name: tour.build(document, tour.BUDGET, knower=name).block.to_dict()
            for name in _KNOWERS
        },
    }


def show(screen: Screen, memory: Memory, keep: Path | None) -> None:
    """Build the memory of a novel and show it."""
    novel = tour.read_novel()
    dot = screen.signs.dot
    screen.say(
        ("backstory", "bold cyan"),
        f" {__version__} {dot} demo of a book: offline, no key, nothing left behind",
    )
    screen.heading("1  A novel is remembered")
    with _working(len(novel.parts)) as done:
        document, ms = tour.remember(memory, novel, done)
    _show_novel(screen, novel, document, ms)
    screen.heading("2  What is owed to the reader")
    _show_threads(screen, document)
    screen.heading("3  What contradicts itself")
    _show_errors(screen, document)
    screen.heading(f"4  The block for chapter {tour.NEXT}")
    _show_block(screen, document)
    screen.heading("5  What a character may know, and what was known then")
    _show_views(screen, novel, document)
    screen.heading("6  The same in Python")
    screen.say(_CODE, indent=2)
    screen.heading("What to try next")
    store = f" --url {keep or 'book.db'}"
    if keep is None:
        screen.say("backstory demo --book --keep book.db", ("   keep this memory", "dim"))
    screen.say(f"backstory book status{store}")
    screen.say(f"backstory book block --knower Ada{store}")
    screen.say(f"backstory book import my-novel.epub{store}", ("   or a folder of texts", "dim"))


def _show_novel(screen: Screen, novel: tour.Novel, document: Document, ms: float) -> None:
    screen.say((novel.title, "bold"))
    screen.say(
        f"{len(novel.parts)} of {novel.planned} chapters, {novel.words:,} words; stored, read by "
        f"rules and embedded in {ms:,.0f} ms. The author entered names and threads.\n"
    )
    screen.table(
        [("chapter", "right"), "title", ("begins with", "fold")],
        [[str(part.number), part.title, _opening(part.text, screen)] for part in novel.parts],
    )
    people = [one for one in document.entities.list() if one.authored]
    screen.say(f"Known by name: {', '.join(one_line(one.name) for one in people)}.")


def _opening(text: str, screen: Screen) -> str:
    room = max(20, screen.width - 36)
    line = one_line(text)
    return line if len(line) <= room else f"{line[: room - 3].rstrip()}{screen.signs.ellipsis}"


def _show_threads(screen: Screen, document: Document) -> None:
    status = document.status()
    overdue = frozenset(one.number for one in status.overdue)
    show_threads(screen, document.threads.list(), overdue)
    owed = ", ".join(f"T{one.number}" for one in status.owed)
    late = ", ".join(f"T{one.number}" for one in status.overdue)
    screen.say(
        f"Overdue: {late or 'nothing'}. To close in chapter {tour.NEXT}: {owed or 'nothing'}."
    )


def _show_errors(screen: Screen, document: Document) -> None:
    screen.say("Nobody marked them; they are read from the chapters by rules:\n")
    show_conflicts(screen, document.status().contradictions, indent=2)
    screen.say("\nA draft is checked before it becomes a chapter, and leaves nothing behind:\n")
    screen.say((tour.DRAFT, "italic"), indent=2)
    screen.print()
    show_conflicts(screen, tour.check_draft(document), indent=2)


def _show_block(screen: Screen, document: Document) -> None:
    for budget in (tour.BUDGET, tour.SMALL_BUDGET):
        built = tour.build(document, budget)
        screen.say((f"At most {budget:,} tokens", "bold"), (f"   {built.ms:.0f} ms", "dim"))
        show_block_budget(screen, built.block, indent=2)
        screen.print()
    screen.say(f"All of it at {tour.SMALL_BUDGET} tokens, as the model gets it:\n")
    _show_text(screen, tour.build(document, tour.SMALL_BUDGET).block)


def _show_text(screen: Screen, block: Block) -> None:
    edge = Text(f"{screen.signs.edge} ", "cyan")
    for line in block.text.splitlines():
        screen.paragraph(Text(one_line(line)), 1, edge)


def _show_views(screen: Screen, novel: tour.Novel, document: Document) -> None:
    secret = novel.plan["secrets"][0]
    screen.say(f"{secret['entity']} has a secret: {secret['value']}.")
    for name in _KNOWERS:
        block = tour.build(document, tour.BUDGET, knower=name).block
        sign = "gives it away" if tour.tells_secret(novel, block) else "does not give it away"
        screen.say(
            f"the block as {name} may know it, {block.tokens:,} tokens: ", (sign, "bold"), indent=2
        )
    then = tour.as_of(document)
    recent = next(section for section in then.sections if section.part == "recent")
    screen.say(
        f"\nAs of chapter {tour.AS_OF} the block has chapters {', '.join(recent.kept)}, and "
        "nothing of what came later."
    )


def _unseen(_: BookPart) -> None:
    """Progress that nobody watches."""


@contextmanager
def _working(total: int) -> Iterator[Callable[[BookPart], None]]:
    """A line on stderr that says how far it is, if that is a terminal."""
    screen = Screen(stderr=True)
    if not screen.is_terminal or screen.is_dumb_terminal:
        yield _unseen
        return
    with screen.status("opening the memory", spinner="line") as status:
        yield lambda part: status.update(f"remembering chapter {part.number} of {total}")
