"""Reported failures of other systems: what a model answers, and what it costs."""

import json
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from math import ceil
from typing import Any

import pytest

from backstory.core.tokens import token_upper_bound
from backstory.reading.prompts.facts import EXAMPLE_NAMES
from backstory.settings import Settings
from backstory.storage.tables import build_tables
from backstory.testing.chat_server import ChatServer, Reply
from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.scripted import ModelTalk, by_turn, judged, reads, stated, turns_of
from tests.acceptance.talks import VERA, Talk
from tests.counts import cases
from tests.unit.reading.llm_help import answer, fact

CELLO = "I play the cello"
PLAYS = {("hobby.instrument", "the cello")}
GOOD = answer(fact())


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(GOOD) as running:
        yield running


def test_a_model_by_its_name_and_address_reads_in_the_background(
    place: Place, server: ChatServer
) -> None:
    """A batch is one call; nothing of it delays add, search or context."""
    settings = Settings(llm_url=server.url)
    talk = Talk(place, llm="openai:gpt-test", settings=settings, embedder=None)
    result = talk.say(CELLO)
    assert (result.facts, result.degraded) == ((), None)
    done = talk.memory.flush(talk.user)
    assert (done.read, done.failed, done.reasons) == (1, 0, ())
    assert talk.held() == PLAYS
    assert len(server.calls) == 1
    assert talk.memory.flush(talk.user).read == 0
    assert len(server.calls) == 1


@ON_ONE
def test_calls_are_bounded_by_messages(place: Place, server: ChatServer) -> None:
    """BUG-052: one call for twelve messages, whatever they are; none to search."""
    talk = ModelTalk(place, server, embedder=None)
    server.answer = answer()
    for count in (1, 12, 13, 30):
        before = len(server.calls)
        talk.user = f"user {count}"
        talk.tell(*(f"I saw heron number {n}" for n in range(count)))
        assert len(server.calls) - before == ceil(count / 12)
    before = len(server.calls)
    talk.shown("heron")
    talk.memory.context(talk.user, "heron")
    talk.memory.facts.find_similar("heron", user_id=talk.user)
    talk.memory.contradictions.list_open(talk.user)
    assert len(server.calls) == before


def test_the_prompt_does_not_grow_with_the_store(place: Place, server: ChatServer) -> None:
    """BUG-052: fifty facts, or ten thousand of them; the nearest are named, not all."""
    server.answer = answer()
    sizes = []
    times = cases(40, 200)
    talk = ModelTalk(place, server, embedder=None)
    for n in range(50):
        talk.state(f"thing.number_{n:05d}", f"a heron {n:05d} of stone")
    for copies in (0, times - 1):
        _copy_facts(place, copies)
        again = ModelTalk(place, server, embedder=None)
        again.tell("I saw a heron")
        sizes.append(server.calls[-1].tokens)
    assert len(again.rows()) == 50 * times
    assert sizes[1] - sizes[0] < 40 * 30  # the same forty lines, of longer keys
    assert max(sizes) < 12_000
    assert len(server.calls) == 2


def _copy_facts(place: Place, copies: int) -> None:
    """Multiply the stored facts, under other ids, keys and slots."""
    made = {
        "id": "id || '-' || n",
        "key": "key || '_' || n",
        "seq": "1000 * n + seq",
        "change_no": "1000 * n + change_no",
        "slot_hash": "id || 's' || n",
        "identity_hash": "id || 'i' || n",
    }
    columns = build_tables().metadata.tables["facts"].c.keys()
    chosen = ", ".join(made.get(name, name) for name in columns)
    counted = f"SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < {copies}"  # noqa: S608
    place.sql(
        f"WITH RECURSIVE counted(n) AS ({counted}) INSERT INTO facts ({', '.join(columns)}) "  # noqa: S608
        f"SELECT {chosen} FROM facts, counted WHERE n > 0"
    )


