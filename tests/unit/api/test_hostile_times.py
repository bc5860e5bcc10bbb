"""Times at the ends of the calendar and zones that fail cost no context."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from backstory import Memory
from backstory.core.times import date_in
from backstory.errors import InvalidInputError


class NoOffset(tzinfo):
    """A zone that knows no offset."""

    def tzname(self, when: datetime | None) -> None:
        return None

    def dst(self, when: datetime | None) -> None:
        return None

    def utcoffset(self, when: datetime | None) -> None:
        return None


class Modern(tzinfo):
    """A zone that knows nothing before the year 2000."""

    def utcoffset(self, when: datetime | None) -> timedelta:
        if when is not None and when.year < 2000:
            raise KeyError(when.year)
        return timedelta(hours=2)

    def dst(self, when: datetime | None) -> timedelta:
        return timedelta(0)

    def tzname(self, when: datetime | None) -> str:
        return "modern"


ZONES = ("America/New_York", "Asia/Tokyo")
BARE: Any = tzinfo
FIRST, LAST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"


@pytest.mark.parametrize(
    ("zone", "now"),
    [
        *(
            (name, now)
            for name in ("America/New_York", "Asia/Tokyo")
            for now in (None, FIRST, LAST)
        ),
        (Modern(), None),
        (Modern(), LAST),
    ],
)
def test_the_ends_of_the_calendar_are_shown(zone: Any, now: str | None) -> None:
    with Memory(":memory:", embedder=None) as memory:
        for stamp in (FIRST, LAST):
            memory.add({"role": "user", "content": "tea", "timestamp": stamp}, user_id="u")
        text = memory.context("u", "tea", timezone=zone, now=now).text
    assert "0001-01-01 user: tea" in text
    assert "9999-12-31 user: tea" in text


@pytest.mark.parametrize(("zone", "now"), [(NoOffset(), None), (BARE(), None), (Modern(), FIRST)])
def test_a_zone_that_cannot_convert_now_is_refused(zone: tzinfo, now: str | None) -> None:
    with Memory(":memory:", embedder=None) as memory:
        memory.add("tea", user_id="u")
        with pytest.raises(InvalidInputError, match="cannot convert"):
            memory.context("u", "tea", timezone=zone, now=now)


@pytest.mark.parametrize("zone", [5, None, b"UTC", [], "", "\0", "a" * 5000, "../etc", "Europe"])
def test_what_is_no_zone_is_refused(zone: Any) -> None:
    with (
        Memory(":memory:", embedder=None) as memory,
        pytest.raises(InvalidInputError, match="is unknown"),
    ):
        memory.context("u", "tea", timezone=zone)


def test_a_time_whose_zone_fails_is_refused() -> None:
    moment = datetime(1999, 1, 1, tzinfo=Modern())
    with (
        Memory(":memory:", embedder=None) as memory,
        pytest.raises(InvalidInputError, match="now has a time zone that gives no offset"),
    ):
        memory.context("u", "tea", now=moment)


def test_a_date_is_the_zone_s_own() -> None:
    evening = datetime(2026, 3, 1, 23, tzinfo=UTC)
    assert date_in(evening, ZoneInfo("Asia/Tokyo")) == date(2026, 3, 2)
