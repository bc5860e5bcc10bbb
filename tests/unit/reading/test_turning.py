"""How one gets to work, and likings that turn; and the false friends of both."""

import pytest

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, one, told

COMMUTE = "work.commute"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I cycle to work now", "cycle"),
        ("I take the tram to work", "tram"),
        ("I take my bike to work every day", "bike"),
        ("I drive to work and live in Sopot", "drive"),
        ("I go to work by ferry", "by ferry"),
        ("I get to work on foot", "on foot"),
        ("I commute to Sopot by train", "by train"),
        ("I'm cycling to work these days", "cycling"),
    ],
)
def test_the_way_to_work_is_read(text: str, value: str) -> None:
    assert one(text, key=COMMUTE).value == value


@pytest.mark.parametrize(
    "text",
    [
        "I sometimes walk to work",
        "I walk to work or take the bus",
        "I take the bus to work when it rains",
        "I take the bus to work on Fridays",
        "I drove to work today",
        "I'm driving to work right now",
        "I'm driving to work",
        "I take the kids to work",
        "If I cycle to work I save money",
        "Do I take the tram to work?",
        "My sister takes the tram to work",
        "I would cycle to work",
    ],
)
def test_what_is_no_habit_is_not(text: str) -> None:
    assert COMMUTE not in {key for _, key, _ in told(text)}


def test_a_way_to_work_ends_changes_and_is_said_in_other_words() -> None:
    before = "I take the tram to work"
    assert (Act.END, COMMUTE, "tram") in told(before, "I used to take the tram to work")
    assert one("I take the tram to work", "I cycle to work now", key=COMMUTE).changed
    same = one("I cycle to work", "I go to work by bike now", key=COMMUTE)
    assert (same.value, same.changed) == ("cycle", False)


@pytest.mark.parametrize(
    ("before", "text", "over", "now", "value"),
    [
        ("I love sushi", "Actually I cannot stand sushi any more", "like", "dislike", "sushi"),
        ("I love sushi", "I can't stand sushi any longer", "like", "dislike", "sushi"),
        ("I like crab", "I hate crab now", "like", "dislike", "crab"),
        ("I hate olives", "I love olives these days", "dislike", "like", "olives"),
    ],
)
def test_a_liking_that_turns_ends(before: str, text: str, over: str, now: str, value: str) -> None:
    found = told(before, text)
    assert (Act.END, f"preference.{over}", value) in found
    assert (Act.STATE, f"preference.{now}", value) in found
    assert len(found) == 2


def test_an_opposite_without_a_mark_of_change_is_a_denial() -> None:
    assert told("I love sushi", "I hate sushi") == {
        (Act.DENY, "preference.like", "sushi"),
        (Act.STATE, "preference.dislike", "sushi"),
    }


@pytest.mark.parametrize("text", ["I can't stand lap dogs any more", "I hate hounds now"])
def test_a_like_of_something_else_stays(text: str) -> None:
    assert {claim.act for claim in claims("I love dogs", text)} == {Act.STATE}


def test_what_another_person_does_besides_is_no_liking_of_theirs() -> None:
    found = claims("My brother Rolf loves opera and lives in Sopot")
    assert {(c.subject, c.value) for c in found} == {("user", "Rolf"), ("brother.rolf", "opera")}
