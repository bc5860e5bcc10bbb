"""Reading books: what parses them is loaded when there is one to read."""

from pathlib import Path
from typing import TYPE_CHECKING

from backstory.errors import MissingDependencyError

if TYPE_CHECKING:
    from backstory.core.model.book_file import BookFile, Numbering
    from backstory.reading.books.reader import EpubReader


def read_book(
    path: Path, *, encoding: str | None, level: int | None, numbering: "Numbering"
) -> "BookFile":
    """Read a folder, a Markdown or text file, or an EPUB.

    Raises:
        FileError: It cannot be read, or is no such book.
        InvalidInputError: An option has a value that it cannot have.
        MissingDependencyError: It is an EPUB, and what reads those is not installed.
    """
    from backstory.reading.books.reader import read_book as read

    return read(path, encoding=encoding, level=level, numbering=numbering, epub=_epub_reader)


def _epub_reader() -> "EpubReader":
    try:
        from backstory.reading.books.epub import read_epub
    except ModuleNotFoundError as error:
        if error.name != "bs4":
            raise
        raise MissingDependencyError(
            "reading an EPUB needs beautifulsoup4; install backstory[epub]"
        ) from error
    return read_epub
