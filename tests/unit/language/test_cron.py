"""When runs are due: in any zone, through summer time, and back in time."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.schedule import period_of
from backstory.errors import ConfigurationError
from backstory.language.cron import check_cron, last_fire, next_fire, zone_of

STOCKHOLM = ZoneInfo("Europe/Stockholm")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("expression", "zone", "now", "last", "coming"),
    [
        # to the second
        ("0 2 * * *", "UTC", "11-30T02:00:00", "11-30T02:00", "12-01T02:00"),
        ("0 2 * * *", "UTC", "11-30T01:59:59", "11-29T02:00", "11-30T02:00"),
        # a Sunday
        ("0 3 * * 0", "UTC", "11-30T00:00:00", "11-29T03:00", "12-06T03:00"),
        # half an hour off, and the day of the zone
        ("0 2 * * *", "Asia/Kolkata", "11-30T21:00:00", "11-30T20:30", "12-01T20:30"),
        ("0 2 * * *", "Asia/Kathmandu", "11-30T20:14:00", "11-29T20:15", "11-30T20:15"),
        # the night that has no half past two
        ("30 2 * * *", "Europe/Stockholm", "03-29T00:59:59", "03-28T01:30", "03-29T01:00"),
        ("30 2 * * *", "Europe/Stockholm", "03-29T01:00:00", "03-29T01:00", "03-30T00:30"),
        # the night that has two of them: once, at the first
        ("30 2 * * *", "Europe/Stockholm", "10-25T00:30:00", "10-25T00:30", "10-26T01:30"),
        ("30 2 * * *", "Europe/Stockholm", "10-25T01:15:00", "10-25T00:30", "10-26T01:30"),
        ("30 2 * * *", "Europe/Stockholm", "10-25T01:45:00", "10-25T00:30", "10-26T01:30"),
    ],
)  # fmt: skip
def test_last_and_next(expression: str, zone: str, now: str, last: str, coming: str) -> None:
    """Of 2026."""
    moment = at(f"2026-{now}")
    assert last_fire(expression, zone_of(zone), moment) == at(f"2026-{last}")
    assert next_fire(expression, zone_of(zone), moment) == at(f"2026-{coming}")


def test_once_in_years() -> None:
    moment = at("2026-11-30T00:00:00")
    assert last_fire("0 0 29 2 *", UTC, moment) == at("2024-02-29T00:00")
    assert next_fire("0 0 29 2 *", UTC, moment) == at("2028-02-29T00:00")


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001 - made aware below
    st.integers(0, 59),
    st.integers(0, 23),
    st.sampled_from(["UTC", "Europe/Stockholm", "Australia/Lord_Howe", "America/St_Johns"]),
    st.integers(1, 90_000),
)
def test_time_goes_on(naive: datetime, minute: int, hour: int, name: str, later_s: int) -> None:
    """The last time never moves back, and every time is the last one from then on."""
    now, zone = naive.replace(tzinfo=UTC), zone_of(name)
    expression = f"{minute} {hour} * * *"
    last = last_fire(expression, zone, now)
    coming = next_fire(expression, zone, now)
    assert last is not None
    assert coming is not None
    assert last <= now < coming
    assert last_fire(expression, zone, coming) == coming
    afterwards = last_fire(expression, zone, now + timedelta(seconds=later_s))
    assert afterwards is not None
    assert afterwards >= last
    assert coming - last <= timedelta(hours=26)


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "* * * *",
        "* * * * * *",
        "60 2 * * *",
        "0 0 31 2 *",
        "@daily",
        "0 2 * * \0",
        "0 2 * * 名",
    ],
)
def test_what_is_no_expression(expression: str) -> None:
    with pytest.raises(ConfigurationError, match="cron expression"):
        check_cron(expression)


def test_a_period_is_named_the_same_everywhere() -> None:
    found = last_fire("30 2 * * *", STOCKHOLM, at("2026-11-30T12:00:00"))
    assert found is not None
    assert period_of(found) == "2026-11-30T01:30Z"
