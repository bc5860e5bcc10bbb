"""Search reads a fact in the words that questions about it have."""

from datetime import UTC, datetime

import pytest

from backstory.core.facts.phrases import _PHRASES, indexed_text
from backstory.core.facts.slots import slot_of
from backstory.core.model.fact import Fact
from backstory.language.terms import query_terms

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def fact(key: str, value: str, subject: str = "user") -> Fact:
    return Fact(
        id="f",
        user_id="u",
        subject=subject,
        key=key,
        value=value,
        recorded_at=NOON,
        believed_at=NOON,
    )


@pytest.mark.parametrize(
    ("key", "value", "question"),
    [
        ("home.place", "Lund", "where does she live?"),
        ("work.employer", "Tetra", "which company does he work at?"),
        ("work.role", "welder", "what is her job?"),
        ("pet.dog", "Bolt", "what is my pet called?"),
        ("preference.favourite.colour", "teal", "which colour does she like best?"),
        ("health.allergy", "nuts", "what is she allergic to?"),
        ("family.sister", "Ida", "does he have a sister?"),
    ],
)
def test_a_question_shares_words_with_the_fact(key: str, value: str, question: str) -> None:
    asked = set(query_terms(question).keys)
    assert asked & set(query_terms(indexed_text(fact(key, value))).keys)


def test_the_value_stands_in_it_as_it_is() -> None:
    for key in _PHRASES:
        assert "{x} %s \u00e9" in indexed_text(fact(key, "{x} %s \u00e9"))


def test_another_person_is_named() -> None:
    text = indexed_text(fact("home.place", "Oslo", "sister.ida"))
    assert text.startswith("sister ida lives in Oslo")


def test_an_unknown_slot_is_read_as_its_words() -> None:
    assert indexed_text(fact("garden.roses", "seven")) == "garden roses: seven"


def test_every_phrase_is_of_a_listed_slot() -> None:
    assert [key for key in _PHRASES if slot_of(key) is None] == []