@ON_ONE
def test_reasoning_and_a_fence_around_the_answer(place: Place, server: ChatServer) -> None:
    """BUG-046: the fact is stored; of an answer that is not closed the message is kept."""
    thought = '<think>Is {"facts": []} right? {not yet}</think>\n'
    server.script(f"{thought}```json\n{GOOD}\n```\nHope this helps!")
    talk = ModelTalk(place, server)
    assert talk.tell(CELLO) == []
    assert talk.held() == PLAYS
    open_thought = f"<think>{GOOD}"
    server.script(open_thought, open_thought)
    said = "And I play the harp"
    (reason,) = talk.tell(said)
    assert "not closed" in reason
    assert talk.held() == PLAYS
    assert talk.memory.search("harp", user_id=VERA, kind="messages")[0].text == said
    harp = stated(said, "hobby.instrument", "the harp", cardinality="many")
    server.answer = answer(harp)
    assert talk.memory.flush(VERA).read == 1
    assert talk.held() == PLAYS | {("hobby.instrument", "the harp")}


CLEAR: list[str] = [
    json.dumps([fact()]),
    json.dumps({"result": {"facts": [fact()]}}),
    answer(fact(subject=None, entity_name="user")),
]
UNCLEAR: list[tuple[str, str]] = [
    ("null", "null"),
    ('{"facts": "none"}', "'facts'"),
    (answer(fact(), fact(act=None)), "facts[1].act"),
    (answer(fact(), {"event": "ADD"}), "facts[1]"),
    ('{"facts": [{"key": "hobby.instrument"}]}', "facts[0]"),
    (GOOD[:-4], "not finished"),
    ("", "empty"),
    ("I am sorry, I can't do that.", "no JSON"),
]


@ON_ONE
def test_shapes_are_taken_or_refused_whole(place: Place, server: ChatServer) -> None:
    """BUG-050: one message for each reply; an error names the field, half a record is never."""
    talk = ModelTalk(place, server, embedder=None)
    for number, text in enumerate(CLEAR):
        talk.user = f"clear {number}"
        server.script(text)
        assert talk.tell(CELLO) == [], text
        assert talk.held() == PLAYS, text
    for number, (text, names) in enumerate(UNCLEAR):
        talk.user = f"unclear {number}"
        server.script(text, text)
        (reason,) = talk.tell(CELLO)
        assert names in reason, text
        assert talk.rows() == [], text
        assert talk.memory.get_all(user_id=talk.user).total == 1
        assert talk.memory.flush(talk.user).read == 1
        assert talk.held() == PLAYS, text


@ON_ONE
@pytest.mark.parametrize(
    ("reply", "names"),
    [
        (Reply(status=500), "500"),
        (Reply(status=429, headers={"Retry-After": "0"}), "429"),
        (Reply(status=401, text="bad key"), "401"),
        (Reply(cut=True, text=GOOD), ""),
        (Reply(text=GOOD, finish="length"), "cap"),
        (Reply(text="", finish="content_filter"), ""),
        (Reply(body=b"<html>busy</html>", content_type="text/html"), ""),
    ],
)
def test_a_model_that_fails_loses_nothing(
    place: Place, server: ChatServer, reply: Reply, names: str
) -> None:
    """Messages are kept, nothing is half stored, the reason is shown, a later flush repairs it."""
    talk = ModelTalk(place, server, embedder=None)
    server.script(*[reply] * 4)
    (reason,) = talk.tell(CELLO, "I saw a heron")
    assert reason
    assert names in reason
    assert talk.rows() == []
    assert talk.memory.search("cello", user_id=VERA, kind="messages")[0].text == CELLO
    assert "cello" in talk.memory.context(VERA, "cello").text
    assert len(server.calls) <= 4
    server._script.clear()
    done = talk.memory.flush(VERA)
    assert (done.read, done.failed) == (2, 0)
    assert talk.held() == PLAYS
    assert talk.rows()[0].mentions == 1


def test_one_bad_batch_holds_up_no_other_user(place: Place, server: ChatServer) -> None:
    """And what follows in its own session is read in order once it is repaired."""
    talk = ModelTalk(place, server, embedder=None)
    talk.memory.add(CELLO, user_id="anna")
    talk.memory.add(CELLO, user_id=VERA)
    server.script("no", "no")
    done = talk.memory.flush()
    assert (done.read, done.failed) == (1, 1)
    assert len(done.reasons) == 1
    done = talk.memory.flush()
    assert (done.read, done.failed) == (1, 0)
    assert talk.held() == PLAYS


