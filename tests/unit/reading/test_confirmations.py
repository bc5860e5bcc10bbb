"""Who says what: short answers, and the words of the assistant, of tools and of others."""

import pytest

from backstory.core.model.message import Role
from backstory.core.model.reading import Act, Batch
from backstory.reading.rules.reader import read_turns
from tests.unit.reading.rules_help import claims, one, told, turn


@pytest.mark.parametrize("yes", ["yes", "Yep!", "that's right", "yes, I do"])
def test_a_bare_yes_to_a_clear_question_counts_a_little(yes: str) -> None:
    claim = one("A: Do you live in Sopot?", yes, key="home.place")
    assert claim.value == "Sopot"
    assert claim.confidence < 0.7
    assert claim.evidence[0].quote == yes


@pytest.mark.parametrize(
    "question",
    [
        "Do you live in Sopot or Sofia?",
        "You live in Sopot, right? And you like it?",
        "Sopot must be lovely. Anything else?",
        "Do you want to live in Sopot?",
        "Are you sure?",
    ],
)
def test_a_yes_to_anything_else_is_nothing(question: str) -> None:
    assert claims(f"A: {question}", "yes") == ()


def test_a_yes_in_whole_words_is_the_users_own() -> None:
    assert one(
        "A: Do you live in Sopot?", "how did you know, yes I live in Sopot", key="home.place"
    )


def test_a_few_words_answer_a_question() -> None:
    assert (Act.STATE, "home.place", "Sopot") in told("A: Where do you live?", "Sopot")
    assert claims("A: Where do you live?", "why do you ask") == ()
    assert claims("A: Where do you live?", "no idea") == ()


def test_a_no_to_still_is_an_end() -> None:
    found = told("I work at Ottermill", "A: Do you still work at Ottermill?", "no, not any more")
    assert found == {(Act.END, "work.employer", "Ottermill")}


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.SYSTEM, Role.TOOL])
def test_only_users_state_anything(role: Role) -> None:
    said = turn("I live in Sopot and I'm a welder", role=role)
    assert read_turns(Batch(turns=(said,))).claims == ()


def test_another_speaker_is_the_subject_of_what_they_say() -> None:
    said = turn("I'm a welder and my wife is called Ines", speaker="Knut Å", is_user=False)
    found = read_turns(Batch(turns=(said,), user_name="Solveig")).claims
    assert found
    assert all(c.subject.startswith("speaker.knut_å") for c in found)
