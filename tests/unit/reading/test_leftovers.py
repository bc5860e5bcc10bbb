"""The net under the stages of change: what is named, or meant, beside words of ending."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, told

_OVER = (Act.END, Act.RETRACT)


@pytest.mark.parametrize(
    ("before", "text", "key", "value"),
    [
        ("I work at Marlhope", "Marlhope let me go on Monday", "work.employer", "Marlhope"),
        ("I'm going to Bornholm in May", "I had to cancel Bornholm, no leave", "goal.trip",
         "Bornholm in May"),
        ("I'm planning to move to Chile next year", "the Chile plan fell through", "goal.plan",
         "move to Chile next year"),
        ("I play the bassoon", "haven't touched the bassoon in years", "hobby.instrument",
         "bassoon"),
        ("I'm a beekeeper", "I'm a retired beekeeper", "work.role", "beekeeper"),
        ("my husband is called Ossian", "Ossian and I called it quits", "relationship.partner",
         "Ossian"),
        ("I live in Sopot", "moved out of Sopot, between flats for now", "home.place", "Sopot"),
        ("I'm training for the Umbra marathon", "pulled out of the marathon, bad knee",
         "goal.aim", "the Umbra marathon"),
        ("I own a sauna", "the sauna burned down in the storm", "possession.thing", "sauna"),
        ("I drive a Fjord", "the Fjord got too dear so I sold it", "possession.car", "Fjord"),
    ],
)  # fmt: skip
def test_what_is_named_beside_an_end_is_over(before: str, text: str, key: str, value: str) -> None:
    assert (Act.END, key, value) in told(before, text, apart=timedelta(days=90))


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("I work at Marlhope", "my cousin quit Marlhope last week"),
        ("I work at Marlhope", "left my scarf at Marlhope again"),
        ("I work at Marlhope", "Marlhope closed early because of the snow"),
        ("I drive a Fjord", "the Fjord was almost stolen last night"),
        ("I drive a Fjord", "left the Fjord at the garage, they lost the keys"),
        ("I play the bassoon", "the bassoon recital is over, phew"),
        ("I play chess", "quit the chess tournament after round three"),
        ("I'm vegan", "dropped my vegan burger on the floor"),
        ("I have a cat called Bo", "Bo is no longer afraid of the hoover"),
        ("my husband is called Ossian", "Ossian is done with his thesis at last"),
        ("my husband is called Ossian", "Ossian left early because of a migraine"),
        ("I sing in a choir", "choir is cancelled tonight because of the storm"),
        ("I'm learning Welsh", "can't stop learning Welsh, it's such fun"),
        ("I live in Sopot", "left Sopot at six this morning, back by dinner"),
        ("I'm going to Bornholm in May", "my parents cancelled their trip to Crete"),
        ("I'm married to Ossian", "my sister got divorced last year"),
        ("my phone is a Lumo 2", "changed my phone case, it's green now"),
    ],
)
def test_what_only_sounds_like_an_end(before: str, text: str) -> None:
    assert not [c for c in claims(before, text) if c.act in (*_OVER, Act.DENY, Act.CORRECT)]


@pytest.mark.parametrize(
    ("before", "text", "value"),
    [
        ("I'm getting married in July", "the wedding's off", "getting married in July"),
        ("I smoke", "six months smoke free today", "smokes"),
        ("my girlfriend is called Ilva", "I got dumped", "Ilva"),
        ("I work as a baker", "my contract ran out", "baker"),
        ("I'm vegetarian", "back to eating meat, sorry", "vegetarian"),
        ("I'm moving to Turku in July", "we're not moving after all", "moving to Turku in July"),
        ("I love skiing", "since the fall I don't ski anymore", "skiing"),
    ],
)
def test_what_is_meant_without_its_name_is_over(before: str, text: str, value: str) -> None:
    assert (Act.END, value) in {(act, v) for act, _, v in told(before, text)}


def test_a_move_that_is_called_off_takes_its_home_back() -> None:
    assert (Act.RETRACT, "home.place", "Turku") in told(
        "I'm moving to Turku in July", "we're not moving after all"
    )


@pytest.mark.parametrize(
    ("before", "text", "key", "value"),
    [
        ("I'm studying history", "changed my major, I'm doing botany now", "study.subject",
         "botany"),
        ("my phone is a Lumo 2", "upgraded my phone, now rocking a Zentara", "possession.phone",
         "Zentara"),
        ("I live in Sopot", "so, Gdynia is home now", "home.place", "Gdynia"),
        ("my surname is Alder", "divorced, so back to my maiden name, Birk", "personal.surname",
         "Birk"),
    ],
)  # fmt: skip
def test_another_one_of_a_kind(before: str, text: str, key: str, value: str) -> None:
    found = [c for c in claims(before, text, apart=timedelta(days=90)) if c.key == key]
    assert [(c.act, c.value, c.changed) for c in found] == [(Act.STATE, value, True)]


@pytest.mark.parametrize(
    ("before", "text", "key", "value", "old"),
    [
        ("I live in Parma", "No, I live in Modena, not Parma", "home.place", "Modena", "Parma"),
        ("I'm 52", "oops, fat fingers, 25", "personal.age", "25", "52"),
        ("I'm from Slovakia", "Slovenia!! I always mix them up", "personal.origin", "Slovenia",
         "Slovakia"),
        ("my name is Annelies", "my name's Annelie actually, autocorrect", "personal.name",
         "Annelie", "Annelies"),
    ],
)  # fmt: skip
def test_a_slip_is_set_right(before: str, text: str, key: str, value: str, old: str) -> None:
    found = [(c.act, c.value, c.replaces) for c in claims(before, text) if c.key == key]
    assert found == [(Act.CORRECT, value, old)]


def test_a_contrast_sets_right_what_was_said_long_ago() -> None:
    (claim,) = claims("I live in Parma", "No, I live in Modena, not Parma", apart=timedelta(200))
    assert (claim.act, claim.replaces) == (Act.CORRECT, "Parma")


@pytest.mark.parametrize(
    ("before", "text", "value"),
    [
        ("I have a sister called Odda", "I was joking, I don't have a sister", "Odda"),
        ("I'm a vegan", "that was a lie, I had cheese for breakfast", "vegan"),
        ("I'm allergic to shrimp", "sorry, it's my brother who's allergic to shrimp", "shrimp"),
    ],
)
def test_what_was_never_so_is_taken_back(before: str, text: str, value: str) -> None:
    assert (Act.RETRACT, value) in {(act, v) for act, _, v in told(before, text)}


def test_a_hotel_is_no_home() -> None:
    keys = {key for _, key, _ in told("I live in Bari", "living in a hotel in Rome until Friday")}
    assert keys == {"context.location"}


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to effort",
        "from now on you're Clio, my cheeky butler",
        "I love working weekends... not",
        "Chapter 1. My name is Ottokar and I was born in a storm.",
    ],
)
def test_jokes_and_parts_state_nothing(text: str) -> None:
    assert not claims(text)


@given(
    st.sampled_from(["quit", "left", "almost quit", "sold", "miss", "love", "cancelled"]),
    st.sampled_from(["Marlhope", "the harp", "my Fjord", "Bo", "everything"]),
    st.sampled_from(["", " again", " last year", ", I think", " instead of lunch"]),
)
def test_only_what_is_held_is_ended(verb: str, what: str, tail: str) -> None:
    before = ("I work at Marlhope", "I play the harp", "I drive a Fjord", "I have a cat called Bo")
    held = {"Marlhope", "harp", "Fjord", "Bo"}
    ended = {c.value for c in claims(*before, f"I {verb} {what}{tail}") if c.act is Act.END}
    assert ended <= held
    assert len(ended) <= 1
