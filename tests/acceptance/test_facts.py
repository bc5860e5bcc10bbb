"""The calls of memory.facts, as they are documented."""

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory import Settings
from backstory.core.model.fact import Evidence, Fact
from backstory.errors import InvalidInputError, NotFoundError
from backstory.testing import HashEmbedder
from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.talks import MANY, VERA, Talk

HOME, ROLE = "home.place", "work.role"
DAY = timedelta(days=1)
META = "The search found no results"


@pytest.fixture
def talk(place: Place) -> Talk:
    return Talk(place, settings=Settings(background=False))


def test_store_gives_the_row_that_holds_the_value(talk: Talk) -> None:
    message = talk.say("hello there").messages[0]
    fact = talk.state(
        " Work / Shift ",
        "  nights  ",
        subject="Friend.Sam",
        category="work",
        cardinality="many",
        confidence=0.5,
        trust="document",
        intent_id="mine",
        valid_from="2026-01-01T00:00:00+01:00",
        valid_until=datetime(2027, 1, 1, tzinfo=UTC),
        evidence=[
            message.id,
            Evidence(message_id=message.id, quote="hello"),
            {"message_id": message.id},
        ],
    )
    assert (fact.subject, fact.key, fact.value) == ("friend.sam", "work_shift", "nights")
    assert (fact.category, fact.cardinality, fact.trust) == ("work", "many", "document")
    assert (fact.confidence, fact.intent_id, fact.kind) == (0.5, "mine", "permanent")
    assert fact.valid_from == datetime(2025, 12, 31, 23, tzinfo=UTC)
    assert fact.recorded_at == fact.believed_at == talk.clock.now()
    assert {evidence.message_id for evidence in fact.evidence} == {message.id}
    assert talk.held("friend.sam") == {("work_shift", "nights")}
    again = talk.state("work_shift", "Nights", subject="friend.sam", cardinality="many")
    assert (again.id, again.mentions) == (fact.id, 2)
    assert again.last_mention_at == talk.clock.now()


@ON_ONE
def test_store_knows_its_slots(talk: Talk) -> None:
    """What is known of a slot goes before what is given; else it holds one value."""
    for value in ("tea", "jazz"):
        talk.state("preference.like", value, cardinality="one")
    for value in ("Lund", "Kiel"):
        talk.state(HOME, value, cardinality="many")
    for value in ("red", "blue"):
        talk.state("own.colour", value)
    assert talk.held() == {
        ("preference.like", "tea"), ("preference.like", "jazz"), (HOME, "Kiel"),
        ("own.colour", "blue"),
    }  # fmt: skip
    for key in ("personal.name", "personal.birthday", "personal.nationality"):
        assert talk.state(key, "Vera 4 May").valid_from is None
        assert talk.state(key, "Vera, 4 May").valid_from is None
        assert talk.memory.facts.as_of(VERA, valid_at="1990-01-01T00:00Z", key=key)
    assert talk.state("personal.name", "Robin").valid_from == talk.clock.now()
    assert talk.rows(key=HOME)[0].category == "personal"
    assert talk.rows(key="own.colour")[0].category == "context"
    assert set(talk.memory.profile(VERA)) == {"context", "personal", "preference"}


@ON_ONE
@pytest.mark.parametrize(
    "wrong",
    [
        {"key": ""}, {"key": "..."}, {"key": "a\0"}, {"key": "x" * 201}, {"value": " "},
        {"value": "x" * 10_001}, {"subject": ""}, {"category": "food"}, {"cardinality": "two"},
        {"kind": "eternal"}, {"trust": "me"}, {"confidence": 1.1}, {"confidence": math.nan},
        {"confidence": True}, {"valid_from": "yesterday"}, {"valid_from": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"valid_from": "2026-02-01T00:00Z", "valid_until": "2026-01-01T00:00Z"},
        {"evidence": "abc"}, {"evidence": ["no-such-message"]}, {"evidence": [3]},
        {"evidence": [{"quote": "x"}]}, {"intent_id": ""}, {"key": "current_speaker"},
        {"value": META},
    ],
)  # fmt: skip
def test_store_refuses_what_is_none(memory: Any, wrong: dict[str, Any]) -> None:
    given = {"user_id": VERA, "key": HOME, "value": "Lund", **wrong}
    with pytest.raises(InvalidInputError) as refused:
        memory.facts.store(**given)
    assert str(refused.value)
    assert memory.facts.get(VERA, status="all") == []


