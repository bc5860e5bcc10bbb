"""Dates of events: which days they may mean, what comes first, and how long lies between."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from backstory.core.model.derived import Event, Precision
from backstory.core.model.record import Record
from backstory.core.times import to_micros

_ONE_DAY: Final = timedelta(days=1)


def last_day(event: Event) -> date:
    """The last day that the date of an event may mean, by its precision."""
    first = event.occurred_on
    if event.precision is Precision.DAY:
        return first
    if event.precision is Precision.YEAR:
        return date(first.year, 12, 31)
    if first.month == 12:
        return date(first.year, 12, 31)
    return date(first.year, first.month + 1, 1) - _ONE_DAY


def in_range(event: Event, start: date | None, end: date | None) -> bool:
    """Whether an event may lie within a range of days.

    An event of a month or a year lies in every range that shares a day with it.

    Args:
        event: The event.
        start: The first day, inclusive; None = open.
        end: The last day, inclusive; None = open.
    """
    return (start is None or start <= last_day(event)) and (end is None or event.occurred_on <= end)


def chronological(events: Iterable[Event]) -> list[Event]:
    """The events in the order of their dates.

    A month or a year stands where its middle is. What has the same date stands in the order in
    which it was told.
    """
    return sorted(events, key=place_of)


def place_of(event: Event) -> tuple[int, int, str]:
    """What orders events: twice the middle of the date, when it was told, and the id."""
    middle = event.occurred_on.toordinal() + last_day(event).toordinal()
    return middle, to_micros(event.at), event.id


@dataclass(frozen=True, kw_only=True)
class Elapsed(Record):
    """How long lies between two events.

    Attributes:
        first, second: The events, the earlier one first.
        days: From the one to the other; from middle to middle where a date is not known to the day.
        least, most: The fewest and the most days that their dates allow, 0 or more. The same as
            ``days`` if both are known to the day.
        sure: Whether their dates say which came first.
    """

    first: Event
    second: Event
    days: int
    least: int
    most: int
    sure: bool


def elapsed(one: Event, other: Event) -> Elapsed:
    """How long lies between two events, whichever of them comes first."""
    first, second = chronological((one, other))
    begins, ends = first.occurred_on.toordinal(), last_day(first).toordinal()
    starts, stops = second.occurred_on.toordinal(), last_day(second).toordinal()
    return Elapsed(
        first=first,
        second=second,
        days=((starts + stops) - (begins + ends)) // 2,
        least=max(0, starts - ends),
        most=max(stops - begins, ends - starts),
        sure=ends < starts,
    )


def without_doubles(events: Sequence[Event]) -> list[Event]:
    """The events without those that say the same of the same date; the one told first stays."""
    seen: dict[tuple[str, str, date, Precision], Event] = {}
    for event in sorted(events, key=lambda one: (one.at, one.id)):
        what = " ".join(event.predicate.casefold().split())
        seen.setdefault((event.subject, what, event.occurred_on, event.precision), event)
    kept = {event.id for event in seen.values()}
    return [event for event in events if event.id in kept]
