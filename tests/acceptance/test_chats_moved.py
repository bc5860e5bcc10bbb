"""Past chats come in from files of services: all of them, once, whatever happens on the way."""

import json
import signal
import zipfile
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from backstory import ImportItem, Memory
from backstory.errors import EmbeddingUnavailableError, InvalidInputError
from backstory.services.moving import foreign_records
from backstory.testing import HashEmbedder
from tests.acceptance.chat_files import FILES, MESSAGE_COUNTS, put, zipped
from tests.acceptance.places import ON_ONE, Place
from tests.counts import cases
from tests.unit.core.foreign.exports import MESSAGES, START, chatgpt, gpt, locomo, node
from tools import forked

# Imports as a program of its own; with a number, it is killed at once when so many are done.
PROGRAM = """
import os, signal, sys
from backstory import Memory
from backstory.testing import HashEmbedder

url, path, most = sys.argv[1], sys.argv[2], int(sys.argv[3])

def told(done, total):
    if most and done >= most:
        os.kill(os.getpid(), signal.SIGKILL)

with Memory(url, embedder=HashEmbedder()) as memory:
    done = memory.import_file(path, user_id="vera", progress=told)
    print(done.imported.get("message", 0), done.problem_count)
"""


def said(memory: Memory, user_id: str = "vera") -> list[tuple[str, str | None, str]]:
    page = memory.get_all(user_id=user_id, limit=1000)
    return [(m.session_id, m.message_id, m.text) for m in page.items]


def long_chats(count: int, turns: int) -> list[dict[str, Any]]:
    """Many conversations of one service."""
    found = []
    for number in range(count):
        tree = {"root": node("root", None, None)}
        for turn in range(turns):
            role = "assistant" if turn % 2 else "user"
            text = f"Conversation {number} speaks of thing {turn}."
            at = START + 3600 * number + turn
            tree[f"n{turn}"] = node(
                f"n{turn}", f"n{turn - 1}" if turn else "root", gpt(f"m{turn}", role, text, at=at)
            )
        found.append(
            {"conversation_id": f"c{number}", "mapping": tree, "current_node": f"n{turns - 1}"}
        )
    return found


def start(place: Place, path: Path, most: int = 0) -> forked.Forked:
    return forked.start(PROGRAM, place.url, str(path), str(most))


@pytest.mark.parametrize("name", FILES)
def test_each_format_is_recognised_and_comes_in_once(
    place: Place, tmp_path: Path, name: str
) -> None:
    memory = place.open()
    path = put(tmp_path, FILES[name])
    trial = memory.import_file(path, user_id="vera", dry_run=True)
    assert memory.users() == []
    first = memory.import_file(path, user_id="vera")
    assert (first.format, dict(first.imported)) == (name, {"message": MESSAGE_COUNTS[name]})
    assert (trial.imported, trial.left_out) == (first.imported, first.left_out)
    assert (trial.undated, trial.dry_run) == (first.undated, True)
    assert first.problem_count == 0
    before = said(memory)
    again = memory.import_file(path, name, user_id="vera")
    assert (dict(again.imported), again.skipped) == ({}, first.imported)
    assert memory.import_file(path, user_id="vera", dry_run=True).skipped == first.imported
    assert said(memory) == before
    assert all(session.ended_at is not None for session in memory.sessions("vera"))


