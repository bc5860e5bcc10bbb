"""Chapters that were found in files, put in order and numbered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from backstory.core.books.numbers import LARGEST, heading_number
from backstory.core.model.book_file import BookFile, BookPart, LeftOutPart, Numbering

EMPTY: Final = "empty"


@dataclass(frozen=True, kw_only=True)
class Found:
    """A chapter before it has its number.

    Attributes:
        heading: Its heading as it is written, or "".
        name_number: The number that the file's name carries, or None.
    """

    heading: str
    text: str
    place: str
    name_number: int | None = None


def assemble(
    found: Sequence[Found],
    *,
    title: str,
    form: str,
    left_out: Sequence[LeftOutPart] = (),
    numbering: Numbering = "auto",
    keep_places: bool = False,
) -> BookFile:
    """Number what was found.

    The numbers of the names count if each chapter has one and no two the same, else those of the
    headings under the same condition, else the order.

    Args:
        found: In order.
        title: Of the book.
        form: Of the files.
        left_out: What was no chapter.
        numbering: "order" does not look at names and headings.
        keep_places: An empty chapter keeps its place in the order, so that writing it later moves
            no other.
    """
    written = [one for one in found if one.text.strip()]
    empty = [one for one in found if not one.text.strip()]
    counted = list(found) if keep_places else written
    numbers, numbered = _numbers(counted, numbering)
    parts = [
        BookPart(number=number, title=title_of(one.heading), text=one.text, place=one.place)
        for one, number in zip(counted, numbers, strict=True)
        if one.text.strip()
    ]
    gone = [*left_out, *(LeftOutPart(place=one.place, reason=EMPTY) for one in empty)]
    return BookFile(
        title=title,
        form=form,
        parts=tuple(sorted(parts, key=lambda part: part.number)),
        left_out=tuple(gone),
        numbered=numbered,
    )


def title_of(heading: str) -> str:
    """A heading without its number; the whole heading if nothing else is left of it."""
    found = heading_number(heading)
    return heading.strip() if found is None or not found[1] else found[1]


def _numbers(found: Sequence[Found], numbering: Numbering) -> tuple[list[int], str]:
    ways: list[tuple[str, Callable[[Found], int | None]]] = [
        ("by name", lambda one: one.name_number),
        ("by heading", _heading_number),
    ]
    for label, number_of in ways if numbering == "auto" else ():
        numbers = [n for one in found if (n := number_of(one)) is not None]
        if _usable(numbers, len(found)):
            return numbers, label
    return list(range(1, len(found) + 1)), "in order"


def _heading_number(one: Found) -> int | None:
    found = heading_number(one.heading)
    return None if found is None else found[0]


def _usable(numbers: Sequence[int], count: int) -> bool:
    return (
        0 < len(numbers) == count == len(set(numbers))
        and min(numbers) >= 1
        and max(numbers) <= LARGEST
    )
