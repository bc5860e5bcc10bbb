"""A clock that stands still until it is told to move."""

import threading
from datetime import UTC, datetime, timedelta

_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


class FakeClock:
    """A clock for tests. It may be used from several threads."""

    def __init__(self, start: datetime = _START) -> None:
        """Set the clock.

        Args:
            start: The first instant, timezone-aware; by default a Monday, 9:00 UTC.

        Raises:
            ValueError: ``start`` has no timezone.
        """
        self._lock = threading.Lock()
        self._now = _in_utc(start)

    def now(self) -> datetime:
        """The instant that the clock was set to, in UTC."""
        with self._lock:
            return self._now

    def set(self, now: datetime) -> None:
        """Set the clock, forward or back.

        Raises:
            ValueError: ``now`` has no timezone.
        """
        with self._lock:
            self._now = _in_utc(now)

    def advance(self, by: timedelta | float) -> datetime:
        """Move the clock and give the new instant.

        Args:
            by: A time span, or seconds; negative moves back.
        """
        step = by if isinstance(by, timedelta) else timedelta(seconds=by)
        with self._lock:
            self._now += step
            return self._now


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        message = "the clock needs a timezone-aware datetime"
        raise ValueError(message)
    return moment.astimezone(UTC)
