"""Imports with a model: batches across sessions, order, what is left out, faults, kills."""

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from backstory import AsyncMemory, Memory
from backstory.settings import Settings
from backstory.testing.chat_server import Call, ChatServer, Reply
from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.scripted import ModelTalk, judged, reads, stated
from tests.acceptance.talks import VERA

HOME = "home.place"
START = datetime(2020, 1, 1, tzinfo=UTC)
_TURN = re.compile(r"^- \[(\d+)\] \S+ \S+ user: (.*)$", re.MULTILINE)
_MOVED = re.compile(r"I moved to (\w+)")


def answer(call: Call) -> str:
    """What a model says that understands moves and burgers, and tells each session's towns."""
    if not reads(call):
        return judged()
    read = call.user.partition("## Turns to read\n")[2]
    turns = [(int(number), text) for number, text in _TURN.findall(read)]
    moves = [(number, text, found[1]) for number, text in turns if (found := _MOVED.search(text))]
    facts = [
        stated(text, HOME, town, message=number, changed=True, category="personal")
        for number, text, town in moves
    ]
    parts = re.split(r"^### Session \d+\n", read, flags=re.MULTILINE)
    towns = [", ".join(_MOVED.findall(part)) for part in parts if part]
    return json.dumps(
        {
            "facts": facts,
            "contradictions": [],
            "events": [],
            "moments": [
                {"message": number, "quote": text, "valence": -1, "arousal": 1, "tags": ["grief"]}
                for number, text, _ in moves
            ],
            "intentions": [],
            "entities": [
                {"message": number, "quote": text, "kind": "place", "name": town, "aliases": []}
                for number, text, town in moves
            ],
            "relations": [],
            "summaries": [
                {"session": number, "text": f"The user moved to {some}."}
                for number, some in enumerate(towns, start=1)
                if some
            ],
        }
    )


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(answer) as running:
        yield running


def settings_of(server: ChatServer, **options: Any) -> Settings:
    return Settings(llm_url=server.url, **{"background": False, **options})


def talk_of(place: Place, server: ChatServer, **options: Any) -> ModelTalk:
    """A talk whose model keeps its connections, as one does that is named in the settings."""
    settings = settings_of(server, **options)
    return ModelTalk(place, server, llm="openai:shades", settings=settings, embedder=None)


def bring(memory: Memory, sessions: int, each: int, user: str = VERA) -> list[str]:
    """Import sessions in which somebody moves with each message; gives the towns in order."""
    towns = []
    for session in range(sessions):
        with memory.session(user_id=user, session_id=f"s{session:03}", bulk_import=True) as handle:
            messages = []
            for number in range(each):
                place = session * each + number
                towns.append(f"Town{place:03}")
                messages.append(
                    {
                        "role": "user",
                        "content": f"I moved to {towns[-1]}",
                        "id": f"m{number}",
                        "timestamp": (START + timedelta(days=place)).isoformat(),
                    }
                )
            handle.add_many(messages)
    return towns


def chain(memory: Memory, user: str = VERA) -> list[str]:
    """The towns that were ever held, in order of when, each followed by the next without a gap."""
    rows = memory.facts.get(user, status="all", key=HOME, limit=10_000)
    rows.sort(key=lambda row: row.valid_from or START)
    for one, other in pairwise(rows):
        assert one.valid_until == other.valid_from
        assert one.mentions == 1
    return [row.value for row in rows]


def test_short_sessions_are_read_together_and_in_order(place: Place, server: ChatServer) -> None:
    """Whatever order the answers come in; each session has its summary, each town its time."""
    gate = threading.Lock()
    waits = iter([0.2, 0.0, 0.1, 0.0, 0.15] * 99)

    def slow(call: Call) -> Reply:
        with gate:
            wait = next(waits) if reads(call) else 0.0
        return Reply(text=answer(call), delay_s=wait)

    server.answer = slow
    talk = talk_of(place, server)
    towns = bring(talk.memory, sessions=12, each=5)
    done = talk.memory.flush(VERA)
    assert (done.read, done.failed, done.pending) == (60, 0, 0)
    assert len(server.calls) == 5  # messages in twelves, and not a call for each session
    assert chain(talk.memory) == towns
    for session in range(12):
        told = talk.memory.summaries.for_session(VERA, f"s{session:03}")
        assert told is not None
        assert told.made_by == "model:openai:shades"
        assert all(town in told.text for town in towns[session * 5 : session * 5 + 5])
        assert told.messages == 5
        assert told.known_from == START + timedelta(days=session * 5 + 4)
    assert talk.memory.emotions.get_recent(VERA, days=100_000) == []
    assert talk.memory.contradictions.list(VERA) == []


def test_an_import_that_is_run_again_reads_nothing_twice(place: Place, server: ChatServer) -> None:
    talk = talk_of(place, server)
    towns = bring(talk.memory, sessions=4, each=10)
    talk.memory.flush(VERA)
    calls, rows = len(server.calls), talk.rows()
    bring(talk.memory, sessions=4, each=10)
    assert talk.memory.flush(VERA).read == 0
    assert len(server.calls) == calls
    assert talk.rows() == rows
    assert chain(talk.memory) == towns


