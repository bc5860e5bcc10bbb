"""Names that end with their bearers, second thoughts about a whole message, and introductions."""

import pytest

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, one, told


@pytest.mark.parametrize(
    ("before", "text", "key", "value"),
    [
        ("I have a cat named Bo", "our cat Bo died", "pet.cat", "Bo"),
        ("I coach the juniors", "I'm no longer coaching the juniors", "hobby.activity",
         "coach the juniors"),
        ("I'm engaged", "we called off the engagement", "relationship.status", "engaged"),
        ("I'm single", "I have a boyfriend now, his name is Florian", "relationship.status",
         "single"),
    ],
)  # fmt: skip
def test_an_end_leaves_no_restatement(before: str, text: str, key: str, value: str) -> None:
    found = told(before, text)
    assert (Act.END, key, value) in found
    assert (Act.STATE, key, value) not in found


def test_a_dead_animal_that_was_never_heard_of_is_no_pet() -> None:
    assert not [c for c in claims("my dog Bo died last year") if c.act is Act.STATE]


@pytest.mark.parametrize(
    ("before", "text", "value"),
    [
        ("I'm allergic to kiwi", "ignore that last message, wrong chat", "kiwi"),
        ("I have two dogs", "I was joking about the dogs", "two dogs"),
    ],
)
def test_a_whole_message_is_taken_back(before: str, text: str, value: str) -> None:
    assert (Act.RETRACT, value) in {(act, v) for act, _, v in told(before, text)}


def test_only_the_last_message_is_taken_back() -> None:
    found = told("I'm allergic to kiwi", "I live in Sopot", "ignore that last message")
    assert {(a, v) for a, _, v in found} == {(Act.RETRACT, "Sopot")}


@pytest.mark.parametrize(
    ("before", "text", "old", "new"),
    [
        ("I work at Siebold", "that was a typo: Seibold", "Siebold", "Seibold"),
        ("I'm from Sopot", "I said I'm from Sopot but I meant Varese", "Sopot", "Varese"),
    ],
)
def test_a_slip_is_named(before: str, text: str, old: str, new: str) -> None:
    found = [c for c in claims(before, text) if c.act is Act.CORRECT]
    assert [(c.replaces, c.value) for c in found] == [(old, new)]


def test_changes_of_subject_and_name() -> None:
    assert one("I switched my major to geology", key="study.subject").value == "geology"
    claim = one("took my maiden name back, it's Alvarsen now", key="personal.surname")
    assert claim.value == "Alvarsen"


def test_an_introduction_may_begin_with_name_and_place() -> None:
    found = {c.value for c in claims("Hi, Oda from Lund, 31, nurse, two cats (Bo and Mo)")}
    assert {"Oda", "Lund", "31", "nurse", "Bo", "Mo"} <= found
    found = {c.value for c in claims("I'm a 47-year-old welder from Lund with three sons")}
    assert {"47", "welder", "Lund", "three sons"} <= found


@pytest.mark.parametrize(
    "text",
    [
        "in another life I'm a drummer in Sopot",
        "hate speech is a crime",
        "I called off the search",
        "it's my gran's 90th birthday",
    ],
)
def test_what_states_nothing(text: str) -> None:
    assert not [c for c in claims(text) if c.act is Act.STATE]


def test_a_hyphen_is_no_pause() -> None:
    found = told("I'm on a gluten-free diet", "I'm not gluten-free any more")
    assert {(a, v) for a, _, v in found} == {(Act.END, "gluten-free")}


@pytest.mark.parametrize(
    ("before", "text", "old", "new"),
    [
        ("I'm 19", "typo, 91 \U0001f602", "19", "91"),
        ("my birthday is 7 July", "wait, 17 July", "7 July", "17 July"),
        ("I work at Norden", "I misspelled that, it's Nordin", "Norden", "Nordin"),
    ],
)
def test_short_corrections(before: str, text: str, old: str, new: str) -> None:
    found = [c for c in claims(before, text) if c.act is Act.CORRECT]
    assert [(c.replaces, c.value) for c in found] == [(old, new)]


def test_rolling_eyes_make_it_irony() -> None:
    assert not claims("I just love Mondays \U0001f644")
    assert claims("I just love Mondays")
    assert claims("my boss Grit lives in Sopot \U0001f644")


def test_a_new_thing_is_named_behind_a_comma() -> None:
    claim = one("I've got a new phone, a Zenta 5", key="possession.phone")
    assert (claim.value, claim.changed) == ("Zenta 5", True)
