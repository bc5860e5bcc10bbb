"""Statements that tell of a change: what they state, since when, and what only looks like one."""

from datetime import UTC, datetime

import pytest

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, one, told


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("finally moved to Varese two weeks ago!", "home.place", "Varese"),
        ("we relocated to Sopot, long story", "home.place", "Sopot"),
        ("I moved back to Timaru last month", "home.place", "Timaru"),
        ("We have moved to a small flat in Quimper", "home.place", "Quimper"),
        ("I live in Chania now", "home.place", "Chania"),
        ("these days I live in Chania", "home.place", "Chania"),
        ("since February I live in Chania", "home.place", "Chania"),
        ("started as a welder on Monday", "work.role", "welder"),
        ("I became a midwife", "work.role", "midwife"),
        ("they promoted me to shift manager", "work.role", "shift manager"),
        ("I started at Ottermill last week", "work.employer", "Ottermill"),
        ("new job at Ottermill!!", "work.employer", "Ottermill"),
        ("my company got sold, so I work at Ottermill now", "work.employer", "Ottermill"),
        ("just turned 51", "personal.age", "51"),
        ("I'm with Florian now", "relationship.partner", "Florian"),
        ("my new phone is a Lumo 3", "possession.phone", "Lumo 3"),
        ("I've gone vegan", "health.diet", "vegan"),
        (
            "my favourite tea was sencha, now my favourite is rooibos",
            "preference.favourite.tea",
            "rooibos",
        ),
    ],
)
def test_a_change_is_stated_as_changed(text: str, key: str, value: str) -> None:
    claim = one(text, key=key)
    assert (claim.value, claim.changed) == (value, True)
    assert claim.evidence[0].quote in text


@pytest.mark.parametrize(
    "text",
    [
        "I moved the meeting to Varese",
        "my cousin moved to Varese",
        "we moved on to Varese in the slides",
        "I almost moved to Varese",
        "if I moved to Varese, would it be cheaper?",
        "did we move to Varese or not",
        "we moved to Slack",
        "the fair moved to Varese",
        "I might be moving to Varese",
    ],
)
def test_what_is_no_move_gives_no_home(text: str) -> None:
    assert not [c for c in claims(text) if c.key == "home.place"]


@pytest.mark.parametrize(
    "text",
    ["I live in Varese", "I work at Ottermill", "my husband is called Florian", "I'm a welder"],
)
def test_an_answer_without_a_mark_is_not_changed(text: str) -> None:
    assert all(not c.changed for c in claims(text))


@pytest.mark.parametrize(
    "text",
    ["I'm a welder by now and like it", "every now and then I'm a welder", "I like tea, for now"],
)
def test_false_friends_of_now(text: str) -> None:
    assert all(not c.changed for c in claims(text))


def test_a_change_has_the_date_that_is_said_with_it() -> None:
    assert one("I moved to Varese last month", key="home.place").valid_from == _day(2024, 4, 1)
    assert one("I've lived in Varese since 2020", key="home.place").valid_from == _day(2020, 1, 1)
    since = one("I work at Ottermill, been there since March 2021", key="work.employer")
    assert since.valid_from == _day(2021, 3, 1)


def test_a_change_within_a_month_comes_after_what_was_said_in_it() -> None:
    before = "I live in Sopot"
    claim = one(before, "I moved to Varese this month", key="home.place")
    assert claim.valid_from is None or claim.valid_from > _day(2024, 5, 14)


def test_late_news_is_a_closed_period() -> None:
    claim = one("back in 2012 I worked at Ottermill", key="work.employer")
    assert (claim.valid_from, claim.valid_until) == (_day(2012, 1, 1), _day(2013, 1, 1))
    claim = one("from 2014 to 2017 I lived in Sopot", key="home.place")
    assert (claim.valid_from, claim.valid_until) == (_day(2014, 1, 1), _day(2017, 1, 1))


def test_a_past_without_a_date_is_not_the_present() -> None:
    assert not [c for c in claims("when I was young I lived in Sopot") if c.key == "home.place"]


def test_what_is_announced_begins_in_the_future() -> None:
    claim = one("next month I start at Ottermill", key="work.employer")
    assert claim.changed
    assert claim.valid_from == _day(2024, 6, 1)
    assert not [c for c in claims("I'm moving to Sopot, maybe in June") if c.key == "home.place"]


def test_a_swap_replaces_what_is_held() -> None:
    claim = one("I drive a Fjord", "traded in the Fjord for a Comet", key="possession.car")
    assert (claim.value, claim.replaces, claim.changed) == ("Comet", "Fjord", True)
    assert not claims("I drive a Fjord", "swapped seats with my neighbour for a view")


def test_a_swap_in_a_list_ends_one_item_and_adds_the_other() -> None:
    found = told("I play the harp", "I switched from the harp to the lute")
    assert {(a, v) for a, _, v in found} == {(Act.END, "harp"), (Act.STATE, "lute")}


def test_an_addition_to_a_slot_for_one_gets_a_place_of_its_own() -> None:
    claim = one(
        "I work as a florist", "on sundays I also work as a lifeguard", key="work.role.also"
    )
    assert (claim.value, claim.changed) == ("lifeguard", False)


def _day(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)
