"""Lists of derived records, a page at a time."""

import base64
import binascii
from collections.abc import Iterable
from typing import TypeVar

from backstory.core.model.derived import Derived
from backstory.core.model.results import Page
from backstory.core.times import to_micros
from backstory.errors import InvalidInputError

T = TypeVar("T", bound=Derived)


def page_of(records: Iterable[T], limit: int, cursor: str | None) -> Page[T]:
    """A page in order of ``at``; what comes or goes meanwhile moves no other record.

    Args:
        records: Those that match.
        limit: Most of the page, 1 or more.
        cursor: Where it begins; None = at the first.

    Raises:
        InvalidInputError: The cursor is none.
    """
    ordered = sorted(records, key=_place)
    after = None if cursor is None else _read(cursor)
    rest = ordered if after is None else [one for one in ordered if _place(one) > after]
    chosen = rest[:limit]
    more = len(rest) > limit
    return Page(
        items=tuple(chosen),
        next_cursor=_write(_place(chosen[-1])) if more else None,
        total=len(ordered),
    )


def _place(record: Derived) -> tuple[int, str]:
    return to_micros(record.at), record.id


def _write(place: tuple[int, str]) -> str:
    return base64.urlsafe_b64encode(f"{place[0]} {place[1]}".encode()).decode()


def _read(cursor: str) -> tuple[int, str]:
    try:
        at, _, name = base64.urlsafe_b64decode(cursor.encode()).decode().partition(" ")
        return int(at), name
    except (ValueError, binascii.Error, AttributeError) as error:
        raise InvalidInputError(
            "the cursor is none that this list gave; leave it out to start anew"
        ) from error