@ON_ONE
def test_a_wait_that_is_asked_for_is_kept(place: Place, server: ChatServer) -> None:
    """BUG-061: the same for the model."""
    talk = ModelTalk(place, server, embedder=None)
    server.script(Reply(status=429, headers={"Retry-After": "1"}), Reply(status=503))
    assert talk.tell(CELLO) == []
    assert talk.held() == PLAYS
    waits = [two.at_s - one.at_s for one, two in pairwise(server.calls)]
    assert waits[0] >= 0.9
    assert len(server.calls) == 3


INVENTED: list[dict[str, Any]] = [
    fact(quote="I play the violin", value="the violin"),
    fact(value="the Violin"),
    fact(message=7, quote="I live in Oslo", key="home.place", value="Oslo"),
    fact(quote="You sing well", value="sing"),
    fact(subject="assistant", quote="I am Vega", key="personal.name", value="Vega"),
    *(fact(key="work.employer", value=name) for name in EXAMPLE_NAMES),
    *(
        fact(quote=f"I'm with {name} now", key="work.employer", value=name)
        for name in EXAMPLE_NAMES
    ),
    fact(subject="sister.qorbelle", key="hobby.instrument"),
]


@ON_ONE
def test_what_nobody_said_is_no_fact(place: Place, server: ChatServer) -> None:
    """BUG-114: invented quotes, values, people, and the examples of the prompt itself."""
    talk = ModelTalk(place, server, embedder=None)
    server.answer = answer(fact(), *INVENTED)
    talk.tell(CELLO, {"role": "assistant", "content": "I am Vega. You sing well."})
    assert talk.held() == PLAYS
    assert talk.subjects() == {"user"}
    shown = talk.shown().casefold()
    for name in (*EXAMPLE_NAMES, "violin", "Oslo"):
        assert name.casefold() not in shown
    system = server.calls[0].system
    assert all(name in system for name in EXAMPLE_NAMES)
    server.answer = answer(*INVENTED[-9:])
    for _ in range(5):
        talk.tell("ok", "hm, let me see", "2026-01-05 INFO listening on port 80")
    assert talk.held() == PLAYS


def test_ids_that_a_model_makes_up_lead_nowhere(place: Place, server: ChatServer) -> None:
    """Hallucinated ids: of facts, of messages, of users; each is refused, the rest is kept."""
    talk = ModelTalk(place, server)
    talk.tell(CELLO)
    (cello,) = talk.rows()
    wrong = {"message": 1, "quote": "I saw a heron", "known": 99, "why": "no such fact"}
    harp = stated("I play the harp", "hobby.instrument", "the harp", cardinality="many", message=2)
    server.answer = json.dumps(
        {
            "facts": [
                harp | {"id": cello.id, "fact_id": cello.id, "user_id": "somebody"},
                stated("I saw a heron", "work.role", "heron", message=99),
                stated("nothing", "hobby.instrument", "the cello", act="end", message=40),
            ],
            "contradictions": [wrong, wrong | {"known": 0}, wrong | {"known": None}],
        }
    )
    talk.tell("I saw a heron", "I play the harp")
    assert talk.held() == PLAYS | {("hobby.instrument", "the harp")}
    assert talk.memory.get(cello.id).to_dict()["status"] == "active"
    assert talk.memory.contradictions.list(talk.user) == []
    assert talk.memory.facts.get("somebody", status="all") == []


SCRIPTS: list[tuple[str, str, str, str]] = [
    ("我十月要搬到里斯本", "home.place", "里斯本", "Lisbon"),
    ("来月から大阪で働きます", "work.place", "大阪", "Osaka"),
    ("أسكن في عمّان منذ سنتين", "home.place", "عمّان", "amman"),
    ("я живу в Твери", "home.place", "Твери", "tver"),
]


@ON_ONE
def test_a_fact_is_in_the_language_of_its_message(place: Place, server: ChatServer) -> None:
    """BUG-040: a translation is refused with its reason; names and directions are kept."""
    talk = ModelTalk(place, server)
    for number, (text, key, value, translated) in enumerate(SCRIPTS):
        talk.user = f"user {number}"
        server.answer = answer(stated(text, key, translated, language="en"))
        talk.tell(text)
        assert talk.rows() == [], text
        server.answer = answer(stated(text, key, value))
        talk.tell(text)
        assert talk.held() == {(key, value)}, text
        assert translated not in talk.shown(value)
        assert value in "".join(talk.fact_lines(value))
        assert value in talk.exported()
        (row,) = talk.rows()
        assert row.evidence[0].quote == text


