"""Reported failures of other systems: facts that were deleted or changed and came back."""

from dataclasses import replace
from typing import Any

import pytest

from backstory.core.facts.phrases import indexed_text
from backstory.core.model.fact import Fact
from backstory.errors import InvalidInputError, NotFoundError
from backstory.testing import HashEmbedder
from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.talks import ANYTHING, MANY, VERA, Talk

MARK = "Quorbax"


def test_a_deleted_fact_leaves_nothing_but_the_message(place: Place) -> None:
    """BUG-093: with all that hung on it; "erase" takes the message too, from the file's bytes."""
    talk = Talk(place)
    source = talk.say(f"I am allergic to {MARK}").messages[0]
    fact = talk.rows()[0]
    assert fact.value == MARK
    talk.memory.facts.update(fact.id, value=f"{MARK} seeds", reason=f"it is {MARK}")
    talk.memory.facts.update(fact.id, value=f"{MARK} oil")
    talk.state("health.note", f"carries a pen because of {MARK}", evidence=[source.id])
    assert MARK in talk.memory.context(talk.user, ANYTHING, sources=["facts"]).text
    talk.memory.facts.search(MARK, user_id=talk.user)
    for row in talk.rows():
        talk.memory.delete(row.id)
    assert talk.rows() == []
    assert talk.fact_lines(MARK) == []
    assert MARK in talk.memory.get(source.id).to_dict()["text"]
    assert [hit.kind for hit in talk.memory.search(MARK, user_id=talk.user)] == ["message"]
    talk.say("The weather is fine", f"I am allergic to {MARK}")
    assert talk.rows() == []
    for message in talk.memory.get_all(user_id=talk.user).items:
        if MARK in message.text:
            talk.memory.delete(message.id)
    assert MARK not in talk.shown(MARK)
    talk.memory.close()
    assert MARK not in place.dump()
    assert MARK.lower() not in place.dump().lower()
    assert "The weather is fine" in place.dump()


def test_erasing_with_the_source_leaves_nothing_at_once(place: Place) -> None:
    """BUG-093: the message, its versions and vectors, and what else was read of it."""
    talk = Talk(place)
    first = talk.say(f"My sister is called {MARK} and she lives in {MARK}ville").messages[0]
    talk.memory.update(first.id, text=f"My sister is called {MARK} and she likes {MARK}ola")
    talk.say(f"My sister is called {MARK}", "My brother is called Rolf")
    (fact,) = talk.rows(key="family.sister")
    talk.memory.facts.delete(fact.id, erase_source=True)
    assert MARK not in talk.shown("sister")
    assert talk.held() == {("family.brother", "Rolf")}
    talk.memory.close()
    assert MARK.casefold() not in place.dump().casefold()


def test_a_superseded_value_can_be_deleted_from_a_chain(place: Place) -> None:
    """BUG-093: its neighbours lose the values that they had from it."""
    talk = Talk(place)
    talk.say("I live in Lund", f"I moved to {MARK}", "I moved to Kiel")
    (middle,) = [fact for fact in talk.rows() if fact.value == MARK]
    talk.memory.facts.delete(middle.id, erase_source=True)
    assert talk.held() == {("home.place", "Kiel")}
    assert MARK not in talk.shown("home")
    talk.memory.close()
    assert MARK not in place.dump()


def test_a_deleted_fact_stays_deleted(place: Place) -> None:
    """BUG-095: whatever is read again, and in another process; other facts are not touched."""
    talk = Talk(place)
    told = [
        {"role": "user", "content": "I am allergic to walnuts", "id": "m1"},
        {"role": "user", "content": "I live in Lund", "id": "m2"},
    ]
    talk.memory.add(told, user_id=talk.user, session_id="told")
    (fact,) = talk.rows(key="health.allergy")
    talk.memory.facts.delete(fact.id)
    message = talk.memory.search("walnuts", user_id=talk.user, kind="messages")[0]
    for _ in range(2):
        talk.memory.add(told, user_id=talk.user, session_id="told")
        talk.memory.add(told, user_id=talk.user, session_id="again")
        talk.memory.update(message.id, text="I am allergic to Walnuts!")
        talk.say("I'm allergic to walnuts")
        talk.memory.flush(talk.user)
        assert talk.held() == {("home.place", "Lund")}
        assert talk.rows(key="health.allergy") == []
        talk.memory.close()
        talk = Talk(place)
    with pytest.raises(InvalidInputError, match="erased"):
        talk.state("health.allergy", "WALNUTS")
    talk.state("health.allergy", "hazelnuts")
    assert ("health.allergy", "hazelnuts") in talk.held()
    exported = talk.exported()
    assert "walnuts" not in [row.value.casefold() for row in talk.rows()]
    assert exported.count('"value": "hazelnuts"') >= 1
    talk.memory.forget_user(talk.user)
    talk.say("I am allergic to walnuts")
    assert talk.held() == {("health.allergy", "walnuts")}


