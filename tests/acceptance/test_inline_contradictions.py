"""Suspicions beside the facts, and what becomes of one when the facts themselves are disputed."""

from collections.abc import Iterator

import pytest

from backstory import Memory, Settings
from tests.acceptance.places import ON_ONE, Place

USER = "ivo"


@pytest.fixture
def watchful(place: Place) -> Iterator[Memory]:
    settings = Settings(url=place.url, embedder="none", inline_contradictions=True)
    with Memory(settings=settings) as memory:
        memory.facts.store(user_id=USER, key="relationship.boss", value="Henrik")
        yield memory


def seen(memory: Memory) -> list[tuple[str, str, str, str]]:
    return [
        (str(c.state), str(c.gate_path), c.stored_value, c.stated_value)
        for c in memory.contradictions.list(USER)
    ]


@ON_ONE
def test_a_suspicion_changes_no_fact(watchful: Memory) -> None:
    watchful.add("When my boss Torvald came in, everybody went quiet.", user_id=USER)
    assert seen(watchful) == [("open", "inline", "Henrik", "Torvald")]
    [fact] = watchful.facts.get(USER)
    assert (fact.value, fact.status) == ("Henrik", "active")


@pytest.mark.parametrize("is_held", [False, True])
def test_a_suspicion_becomes_the_dispute_about_its_value(watchful: Memory, is_held: bool) -> None:
    watchful.add("When my boss Torvald came in, everybody went quiet.", user_id=USER)
    [suspicion] = watchful.contradictions.list_open(USER)
    if is_held:
        watchful.contradictions.hold(suspicion.id, "perhaps a nickname")
    added = watchful.add("My boss is called Torvald.", user_id=USER)
    assert added.degraded is None
    assert [fact.status for fact in added.facts] == ["disputed"]
    [dispute] = watchful.contradictions.list_open(USER)
    assert dispute.id == suspicion.id
    assert (dispute.gate_path, dispute.repeat_count) == ("same_key", 1)
    assert dispute.stated_fact_id == added.facts[0].id
    watchful.contradictions.resolve(dispute.id, "user_stated")
    assert [fact.value for fact in watchful.facts.get(USER)] == ["Torvald"]


@ON_ONE
def test_a_denial_of_a_suspected_value_is_the_same_contradiction(watchful: Memory) -> None:
    watchful.add("When my boss Torvald came in, everybody went quiet.", user_id=USER)
    added = watchful.add("My boss is not called Henrik.", user_id=USER)
    assert added.degraded is None
    assert len(watchful.contradictions.list_open(USER)) == 1
