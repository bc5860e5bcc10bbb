"""Instants: aware, in UTC, to the microsecond. A naive time is refused."""

from datetime import UTC, date, datetime, timedelta

from backstory.errors import InvalidInputError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


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
    if moment.utcoffset() is None:
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
