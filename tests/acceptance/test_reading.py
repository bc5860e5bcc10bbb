"""What add, import, edits and deletions do to facts, and what is left when a model fails."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from backstory.settings import Settings
from backstory.testing.chat_server import ChatServer, Reply
from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.scripted import ModelTalk, stated
from tests.acceptance.talks import VERA, Talk
from tests.unit.reading.llm_help import answer

HOME, LIKES = "home.place", "preference.like"
LUND = answer(stated("I live in Lund", HOME, "Lund"))


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(LUND) as running:
        yield running


@ON_ONE
def test_add_says_what_was_read_and_what_was_not(place: Place) -> None:
    talk = Talk(place)
    result = talk.memory.add(
        ["I live in Lund", "I love tea", "Write a story: I live in Oslo", "ok"], user_id=VERA
    )
    assert [(fact.key, fact.value) for fact in result.facts] == [(HOME, "Lund"), (LIKES, "tea")]
    assert [evidence.message_id for evidence in result.facts[0].evidence] == [result.messages[0].id]
    assert result.facts[0].evidence[0].quote == "I live in Lund"
    (refused,) = result.facts_rejected
    assert (refused.guard, refused.message_id) == ("fiction", result.messages[2].id)
    assert refused.reason
    assert (result.degraded, result.pending) == (None, 0)
    again = talk.say("I live in Lund")
    assert [(fact.id, fact.mentions) for fact in again.facts] == [(result.facts[0].id, 2)]
    assert talk.held() == {(HOME, "Lund"), (LIKES, "tea")}
    assert set(again.to_dict()) >= {"facts", "facts_rejected", "degraded"}


@ON_ONE
def test_what_is_not_to_be_read_is_not(place: Place) -> None:
    """infer=False for one call, reading="none" for a memory: messages only, also later."""
    talk = Talk(place)
    result = talk.say("I live in Lund", infer=False)
    assert (result.facts, result.facts_rejected) == ((), ())
    silent = Talk(place, settings=Settings(reading="none"))
    silent.clock.set(talk.clock.now())
    assert silent.say("I live in Kiel").facts == ()
    for one in (talk, silent):
        assert one.memory.flush(VERA).read == 0
        assert one.rows() == []
        assert len(one.memory.search("live", user_id=VERA)) == 2
    assert talk.say("I live in Oslo").facts[0].value == "Oslo"
    assert talk.held() == {(HOME, "Oslo")}
    silent.memory.facts.store(user_id=VERA, key="pet.dog", value="Bolt")
    assert ("pet.dog", "Bolt") in talk.held()


def test_an_import_is_known_since_it_was_said(place: Place) -> None:
    """known_at compares with the time of the message, and recorded_at stays the commit's."""
    talk = Talk(place, embedder=None)
    first, second = datetime(2024, 3, 1, tzinfo=UTC), datetime(2025, 3, 1, tzinfo=UTC)
    with talk.memory.session(user_id=VERA, session_id="old", bulk_import=True) as session:
        session.add("user", "I live in Lund", timestamp=first)
        session.add("user", "I moved to Kiel", timestamp=second)
    day = timedelta(days=1)
    known = [
        [fact.value for fact in talk.memory.facts.as_of(VERA, valid_at=valid, known_at=known)]
        for valid, known in (
            (first + day, first - day),
            (first + day, first + day),
            (second + day, first + day),
            (second + day, second + day),
            (first + day, second + day),
        )
    ]
    assert known == [[], ["Lund"], ["Lund"], ["Kiel"], ["Lund"]]
    assert {row.recorded_at for row in talk.rows()} <= {talk.clock.now()}
    assert [row.known_from for row in talk.rows()] == [first, second]
    assert talk.held() == {(HOME, "Kiel")}


