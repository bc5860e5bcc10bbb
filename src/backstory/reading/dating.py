"""When a statement holds: from the date words that a model copied. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from backstory.core.model.reading import Act, Turn
from backstory.language.dates import find_dates, resolve_date
from backstory.reading.quoting import find_quote
from backstory.reading.shapes import StatedFact

_ISO: Final = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ].*)?")
_FARTHEST_YEARS: Final = 100


@dataclass(frozen=True)
class Period:
    """When a statement holds, and what could not be read of it.

    Attributes:
        starts, ends: Aware; None = not said.
        notes: Dates that were left out, and why.
    """

    starts: datetime | None = None
    ends: datetime | None = None
    notes: tuple[str, ...] = ()


def period_of(stated: StatedFact, turn: Turn) -> Period:
    """The valid time of a stated fact, seen from the time of its message.

    A beginning is the first instant of the day, month or year that is named. An end is the first
    instant after it ("in 2019" holds through 2019), but something that ends on a date ends with its
    first instant. A date is left out if it cannot be read, if its words are not in the message
    and no date in the message is the same, or if it is more than 100 years away.
    """
    notes: list[str] = []
    since = interval_of(stated.since, turn, notes)
    until = interval_of(stated.until, turn, notes)
    if stated.act in {Act.END, Act.RETRACT}:
        ends = until or since
        return Period(None, ends[0] if ends else None, tuple(notes))
    starts = since[0] if since else None
    closes = until[1] if until else None
    if starts is not None and closes is not None and closes <= starts:
        notes.append("the end is not later than the beginning")
        closes = None
    return Period(starts, closes, tuple(notes))


def interval_of(words: str, turn: Turn, notes: list[str]) -> tuple[datetime, datetime] | None:
    """The day, month or year that copied words mean: its first instant, the first one after it.

    Args:
        words: The words of the message, or an ISO 8601 date that it has in other words.
        turn: The message; a relative date is seen from its time.
        notes: Why a date was left out is added to it.
    """
    if not words:
        return None
    iso = _ISO.fullmatch(words)
    found = _calendar(iso, turn) if iso else _resolved(words, turn)
    if found is None:
        notes.append(f"the date {words[:60]!r} could not be read")
    elif not _is_said(words, found, turn):
        notes.append(f"the date {words[:60]!r} is not in the text")
    elif abs(found[0] - turn.timestamp) > timedelta(days=366 * _FARTHEST_YEARS):
        notes.append(f"the date {words[:60]!r} is too far away")
    else:
        return found
    return None


def _resolved(words: str, turn: Turn) -> tuple[datetime, datetime] | None:
    # Where the words stand in the message counts: "in May" is seen from its tense.
    here = find_quote(words, turn.text)
    for one in find_dates(turn.text, turn.timestamp):
        begin, end = one.span
        if here is not None and _overlaps(turn.text, here, begin, end):
            return one.start, one.end
    alone = resolve_date(words, turn.timestamp)
    return (alone.start, alone.end) if alone else None


def _overlaps(text: str, words: str, begin: int, end: int) -> bool:
    place = text.find(words)
    return place < end and begin < place + len(words)


def _calendar(iso: re.Match[str], turn: Turn) -> tuple[datetime, datetime] | None:
    year, month, day = (int(part) if part else None for part in iso.groups())
    zone = turn.timestamp.tzinfo
    try:
        start = datetime(year or 0, month or 1, day or 1, tzinfo=zone)
        if day is not None:
            return start, start + timedelta(days=1)
        if month is not None:
            return start, datetime(start.year + month // 12, month % 12 + 1, 1, tzinfo=zone)
        return start, datetime(start.year + 1, 1, 1, tzinfo=zone)
    except (OverflowError, ValueError):
        return None


def _is_said(words: str, found: tuple[datetime, datetime], turn: Turn) -> bool:
    """Whether the words are in the message, or a date in it overlaps with what was found."""
    if find_quote(words, turn.text) is not None:
        return True
    return _meets(found, [(d.start, d.end) for d in find_dates(turn.text, turn.timestamp)])


def _meets(found: tuple[datetime, datetime], others: Sequence[tuple[datetime, datetime]]) -> bool:
    return any(found[0] < end and start < found[1] for start, end in others)
