"""Ids of records: short for people, and found again from their beginning or end."""

from collections.abc import Sequence
from typing import Final

import typer

from backstory.cli.plain import one_line
from backstory.errors import NotFoundError

SHORT: Final = 8
_WHOLE: Final = 32
_MOST_NAMED: Final = 5


def short(id: str) -> str:
    """The end of an id: ids made at the same time have their beginning in common."""
    return id[-SHORT:]


def whole_id(given: str, known: Sequence[str], what: str) -> str:
    """Find the id that is meant by itself, its beginning or its end.

    Args:
        given: What was typed.
        known: The ids that can be meant.
        what: What they are ids of.

    Raises:
        NotFoundError: None fits.
        BadParameter: Several do.
    """
    if given in known:
        return given
    fitting = [id for id in known if given and (id.startswith(given) or id.endswith(given))]
    if not fitting:
        raise NotFoundError(f"there is no {what} with the id {one_line(given)!r}")
    if len(fitting) > 1:
        shown = ", ".join(short(id) for id in fitting[:_MOST_NAMED])
        raise typer.BadParameter(
            f"{one_line(given)!r} fits {len(fitting)} ids; give more of it, or the end "
            f"({shown}{', ...' if len(fitting) > _MOST_NAMED else ''})"
        )
    return fitting[0]


def is_whole(given: str) -> bool:
    """Whether an id needs no looking up: it is as long as the ids of a store."""
    return len(given) >= _WHOLE
