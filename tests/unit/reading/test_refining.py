"""More or less detail is no other answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.reading import Act
from backstory.reading.rules.refining import adds_to, goes_on, is_part_of
from tests.unit.reading.rules_help import one


@pytest.mark.parametrize(
    ("key", "held", "stated"),
    [
        ("work.role", "nurse", "night nurse"),
        ("home.place", "Chile", "Valdivia, Chile"),
        ("possession.car", "Comet", "red Comet"),
        ("personal.birthday", "August", "9 August"),
        ("personal.name", "Alex", "Alexandra"),
    ],
)
def test_detail_is_added(key: str, held: str, stated: str) -> None:
    assert adds_to(key, held, stated)
    assert is_part_of(key, stated, held)


@pytest.mark.parametrize(
    ("key", "held", "stated"),
    [
        ("work.role", "nurse", "welder"),
        ("personal.birthday", "9 March", "19 March"),
        ("personal.birthday", "9 March", "9 May"),
        ("personal.age", "3", "30"),
        ("personal.name", "Ann", "Bea"),
        ("home.place", "Sopot", "Sofia"),
        ("personal.height", "1.60 m", "1.90 m"),
    ],
)
def test_another_answer_is_another_answer(key: str, held: str, stated: str) -> None:
    assert not adds_to(key, held, stated)
    assert not is_part_of(key, held, stated)


def test_heights_are_rounded_and_places_lie_in_others() -> None:
    assert is_part_of("personal.height", "181 cm", "about 1.80 m")
    assert is_part_of("personal.height", "181 cm", "5 ft 11")
    assert adds_to("home.place", "Oslo", "Sagene", "I live in Sagene, in the north of Oslo")
    assert not adds_to("home.place", "Oslo", "Sagene", "I live in Sagene, far from Oslo")


def test_a_life_goes_on() -> None:
    assert goes_on("single", "engaged")
    assert goes_on("married", "divorced")
    assert not goes_on("married", "engaged")
    assert not goes_on("married", "tall")


@given(
    st.sampled_from(["work.role", "home.place", "personal.birthday", "personal.height"]), st.text()
)
def test_nothing_adds_to_itself(key: str, value: str) -> None:
    assert not adds_to(key, value, value)
    assert not is_part_of(key, value, value)


def test_detail_in_a_message_changes_without_a_clash() -> None:
    claim = one("I'm a nurse", "I'm a school nurse", key="work.role")
    assert (claim.changed, claim.replaces) == (True, "nurse")
    claim = one(
        "my birthday is in August",
        "my birthday is on 9 August",
        act=Act.CORRECT,
        key="personal.birthday",
    )
    assert claim.replaces == "August"
    assert one("I'm a school nurse", "I'm a nurse", key="work.role").value == "school nurse"
