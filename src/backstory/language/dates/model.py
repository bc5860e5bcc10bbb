"""What a date expression means: a day, a month or a year, with its interval."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple, Self

from backstory.core.model.record import Record


class Precision(StrEnum):
    """How exact a date is."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class Point(NamedTuple):
    """A year, month or day of the proleptic Gregorian calendar; None = not said."""

    year: int
    month: int | None = None
    day: int | None = None

    @classmethod
    def of(cls, day: date) -> Self:
        """The point of a calendar day."""
        return cls(day.year, day.month, day.day)

    @property
    def first(self) -> date:
        """Its first day.

        Raises:
            ValueError: There is no such day.
        """
        return date(self.year, self.month or 1, self.day or 1)


@dataclass(frozen=True, kw_only=True)
class ResolvedDate(Record):
    """A date expression of a text and what it means.

    Attributes:
        date: ``YYYY-MM-DD``, ``YYYY-MM`` or ``YYYY``.
        precision: Which of the three.
        start: The first instant of that day, month or year, in the zone of the text's time.
        end: The first instant after it; for the last one of year 9999 the last instant of it.
        span: Where the expression begins and ends in the text, in characters; a preposition may
            belong to it.
    """

    date: str
    precision: Precision
    start: datetime
    end: datetime
    span: tuple[int, int]


def resolved(point: Point, at: datetime, span: tuple[int, int]) -> ResolvedDate:
    """Give a point its text and its interval in the zone of ``at``.

    Raises:
        ValueError: The calendar from year 1 to 9999 has no such point.
    """
    first = point.first
    if point.month is None:
        precision, text = Precision.YEAR, f"{point.year:04d}"
        following = Point(point.year + 1)
    elif point.day is None:
        precision, text = Precision.MONTH, f"{point.year:04d}-{point.month:02d}"
        following = Point(point.year + point.month // 12, point.month % 12 + 1)
    else:
        precision, text = Precision.DAY, first.isoformat()
        following = Point.of(date.fromordinal(min(first.toordinal() + 1, date.max.toordinal())))
    if following.year > date.max.year or following == point:
        end = datetime.max.replace(tzinfo=at.tzinfo)
    else:
        end = _midnight(following.first, at)
    return ResolvedDate(
        date=text, precision=precision, start=_midnight(first, at), end=end, span=span
    )


def _midnight(day: date, at: datetime) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=at.tzinfo)