@ON_ONE
def test_evidence_of_another_user_is_none(talk: Talk) -> None:
    other = talk.memory.add("hello", user_id="other").messages[0]
    mine = talk.say("I was in Lund").messages[0]
    for evidence in ([other.id], [{"message_id": mine.id, "quote": "I live in Lund"}]):
        with pytest.raises(InvalidInputError):
            talk.state(HOME, "Lund", evidence=evidence)
    assert talk.rows() == []


@ON_ONE
def test_get_filters_and_limits(talk: Talk) -> None:
    talk.state(HOME, "Lund")
    talk.state(HOME, "Kiel")
    talk.state("pet.dog", "Bolt", intent_id="mine")
    talk.state("pet.cat", "Gaia", subject="friend.sam")
    talk.state("pets", "two")

    def values(**options: Any) -> list[str]:
        return [fact.value for fact in talk.memory.facts.get(VERA, **options)]

    assert values() == ["Kiel", "Bolt", "Gaia", "two"]
    assert values(status="all") == ["Lund", "Kiel", "Bolt", "Gaia", "two"]
    assert values(status="superseded") == ["Lund"]
    assert values(subject="user", key="pet.") == ["Bolt"]
    assert values(key="pet.") == ["Bolt", "Gaia"]
    assert values(key="Pet.Dog") == ["Bolt"]
    assert values(category="personal") == ["Kiel"]
    assert values(intent_id="mine") == ["Bolt"]
    assert values(limit=2) == ["Gaia", "two"]
    for wrong in (
        {"limit": 0},
        {"limit": True},
        {"status": "gone"},
        {"category": "x"},
        {"key": ""},
    ):
        with pytest.raises(InvalidInputError):
            values(**wrong)


@ON_ONE
def test_as_of_on_both_axes(talk: Talk) -> None:
    start = talk.clock.now()
    lund = talk.state(HOME, "Lund", valid_from=start - 100 * DAY)
    talk.clock.set(start + 10 * DAY)
    talk.state(HOME, "Kiel", valid_from=start - 20 * DAY)
    talk.clock.set(start + 20 * DAY)
    talk.memory.facts.retract(lund.id)
    talk.clock.set(start + 30 * DAY)

    def then(valid: float, known: float | None = None) -> list[str]:
        at = None if known is None else start + known * DAY
        found = talk.memory.facts.as_of(VERA, valid_at=start + valid * DAY, known_at=at)
        return [fact.value for fact in found]

    assert then(-50) == []
    assert then(-50, 5) == ["Lund"]
    assert then(-50, 15) == ["Lund"]
    assert then(-10, 5) == ["Lund"]
    assert then(-10, 15) == ["Kiel"]
    assert then(-10) == ["Kiel"]
    assert then(-10, -1) == []
    assert then(-200, 15) == []
    (old,) = talk.memory.facts.as_of(VERA, valid_at=start - 10 * DAY, known_at=start + 5 * DAY)
    assert (old.valid_until, old.status) == (None, "active")
    with pytest.raises(InvalidInputError):
        talk.memory.facts.as_of(VERA, valid_at="soon")


@ON_ONE
def test_a_fact_of_the_future_waits(talk: Talk) -> None:
    talk.state("work.employer", "Volvo")
    start = talk.clock.now() + 5 * DAY
    talk.state("work.employer", "Saab", valid_from=start)
    assert talk.held() == {("work.employer", "Volvo")}
    talk.clock.set(start + DAY)
    assert talk.held() == {("work.employer", "Saab")}


