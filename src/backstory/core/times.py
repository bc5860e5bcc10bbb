"""Instants: aware, in UTC, to the microsecond. A naive time is refused."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from backstory.errors import InvalidInputError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# What the ``tzinfo`` of a caller may raise; NotImplementedError is a RuntimeError.
_ZONE_ERRORS: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


def to_micros(instant: datetime) -> int:
    """Microseconds since 1970-01-01 UTC, exact (no floats)."""
    return (instant - EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The inverse of ``to_micros``."""
    return EPOCH + timedelta(microseconds=micros)


def parse_instant(value: object, what: str) -> datetime:
    """Read an aware datetime, or ISO 8601 text with a zone, as an instant in UTC.

    Raises:
        InvalidInputError: The value is naive, malformed, or outside the years 1 to 9999.
    """
    moment = value
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment.strip())
        except ValueError as error:
            raise InvalidInputError(
                f"{what} {value!r} is not ISO 8601; write it like 2026-03-01T10:00:00+01:00"
            ) from error
    if not isinstance(moment, datetime):
        raise InvalidInputError(
            f"{what} must be an aware datetime or ISO 8601 text, not {type(value).__name__}"
        )
    try:
        offset = moment.utcoffset()
    except _ZONE_ERRORS as error:
        raise InvalidInputError(f"{what} has a time zone that gives no offset: {error}") from error
    if offset is None:
        raise InvalidInputError(
            f"{what} {value!s} has no time zone; add one, such as +00:00 or tzinfo=timezone.utc"
        )
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise InvalidInputError(
            f"{what} {value!s} is outside the years 1 to 9999 in UTC"
        ) from error


def day_bounds(day: date) -> tuple[datetime, datetime]:
    """The first instant of a calendar day in UTC, and the first one after it."""
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    if day == date.max:
        return start, datetime.max.replace(tzinfo=UTC)
    return start, start + timedelta(days=1)


def date_in(instant: datetime, zone: tzinfo) -> date:
    """The calendar date of an instant in a zone.

    Where the zone's date lies outside the years 1 to 9999, it is the first or last day of them.
    Where the zone does not know the instant (a ``tzinfo`` of one's own), it is the date in UTC.

    Args:
        instant: An aware time in UTC.
        zone: Where the date is read.
    """
    try:
        return instant.astimezone(zone).date()
    except _ZONE_ERRORS:
        # Near the ends of the calendar the date in UTC is the first or last day.
        return instant.date()


def time_in(instant: datetime, zone: tzinfo) -> datetime:
    """An instant as the clocks of a zone show it; in UTC where ``date_in`` falls back to it."""
    try:
        return instant.astimezone(zone)
    except _ZONE_ERRORS:
        return instant


def check_zone(zone: tzinfo, instant: datetime) -> tzinfo:
    """Accept a zone that can convert an instant.

    Raises:
        InvalidInputError: It gives no offset, or an error; ``__cause__`` is that error.
    """
    try:
        instant.astimezone(zone).date()
    except OverflowError:
        return zone
    except Exception as error:
        raise InvalidInputError(
            f"the time zone {type(zone).__name__} cannot convert a time: "
            f"{type(error).__name__}: {error}"
        ) from error
    return zone
