"""Events that change what holds: new homes, babies, lost things, outgrown allergies."""

import pytest

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, one, told


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("we bought a cottage in Sopot, moved in on Sunday", "home.place", "Sopot"),
        ("I used to live in Varese, been in Chania for a year now", "home.place", "Chania"),
        ("left Ottermill, I'm at Quince Labs now", "work.employer", "Quince Labs"),
        ("I was headhunted by Ottermill", "work.employer", "Ottermill"),
        ("I took over as head gardener", "work.role", "head gardener"),
        ("Solange and I are together now", "relationship.partner", "Solange"),
        ("celebrated my 40th birthday", "personal.age", "40"),
        ("got a new boss, her name's Runa", "relationship.boss", "Runa"),
    ],
)
def test_an_event_is_retold_as_what_holds_since(text: str, key: str, value: str) -> None:
    claim = one(text, key=key)
    assert (claim.value, claim.changed) == (value, True)


@pytest.mark.parametrize(
    "text",
    [
        "we bought a cottage in Sopot to let it",
        "I joined Solange for lunch",
        "I turned 40 pages in an hour",
        "I started as usual with a coffee",
        "my gran celebrated her 90th birthday",
        "Solange and I are together in a study group",
        "for my larp: I'm Torvin, a smith from Varese",
    ],
)
def test_what_only_sounds_like_an_event(text: str) -> None:
    assert not [c for c in claims(text) if c.subject == "user" and c.key != "possession.thing"]


def test_a_child_or_an_animal_gets_a_name() -> None:
    assert (Act.STATE, "family.child", "Runa") in told("the baby's here!! we called her Runa")
    assert (Act.STATE, "pet.dog", "Bo") in told("we adopted a dog and named him Bo")
    assert not [c for c in claims("the film was long, we called her Runa") if c.value == "Runa"]


def test_a_state_ends_with_its_event() -> None:
    assert (Act.END, "health.condition", "pregnant") in told("I'm pregnant", "the baby's here!!")
    assert (Act.END, "health.allergy", "eggs") in told(
        "I'm allergic to eggs", "I've outgrown the allergy, eggs are fine"
    )
    assert (Act.END, "health.diet", "vegan") in told("I'm vegan", "I eat meat again")
    assert not told("I'm pregnant", "my sister's baby is here")


@pytest.mark.parametrize(
    ("before", "text", "values"),
    [
        ("my phone is a Zenta 4", "the Zenta died, got a Lumo 9", {"Lumo 9"}),
        ("I drive a Fjord", "sold the Fjord and bought a Comet", {"Comet"}),
        ("my phone is a Zenta 4", "the Zenta died, got a charger", set()),
        ("I drive a Fjord", "the Fjord died, got an Uber", set()),
        ("I drive a Fjord", "got a Comet poster", set()),
    ],
)
def test_what_is_got_for_a_lost_thing(before: str, text: str, values: set[str]) -> None:
    assert {c.value for c in claims(before, text) if c.act is Act.STATE} == values


def test_another_plan_takes_the_place_of_one_that_is_named() -> None:
    found = told("I'm going to Varese in June", "we're going to Sopot in June, not Varese")
    assert (Act.END, "goal.trip", "Varese in June") in found


def test_a_past_clause_does_not_hide_the_next_one() -> None:
    assert ("personal.origin", "Varese") in {
        (c.key, c.value) for c in claims("I was joking, I'm from Varese")
    }
    found = claims("I was born in 1969", "I mistyped: born in 1996")
    assert [(c.act, c.replaces, c.value) for c in found] == [(Act.CORRECT, "1969", "1996")]


def test_several_in_a_list_may_bear_names_of_signs() -> None:
    found = {c.value for c in claims("my kids are Ada (7), Leo (5) and Ivy (2)")}
    assert found == {"Ada", "Leo", "Ivy"}
    assert {c.key for c in claims("I'm a Leo")} == {"personal.star_sign"}
