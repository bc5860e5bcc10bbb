"""Live conversations with a model: everything of one call is there, once, or none of it is."""

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from backstory.settings import Settings
from backstory.testing.chat_server import Call, ChatServer, Reply
from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.scripted import ModelTalk, judged, reads, stated
from tests.acceptance.talks import VERA

SAID = "I adopted Bella yesterday, I should call Oda about it, I'm over the moon"


def whole(*facts: dict[str, Any], number: int = 1, **changes: Any) -> str:
    def item(quote: str, **fields: Any) -> dict[str, Any]:
        return {"message": number, "quote": quote, **fields}

    found = {
        "facts": list(facts) or [stated("I adopted Bella", "pet.dog", "Bella", message=number)],
        "contradictions": [],
        "events": [item("adopted Bella", what="adopted Bella", when="yesterday", subject="user")],
        "moments": [item("over the moon", valence=0.9, arousal=0.7, tags=["joy"])],
        "intentions": [item("I should call Oda about it", what="call Oda", when="")],
        "entities": [item("adopted Bella", kind="pet", name="Bella", aliases=[])],
        "relations": [item("adopted Bella", type="owns_pet", subject="user", object="Bella")],
        "summaries": [{"session": 1, "text": "The user adopted Bella."}],
    }
    return json.dumps({**found, **changes})


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(lambda call: whole() if reads(call) else judged()) as running:
        yield running


def shown(talk: ModelTalk) -> dict[str, list[str]]:
    """What each part holds."""
    memory = talk.memory
    graph = memory.graph.search_entities(VERA, "Bella")
    told = [memory.summaries.for_session(VERA, session.id) for session in memory.sessions(VERA)]
    return {
        "facts": [fact.value for fact in talk.rows("active")],
        "events": [event.predicate for event in memory.timeline.list(VERA).items],
        "moments": [moment.quote for moment in memory.emotions.get_recent(VERA, days=9_999)],
        "intentions": [
            f"{one.status}: {one.what}" for one in memory.intentions.list_all(VERA).items
        ],
        "graph": [one.label for one in graph.entities if one.label != "user"],
        "summaries": [one.text for one in told if one is not None],
    }  # fmt: skip


EVERYTHING = {
    "facts": ["Bella"],
    "events": ["adopted Bella"],
    "moments": ["over the moon"],
    "intentions": ["proposed: call Oda"],
    "graph": ["Bella"],
    "summaries": ["The user adopted Bella."],
}


def test_one_call_fills_every_part(place: Place, server: ChatServer) -> None:
    talk = ModelTalk(place, server, embedder=None)
    assert talk.tell(SAID) == []
    assert shown(talk) == EVERYTHING
    assert len(server.calls) == 1
    (event,) = talk.memory.timeline.list(VERA).items
    assert event.occurred_on == date(2026, 1, 4)
    assert event.made_by == "model:shades"
    assert talk.memory.intentions.get_prompt(VERA, "UTC") is None
    assert talk.memory.flush(VERA).read == 0
    assert shown(talk) == EVERYTHING
    assert len(server.calls) == 1


@ON_ONE
def test_the_next_batch_goes_on_from_the_summary(place: Place, server: ChatServer) -> None:
    talk = ModelTalk(place, server, embedder=None)
    with talk.memory.session(user_id=VERA, session_id="long") as session:
        session.add("user", SAID)
        talk.memory.flush(VERA)
        server.script(
            whole(stated("I paint", "hobby", "paint"), events=[], moments=[], intentions=[],
                  entities=[], relations=[], summaries="The user has Bella now and paints.")
        )  # fmt: skip
        session.add("user", "I paint")
        talk.memory.flush(VERA)
    assert "- [session 1] The user adopted Bella." in server.calls[1].user
    told = talk.memory.summaries.for_session(VERA, "long")
    assert told is not None
    assert (told.text, told.messages) == ("The user has Bella now and paints.", 2)
    talk.memory.flush(VERA)  # the digest of the session, which ended, leaves it alone
    assert talk.memory.summaries.for_session(VERA, "long") == told


def test_a_message_edited_meanwhile_leaves_nothing_behind(place: Place, server: ChatServer) -> None:
    talk = ModelTalk(place, server, embedder=None)
    message = talk.memory.add(SAID, user_id=VERA).messages[0]

    def edited(_: Call) -> str:
        beside = ModelTalk(place, server, embedder=None)
        beside.memory.update(message.id, text="never mind, all is well")
        beside.memory.close()
        server.answer = whole()
        return whole()

    server.answer = edited
    talk.memory.flush(VERA)
    found = shown(talk)
    assert {name: some for name, some in found.items() if name != "summaries"} == {
        name: [] for name in EVERYTHING if name != "summaries"
    }
    assert not any("Bella" in text for text in found["summaries"])


def test_a_user_forgotten_meanwhile_does_not_come_back(place: Place, server: ChatServer) -> None:
    talk = ModelTalk(place, server, embedder=None)
    talk.memory.add(SAID, user_id=VERA)

    def forgotten(_: Call) -> str:
        beside = ModelTalk(place, server, embedder=None)
        beside.memory.forget_user(VERA)
        beside.memory.close()
        return whole()

    server.answer = forgotten
    talk.memory.flush(VERA)
    assert talk.memory.users() == []
    assert talk.memory.forget_user(VERA).total == 0


def test_a_message_that_goes_takes_what_came_of_it(place: Place, server: ChatServer) -> None:
    talk = ModelTalk(place, server, embedder=None)
    talk.tell(SAID)
    message = talk.memory.get_all(user_id=VERA).items[0]
    talk.memory.delete(message.id)
    assert shown(talk) == {name: [] for name in EVERYTHING}
    assert "Bella" not in place.dump() or place.is_postgres


@ON_ONE
def test_a_failed_reading_stores_nothing_and_is_read_again(
    place: Place, server: ChatServer
) -> None:
    talk = ModelTalk(place, server, embedder=None)
    server.script(whole(events="none"), whole(events="none"))
    (reason,) = talk.tell(SAID)
    assert "'events' must be a list" in reason
    assert shown(talk) | {"summaries": []} == {name: [] for name in EVERYTHING}
    server.script(Reply(text=whole(), finish="length"))
    assert "cap" in talk.memory.flush(VERA).reasons[0]
    assert shown(talk) | {"summaries": []} == {name: [] for name in EVERYTHING}
    assert talk.memory.flush(VERA).read == 1
    assert shown(talk) == EVERYTHING


@ON_ONE
@pytest.mark.parametrize("parts", ["facts", "summaries, graph"])
def test_parts_that_are_off_hold_nothing(place: Place, server: ChatServer, parts: str) -> None:
    settings = Settings(background=False, reading=parts)
    talk = ModelTalk(place, server, embedder=None, settings=settings)
    talk.tell(SAID)
    # the graph follows from facts, too
    names = {"facts": {"facts", "graph"}, "summaries, graph": {"summaries", "graph"}}[parts]
    schema = server.calls[0].schema or {}
    asked = {
        "facts": {"facts", "contradictions"},
        "summaries, graph": {"summaries", "entities", "relations"},
    }
    assert set(schema["properties"]) == asked[parts]
    talk.memory.close()
    all_parts = ModelTalk(place, server, embedder=None)
    all_parts.clock.set(talk.clock.now())
    found = shown(all_parts)
    assert {name for name, some in found.items() if some} == names
