"""Reading a book from files, before it is stored."""

from pathlib import Path, PurePath
from typing import get_args

from backstory.bootstrap.books import read_book as read
from backstory.core.model.book_file import BookFile, BookPart, LeftOutPart, Numbering
from backstory.errors import FileError, InvalidInputError

__all__ = ["BookFile", "BookPart", "LeftOutPart", "Numbering", "read_book"]


def read_book(
    path: str | PurePath,
    *,
    encoding: str | None = None,
    level: int | None = None,
    numbering: Numbering = "auto",
) -> BookFile:
    """Read the chapters of a book from files; nothing is stored.

    A folder: each Markdown or text file in it is a chapter. One Markdown file: split at its
    headings; one text file: at lines such as "Chapter XII". An EPUB: by its table of contents.
    What is not taken for a chapter is listed with the reason.

    Args:
        path: The folder or file.
        encoding: Of texts without a byte order mark, as Python names it; None = UTF-8. Nothing is
            guessed.
        level: In one Markdown file: the level of the headings that begin a chapter, 1 to 6; None =
            the one with the most numbered headings, else the highest with two.
        numbering: "auto" takes the numbers from the names of the files or from the headings, if
            each chapter has one and no two the same, else their order; "order" only the order.

    Raises:
        FileError: It cannot be read, or is no such book.
        InvalidInputError: An option has a value that it cannot have.
        MissingDependencyError: It is an EPUB, and the extra "epub" is not installed.
    """
    if numbering not in get_args(Numbering):
        raise InvalidInputError(f'numbering must be "auto" or "order", not {numbering!r}')
    if not isinstance(path, (str, PurePath)) or not str(path):
        raise InvalidInputError(f"path must be the path of a folder or file, not {path!r}")
    if "\0" in str(path):
        raise FileError("a path cannot contain a NUL")
    place = Path(path).expanduser()
    return read(place, encoding=encoding, level=level, numbering=numbering)