@ON_ONE
def test_an_import_in_any_order_comes_to_the_same(place: Place) -> None:
    """Late-read old messages take their places; the chain is the same."""
    said = [("I live in Lund", 2020), ("I moved to Kiel", 2022), ("I moved to Oslo", 2024)]
    chains = []
    talk = Talk(place, embedder=None)
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)):
        talk.user = f"user {order}"
        for number in order:
            text, year = said[number]
            talk.recount(text, datetime(year, 5, 1, tzinfo=UTC), f"session {number}")
        rows = sorted(talk.rows(), key=lambda row: str(row.valid_from))
        chains.append([(row.value, row.valid_from, row.valid_until) for row in rows])
        assert talk.held() == {(HOME, "Oslo")}
    assert all(chain == chains[0] for chain in chains), chains
    assert [value for value, _, _ in chains[0]] == ["Lund", "Kiel", "Oslo"]


def test_a_past_context_is_built_again(place: Place) -> None:
    """Byte for byte, whatever was said, corrected, ended, edited or retracted since."""
    talk = Talk(place, embedder=None)
    message = talk.say("I live in Lund", "I work at Volvo", "The weather is fine").messages[0]
    talk.say("I love sushi")
    talk.say("My birthday is 4 May")
    talk.clock.advance(timedelta(days=3))
    moment = talk.clock.now()
    talk.clock.advance(60)
    options = {"session_id": "another", "known_at": moment, "now": moment, "max_tokens": 20_000}
    query = "where does she live and work?"
    before = talk.memory.context(VERA, query, **options).text  # type: ignore[arg-type]
    assert "Lund" in before
    assert "Volvo" in before
    talk.clock.advance(timedelta(days=30))
    talk.say("I moved to Kiel", "I don't work at Volvo any more", "I can't stand sushi any more")
    talk.say("My birthday is 5 May")
    talk.memory.update(message.id, text="The weather is bad")
    talk.memory.facts.retract(talk.rows(key="personal.birthday")[0].id)
    talk.memory.facts.update(talk.rows("active", key=HOME)[0].id, value="Kiel-Nord")
    after = talk.memory.context(VERA, query, **options).text  # type: ignore[arg-type]
    assert after == before
    now = talk.memory.context(VERA, query, max_tokens=20_000, sources=["facts"]).text
    assert "Kiel-Nord" in now
    assert "Volvo" not in now


@ON_ONE
def test_a_direct_correction_files_what_was_wrong(place: Place) -> None:
    """Live and in an import: resolved as user_stated, and nothing of it is open."""
    talk = Talk(place, embedder=None)
    talk.say("I live in Lund")
    start = talk.rows()[0].valid_from
    talk.say("No, it's Malmö, not Lund")
    assert talk.held() == {(HOME, "Malmö")}
    assert talk.past() == {(HOME, "Lund", "retracted")}
    (done,) = talk.memory.contradictions.list(VERA)
    assert (done.state, done.decision, done.gate_path) == (
        "resolved", "user_stated", "direct_correction",
    )  # fmt: skip
    assert (done.stored_value, done.stated_value) == ("Lund", "Malmö")
    assert talk.rows("active")[0].valid_from == start
    talk.user = "imported"
    at = datetime(2024, 3, 1, tzinfo=UTC)
    talk.recount("I live in Lund", at)
    talk.recount("No, it's Malmö, not Lund", at + timedelta(days=1))
    assert talk.held() == {(HOME, "Malmö")}
    (done,) = talk.memory.contradictions.list("imported")
    assert (done.state, done.decision) == ("resolved", "user_stated")


@ON_ONE
def test_edits_and_deletions_with_a_model_are_read_anew(place: Place, server: ChatServer) -> None:
    """What the old text said is gone at once; the new text is read when there is a model."""
    talk = ModelTalk(place, server)
    talk.tell("I live in Lund")
    message = talk.memory.get_all(user_id=VERA).items[0]
    server.answer = answer(stated("I live in Kiel", HOME, "Kiel"))
    talk.memory.update(message.id, text="I live in Kiel")
    assert talk.rows() == []
    assert talk.memory.flush(VERA).read == 1
    assert talk.held() == {(HOME, "Kiel")}
    talk.memory.delete(message.id)
    assert talk.rows() == []
    assert talk.memory.flush(VERA).read == 0
    assert len(server.calls) == 2


