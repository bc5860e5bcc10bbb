"""Further words for what is over, for new posts and shifts, and for slips in a word or two."""

import pytest

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, one, told


@pytest.mark.parametrize(
    ("before", "text", "key", "value"),
    [
        ("I drive a Fjord", "the Fjord was scrapped", "possession.car", "Fjord"),
        ("I have a parrot called Bo", "Bo flew out of the window", "pet.parrot", "Bo"),
        ("I'm a head gardener", "I stepped down as head gardener", "work.role", "head gardener"),
        ("I have asthma", "my asthma is gone", "health.condition", "asthma"),
        ("I collect stamps", "sold my stamp collection", "hobby.activity", "stamps"),
        ("I'm learning Welsh", "Welsh is on ice, I gave it up", "study.learning", "Welsh"),
        ("I live in Sopot", "we've left Sopot for good", "home.place", "Sopot"),
        ("I work at Ottermill", "handed in my notice at Ottermill", "work.employer", "Ottermill"),
        ("my flatmate is called Runa", "Runa moved back home", "relationship.flatmate", "Runa"),
        ("I play the harp", "ditched the harp", "hobby.instrument", "harp"),
    ],
)
def test_a_parting_is_read(before: str, text: str, key: str, value: str) -> None:
    assert (Act.END, key, value) in told(before, text)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("I drive a Fjord", "my brother's Fjord was scrapped"),
        ("I drive a Fjord", "the Fjord went to the car wash"),
        ("I play the harp", "the harp is hard, I almost gave it up"),
        ("I play the harp", "I don't play the harp any less than before"),
        ("I'm a head gardener", "I stepped down from the ladder"),
        ("I have asthma", "my cough is gone"),
        ("my flatmate is called Runa", "Runa moved the sofa back"),
        ("I collect stamps", "sold my old sofa"),
    ],
)
def test_what_only_sounds_like_a_parting(before: str, text: str) -> None:
    assert not [c for c in claims(before, text) if c.act in (Act.END, Act.RETRACT, Act.DENY)]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I'm on day shifts now", "work.schedule", "day shifts"),
        ("I've gone full-time", "work.schedule", "full-time"),
        ("got my dream job, I'm a beekeeper!", "work.role", "beekeeper"),
        ("our third, Runa, arrived on Sunday", "family.child", "Runa"),
    ],
)
def test_news_of_work_and_family(text: str, key: str, value: str) -> None:
    claim = one(text, key=key)
    assert (claim.value, claim.changed) == (value, True)


def test_one_turns_a_year_older_in_two_words() -> None:
    assert (Act.STATE, "personal.age", "42") in told("I'm 41", "42 today!")
    assert not told("I'm 41", "25 today, so hot")
    assert not told("42 today!")


def test_a_word_with_a_star_behind_it_sets_right() -> None:
    found = [c for c in claims("my husband is called Stephen", "Stefan*") if c.act is Act.CORRECT]
    assert [(c.replaces, c.value) for c in found] == [("Stephen", "Stefan")]
    assert (Act.RETRACT, "health.allergy", "eggs") in told(
        "I'm allergic to eggs and kiwi", "eggs was wrong, just kiwi"
    )


def test_the_thing_of_a_relative_is_not_their_name() -> None:
    assert not claims("so I'm driving my dad's Corvane")
    assert {c.value for c in claims("my mum's called Ada and my dad's Otto")} == {"Ada", "Otto"}


def test_a_telegram_behind_a_greeting() -> None:
    found = {c.value for c in claims("Hey, I'm Oda (she/her), 41, a nurse from Lund, two kids")}
    assert {"Oda", "41", "nurse", "Lund", "two kids"} <= found
    found = {c.value for c in claims("About me: 45 years old, live in Lund, work as a baker")}
    assert {"45", "Lund", "baker"} <= found


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("I'm allergic to nuts", "the nuts are gone"),
        ("my flatmate is called Runa", "Runa moved to the other room"),
        ("I have a cat called Bo", "we lost Bo for an hour but found him"),
        ("I play the flute", "I've come off the flute lesson smiling"),
        ("I live in Sopot", "sorry, Anna"),
        ("I'm 41", "42 today in the shade"),
        ("I live in Sopot", "I left the office, I'm at Kiosk Nine now"),
    ],
)
def test_what_changes_nothing(before: str, text: str) -> None:
    assert not claims(before, text)
