"""Which kind of book a path is, and reading it."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from backstory.core.books.assembling import assemble
from backstory.core.books.decoding import decode_text
from backstory.core.model.book_file import BookFile, Numbering
from backstory.core.text import clean
from backstory.errors import FileError, InvalidInputError
from backstory.reading.books.files import read_bytes
from backstory.reading.books.folder import MARKDOWN, TEXT, read_folder
from backstory.reading.books.markdown import (
    chapter_level,
    front_matter,
    markdown_headings,
    one_chapter,
    split_at,
    text_headings,
)

EpubReader = Callable[[Path, Numbering], BookFile]
_LEVELS: Final = range(1, 7)


def read_book(
    path: Path,
    *,
    encoding: str | None = None,
    level: int | None = None,
    numbering: Numbering = "auto",
    epub: Callable[[], EpubReader],
) -> BookFile:
    """Read a folder, a Markdown or text file, or an EPUB.

    Args:
        path: Of the book.
        encoding: Of texts without a byte order mark; None = UTF-8.
        level: Of the headings that begin a chapter in one Markdown file, 1 to 6; None = found.
        numbering: "order" does not look at numbers in names and headings.
        epub: Gives what reads an EPUB; called only for one.

    Raises:
        FileError: It cannot be read, or is no such book.
        InvalidInputError: An option has a value that it cannot have.
    """
    if level is not None and level not in _LEVELS:
        raise InvalidInputError(f"level must be from 1 to 6, not {level!r}")
    place = clean(path.name or str(path))
    try:
        if path.is_dir():
            return read_folder(path, encoding, numbering)
        if not path.exists():
            raise FileError(f"there is no file or folder {clean(str(path))}")
        if not path.is_file():
            raise FileError(f"{place} is no regular file")
        if path.suffix.lower() == ".epub" or zipfile.is_zipfile(path):
            return epub()(path, numbering)
    except OSError as error:
        raise FileError(f"{place} cannot be read ({error.strerror})") from error
    except ValueError as error:
        if isinstance(error, InvalidInputError):
            raise
        raise FileError(f"{place} cannot be read ({error})") from error
    if path.suffix.lower() not in MARKDOWN | TEXT | {""}:
        kinds = ", ".join(sorted(MARKDOWN | TEXT))
        raise FileError(f"{place} is no book that can be read: a folder, an EPUB, or {kinds}")
    text = decode_text(read_bytes(path, place), place, encoding)
    form = "markdown" if path.suffix.lower() in MARKDOWN else "text"
    return _read_text(text, place, form, level, numbering)


def _read_text(
    text: str, place: str, form: str, level: int | None, numbering: Numbering
) -> BookFile:
    is_markdown = form == "markdown"
    title, body = front_matter(text) if is_markdown else ("", text)
    headings = markdown_headings(body) if is_markdown else text_headings(body)
    used = level or chapter_level(headings)
    if level is not None and not any(one.level == level for one in headings):
        raise InvalidInputError(f"{place} has no heading of level {level}")
    if used is None or (level is None and len(headings) == 1):
        whole = one_chapter(text, place, is_markdown=is_markdown)
        return assemble([whole], title=title, form=form, numbering=numbering)
    found, left_out = split_at(body, headings, used, place, _line_of(text, body))
    above = next((one.text for one in headings if one.level < used), "")
    return assemble(found, title=title or above, form=form, left_out=left_out, numbering=numbering)


def _line_of(text: str, body: str) -> int:
    """The number of the line of a text that its last part, the body, begins in."""
    return text.count("\n", 0, len(text) - len(body)) + 1