def test_a_message_edited_while_it_is_read_is_read_again(place: Place, server: ChatServer) -> None:
    """A reading of an old text is not written; nor one of a deleted message."""
    talk = ModelTalk(place, server, embedder=None)
    message, other = (
        talk.memory.add(text, user_id=VERA).messages[0] for text in ("I live in Lund", "I love tea")
    )
    answers = [
        answer(
            stated("I live in Lund", HOME, "Lund"),
            stated("I love tea", LIKES, "tea", message=2, cardinality="many"),
        ),
        answer(stated("I live in Kiel", HOME, "Kiel")),
    ]

    def reply(_: object) -> str:
        if len(answers) == 2:
            beside = Talk(place, settings=Settings(background=False, reading="auto"), llm=None)
            beside.memory.delete(other.id)
            beside.memory.close()
            again = ModelTalk(place, server, embedder=None)
            again.memory.update(message.id, text="I live in Kiel")
            again.memory.close()
        return answers.pop(0)

    server.answer = reply
    talk.memory.flush(VERA)
    talk.memory.flush(VERA)
    assert talk.held() == {(HOME, "Kiel")}
    assert talk.past() == set()
    assert "tea" not in talk.shown("tea")


@ON_ONE
def test_a_reading_that_fails_is_seen_and_repaired(place: Place, server: ChatServer) -> None:
    """Down, slow, wrong, cut off: by flush, across processes, and never twice."""
    slow = Settings(background=False, llm_url=server.url, time_limits="llm=0.3")
    talk = Talk(place, llm="shades", settings=slow, embedder=None)
    server.script(*[Reply(delay_s=1.5, text=LUND)] * 4)
    talk.say("I live in Lund")
    done = talk.memory.flush(VERA, timeout_s=20)
    assert (done.read, done.failed) == (0, 1)
    assert "did not answer" in done.reasons[0]
    assert talk.rows() == []
    assert talk.memory.get_all(user_id=VERA).total == 1
    talk.memory.close()
    server._script.clear()
    again = ModelTalk(place, server, embedder=None)
    again.clock.set(talk.clock.now())
    server.script(Reply(text=LUND, finish="length"))
    (reason,) = again.memory.flush(VERA).reasons
    assert "cap" in reason
    assert again.rows() == []
    assert again.memory.flush(VERA).read == 1
    assert again.held() == {(HOME, "Lund")}
    assert again.rows()[0].mentions == 1
    assert again.memory.flush(VERA).read == 0


@ON_ONE
def test_a_flush_that_runs_out_of_time_says_what_is_left(place: Place, server: ChatServer) -> None:
    talk = ModelTalk(place, server, embedder=None)
    server.script(Reply(delay_s=3, text=LUND))
    talk.say("I live in Lund")
    done = talk.memory.flush(VERA, timeout_s=0.3)
    assert (done.read, done.pending) == (0, 1)
    assert talk.rows() == []
    assert talk.memory.flush(VERA).read == 1
    assert talk.held() == {(HOME, "Lund")}


@ON_ONE
def test_rules_take_over_what_no_model_read(place: Place, server: ChatServer) -> None:
    """What is unread is in the store: whoever opens it next reads it, once."""
    talk = ModelTalk(place, server, embedder=None)
    talk.memory.add(["I live in Lund", "I love tea"], user_id=VERA)
    talk.memory.close()
    rules = Talk(place, embedder=None)
    rules.clock.set(talk.clock.now())
    assert rules.memory.flush(VERA).read == 2
    assert rules.held() == {(HOME, "Lund"), (LIKES, "tea")}
    assert server.calls == []


@ON_ONE
def test_the_background_reads_full_batches_alone(place: Place, server: ChatServer) -> None:
    """Twelve messages, an ended session, or a pause; the caller does nothing."""
    talk = ModelTalk(place, server, embedder=None, settings=Settings())
    with talk.memory.session(user_id=VERA) as session:
        session.add("user", "I live in Lund")
    for _ in range(100):
        if talk.rows():
            break
        talk.memory.doctor()
        talk.clock.advance(60)
        _pause()
    assert talk.held() == {(HOME, "Lund")}
    assert len(server.calls) == 1


def _pause() -> None:
    """Let the background work."""
    threading.Event().wait(0.1)
