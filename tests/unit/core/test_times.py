"""Instants: exact, aware, in UTC."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.times import day_bounds, from_micros, parse_instant, to_micros
from backstory.errors import InvalidInputError

zones = st.integers(-14 * 60 + 1, 14 * 60 - 1).map(lambda m: timezone(timedelta(minutes=m)))
moments = st.datetimes(
    min_value=datetime(1, 1, 2),  # noqa: DTZ001 - the zone is added
    max_value=datetime(9999, 12, 30),  # noqa: DTZ001
    timezones=zones,
)


@given(moments)
def test_microseconds_are_exact(moment: datetime) -> None:
    assert from_micros(to_micros(moment)) == moment
    assert from_micros(to_micros(moment)).utcoffset() == timedelta(0)


@given(moments)
def test_text_and_value_mean_the_same_instant(moment: datetime) -> None:
    assert parse_instant(moment.isoformat(), "t") == parse_instant(moment, "t") == moment


@pytest.mark.parametrize("text", ["2026-03-01T10:00:00Z", "2026-03-01 11:00+01:00"])
def test_iso_forms(text: str) -> None:
    assert parse_instant(text, "t") == datetime(2026, 3, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize("bad", ["2026-03-01T10:00:00", "2026-03-01", "now", "", 5, None, True])
def test_others_are_refused_by_name(bad: object) -> None:
    with pytest.raises(InvalidInputError, match="timestamp"):
        parse_instant(bad, "timestamp")


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:00:00-12:00"])
def test_instants_outside_the_calendar_are_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="years 1 to 9999"):
        parse_instant(text, "t")


@given(st.dates())
def test_a_day_begins_where_the_one_before_ends(day: date) -> None:
    start, after = day_bounds(day)
    assert start.date() == day
    assert after > start
    if day < date.max:
        assert day_bounds(day + timedelta(days=1))[0] == after