def test_what_is_stopped_goes_on_where_it_was(place: Place, server: ChatServer) -> None:
    """Only the calls that were running or not yet written are made again."""
    talk = talk_of(place, server)
    towns = bring(talk.memory, sessions=4, each=33)
    running = threading.Event()

    def halting(call: Call) -> Reply:
        late = re.search(r"moved to Town(?:09[6-9]|1)", call.user)
        if late:
            running.set()
        return Reply(text=answer(call), delay_s=600.0 if late else 0.0)

    server.answer = halting
    asyncio.run(_stopped(place, settings_of(server), running))
    stopped = [call for call in server.calls if reads(call)]
    assert 8 < len(stopped) <= 11
    again = talk_of(place, server)
    assert chain(again.memory) == towns[:96]
    server.answer = answer
    assert again.memory.flush(VERA).read == 36
    assert chain(again.memory) == towns
    assert len([call for call in server.calls if reads(call)]) == len(stopped) + 3


async def _stopped(place: Place, settings: Settings, running: threading.Event) -> None:
    """Flush, and stop it when the first batches are written and later ones are asked for."""
    written = asyncio.Event()
    options: Any = {"llm": "openai:shades", "settings": settings, "embedder": None}
    async with AsyncMemory(place.url, **options) as memory:
        flushing = asyncio.create_task(
            memory.flush(VERA, timeout_s=600.0, progress=lambda *_: written.set())
        )
        await asyncio.wait_for(written.wait(), 300)
        assert await asyncio.to_thread(running.wait, 300)
        flushing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await flushing


@ON_ONE
def test_a_service_that_asks_for_patience_gets_it(place: Place, server: ChatServer) -> None:
    """429 with Retry-After: all calls wait, nothing is lost, and no call is made in vain."""
    refused = [Reply(status=429, headers={"Retry-After": "1"})] * 3
    server.script(*refused)
    memory = talk_of(place, server).memory
    towns = bring(memory, sessions=5, each=12)
    done = memory.flush(VERA)
    assert (done.read, done.failed) == (60, 0)
    asked = [call.at_s for call in server.calls if reads(call)]
    assert len(asked) == 5 + len(refused)
    assert max(after - before for before, after in pairwise(asked)) > 0.5
    assert chain(memory) == towns


@ON_ONE
def test_one_bad_batch_costs_its_own_sessions_only(place: Place, server: ChatServer) -> None:
    """Two wrong answers: its messages wait, and those after it in their sessions."""
    spoiled: set[str] = set()

    def spoiling(call: Call) -> str:
        if "Town015" in call.user and len(spoiled) < 2:
            spoiled.add(str(len(server.calls)))
            return "I would rather not."
        return answer(call)

    server.answer = spoiling
    talk = talk_of(place, server)
    towns = bring(talk.memory, sessions=6, each=10)
    first = talk.memory.flush(VERA)
    assert first.failed == 12
    assert "no JSON" in first.reasons[0]
    assert chain(talk.memory) == towns[:12] + towns[30:]
    second = talk.memory.flush(VERA)
    assert (second.read, second.failed) == (18, 0)
    assert chain(talk.memory) == towns


@ON_ONE
def test_corrections_count_in_an_import(place: Place, server: ChatServer) -> None:
    """ "No, it's Malmö, not Lund", in another batch than what it corrects."""
    said = ["I live in Lund", *["ok then"] * 12, "No, it's Malmö, not Lund"]

    def reply(call: Call) -> str:
        if not reads(call):
            return judged()
        if "Malmö" in call.user.partition("## Turns to read")[2]:
            right = stated("it's Malmö, not Lund", HOME, "Malmö", act="correct", replaces="Lund")
            return json.dumps({"facts": [{**right, "message": None}]})
        lives = stated("I live in Lund", HOME, "Lund")
        return json.dumps({"facts": [lives]})

    server.answer = reply
    talk = talk_of(place, server)
    with talk.memory.session(user_id=VERA, session_id="old", bulk_import=True) as session:
        session.add_many(
            [
                {"role": "user", "content": text, "timestamp": START + timedelta(minutes=number)}
                for number, text in enumerate(said)
            ]
        )
    assert talk.memory.flush(VERA).reasons == ()
    assert talk.held() == {(HOME, "Malmö")}
    (done,) = talk.memory.contradictions.list(VERA)
    assert (done.state, done.decision) == ("resolved", "user_stated")


@ON_ONE
def test_the_background_reads_full_batches_of_an_import_while_it_goes_on(
    place: Place, server: ChatServer
) -> None:
    """The end of a session is no reason for a call; that nothing comes any more is one."""
    talk = talk_of(place, server, background=True)
    bring(talk.memory, sessions=5, each=5)
    for _ in range(1000):
        if len(talk.rows()) >= 24:
            break
        _pause()
    _pause()
    assert len(talk.rows()) == 24
    assert len([call for call in server.calls if reads(call)]) == 2
    talk.clock.advance(timedelta(minutes=6))
    for _ in range(400):
        if len(talk.rows()) == 25:
            break
        talk.memory.add("ok", user_id="somebody else")
        _pause()
    assert len(talk.rows()) == 25


@ON_ONE
def test_files_are_read_in_the_same_way(place: Place, server: ChatServer, tmp_path: Any) -> None:
    lines = [
        {
            "role": "user",
            "content": f"I moved to Town{number:03}",
            "session_id": f"s{number // 4}",
            "id": f"m{number}",
            "timestamp": (START + timedelta(days=number)).isoformat(),
        }
        for number in range(48)
    ]
    path = tmp_path / "chats.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    memory = talk_of(place, server).memory
    done = memory.import_file(path, user_id=VERA)
    assert done.imported == {"message": 48}
    told: list[int] = []
    assert memory.flush(VERA, progress=lambda read, total: told.append(read)).read == 48
    assert told[-1] == 48
    assert len([call for call in server.calls if reads(call)]) == 4
    assert chain(memory) == [f"Town{number:03}" for number in range(48)]


def _pause() -> None:
    """Let the background work."""
    threading.Event().wait(0.1)
