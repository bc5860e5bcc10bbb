"""New for old, other numbers of the same, and further ways to tell of a change or a slip."""

from datetime import timedelta

import pytest

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, told

LATER = timedelta(days=90)
OVER = (Act.END, Act.RETRACT, Act.CORRECT)


@pytest.mark.parametrize(
    ("before", "text", "key", "value"),
    [
        ("my phone is a Volta 3", "got myself a Lumen 5, the old one lives in a drawer",
         "possession.phone", "Lumen 5"),
        ("my phone is a Volta 3", "my Volta 3 finally died, so I switched to a Lumen 5",
         "possession.phone", "Lumen 5"),
        ("I drive a Fjord", "I bought a Brisa. My old car went to my uncle", "possession.car",
         "Brisa"),
        ("My favourite band is Cold Kettle",
         "Cold Kettle used to be my favourite band but these days it's The Paper Oars",
         "preference.favourite.band", "Paper Oars"),
        ("I'm 29", "turned the big 30 on Sunday", "personal.age", "30"),
        ("I'm 29", "it's my birthday today, 30 at last!!", "personal.age", "30"),
        ("I'm a vegetarian", "full-on vegan since January", "health.diet", "vegan"),
        ("My name is Joar Lind", "I took my wife's name, so it's Joar Okoro now",
         "personal.name", "Joar Okoro"),
        ("I live in Sopot", "I used to live in Sopot, now I'm in Tartu", "home.place", "Tartu"),
        ("I have two hens", "I have four hens now", "pet", "four hens"),
    ],
)  # fmt: skip
def test_what_took_the_place_of_another_is_a_change(
    before: str, text: str, key: str, value: str
) -> None:
    made = [c for c in claims(before, text, apart=LATER) if (c.key, c.value) == (key, value)]
    assert [(c.act, c.changed) for c in made] == [(Act.STATE, True)]


@pytest.mark.parametrize(
    ("before", "text", "key", "value"),
    [
        ("I have two hens", "I have four hens now", "pet", "two hens"),
        ("my boss is Ragna", "Ragna used to be my boss", "relationship.boss", "Ragna"),
        ("My favourite band is Cold Kettle", "Cold Kettle was my favourite band until that gig",
         "preference.favourite.band", "Cold Kettle"),
        ("I have a job interview at Marlhope on Friday", "didn't get the job at Marlhope",
         "goal.appointment", "job interview at Marlhope on Friday"),
        ("I'm training for a marathon", "I finished the marathon in 4:10!", "goal.aim",
         "a marathon"),
        ("I play in a ska band called Tin Otter", "no more Tin Otter, we split",
         "hobby.activity", "ska band called Tin Otter"),
        ("I'm going to the Umbra concert in May", "the Umbra concert got called off",
         "goal.appointment", "Umbra concert in May"),
    ],
)  # fmt: skip
def test_what_was_so_is_over(before: str, text: str, key: str, value: str) -> None:
    assert (Act.END, key, value) in told(before, text, apart=LATER)


@pytest.mark.parametrize(
    ("before", "text", "key", "value"),
    [
        ("I'm 1.82 m tall", "typo, 1.72", "personal.height", "1.72 m"),
        ("I'm left-handed", "sorry I mean right-handed", "personal.handedness", "right-handed"),
        ("My cat is called Mimo", "the autocorrect did that, she's called Mimosa", "pet.cat",
         "Mimosa"),
        ("I'm 52", "haha no, I'm 25, switched the digits", "personal.age", "25"),
        ("My wife is called Jana", "Oh god, typo. Jara!", "relationship.partner", "Jara"),
        ("I live at 14 Elm Street", "*41 Elm Street", "home.place", "41 Elm Street"),
    ],
)  # fmt: skip
def test_a_few_words_set_right_what_was_just_said(
    before: str, text: str, key: str, value: str
) -> None:
    assert (Act.CORRECT, key, value) in told(before, text)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("my favourite colour is red, no hang on, dark orange", "preference.favourite.colour",
         "dark orange"),
        ("my favourite colour is red, hang on, orange", "preference.favourite.colour", "orange"),
        ("I live in Sopot, hang on, someone's at the door", "home.place", "Sopot"),
        ("I moved here in 2015 to work for Marlhope", "work.employer", "Marlhope"),
        ("i work in a library", "work.place", "library"),
        ("I used to hate olives but now I love them", "preference.like", "olives"),
    ],
)  # fmt: skip
def test_what_one_message_leaves(text: str, key: str, value: str) -> None:
    assert [c.value for c in claims(text) if c.act is Act.STATE and c.key == key] == [value]


def test_children_are_named_in_an_introduction() -> None:
    made = claims("hi, I'm Oda from Ghent, mum of Sixten and Jip, and I work in a bakery")
    assert {c.value for c in made} >= {"Oda", "Ghent", "Sixten", "Jip", "bakery"}


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("my phone is a Volta 3", "got myself a Lumen 5"),
        ("I drive a Fjord", "bought a Thule for the roof, the old town was full of them"),
        ("I have two hens", "I have four ducks now"),
        ("I have two hens", "I have two hens now"),
        ("My favourite mug is Bluebell", "my favourite mug broke, now it's glued"),
        ("my boss is Ragna", "Ragna was my hero at the meeting"),
        ("I'm training for a marathon", "I ran the marathon route today, slowly"),
        ("I'm 29", "it's my birthday today, 30 guests are coming"),
        ("I live in Sopot", "my brother used to live in Sopot, now we're in Tartu with him"),
    ],
)
def test_what_stays_as_it_was(before: str, text: str) -> None:
    known = {(c.key, c.value) for c in claims(before)}
    after = claims(before, text, apart=LATER)
    assert not [c for c in after if c.act in OVER and (c.key, c.value) in known]
    assert not [c for c in after if c.changed and (c.replaces or c.key == "personal.age")]


def test_no_language_is_no_language() -> None:
    assert claims("I speak no Italian") == ()