def test_a_delete_of_a_fact_takes_effect_at_once_and_only_once(place: Place) -> None:
    """BUG-097: on every call, for every cache, also that of another process."""
    talk, other = Talk(place), Talk(place)
    fact = talk.state("work.role", "welder")
    kept = talk.state("home.place", "Lund")
    other.clock.set(talk.clock.now())
    assert other.held() == talk.held()
    assert other.answers("welder")[0] == "welder"
    talk.memory.delete(fact.id)
    for one in (talk, other):
        assert one.held() == {("home.place", "Lund")}
        assert one.answers("welder") == ["Lund"]
        facts = one.memory.facts
        calls: list[Any] = [
            lambda m=one.memory: m.delete(fact.id),
            lambda f=facts: f.delete(fact.id),
            lambda m=one.memory: m.get(fact.id),
            lambda m=one.memory: m.history(fact.id),
            lambda m=one.memory: m.update(fact.id, value="baker"),
            lambda f=facts: f.update(fact.id, value="baker"),
            lambda f=facts: f.retract(fact.id),
            lambda f=facts: f.end(fact.id),
            lambda f=facts: f.touch_mention(fact.id),
            lambda f=facts: f.undo(VERA, id=fact.id),
        ]
        for call in calls:
            with pytest.raises(NotFoundError):
                call()
    talk.memory.close()
    assert Talk(place).memory.get(kept.id) == kept


def test_a_narrow_delete_of_messages_takes_their_facts_only(place: Place) -> None:
    """BUG-099."""
    talk = Talk(place)
    said = {
        ("u1", "s1"): ["I live in Lund", "I love tea", "I love opera"],
        ("u1", "s2"): ["I work at Volvo", "I love chess"],
        ("u2", "s1"): ["I live in Kiel", "I love tea", "I love jazz", "I work at Saab"],
    }
    for (user, session), texts in said.items():
        talk.memory.add(texts, user_id=user, session_id=session)

    def left() -> tuple[int, int]:
        return len(talk.memory.facts.get("u1")), len(talk.memory.facts.get("u2"))

    assert left() == (5, 4)
    talk.memory.delete_all(user_id="u1", session_id="s1")
    assert left() == (2, 4)
    talk.memory.delete_all(user_id="nobody")
    with pytest.raises(InvalidInputError):
        talk.memory.delete_all()
    assert left() == (2, 4)
    talk.user = "u1"
    assert talk.held() == {("work.employer", "Volvo"), ("preference.like", "chess")}
    assert "opera" not in talk.shown()
    talk.user = "u2"
    assert len(talk.held()) == 4


@ON_ONE
def test_what_was_read_of_a_message_follows_it(place: Place) -> None:
    """BUG-100: an edit gives the new facts, a deletion none; other facts stay as they were."""
    talk = Talk(place)
    talk.say("I live in Lund", "I love tea")
    others = [fact.to_dict() for fact in talk.rows()]
    message = talk.say("My boat is a ketch. My sister is called Dawn").messages[0]
    talk.say("I moved to Kiel", "I love opera")
    assert ("family.sister", "Dawn") in talk.held()
    talk.memory.update(message.id, text="My boat is a ketch. My sister is called Dusk")
    assert ("family.sister", "Dusk") in talk.held()
    assert "Dawn" not in [value for _, value in talk.held()]
    assert talk.answers("family sister")[0] == "Dusk"
    talk.memory.delete(message.id)
    assert "Dawn" not in talk.shown("sister")
    assert "Dusk" not in talk.shown("sister")
    assert others[1] in [fact.to_dict() for fact in talk.rows()]
    assert talk.held() == {
        ("home.place", "Kiel"), ("preference.like", "tea"), ("preference.like", "opera"),
    }  # fmt: skip


