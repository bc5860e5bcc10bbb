"""Disputes end when the user tells of a change, or answers after having been asked."""

import pytest

from backstory import Memory
from backstory.core.model.contradiction import ContradictionState, Decision
from backstory.core.model.fact import FactStatus
from tests.acceptance.places import ON_ONE, Place


@pytest.fixture
def memory(place: Place) -> Memory:
    memory = place.open(embedder=None)
    with memory.session(user_id="u", session_id="s") as session:
        session.add("user", "I live in Bergen", timestamp="2024-03-01T10:00:00+00:00")
        session.add("user", "I live in Oslo", timestamp="2024-06-01T10:00:00+00:00")
    assert memory.contradictions.counts("u").open == 1
    return memory


def say(memory: Memory, text: str) -> dict[str, FactStatus]:
    with memory.session(user_id="u", session_id="s") as session:
        session.add("user", text, timestamp="2024-08-01T10:00:00+00:00")
    return {fact.value: fact.status for fact in memory.facts.get("u", status="all")}


@ON_ONE
def test_a_dated_change_that_is_told_later_settles_it(memory: Memory) -> None:
    held = say(memory, "I moved to Oslo in May")
    assert held == {"Bergen": FactStatus.SUPERSEDED, "Oslo": FactStatus.ACTIVE}
    assert memory.contradictions.counts("u").open == 0
    then = memory.facts.as_of("u", valid_at="2024-04-01T00:00:00+00:00")
    assert [fact.value for fact in then] == ["Bergen"]


@ON_ONE
def test_saying_one_side_again_is_a_repeat_while_nobody_asked(memory: Memory) -> None:
    held = say(memory, "I live in Oslo")
    assert held == {"Bergen": FactStatus.DISPUTED, "Oslo": FactStatus.DISPUTED}
    (known,) = memory.contradictions.list_open("u")
    assert known.repeat_count == 1


def test_saying_one_side_again_after_it_was_shown_is_the_answer(memory: Memory) -> None:
    assert "ask which holds" in memory.context("u", "hello").text
    held = say(memory, "I live in Oslo")
    assert held == {"Bergen": FactStatus.RETRACTED, "Oslo": FactStatus.ACTIVE}
    (settled,) = memory.contradictions.list("u", "resolved")
    assert settled.state is ContradictionState.RESOLVED
    assert settled.decision is Decision.USER_STATED
    memory.facts.undo("u")
    assert {f.value for f in memory.facts.get("u")} == {"Bergen", "Oslo"}


@ON_ONE
def test_a_key_that_names_a_secret_keeps_no_value(memory: Memory) -> None:
    with pytest.raises(ValueError, match="secret"):
        memory.facts.store(user_id="u", key="wifi.password", value="hunter2!xx")
    assert "hunter2" not in str(memory.facts.get("u", status="all"))


def test_users_with_facts_alone_are_users(memory: Memory) -> None:
    memory.facts.store(user_id="only-facts", key="work.employer", value="Tetra")
    assert {user.user_id for user in memory.users()} == {"u", "only-facts"}


@ON_ONE
def test_a_fact_is_retracted_once(memory: Memory) -> None:
    fact = memory.facts.store(user_id="u", key="work.employer", value="Tetra")
    memory.facts.retract(fact.id)
    with pytest.raises(ValueError, match="already"):
        memory.facts.retract(fact.id)
    assert memory.facts.undo("u", id=fact.id).change == "retracted"
