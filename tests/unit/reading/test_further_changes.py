"""More ways to state, to change and to end; texts behind a colon that are another's."""

import pytest

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, one, told


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("packed my things and moved across the border to Sopot", "home.place", "Sopot"),
        ("we've got the keys to our new house in Sopot!", "home.place", "Sopot"),
        ("Florian and I tied the knot on Friday", "relationship.status", "married"),
        ("I was married for ten years, divorced now", "relationship.status", "divorced"),
        ("new job! data scientist at Ottermill from today", "work.employer", "Ottermill"),
        ("gave up on Welsh and started Danish", "study.learning", "Danish"),
        ("Solange left and Runa is my manager now", "relationship.boss", "Runa"),
    ],
)
def test_a_change_is_told(text: str, key: str, value: str) -> None:
    claim = one(text, key=key)
    assert (claim.value, claim.changed) == (value, True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Name's Oda, hi", "Oda"),
        ("I'm fluent in Danish", "Danish"),
        ("languages I speak: Danish, some Welsh", "Welsh"),
        ("I can't eat gluten", "no gluten"),
        ("I'm scared of spiders", "spiders"),
        ("I'm a smoker", "smoker"),
        ("we rent a flat in Sopot", "Sopot"),
        ("I live in Sopot, study law there and play korfball", "law"),
        ("I run marathons", "run marathons"),
    ],
)
def test_more_plain_statements(text: str, value: str) -> None:
    assert value in {c.value for c in claims(text)}


@pytest.mark.parametrize(
    "text",
    [
        "grandpa's motto: I love soup",
        "picture this: I own a castle",
        "Write a diary entry: I live in Sopot",
        "you be the dragon. I am Torvin, I own a sword",
        "I can't eat another bite",
        "I'm scared of losing",
        "we rented a cabin in Sopot for the weekend",
        "the file name's Oda",
        "I need to eat, study law and sleep",
        "don't I live in Sopot?",
        "my sister was married for ten years, divorced now",
    ],
)
def test_what_states_nothing(text: str) -> None:
    assert not [c for c in claims(text) if c.act is Act.STATE and c.subject == "user"]


@pytest.mark.parametrize(
    ("before", "text", "value"),
    [
        ("I'm a smoker", "I've been smoke-free since March", "smoker"),
        ("I have a cat called Bramble", "RIP Bramble", "Bramble"),
        ("I live in Sopot", "don't live in Sopot anymore", "Sopot"),
        ("I'm planning a trip to Varese", "the Varese trip is off", "Varese"),
    ],
)
def test_an_end_is_told(before: str, text: str, value: str) -> None:
    assert (Act.END, value) in {(act, v) for act, _, v in told(before, text)}


def test_an_old_dislike_ends_no_other_slot() -> None:
    found = told("I work at Ottermill", "I used to hate Ottermill but it's grown on me")
    assert not [f for f in found if f[1] == "work.employer"]


@pytest.mark.parametrize(
    ("before", "text", "old", "new"),
    [
        ("I live in Sopot", "sorry, Sofia", "Sopot", "Sofia"),
        ("my blood type is AB", "checked my card: it's B, not AB", "AB", "B"),
        ("I'm allergic to cats", "wait I'm not allergic to cats, it's dogs", "cats", "dogs"),
    ],
)
def test_a_correction_in_few_words(before: str, text: str, old: str, new: str) -> None:
    found = [c for c in claims(before, text) if c.act is Act.CORRECT]
    assert [(c.replaces, c.value) for c in found] == [(old, new)]


def test_what_one_studies_is_changed_for_another_subject() -> None:
    claim = one("I study physics", "I've changed to medicine", key="study.subject")
    assert (claim.value, claim.replaces) == ("medicine", "physics")
    assert not told("I study physics", "I've changed to decaf")
