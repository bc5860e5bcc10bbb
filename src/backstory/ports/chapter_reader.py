"""The chapter-reader port: one chapter in, what it says out."""

from dataclasses import dataclass
from typing import Protocol

from backstory.core.model.chapter_reading import ChapterReading
from backstory.core.model.entity import Entity
from backstory.core.model.plot import PlotThread


@dataclass(frozen=True, kw_only=True)
class ChapterToRead:
    """A chapter and what is known before it.

    Attributes:
        unit: What its parts are called, in the document's language.
        planned: How many there will be, or None.
        previous: The summary of the chapter before it, or "".
        entities: Those that may occur in it, with their states before it.
        threads: Those that are open before it, the most urgent first, at most 40.
        given_summary: The caller's; a reader makes none then.
    """

    number: int
    title: str
    text: str
    unit: str = "chapter"
    planned: int | None = None
    previous: str = ""
    entities: tuple[Entity, ...] = ()
    threads: tuple[PlotThread, ...] = ()
    given_summary: str | None = None


class ChapterReader(Protocol):
    """Reads a chapter: summary, entities with states, thread operations."""

    @property
    def name(self) -> str:
        """The word "rules", or the name of the model."""
        ...

    async def read(self, chapter: ChapterToRead) -> ChapterReading:
        """Read a chapter, in one call of a model at most.

        Raises:
            ReadingError: The model's answer was cut off or of a wrong shape; nothing of it counts.
            ModelError: The model failed.
        """
        ...
