"""What was wrong: slips, spellings, second thoughts; and the words that only look like it."""

from datetime import timedelta

import pytest

from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims, told


@pytest.mark.parametrize(
    ("before", "text", "old", "new"),
    [
        ("I'm 61", "sorry, typo, I meant 16", "61", "16"),
        ("I'm 61", "16!!! not 61", "61", "16"),
        ("I'm 61", "16, sorry", "61", "16"),
        ("I live in Sopot", "*Sofia, not Sopot", "Sopot", "Sofia"),
        ("I live in Sopot", "SOFIA. not Sopot!!", "Sopot", "Sofia"),
        ("I live in Sopot", "scratch that, I live in Sofia", "Sopot", "Sofia"),
        ("my brother is called Marc", "no, Mark with a k", "Marc", "Mark"),
        ("my brother is called Marc", "it's Mark actually", "Marc", "Mark"),
        ("I have two brothers", "oops, three brothers, not two", "two brothers", "three brothers"),
        ("My surname is Alvarsen", "I made a typo, my surname is Alvarson", "Alvarsen", "Alvarson"),
        ("My birthday is on 4 July", "correction: my birthday is on 14 July", "4 July", "14 July"),
        ("I was born in 1969", "wrong, 1996", "1969", "1996"),
        ("I'm a judge", "I exaggerated, I'm not a judge, I'm a clerk", "judge", "clerk"),
        ("my favourite colour is grey", "no wait, it's green", "grey", "green"),
    ],
)
def test_a_correction_names_both_values(before: str, text: str, old: str, new: str) -> None:
    found = [c for c in claims(before, text) if c.act is Act.CORRECT]
    assert [(c.replaces, c.value) for c in found] == [(old, new)]


@pytest.mark.parametrize(
    ("before", "text", "value"),
    [
        ("I live in Sopot", "forget what I said about Sopot", "Sopot"),
        ("I'm allergic to eggs, milk and soy", "sorry, not milk, I mixed that up", "milk"),
    ],
)
def test_a_retraction_names_what_was_never_true(before: str, text: str, value: str) -> None:
    assert {(a, v) for a, _, v in told(before, text)} == {(Act.RETRACT, value)}


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("my dog is called Juno", "sorry, had to run, Juno ate a sock"),
        ("I'm 61", "no, 40 euros is too much"),
        ("I'm 61", "sorry, 35 minutes late"),
        ("I live in Sopot", "no thanks"),
        ("I live in Sopot", "actually, what's the weather?"),
        ("My birthday is on 4 July", "correction: the deadline for my boss's form is 6 June"),
        ("my sister is Ella", "*sigh*"),
    ],
)
def test_what_corrects_nothing(before: str, text: str) -> None:
    assert not [c for c in claims(before, text) if c.act in (Act.CORRECT, Act.RETRACT, Act.END)]


def test_a_few_words_do_not_correct_what_was_said_weeks_ago() -> None:
    found = told("I'm 61", "sorry, I meant 16", apart=timedelta(days=40))
    assert not [f for f in found if f[0] is Act.CORRECT]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I work at Alba... no wait, sorry, I work at Albion", {"Albion"}),
        ("I work at Alba, no sorry, Albion", {"Albion"}),
        ("my favourite colour is grey, er, green", {"green"}),
        ("i live in sopot, i mean Sofia", {"Sofia"}),
    ],
)
def test_a_slip_within_a_message_leaves_only_the_last(text: str, values: set[str]) -> None:
    assert {c.value for c in claims(text)} == values
    assert all(c.evidence[0].quote in text for c in claims(text))


def test_a_denial_states_nothing() -> None:
    assert told("I don't live in Sopot") == {(Act.DENY, "home.place", "Sopot")}
    assert not [c for c in claims("I'm neither married nor a parent") if c.act is Act.STATE]
    assert told("I live in Sopot", "I don't live in Sopot") == {(Act.DENY, "home.place", "Sopot")}