def test_update_corrects_in_place(talk: Talk) -> None:
    fact = talk.state(ROLE, "wedler")
    talk.clock.advance(DAY)
    fixed = talk.memory.facts.update(fact.id, value="welder", valid_from=None, reason="a slip")
    assert (fixed.id, fixed.value, fixed.valid_from) == (fact.id, "welder", None)
    assert fixed.updated_at == talk.clock.now()
    history = talk.memory.facts.history(fact.id)
    assert [(r.value, r.revision) for r in history.revisions] == [("wedler", 1)]
    (line,) = history.corrections
    assert (line.change, line.old_value, line.new_value) == ("updated", "wedler", "welder")
    assert (line.actor, line.reason) == ("api", "a slip")
    assert talk.memory.history(fact.id) == history
    backwards = {"valid_from": "2030-01-01T00:00Z", "valid_until": "2029-01-01T00:00Z"}
    refused: list[dict[str, Any]] = [{}, {"value": " "}, {"value": META}, backwards]
    for wrong in refused:
        with pytest.raises(InvalidInputError):
            talk.memory.facts.update(fact.id, **wrong)
    assert talk.memory.get(fact.id) == fixed
    for call in ({"value": "x", "text": "y"}, {"value": "x", "metadata": {}}):
        with pytest.raises(InvalidInputError):
            talk.memory.update(fact.id, **call)
    assert talk.memory.update(fact.id, value="baker").to_dict()["value"] == "baker"


def test_end_retract_and_undo(talk: Talk) -> None:
    lund, kiel = talk.state(HOME, "Lund"), talk.state(HOME, "Kiel")
    facts = talk.memory.facts
    with pytest.raises(InvalidInputError):
        facts.end(kiel.id, at=talk.clock.now() - 9 * DAY)
    talk.clock.advance(DAY)
    ended = facts.end(kiel.id, reason="moved out")
    assert (ended.status, ended.valid_until) == ("ended", talk.clock.now())
    assert talk.held() == set()
    with pytest.raises(InvalidInputError):
        facts.end(kiel.id)
    undone = facts.undo(VERA)
    assert (undone.change, undone.undone, undone.fact_id) == ("ended", True, kiel.id)
    assert talk.held() == {(HOME, "Kiel")}
    talk.clock.advance(DAY)
    gone = facts.retract(kiel.id, reason="never there")
    assert (gone.status, gone.retracted_at) == ("retracted", talk.clock.now())
    assert talk.held() == {(HOME, "Lund")}
    assert "Kiel" not in str(facts.search("Kiel", user_id=VERA, include_history=True))
    with pytest.raises(InvalidInputError):
        facts.update(kiel.id, value="Oslo")
    facts.undo(VERA, id=kiel.id)
    assert talk.held() == {(HOME, "Kiel")}
    facts.undo(VERA)
    assert talk.held() == {(HOME, "Lund")}
    assert talk.memory.get(lund.id).to_dict()["status"] == "active"


@ON_ONE
def test_retract_again_is_refused(talk: Talk) -> None:
    fact = talk.state(HOME, "Lund")
    talk.memory.facts.retract(fact.id)
    with pytest.raises(InvalidInputError):
        talk.memory.facts.retract(fact.id)
    with pytest.raises(NotFoundError):
        talk.memory.facts.undo("nobody")


@ON_ONE
def test_search_finds_what_holds(talk: Talk) -> None:
    talk.state(HOME, "Lund")
    talk.state("pet.dog", "Bolt")
    talk.state(HOME, "Kiel")
    facts = talk.memory.facts
    hits = facts.search("pet dog Bolt", user_id=VERA, explain=True)
    assert [hit.fact.value for hit in hits if hit.fact] == ["Bolt", "Kiel"]
    assert hits[0].kind == "fact"
    assert all(0 <= hit.score <= 1 and hit.why is not None for hit in hits)
    assert len(facts.search("pet", user_id=VERA, top_k=1)) == 1
    assert list(facts.search(" ", user_id=VERA)) == []
    assert list(facts.search("pet", user_id="nobody")) == []
    past = facts.search("Lund", user_id=VERA, include_history=True)
    assert {str(hit.fact.status) for hit in past if hit.fact} == {"active", "superseded"}
    first = talk.rows()[0].recorded_at
    known = facts.search("Lund", user_id=VERA, valid_at=first, known_at=first)
    assert [hit.fact.value for hit in known if hit.fact] == ["Lund"]
    for wrong in ({"top_k": 0}, {"top_k": 10_001}, {"threshold": 2}, {"valid_at": "soon"}):
        with pytest.raises(InvalidInputError):
            facts.search("x", user_id=VERA, **wrong)


