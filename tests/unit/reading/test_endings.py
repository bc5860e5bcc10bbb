"""What is over: by its verb, by "no longer", by what is left; and the false friends."""

from datetime import UTC, datetime

import pytest

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, one, told


@pytest.mark.parametrize(
    ("before", "text", "key", "value"),
    [
        ("I live in Sopot", "I no longer live in Sopot", "home.place", "Sopot"),
        ("I'm vegan", "I'm not vegan any more", "health.diet", "vegan"),
        ("I'm vegan", "not vegan anymore lol", "health.diet", "vegan"),
        ("I'm learning Welsh", "I've stopped learning Welsh", "study.learning", "Welsh"),
        ("I work at Ottermill", "I quit Ottermill", "work.employer", "Ottermill"),
        ("I work at Ottermill", "I quit my job", "work.employer", "Ottermill"),
        (
            "I work at Ottermill",
            "yesterday was my last day at Ottermill",
            "work.employer",
            "Ottermill",
        ),
        ("I work as a welder", "I've retired", "work.role", "welder"),
        ("I drive a Fjord", "sold the Fjord", "possession.car", "Fjord"),
        (
            "my girlfriend is called Solange",
            "Solange and I broke up",
            "relationship.partner",
            "Solange",
        ),
        ("my girlfriend is called Solange", "Solange dumped me", "relationship.partner", "Solange"),
        ("I have a cat called Bramble", "Bramble died last night", "pet.cat", "Bramble"),
        ("I play the harp", "gave up the harp", "hobby.instrument", "harp"),
    ],
)
def test_an_end_is_read(before: str, text: str, key: str, value: str) -> None:
    assert (Act.END, key, value) in told(before, text)
    assert not [c for c in claims(before, text) if c.act is Act.STATE and c.key == key]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("I work at Ottermill", "my way to Ottermill is no longer than a song"),
        ("I work at Ottermill", "I left Ottermill at six today"),
        ("I work at Ottermill", "my colleague quit Ottermill"),
        ("I work at Ottermill", "should I quit Ottermill?"),
        ("I work as a welder", "I'm used to being a welder"),
        ("I drive a Fjord", "my brother sold his Fjord"),
        ("I drive a Fjord", "I almost sold the Fjord"),
        ("I play the harp", "I haven't stopped playing the harp"),
        ("I play the harp", "the harp was used to calm kings"),
        ("I play chess", "gave up my seat at the chess final"),
        ("I have a cat called Bramble", "my phone died while I filmed Bramble"),
        ("my girlfriend is called Solange", "Solange's call broke up twice"),
        ("my girlfriend is called Solange", "Solange left me a note"),
        ("I'm vegan", "my sister is no longer vegan"),
    ],
)
def test_false_friends_end_nothing(before: str, text: str) -> None:
    assert not [c for c in claims(before, text) if c.act is not Act.STATE]


def test_the_end_has_the_date_that_is_said_with_it() -> None:
    claim = one(
        "I work at Ottermill", "I left Ottermill in March", act=Act.END, key="work.employer"
    )
    assert claim.valid_until == datetime(2024, 3, 1, tzinfo=UTC)


def test_used_to_ends_what_was_never_heard_of() -> None:
    found = told("I used to be a welder, these days I'm a beekeeper")
    assert (Act.END, "work.role", "welder") in found
    assert (Act.STATE, "work.role", "beekeeper") in found


def test_only_these_are_left_of_a_list() -> None:
    found = told("I have three goats: Ada, Bea and Cleo", "it's only Ada and Bea now")
    assert {(a, v) for a, _, v in found if a is Act.END} == {(Act.END, "Cleo")}


def test_an_end_and_a_new_value_in_one_message() -> None:
    found = claims("I work at Ottermill", "I left Ottermill, I work at Quince & Co now")
    assert [(c.act, c.value) for c in found] == [(Act.END, "Ottermill"), (Act.STATE, "Quince & Co")]
    assert found[1].changed
