"""What the demo of a book does: builds the memory of a novel and asks it. Shows nothing."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any, Final

from backstory.api import Block, Conflict, Document, Memory
from backstory.api.books import BookPart, read_book

ID: Final = "gull-skerry"
BUDGET: Final = 1500
SMALL_BUDGET: Final = 700
AS_OF: Final = 5
NEXT: Final = 13
DRAFT: Final = (
    'The ice went out on a Tuesday. "You have trimmed it well," said Matthias, and Ada laughed.'
)


@dataclass(frozen=True, kw_only=True)
class Novel:
    """The novel that the package carries, and what its author knows of it."""

    title: str
    planned: int
    parts: tuple[BookPart, ...]
    plan: dict[str, Any]

    @property
    def words(self) -> int:
        """How many words it has."""
        return sum(len(part.text.split()) for part in self.parts)


@dataclass(frozen=True, kw_only=True)
class TimedBlock:
    """A block, and how many milliseconds it took."""

    ms: float
    block: Block


def read_novel() -> Novel:
    """Read the novel from the package."""
    folder = files("backstory").joinpath("data", "book")
    plan = json.loads(folder.joinpath("book.json").read_text("utf-8"))
    with as_file(folder.joinpath("chapters")) as chapters:
        parts = read_book(chapters).parts
    return Novel(title=plan["title"], planned=plan["planned_chapters"], parts=parts, plan=plan)


def remember(
    memory: Memory, novel: Novel, done: Callable[[BookPart], None]
) -> tuple[Document, float]:
    """Build the memory of the novel, as its author would: names, then chapter after chapter.

    Returns:
        The document, and the milliseconds that it took. One that is there already stays as it is.
    """
    start = time.perf_counter()
    document = memory.document(ID, novel.planned)
    is_new = document.info().chapters == 0
    if is_new:
        for entity in novel.plan["entities"]:
            document.entities.save(
                entity["name"], entity["kind"], aliases=entity.get("aliases", ())
            )
    for part in novel.parts:
        document.add_chapter(part.number, part.text, title=part.title)
        if is_new:
            _tell_threads(document, novel, part.number)
        done(part)
    if is_new:
        for secret in novel.plan["secrets"]:
            document.entities.note(
                secret["entity"],
                secret["value"],
                attribute=secret["attribute"],
                chapter=secret["chapter"],
                known_by=secret["known_by"],
            )
    document.flush()
    return document, (time.perf_counter() - start) * 1000


def _tell_threads(document: Document, novel: Novel, chapter: int) -> None:
    """Enter what a chapter does to the threads."""
    for number, thread in enumerate(novel.plan["threads"], start=1):
        if thread["planted"] == chapter:
            document.threads.plant(
                thread["summary"],
                chapter=chapter,
                deadline=thread.get("deadline"),
                kind=thread["kind"],
            )
        note = thread.get("progressed", {}).get(str(chapter))
        if note:
            document.threads.progress(number, chapter, note)
        closed = thread.get("resolved")
        if closed and closed[0] == chapter:
            document.threads.resolve(number, chapter, closed[1])


def build(document: Document, budget: int, **options: Any) -> TimedBlock:
    """Build the block for the next chapter."""
    start = time.perf_counter()
    block = document.block(NEXT, budget, **options)
    return TimedBlock(ms=(time.perf_counter() - start) * 1000, block=block)


def as_of(document: Document) -> Block:
    """The block as it was when the next chapter was the sixth."""
    return document.block(AS_OF + 1, BUDGET, as_of_chapter=AS_OF)


def check_draft(document: Document) -> list[Conflict]:
    """What a sentence of a draft contradicts."""
    return document.check(DRAFT, NEXT)


def tells_secret(novel: Novel, block: Block) -> bool:
    """Whether a block gives away what only one character knows."""
    return any(secret["value"] in block.text for secret in novel.plan["secrets"])
