"""Dates in messages: the cases by hand, and laws that hold for any text."""

import json
import time
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.errors import InvalidInputError
from backstory.functions import resolve_date
from backstory.language.dates import Precision, ResolvedDate, find_dates
from backstory.language.dates.calendar import easter
from tests.counts import cpu_seconds

OWN = Path(__file__).resolve().parents[2] / "data" / "dates.jsonl"
WEDNESDAY = datetime(2025, 3, 12, 10, tzinfo=UTC)


def cases(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answer(case: dict[str, Any]) -> tuple[str, str] | None:
    found = resolve_date(case["text"], datetime.fromisoformat(case["at"]))
    return None if found is None else (found.date, str(found.precision))


def is_right(case: dict[str, Any]) -> bool:
    options = [case["expect"], *case.get("alternatives", [])]
    return answer(case) in [one and (one["date"], one["precision"]) for one in options]


def share(found: list[bool]) -> float:
    return sum(found) / len(found)


def test_second_cases_were_written_before_they_were_run() -> None:
    second = cases(OWN.with_name("dates_second.jsonl"))
    sure = [one for one in second if "doubtful" not in one["note"]]
    assert len(sure) >= 60
    assert share([is_right(one) for one in sure if one["expect"]]) >= 0.92
    assert share([is_right(one) for one in sure if not one["expect"]]) >= 0.96


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we celebrated mum's 60th on 1 June", "2024-06-01"),  # an owner, not "is"
        ("the exam's on 1 June", "2025-06-01"),
        ("I have it booked for November 21", "2025-11-21"),
        ("we're getting married in October", "2025-10"),
        ("running 2.0.19 of it", None),
    ],
)
def test_what_messages_about_events_showed(text: str, expected: str | None) -> None:
    found = resolve_date(text, WEDNESDAY)
    assert (found and found.date) == expected


def test_own_cases() -> None:
    known = cases(OWN)
    assert len(known) >= 250
    wrong = [(case["id"], case["text"], answer(case)) for case in known if not is_right(case)]
    assert wrong == []


def test_gold_cases(shared: Path) -> None:
    gold = [one for one in cases(shared / "gold" / "dates.jsonl") if "doubtful" not in one["note"]]
    assert share([is_right(one) for one in gold if one["expect"]]) >= 0.92
    assert share([is_right(one) for one in gold if not one["expect"]]) >= 0.96


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("From Monday to Friday I'm in Rome", ["2025-03-17", "2025-03-21"]),
        ("I quit in May 2019. The day after 3 June 2019 I regretted it", ["2019-05", "2019-06-04"]),
        ("We left on 4 March 2020; the week before, we had packed", ["2020-03-04", "2020-02-26"]),
        ("every Friday since 2021", ["2021"]),
        ("from March to May 2022 I was away", ["2022-03", "2022-05"]),
        ("from 3 March to 5 May 2022 I was away", ["2022-03-03", "2022-05-05"]),
        ("from 2018 to 2020 I was away", ["2018", "2020"]),
        ("a fair on Sunday 5 May", ["2024-05-05"]),  # in 2025 it is a Monday
        ("our party is on 29 February", ["2028-02-29"]),
        ("I've been vegan for two years now", []),
        ("it happened one Friday", []),
        ("I liked The Sunday Lantern Society a lot", []),
        ("nothing at all", []),
    ],
)
def test_all_dates_in_order(text: str, dates: list[str]) -> None:
    assert [found.date for found in find_dates(text, WEDNESDAY)] == dates


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("Well… we moved two weeks ago, phew", "two weeks ago"),
        ("\U0001f389 TOMORROW’s the day", "TOMORROW"),  # noqa: RUF001 (as phones write it)
        ("İt was on the 5th of March 2020!", "on the 5th of March 2020"),
        ("it says 2025-05-31T10:00:00Z ok", "2025-05-31"),
    ],
)
def test_span_is_the_expression(text: str, expression: str) -> None:
    found = resolve_date(text, WEDNESDAY)
    assert found is not None
    assert text[slice(*found.span)] == expression


def test_interval_is_half_open_in_the_zone_of_the_message() -> None:
    zone = ZoneInfo("Europe/Berlin")
    found = resolve_date("in March 2024", datetime(2025, 6, 1, tzinfo=zone))
    assert found is not None
    assert found.precision is Precision.MONTH
    assert found.start.isoformat() == "2024-03-01T00:00:00+01:00"
    assert found.end.isoformat() == "2024-04-01T00:00:00+02:00"
    assert found.to_dict()["precision"] == "month"


