"""A folder of texts: one file, one chapter."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from backstory.core.books.assembling import Found, assemble
from backstory.core.books.decoding import decode_text
from backstory.core.books.numbers import name_number, natural_key
from backstory.core.model.book_file import BookFile, LeftOutPart, Numbering
from backstory.core.text import clean
from backstory.errors import FileError
from backstory.reading.books.files import read_bytes
from backstory.reading.books.markdown import one_chapter

MARKDOWN: Final = frozenset({".md", ".markdown", ".mdown", ".mkd"})
TEXT: Final = frozenset({".txt", ".text"})
_DEEPEST: Final = 16


def read_folder(folder: Path, encoding: str | None, numbering: Numbering) -> BookFile:
    """Read the texts of a folder and of the folders in it, in natural order.

    Hidden files and folders, symbolic links and files of other kinds are left out, and named.

    Raises:
        FileError: The folder cannot be read.
    """
    found: list[Found] = []
    left_out: list[LeftOutPart] = []
    for path in sorted(_files(folder, left_out, 0), key=lambda p: natural_key(_place(p, folder))):
        place = _place(path, folder)
        if path.suffix.lower() not in MARKDOWN | TEXT:
            left_out.append(LeftOutPart(place=place, reason="neither Markdown nor plain text"))
            continue
        try:
            text = decode_text(read_bytes(path, place), place, encoding)
        except FileError as error:
            left_out.append(LeftOutPart(place=place, reason=str(error), is_problem=True))
            continue
        one = one_chapter(text, place, is_markdown=path.suffix.lower() in MARKDOWN)
        number = name_number(clean(path.stem))
        found.append(Found(heading=one.heading, text=one.text, place=place, name_number=number))
    return assemble(
        found,
        title="",
        form="folder",
        left_out=left_out,
        numbering=numbering,
        keep_places=True,
    )


def _files(folder: Path, left_out: list[LeftOutPart], depth: int) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise FileError(f"{folder} cannot be read ({error.strerror})") from error
    for path in entries:
        reason = _no_text(path, depth)
        if reason is not None:
            left_out.append(LeftOutPart(place=clean(path.name), reason=reason))
        elif path.is_dir():
            yield from _files(path, left_out, depth + 1)
        else:
            yield path


def _no_text(path: Path, depth: int) -> str | None:
    """Why an entry of a folder is not looked at, or None."""
    if path.name.startswith("."):
        return "hidden"
    if path.is_symlink():
        return "a symbolic link"
    if path.is_dir():
        return f"a folder more than {_DEEPEST} levels down" if depth >= _DEEPEST else None
    return None if path.is_file() else "no regular file"


def _place(path: Path, folder: Path) -> str:
    return clean(path.relative_to(folder).as_posix())
