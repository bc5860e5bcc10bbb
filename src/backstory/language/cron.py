"""Cron expressions: when a run was due last, and when it is due next.

Read by cronsim as Debian's cron reads them, summer time included: a run at an hour that a night
leaves out comes right after it, and one at an hour that comes twice comes once.
"""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from backstory.errors import ConfigurationError

# Without a zone: only the form is looked at.
_ANY = datetime(2024, 1, 1, tzinfo=UTC)
_FIELDS = 5


def check_cron(expression: str) -> None:
    """See that an expression has five fields, and a time that ever comes.

    Raises:
        ConfigurationError: It cannot be read, or names a day that no month has.
    """
    if len(expression.split()) != _FIELDS:
        raise ConfigurationError(
            f"the cron expression {expression!r} must have five fields: minute, hour, day of "
            "month, month, day of week"
        )
    try:
        comes = _first(CronSim(expression, _ANY))
    except CronSimError as error:
        raise ConfigurationError(
            f"the cron expression {expression!r} cannot be used ({error})"
        ) from error
    if comes is None:
        raise ConfigurationError(
            f"the cron expression {expression!r} names a time that never comes"
        )


def zone_of(name: str) -> tzinfo:
    """The time zone of a name, such as "Europe/Stockholm".

    Raises:
        ConfigurationError: There is none.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ConfigurationError(f"there is no time zone {name!r}") from error


def last_fire(expression: str, zone: tzinfo, now: datetime) -> datetime | None:
    """The last time, at or before now, that an expression names; in UTC. None = there was none."""
    found = _first(CronSim(expression, now.astimezone(zone), reverse=True))
    # going back misses now itself, and in an hour that comes twice what came in its first turn
    while found is not None:
        later = next_fire(expression, zone, found)
        if later is None or later > now:
            break
        found = later
    return found


def next_fire(expression: str, zone: tzinfo, now: datetime) -> datetime | None:
    """The first time after now that an expression names; in UTC. None = there is none."""
    times = CronSim(expression, now.astimezone(zone))
    found = _first(times)
    # in the second turn of an hour that comes twice, it names the first one
    while found is not None and found <= now:
        found = _first(times)
    return found


def _first(times: CronSim) -> datetime | None:
    try:
        return next(times).astimezone(UTC)
    except (StopIteration, OverflowError):
        return None