@pytest.mark.parametrize("text", ["yesterday", "3 years ago", "last Easter", "in 1 year"])
def test_outside_the_calendar_there_is_no_date(text: str) -> None:
    first = datetime(1, 1, 1, 12, tzinfo=UTC)
    last = datetime(9999, 12, 31, 12, tzinfo=UTC)
    assert resolve_date(text, last if text.startswith("in") else first) is None


def test_a_day_that_counts_from_another_is_one_date() -> None:
    at = datetime(2025, 5, 14, tzinfo=UTC)
    for text, expected in (
        ("the Monday before Friday", "2025-05-12"),
        ("the Monday before the Friday before Easter", "2025-04-14"),
        ("three weeks after the Monday after Easter", "2025-05-12"),
    ):
        (found,) = find_dates(text, at)
        assert (found.date, found.span) == (expected, (0, len(text))), text


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        resolve_date("yesterday", datetime(2025, 1, 1))  # noqa: DTZ001 (naive on purpose)


def test_easter() -> None:
    # The extremes, the two exceptions of Gauss's rule, and a leap year.
    days = {
        1818: "03-22",
        1943: "04-25",
        1954: "04-18",
        1981: "04-19",
        2000: "04-23",
        2024: "03-31",
    }
    assert {year: easter(year).strftime("%m-%d") for year in days} == days


WORDS: Final = """
    last next this the a two 3 of on in at by since until before after week weeks ago month
    year Monday fri SAT may March 5th 31 30th 2024 1999 '09 24.12. 12/2025 2024-02-30
    tomorow Easter christmas summer fall every was will going weekend fortnight day night
    half and from today yesterday couple , . ! ? - 99999999999 0 '00 x2 9999-12-31 th ’s
    hour minutes
"""  # noqa: RUF001 (as phones write it)
TEXTS = st.one_of(
    st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join),
    st.text(alphabet=st.characters(), max_size=80),
    st.text(alphabet=st.characters(categories=("Cs", "Cc", "Nd", "Lu"))),
)
OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
DATES = st.dates(min_value=date(1, 1, 3), max_value=date(9999, 12, 29))
TIMES = st.builds(datetime.combine, DATES, st.times(), OFFSETS)


def check(found: ResolvedDate, text: str, at: datetime) -> None:
    length = {Precision.DAY: 10, Precision.MONTH: 7, Precision.YEAR: 4}[found.precision]
    assert found.start.date().isoformat()[:length] == found.date
    assert found.start.tzinfo == found.end.tzinfo == at.tzinfo
    days = (found.end.replace(tzinfo=None) - found.start.replace(tzinfo=None)) / timedelta(days=1)
    low, high = {10: (0.99, 1), 7: (27.99, 31), 4: (364.99, 366)}[length]
    assert low <= days <= high
    assert 0 <= found.span[0] < found.span[1] <= len(text)


@given(TEXTS, TIMES)
def test_any_text_gives_dates_that_agree_with_their_intervals(text: str, at: datetime) -> None:
    found = find_dates(text, at)
    for one in found:
        check(one, text, at)
    spans = [one.span for one in found]
    assert spans == sorted(spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert resolve_date(text, at) == (found[0] if found else None)


@given(TEXTS, TIMES, OFFSETS)
def test_only_the_local_date_and_time_matter(text: str, at: datetime, zone: timezone) -> None:
    here, there = find_dates(text, at), find_dates(text, at.replace(tzinfo=zone))
    assert [(a.date, a.span) for a in here] == [(b.date, b.span) for b in there]


def test_the_zone_of_the_server_does_not_matter() -> None:
    at = datetime.fromisoformat("2025-03-01T00:10:00+09:00")
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for zone in ("UTC", "Pacific/Kiritimati", "America/St_Johns"):
            patch.setenv("TZ", zone)
            time.tzset()
            found.append(
                [resolve_date(text, at) for text in ("yesterday", "last month", "in an hour")]
            )
    time.tzset()
    assert found == [found[0]] * 3


@pytest.mark.parametrize(
    "piece",
    ["may ", "last ", "1 ", "a week ", "in ", "1.", "the the ", "\ud800", "\0", "on the 3rd, "],
)
def test_long_texts_take_time_in_proportion(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    assert cpu_seconds(lambda: find_dates(text, WEDNESDAY)) < 2