@ON_ONE
def test_a_deleted_change_never_happened(place: Place) -> None:
    """BUG-100: what it superseded, ended, retracted or disputed is as it was before."""
    talk = Talk(place)
    talk.say("I live in Lund", "I love sushi", "I work at Volvo")
    before = talk.held()
    texts = (
        "I moved to Kiel",
        "I can't stand sushi any more",
        "I don't work at Volvo any more",
        "No, I live in Malmö, not in Lund",
        "I hate sushi",
    )
    for text in texts:
        message = talk.say(text).messages[0]
        assert talk.held() != before or talk.memory.contradictions.list_open(VERA), text
        talk.memory.delete(message.id)
        assert talk.held() == before, text
        assert talk.past() == set(), text
        assert talk.memory.contradictions.list_open(VERA) == [], text
    message = talk.say("I moved to Kiel").messages[0]
    talk.memory.update(message.id, text="The weather is fine")
    assert talk.held() == before


@ON_ONE
def test_a_fact_that_was_said_twice_survives_one_deletion(place: Place) -> None:
    """BUG-100: it keeps the evidence that is left."""
    talk = Talk(place)
    first = talk.say("I live in Lund").messages[0]
    second = talk.say("I live in Lund").messages[0]
    talk.memory.delete(first.id)
    (fact,) = talk.rows()
    assert [evidence.message_id for evidence in fact.evidence] == [second.id]
    assert talk.held() == {("home.place", "Lund")}
    talk.memory.delete(second.id)
    assert talk.rows() == []


@pytest.mark.parametrize("is_local", [True, False])
def test_an_updated_fact_has_the_vector_of_its_new_value(place: Place, is_local: bool) -> None:
    """BUG-102: and between the two rather none than the old one; the same for words."""
    talk = Talk(place, embedder=HashEmbedder(is_local=is_local))
    fact = talk.state("desk.stone", "zircon")
    talk.state("home.place", "Lund")
    talk.memory.flush(VERA)
    assert talk.answers("zircon")[0] == "zircon"
    talk.memory.facts.update(fact.id, value="basalt")

    old = _cosine(talk, replace(fact, value="zircon"))
    assert old is None or old < 0.9
    talk.memory.flush(VERA)
    (new,) = talk.rows(key="desk.stone")
    assert _cosine(talk, new) == pytest.approx(1.0, abs=1e-3)
    assert talk.answers("basalt")[0] == "basalt"
    assert list(talk.memory.facts.search("zircon", user_id=VERA, threshold=0.6)) == []
    near = talk.memory.facts.find_similar("desk stone: basalt", user_id=VERA, threshold=0.5)
    assert [one.fact.id for one in near] == [fact.id]


def test_a_change_gives_the_new_row_its_own_vector(place: Place) -> None:
    """BUG-102: whichever call changes it, no row goes without, none has that of another."""
    talk = Talk(place)
    talk.say("I live in Lund", "I moved to Kiel")
    row = talk.rows("active")[0]
    talk.memory.facts.retract(row.id)
    talk.memory.facts.undo(VERA)
    talk.state("home.place", "Oslo")
    rows = talk.rows()
    assert [row.value for row in rows] == ["Lund", "Kiel", "Oslo"]
    for row in rows:
        assert _cosine(talk, row) == pytest.approx(1.0, abs=1e-3)


def _cosine(talk: Talk, fact: Fact) -> float | None:
    """How near a row's stored vector is to the words of a fact of its id."""
    hits = talk.memory.facts.search(
        indexed_text(fact), user_id=VERA, top_k=MANY, include_history=True, explain=True
    )
    (why,) = [hit.why for hit in hits if hit.id == fact.id]
    return None if why is None else why.cosine