@ON_ONE
def test_relative_dates_of_a_model_count_from_the_message(place: Place, server: ChatServer) -> None:
    """BUG-030: the words are the model's, the date is ours; what is no date is none."""
    talk = ModelTalk(place, server, embedder=None)
    moved = "I moved to Lisbon last week"
    server.answer = answer(stated(moved, "home.place", "Lisbon", since="last week", changed=True))
    talk.tell({"role": "user", "content": moved, "timestamp": "2022-09-14T10:00Z"})
    (fact_,) = talk.rows()
    assert fact_.valid_from is not None
    assert "2022-09-05" <= f"{fact_.valid_from:%F}" <= "2022-09-12"
    assert talk.held() == {("home.place", "Lisbon")}


@ON_ONE
def test_the_judge_is_asked_seldom(place: Place, server: ChatServer) -> None:
    """At most 0.1 calls for each message, even where each message names another value."""
    towns = [f"Town{n}" for n in range(24)]
    server.answer = by_turn(
        lambda number, text: (
            [stated(text, "home.place", text.rpartition(" ")[2], message=number)]
            if text.startswith("I live in")
            else []
        )
    )
    talk = ModelTalk(place, server, embedder=None)
    talk.tell(*(f"I live in {town}" for town in towns))
    judging = [call for call in server.calls if not reads(call)]
    assert len(judging) <= 0.1 * len(towns)
    assert len(server.calls) - len(judging) == 2


@ON_ONE
@pytest.mark.parametrize("down", [Reply(status=500), Reply(text="no"), Reply(text=judged())])
def test_a_judge_that_says_nothing_stops_no_write(
    place: Place, server: ChatServer, down: Reply
) -> None:
    """It fails open: both values are there, and the contradiction says why."""
    talk = ModelTalk(place, server, embedder=None)
    server.answer = lambda call: (
        down
        if not reads(call)
        else answer(stated("I live in Lund", "home.place", "Lund"))
        if "I live in Lund" in str(turns_of(call))
        else answer(stated("I live in Kiel", "home.place", "Kiel"))
    )
    assert talk.tell("I live in Lund") == []
    assert talk.tell("I live in Kiel") == []
    assert talk.held() == {("home.place", "Lund"), ("home.place", "Kiel")}
    (doubt,) = talk.memory.contradictions.list_open(VERA)
    assert doubt.gate_path in {"judge_unavailable", "judge_separate", "same_key"}
    assert doubt.gate_reason


def test_what_is_compatible_is_one_fact(place: Place, server: ChatServer) -> None:
    """The merge gate: a verdict that merges bumps the mention, and raises nothing."""
    talk = ModelTalk(place, server, embedder=None)
    server.answer = lambda call: (
        judged(compatible=True)
        if not reads(call)
        else answer(stated("at Halden", "work.employer", "Halden"))
        if "I work at Halden" in str(turns_of(call))
        else answer(stated("for the Halden people", "work.employer", "the Halden people"))
    )
    talk.tell("I work at Halden")
    talk.tell("I work for the Halden people")
    assert talk.held() == {("work.employer", "Halden")}
    assert talk.rows()[0].mentions == 2
    assert talk.memory.contradictions.list(VERA) == []


@ON_ONE
def test_the_tokens_of_a_prompt_are_bounded(place: Place, server: ChatServer) -> None:
    """Long messages are read in parts, each within its bound, and no part is left out."""
    server.answer = answer()
    talk = ModelTalk(place, server, embedder=None)
    long = "We went along the river and back. " * 1500 + CELLO
    talk.clock.advance(timedelta(minutes=1))
    talk.tell(long)
    assert len(server.calls) == ceil(len(long) / 12_000)
    fixed = token_upper_bound(server.calls[0].system)
    assert all(call.tokens - fixed < 12_000 for call in server.calls)
    assert CELLO in server.calls[-1].user
