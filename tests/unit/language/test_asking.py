"""What a question about time asks of the dates that messages tell of."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.terms import KEY_MASK, MARK, TOLD_MARK, date_keys
from backstory.language.asking import with_time
from backstory.language.terms import message_terms, query_terms

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SAID = datetime(2023, 11, 16, 9, tzinfo=UTC)


def asks_for(query: str, day: date, precision: str = "day") -> bool:
    terms = with_time(query_terms(query), query, NOW)
    assert terms.is_temporal
    return not set(terms.told).isdisjoint(date_keys(day, precision))


@pytest.mark.parametrize(
    ("query", "inside", "outside"),
    [
        ("Where was I in the second week of November?", "2019-11-08", "2019-11-15"),
        ("What happened in the first half of May 2022?", "2022-05-15", "2022-05-16"),
        ("in the last week of June 2022", "2022-06-25", "2022-06-24"),
        ("What did I do on 5 May 2022?", "2022-05-05", "2022-05-07"),
        ("What did I do on 5 May 2022?", "2022-05-06", "2021-05-05"),
        ("What did I do in May?", "2015-05-31", "2015-06-01"),
        ("What did I do in May 2022?", "2022-05-01", "2023-05-01"),
        ("What did I do in 2022?", "2022-12-31", "2023-01-01"),
        ("What did I do yesterday?", "2026-11-29", "2026-11-27"),
        ("the week before 16 November 2023", "2023-11-09", "2023-11-11"),
        ("where was it on December 1,2023?", "2023-12-01", "2023-12-03"),
    ],
)
def test_days_that_are_asked_for(query: str, inside: str, outside: str) -> None:
    assert asks_for(query, date.fromisoformat(inside))
    assert not asks_for(query, date.fromisoformat(outside))


def test_a_year_counts_if_it_is_written() -> None:
    assert with_time(query_terms("4 years ago"), "4 years ago", NOW).told == ()


def test_a_time_of_asking_is_needed_for_what_depends_on_it() -> None:
    assert with_time(query_terms("yesterday"), "yesterday", None).told == ()
    assert with_time(query_terms("in May 2022"), "in May 2022", None).told != ()
    pasted = "in May 2022 " * 1000
    assert with_time(query_terms(pasted), pasted, NOW).told == ()


def test_a_message_carries_the_dates_that_it_tells_of() -> None:
    told = set(message_terms("I was in a castle last Friday", speaker=None, timestamp=SAID))
    assert TOLD_MARK in told
    assert {MARK | key for key in date_keys(date(2023, 11, 10), "day")} <= told
    never = message_terms("I swim every week", speaker=None, timestamp=SAID)
    assert TOLD_MARK not in set(never)
    answer = message_terms("You were there last Friday", speaker=None, timestamp=SAID, tells=False)
    assert TOLD_MARK not in set(answer)


@given(st.dates(), st.sampled_from(["day", "month", "year"]))
def test_keys_of_dates_are_keys(day: date, precision: str) -> None:
    keys = date_keys(day, precision)
    assert len(set(keys)) == len(keys) == {"day": 5, "month": 3, "year": 1}[precision]
    assert all(0 <= key <= KEY_MASK for key in keys)
