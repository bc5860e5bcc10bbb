"""The calls of memory.contradictions and memory.collisions, as they are documented."""

import pytest

from backstory.core.model.fact import Fact
from backstory.errors import InvalidInputError, NotFoundError
from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.talks import VERA, Talk


@pytest.fixture
def talk(place: Place) -> Talk:
    return Talk(place)


def _dispute(talk: Talk) -> tuple[Fact, Fact]:
    first = talk.memory.add("My birthday is 4 May", user_id=VERA, session_id="one")
    talk.clock.advance(60)
    second = talk.memory.add("My birthday is 5 May", user_id=VERA, session_id="two")
    return first.facts[0], second.facts[0]


def test_a_contradiction_is_listed_counted_and_shown(talk: Talk) -> None:
    old, new = _dispute(talk)
    known = talk.memory.contradictions
    (doubt,) = known.list_open(VERA)
    assert (doubt.key, doubt.stored_value, doubt.stated_value) == (
        "personal.birthday", old.value, new.value,
    )  # fmt: skip
    assert (doubt.stored_fact_id, doubt.stated_fact_id) == (old.id, new.id)
    assert (doubt.gate_path, doubt.state, doubt.session_id) == ("same_key", "open", "two")
    assert doubt.gate_reason
    assert talk.held() == {("personal.birthday", old.value), ("personal.birthday", new.value)}
    assert [f.status for f in talk.rows()] == ["disputed", "disputed"]
    assert known.list_open(VERA, "one") == []
    assert [one.id for one in known.list_open(VERA, "two")] == [doubt.id]
    assert known.list_open(VERA) == known.list(VERA) == known.list(VERA, "open")
    assert known.counts(VERA).to_dict() == {"open": 1, "held": 0, "resolved": 0}
    text = talk.memory.context(VERA, "birthday").text
    assert "Not settled" in text
    assert old.value in text
    assert new.value in text
    (shown,) = known.list_open(VERA)
    assert (shown.surfaced, shown.state, shown.repeat_count) == (2, "open", 0)


@ON_ONE
def test_a_contradiction_that_is_seen_again_is_the_same_one(talk: Talk) -> None:
    """Until it was shown, saying a side again decides nothing; after that it is an answer."""
    _dispute(talk)
    known = talk.memory.contradictions
    (doubt,) = known.list_open(VERA)
    talk.say("My birthday is 5 May")
    (again,) = known.list_open(VERA)
    assert (again.id, again.opened_at) == (doubt.id, doubt.opened_at)
    assert (again.repeat_count, again.surfaced) == (1, 0)
    assert again.last_seen_at == talk.clock.now()
    talk.memory.context(VERA, "birthday")
    talk.say("My birthday is 5 May")
    (over,) = known.list(VERA, "resolved")
    assert (over.id, over.decision) == (doubt.id, "user_stated")
    assert talk.held() == {("personal.birthday", "5 May")}


@ON_ONE
@pytest.mark.parametrize(
    ("decision", "left"),
    [("user_stated", ["5 May"]), ("stored", ["4 May"]), ("neither", [])],
)
def test_a_decision_is_applied_to_the_facts(talk: Talk, decision: str, left: list[str]) -> None:
    _dispute(talk)
    known = talk.memory.contradictions
    (doubt,) = known.list_open(VERA)
    with pytest.raises(InvalidInputError):
        known.resolve(doubt.id, "maybe")
    done = known.resolve(doubt.id, decision, note="asked")
    assert (done.state, done.decision, done.note) == ("resolved", decision, "asked")
    assert done.resolved_at == talk.clock.now()
    assert sorted(value for _, value in talk.held()) == left
    assert known.list_open(VERA) == []
    assert known.counts(VERA).resolved == 1
    with pytest.raises(InvalidInputError):
        known.resolve(doubt.id, "stored")
    with pytest.raises(InvalidInputError):
        known.hold(doubt.id, "later")


@ON_ONE
def test_a_decision_may_leave_the_facts(talk: Talk) -> None:
    _dispute(talk)
    known = talk.memory.contradictions
    (doubt,) = known.list_open(VERA)
    before = [fact.to_dict() for fact in talk.rows()]
    known.resolve(doubt.id, "user_stated", apply=False)
    assert [fact.to_dict() for fact in talk.rows()] == before


@ON_ONE
def test_a_hold_lapses_when_its_value_moves(talk: Talk) -> None:
    talk.say("I live in Lund", "I live in Kiel")
    known = talk.memory.contradictions
    (doubt,) = known.list_open(VERA)
    held = known.hold(doubt.id, "ask on Friday")
    assert (held.state, held.hold_reason, held.held_value) == ("held", "ask on Friday", "Lund")
    assert known.list_open(VERA) == []
    assert known.counts(VERA).held == 1
    assert known.list(VERA, "held") == [held]
    talk.memory.facts.update(doubt.stored_fact_id or "", value="Malmö")
    assert [one.id for one in known.list_open(VERA)] == [doubt.id]
    with pytest.raises(NotFoundError):
        known.hold(doubt.id, "x", user_id="other")
    with pytest.raises(NotFoundError):
        known.resolve(doubt.id, "stored", user_id="other")
    with pytest.raises(NotFoundError):
        known.resolve("nothing", "stored")
    with pytest.raises(InvalidInputError):
        known.list(VERA, "closed")
    with pytest.raises(InvalidInputError):
        known.list_open(VERA, limit=0)


def test_collisions_are_found_settled_and_measured(talk: Talk) -> None:
    talk.say("I have a cat called Gaia")
    talk.state("dog_names", "Nalla and Gaia")
    before = [fact.to_dict() for fact in talk.rows()]
    found = talk.memory.collisions
    report = found.refresh(VERA)
    assert (report.open, report.raised, report.resolved, report.residues) == (1, 1, 0, 0)
    (clash,) = found.list(VERA)
    assert (clash.name.casefold(), clash.kinds) == ("gaia", ("cat", "dog"))
    assert found.count_open(VERA) == 1
    with pytest.raises(InvalidInputError):
        found.settle(VERA, "Gaia", "why", "horse")
    with pytest.raises(NotFoundError):
        found.settle(VERA, "Nalla", "why", "cat")
    assert found.count_open(VERA) == 1
    residue = found.settle(VERA, "Gaia", "she meows", "cat")
    assert [fact.key for fact in residue.facts] == ["dog_names"]
    assert found.refresh(VERA).to_dict()["raised"] == 0
    assert [len(one.facts) for one in found.residues(VERA)] == [1]
    assert [fact.to_dict() for fact in talk.rows()] == before
    talk.memory.facts.update(residue.facts[0].id, value="Nalla")
    assert found.residues(VERA) == []
    assert found.list(VERA) == []
    assert len(found.list(VERA, include_closed=True)) == 1
    assert found.list("other") == []
    other = found.refresh(VERA, families={"drink": ["tea", "coffee"]})
    assert other.open == 0