@ON_ONE
def test_a_dry_run_names_the_speaker_that_an_import_fills_in(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    talk = locomo()
    for session in ("session_2", "session_10"):
        for turn in talk["conversation"][session]:
            del turn["speaker"]
    path = put(tmp_path, [talk])
    first = memory.import_file(path)
    again = memory.import_file(path, dry_run=True)
    assert (first.problem_count, again.problem_count) == (0, 0)
    assert again.skipped == first.imported


def test_what_is_kept_of_a_chat(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    items: list[ImportItem] = []
    done = memory.import_file(put(tmp_path, [chatgpt()]), user_id="vera", each=items.append)
    session = memory.sessions("vera")[0]
    assert session.id == "c-1"
    assert session.metadata == {"title": "Sourdough", "source": "chatgpt"}
    at = datetime.fromtimestamp(START, UTC)
    assert (session.started_at, session.ended_at) == (at, at + timedelta(seconds=10))
    first = memory.get_all(user_id="vera").items[0]
    assert first.timestamp == first.known_from == at
    assert done.undated == 1
    assert sum(done.left_out.values()) == 4
    assert Counter(str(item.outcome) for item in items) == {"stored": 4, "left out": 4}
    assert {item.id for item in items} == {"m0", "m1", "m2", "m2b", "m3", "m4", "m5", "m6"}
    assert memory.search("Bubbles", user_id="vera")[0].text == "My starter is called Bubbles."


@ON_ONE
def test_two_people_and_whose_memory_it_is(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    second = {**locomo(), "sample_id": "pair-2"}
    path = put(tmp_path, [locomo(), second])
    with pytest.raises(InvalidInputError, match="names 2 users"):
        memory.import_file(path)
    done = memory.import_file(path, user_id="pair-2")
    assert (done.imported, done.problem_count) == ({"message": 3}, 3)
    assert {name for name, _, _ in said(memory, "pair-2")} == {
        "pair-2/session_2",
        "pair-2/session_10",
    }
    only = put(tmp_path, [locomo()])
    assert memory.import_file(only).user_id == "pair-1"
    assert [s.speaker for s in memory.sessions("pair-1")] == ["Tove", "Tove"]


@ON_ONE
def test_archives(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    later = {**chatgpt(), "conversation_id": "c-2"}
    path = zipped(
        tmp_path,
        {
            "export/user.json": {"id": "u"},
            "export/conversations.json": [chatgpt()],
            "__MACOSX/export/conversations.json": b"junk",
            "../../sub/conversations.json": [later],
        },
    )
    done = memory.import_file(path, user_id="vera")
    assert (done.format, dict(done.imported)) == ("chatgpt", {"message": 8})
    assert {session for session, _, _ in said(memory)} == {"c-1", "c-2"}
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == []


@ON_ONE
def test_parts_of_an_archive_are_read_in_order(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    chats = long_chats(12, 1)
    path = tmp_path / "parts.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in reversed(range(12)):
            archive.writestr(f"conversations-{number}.json", json.dumps([chats[number]]))
    memory.import_file(path, user_id="vera")
    assert [session for session, _, _ in said(memory)] == [f"c{n}" for n in range(12)]


def test_bad_records_and_strange_text_cost_no_other(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    lines = [
        b"\xef\xbb\xbf" + json.dumps(MESSAGES[0]).encode(),
        b'{"role": "user", "content": "half of a \\ud83d pair and a \\u0000", "session_id": "s"}',
        b'{"role": "user", "content": "\xff\xfe"}',
        b'{"role": "user", "content": "cut off',
        b"",
        b'{"role": "user", "content": "naive", "timestamp": "2025-01-01T00:00:00"}',
        b'{"role": "user", "content": "a\tb", "session_id": "s"}',
        b'{"role": "user", "content": "  "}',
        b'{"role": "user", "content": "Other.", "id": "b1", "session_id": "hive"}',
    ]
    path = tmp_path / "chat.jsonl"
    path.write_bytes(b"\n".join(lines))
    done = memory.import_file(path, user_id="vera")
    assert [problem.position for problem in done.problems] == [3, 4, 6, 9]
    assert done.imported == {"message": 3}
    assert done.left_out == {"message without text": 1}
    texts = [text for _, _, text in said(memory)]
    assert texts == ["I keep bees.", "half of a \ufffd pair and a \ufffd", "a\tb"]


@ON_ONE
def test_a_file_that_is_cut_off_gives_what_is_whole(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    whole = json.dumps(long_chats(5, 2))
    path = tmp_path / "conversations.json"
    path.write_text(whole[: int(len(whole) * 0.7)], encoding="utf-8")
    done = memory.import_file(path, user_id="vera")
    assert done.imported == {"message": 6}
    assert done.problem_count == 1
    assert "what stands behind it was not read" in done.problems[0].reason


def test_a_killed_import_goes_on(place: Place, tmp_path: Path) -> None:
    count = cases(180, 360)
    path = put(tmp_path, long_chats(count // 9, 9))
    assert start(place, path, most=100).finish().returncode == -signal.SIGKILL
    memory = place.open()
    left = len(said(memory))
    assert 100 <= left < count
    done = memory.import_file(path, user_id="vera")
    assert (done.imported["message"], done.skipped["message"]) == (count - left, left)
    assert done.pending == 0
    found = said(memory)
    assert len({name[:2] for name in found}) == len(found) == count


def test_what_was_stored_and_not_read_is_read(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    path = put(tmp_path, [{**MESSAGES[0], "content": "I live in Umea."}])
    memory.import_file(path, user_id="vera", infer=False)
    assert memory.facts.get("vera") == []
    place.sql("UPDATE messages SET needs_reading = true, needs_vector = true")
    done = memory.import_file(path, user_id="vera")
    assert (dict(done.imported), done.pending) == ({}, 0)
    assert [fact.value for fact in memory.facts.get("vera")] == ["Umea"]


class Tired(HashEmbedder):
    """Refuses every call, as a service does that is asked too often."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbeddingUnavailableError(f"not now: {len(texts)} texts")


@ON_ONE
def test_what_cannot_be_embedded_is_stored_and_owed(place: Place, tmp_path: Path) -> None:
    path = put(tmp_path, long_chats(3, 5))
    tired = place.open(embedder=Tired())
    done = tired.import_file(path, user_id="vera")
    assert (done.imported, done.pending) == ({"message": 15}, 15)
    assert len(said(tired)) == 15
    assert tired.search("thing 3", user_id="vera")[0].text.endswith("thing 3.")
    tired.close()
    again = place.open().import_file(path, user_id="vera")
    assert (again.skipped, again.pending) == ({"message": 15}, 0)


def test_two_imports_of_one_file_at_once(place: Place, tmp_path: Path) -> None:
    place.open().users()
    count = 8 * cases(8, 40)
    path = put(tmp_path, long_chats(count // 8, 8))
    both = [start(place, path) for _ in range(2)]
    counts = []
    for process in both:
        ended = process.finish()
        assert ended.returncode == 0, ended.stderr
        added, problems = map(int, ended.stdout.split())
        assert problems == 0
        counts.append(added)
    assert sum(counts) == count
    found = said(place.open())
    assert len({name[:2] for name in found}) == len(found) == count


def test_memories_that_two_processes_import_are_there_once(place: Place, tmp_path: Path) -> None:
    place.open().users()
    listed = [{"id": str(n), "memory": f"Owns {n} boats", "user_id": "vera"} for n in range(150)]
    path = put(tmp_path, {"results": listed})
    both = [start(place, path) for _ in range(2)]
    for process in both:
        ended = process.finish()
        assert ended.returncode == 0, ended.stderr
    facts = place.open().facts.get("vera", key="imported.memory", status="all", limit=1000)
    assert sorted(fact.value for fact in facts) == sorted(one["memory"] for one in listed)


def test_a_large_file_is_read_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign_records, "MOST_RECORD_CHARS", 20_000)
    monkeypatch.setattr(foreign_records, "_PIECE", 1000)
    path = put(tmp_path, long_chats(20, 3))
    assert path.stat().st_size > 20_000
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        done = memory.import_file(path, user_id="vera", infer=False)
        assert done.imported == {"message": 60}
        large = put(tmp_path, long_chats(1, 60), "large.json")
        with pytest.raises(InvalidInputError, match="more than 20,000 characters"):
            memory.import_file(large, user_id="vera")
