"""The clock and the ids of a running system."""

import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

_COUNTER_BITS = 18


class SystemClock:
    """The computer's clock, in UTC."""

    def now(self) -> datetime:
        """The current instant, timezone-aware, in UTC."""
        return datetime.now(UTC)


class TimeOrderedIds:
    """Ids of 32 hexadecimal digits that sort by their time of creation.

    Laid out as an RFC 9562 UUID of version 7: 48 bits of Unix milliseconds, then the version, an
    18-bit counter over the millisecond around the variant, and random bits. Within one process
    each id is larger than the one before, also when the clock goes back; between processes the
    order is that of their clocks, to the millisecond. May be used from several threads.
    """

    def __init__(self, milliseconds: Callable[[], int] | None = None) -> None:
        """Make a source of ids.

        Args:
            milliseconds: Gives the Unix time in milliseconds; None for the computer's clock.
        """
        self._milliseconds = milliseconds or _unix_milliseconds
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> str:
        """A new id."""
        milliseconds = self._milliseconds()
        with self._lock:
            # Time and counter are one number: a full counter runs over into the time.
            # The counter starts low and at random, so that ids of two processes rarely meet.
            start = (milliseconds << _COUNTER_BITS) + secrets.randbits(_COUNTER_BITS - 2)
            self._last = max(start, self._last + 1)
            number = self._last
        return _uuid7(number)


def _unix_milliseconds() -> int:
    return time.time_ns() // 1_000_000


def _uuid7(number: int) -> str:
    """Time and counter with version, variant and random bits around them."""
    moment = number >> _COUNTER_BITS
    counter = number & ((1 << _COUNTER_BITS) - 1)
    high, low = counter >> 6, counter & 0x3F
    rest = (low << 56) | secrets.randbits(56)
    value = (moment << 80) | (0x7 << 76) | (high << 64) | (0b10 << 62) | rest
    return f"{value:032x}"