@ON_ONE
@pytest.mark.parametrize("embedder", [HashEmbedder(), None])
def test_find_similar_and_touch_mention(place: Place, embedder: Any) -> None:
    talk = Talk(place, embedder=embedder)
    fact = talk.state("goal.aim", "learn to swim in the sea")
    talk.state(HOME, "Lund")
    found = talk.memory.facts.find_similar(
        "learn to swim in the sea", user_id=VERA, threshold=0.3, limit=1
    )
    assert [one.fact.id for one in found] == [fact.id]
    assert 0.3 <= found[0].similarity <= 1
    assert talk.memory.facts.find_similar("zebra", user_id=VERA, threshold=1.0) == []
    talk.clock.advance(DAY)
    touched = talk.memory.facts.touch_mention(fact.id)
    assert (touched.mentions, touched.last_mention_at) == (2, talk.clock.now())
    for wrong in ({"threshold": 2}, {"limit": 0}):
        with pytest.raises(InvalidInputError):
            talk.memory.facts.find_similar("x", user_id=VERA, **wrong)


def test_temporary_facts_expire_and_come_back(talk: Talk) -> None:
    facts = talk.memory.facts
    talk.state("current_mood", "tired")
    talk.state("visit.place", "Oslo", kind="temporary")
    talk.state("visit.hotel", "Grand", kind="temporary", valid_until=talk.clock.now() + 3 * DAY)
    talk.state(HOME, "Lund")
    assert len(talk.held()) == 4
    talk.clock.advance(timedelta(hours=13))
    assert ("current_mood", "tired") not in talk.held()
    talk.clock.advance(4 * DAY)
    gone = facts.expire_temporary(VERA, days=math.inf)
    assert sorted(fact.value for fact in gone) == ["Grand", "tired"]
    assert {str(fact.status) for fact in gone} == {"expired"}
    assert facts.expire_temporary(VERA, days=30) == []
    talk.clock.advance(40 * DAY)
    assert [fact.value for fact in facts.expire_temporary()] == ["Oslo"]
    assert talk.held() == {(HOME, "Lund")}
    again = talk.state("visit.place", "Oslo", kind="temporary")
    assert again.status == "active"
    assert ("visit.place", "Oslo") in talk.held()
    for days in (-1, math.nan, True):
        with pytest.raises(InvalidInputError):
            facts.expire_temporary(VERA, days=days)


def _each_call_on(talk: Talk, fact: Fact, user: str | None) -> list[Any]:
    memory, facts = talk.memory, talk.memory.facts
    options: dict[str, Any] = {"user_id": user}
    return [
        lambda: memory.get(fact.id, **options),
        lambda: memory.history(fact.id, **options),
        lambda: memory.update(fact.id, value="x", **options),
        lambda: memory.delete(fact.id, **options),
        lambda: facts.history(fact.id, **options),
        lambda: facts.update(fact.id, value="x", **options),
        lambda: facts.end(fact.id, **options),
        lambda: facts.retract(fact.id, **options),
        lambda: facts.delete(fact.id, **options),
        lambda: facts.touch_mention(fact.id, **options),
    ]


def test_facts_of_others_are_not_found(place: Place) -> None:
    """Other users with user_id=, other tenants always, unknown ids."""
    talk = Talk(place)
    fact = talk.state(HOME, "Lund")
    stranger = Talk(place, tenant="elsewhere")
    stranger.clock.set(talk.clock.now())
    for calls in (
        _each_call_on(talk, fact, "other"),
        _each_call_on(stranger, fact, None),
        _each_call_on(stranger, fact, VERA),
    ):
        for call in calls:
            with pytest.raises(NotFoundError):
                call()
    for one, user in ((talk, "other"), (stranger, VERA)):
        with pytest.raises(NotFoundError):
            one.memory.facts.undo(user, id=fact.id)
    assert stranger.rows() == []
    assert stranger.held() == set()
    assert talk.memory.facts.get("other", status="all") == []
    assert talk.memory.get(fact.id, user_id=VERA) == fact
    assert talk.held() == {(HOME, "Lund")}


def test_many_facts_are_listed_in_pages(talk: Talk) -> None:
    for n in range(7):
        talk.state(f"note.n{n}", str(n))
    seen: list[str] = []
    cursor = None
    while True:
        page = talk.memory.get_all(user_id=VERA, kind="facts", limit=3, cursor=cursor)
        assert page.total == 7
        seen += [fact.value for fact in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == [str(n) for n in range(7)]
    assert len(talk.memory.facts.get(VERA, limit=MANY)) == 7
