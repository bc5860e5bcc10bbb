"""A book as it was read from files, before any of it is stored."""

from dataclasses import dataclass
from typing import Literal

from backstory.core.model.record import Record

Numbering = Literal["auto", "order"]
"""Whether numbers in names and headings are looked at."""


@dataclass(frozen=True, kw_only=True)
class BookPart(Record):
    """One chapter of a book that was read from files.

    Attributes:
        number: From 1, unique in the book.
        title: Of its heading, without the number; or "".
        text: Without that heading; its line breaks are line feeds.
        place: Where it stands, for messages: "03.md", "novel.md, line 12", "text/ch1.xhtml".
    """

    number: int
    title: str
    text: str
    place: str


@dataclass(frozen=True, kw_only=True)
class LeftOutPart(Record):
    """What was not taken for a chapter, and why.

    Attributes:
        is_problem: It may hold a chapter that could not be read; else it is none by rule.
    """

    place: str
    reason: str
    is_problem: bool = False


@dataclass(frozen=True, kw_only=True)
class BookFile(Record):
    """A folder, file or EPUB, read.

    Attributes:
        title: As the file itself says, or "".
        form: "folder", "markdown", "text" or "epub".
        parts: In order of their numbers.
        left_out: In the order of the files.
        numbered: Where the numbers are from: "by name" of the files, "by heading", or "in order".
    """

    title: str
    form: str
    parts: tuple[BookPart, ...] = ()
    left_out: tuple[LeftOutPart, ...] = ()
    numbered: str = "in order"
