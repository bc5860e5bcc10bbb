"""Reported failures of other systems: writes that were lost, doubled, blocked or half done."""

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

from backstory import AsyncMemory, Memory
from backstory.errors import ConflictError, EmbeddingDimensionError, StoreError
from backstory.testing import HashEmbedder
from tests.acceptance.places import Place, message_of, versions_of
from tests.counts import cases
from tests.embedders import HeldEmbedder
from tools import forked

WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from backstory import Memory
url, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Memory(url, embedder=None) as memory:
    def write(n):
        own = {"role": "user", "content": f"{name} {n}", "id": f"{name}-{n}"}
        same = {"role": "user", "content": "My dog is called Bolt", "id": "same"}
        memory.add(own, user_id="u", session_id="s")
        memory.add(same, user_id="u", session_id="s")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(count)))
"""


def test_the_store_takes_the_dimension_of_the_embedder(place: Place) -> None:
    """BUG-053: no setting; another size from the same model is an error at opening."""
    first = place.open(embedder=HashEmbedder(dimensions=768))
    first.add("the code word is marigold", user_id="u")
    assert first.search("marigold", user_id="u")
    first.close()
    with pytest.raises(EmbeddingDimensionError, match=r"768.*1536"):
        place.open(embedder=HashEmbedder(dimensions=1536))
    again = place.open(embedder=HashEmbedder(dimensions=768))
    assert again.search("marigold", user_id="u")[0].text == "the code word is marigold"


def test_a_vector_that_cannot_be_stored_is_reported(place: Place) -> None:
    """BUG-057: the messages are stored, the failure has a reason, and a flush repairs it."""
    memory = place.open(embedder=HashEmbedder(fail_times=10))
    result = memory.add(["fact one", "fact two", "fact three"], user_id="u")
    assert result.pending == 3
    assert result.degraded
    assert [message_of(memory, message.id).text for message in result.messages] == [
        "fact one", "fact two", "fact three",
    ]  # fmt: skip
    assert {hit.text for hit in memory.search("fact", user_id="u")} == {
        "fact one", "fact two", "fact three",
    }  # fmt: skip
    for _ in range(10):
        flushed = memory.flush("u")
    assert (flushed.pending, flushed.failed) == (0, 0)
    assert memory.doctor().ok


def test_a_refused_batch_stores_nothing_at_all(place: Place) -> None:
    """BUG-057: one row that the database refuses takes the whole call with it, loudly."""
    memory = place.open()
    lift = place.refuse("messages", "INSERT", "NEW.text = 'fact two'")
    with pytest.raises(StoreError):
        memory.add(["fact one", "fact two", "fact three"], user_id="u")
    assert memory.search("fact", user_id="u") == []
    assert memory.get_all(user_id="u").total == 0
    lift()
    assert len(memory.add(["fact one", "fact two", "fact three"], user_id="u").messages) == 3


def test_the_answer_says_what_was_stored(memory: Memory) -> None:
    """BUG-059: nothing is extracted, the message is there all the same."""
    result = memory.add("The meeting moved to room 5", user_id="u")
    assert len(result.messages) == 1
    assert memory.search("meeting room", user_id="u")[0].id == result.messages[0].id


def test_the_same_message_from_many_threads_is_stored_once(place: Place) -> None:
    """BUG-063 for messages; both processes use the same id."""
    memory = place.open()
    message = {"role": "user", "content": "My dog is called Bolt", "id": "m1"}

    def add(_: int) -> Any:
        return memory.add(message, user_id="u", session_id="s").messages[0]

    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(add, range(20)))
    assert len({result.id for result in results}) == 1
    assert sum(result.created for result in results) == 1
    assert memory.get_all(user_id="u").total == 1


def test_without_an_id_every_call_is_a_new_message(memory: Memory) -> None:
    """BUG-063: "ok" twice is two messages."""
    memory.add(["ok", "ok"], user_id="u")
    memory.add("ok", user_id="u")
    assert memory.get_all(user_id="u").total == 3


def test_the_same_id_with_other_content_is_a_conflict(memory: Memory) -> None:
    """BUG-063: and nothing of that call is stored."""
    with memory.session(user_id="u", session_id="s") as session:
        session.add("user", "one", message_id="m1")
        with pytest.raises(ConflictError, match="m1"):
            session.add_many([{"role": "user", "content": "new", "id": "m2"},
                              {"role": "user", "content": "other", "id": "m1"}])  # fmt: skip
        with pytest.raises(ConflictError):
            session.add("assistant", "one", message_id="m1")
    assert [message.text for message in memory.get_all(user_id="u").items] == ["one"]
    elsewhere = memory.add({"role": "user", "content": "two", "id": "m1"}, user_id="u",
                           session_id="t")  # fmt: skip
    assert elsewhere.messages[0].created


def test_two_processes_share_one_store(place: Place) -> None:
    """BUG-063, BUG-065 and BUG-072: nothing lost, nothing double, no lock error, reads go on."""
    memory = place.open(embedder=None)
    count = cases(10, 25)
    with ThreadPoolExecutor(2) as pool:
        writers = [
            pool.submit(forked.run, WRITER, place.url, name, str(count)) for name in ("a", "b")
        ]
        while wait(writers, timeout=0.02).not_done:
            memory.search("dog", user_id="u")
    ended = [writer.result() for writer in writers]
    assert [writer.returncode for writer in ended] == [0, 0], ended
    texts = [message.text for message in memory.get_all(user_id="u", limit=1000).items]
    assert sorted(texts) == sorted(
        [f"{name} {n}" for name in "ab" for n in range(count)] + ["My dog is called Bolt"]
    )
    assert len(memory.sessions("u")) == 1


def test_an_update_that_fails_leaves_the_old_text(place: Place) -> None:
    """BUG-067."""
    memory = place.open()
    record = memory.add("the old text", user_id="u").messages[0]
    lift = place.refuse("messages", "UPDATE", "NEW.text = 'a new text'")
    with pytest.raises(StoreError):
        memory.update(record.id, text="a new text")
    assert message_of(memory, record.id).text == "the old text"
    assert memory.search("old text", user_id="u")[0].id == record.id
    assert len(versions_of(memory, record.id)) == 1
    lift()
    assert memory.update(record.id, text="a new text").id == record.id
    assert message_of(memory, record.id).text == "a new text"
    assert [version.text for version in versions_of(memory, record.id)] == [
        "the old text", "a new text",
    ]  # fmt: skip


def test_a_message_is_in_the_context_at_once(place: Place) -> None:
    """BUG-069: before any flush, with vectors still to be made in the background."""
    embedder = HashEmbedder(is_local=False, fail_times=1000)
    memory = place.open(embedder=embedder)
    memory.add(["Good morning", "My flight is at 18:40 today", "See you"], user_id="u")
    assert "18:40" in memory.context("u", "when is my flight").text
    assert "18:40" in memory.context("u", "when is my flight", sources=["recalled"]).text
    embedder.fail_times = 0
    memory.flush("u")
    assert memory.doctor().ok


def test_calls_wait_for_a_slow_embedder_alone(place: Place) -> None:
    """BUG-074 and BUG-076: no connection is held while vectors are made; the loop stays free."""

    async def run() -> None:
        slow = HeldEmbedder()
        async with AsyncMemory(place.url, embedder=slow) as memory:
            adds = [asyncio.create_task(memory.add(f"note {n}", user_id="u")) for n in range(10)]
            await slow.began.wait()
            await asyncio.sleep(0.3)  # the others come as far as they can
            listed = await memory.get_all(user_id="u")
            assert not any(add.done() for add in adds)
            slow.may_go_on.set()
            await asyncio.gather(*adds)
            assert listed.total <= (await memory.get_all(user_id="u")).total == 10

    asyncio.run(run())


def test_an_unfinished_vector_is_made_by_the_next_process(place: Place) -> None:
    """What is left to do is in the store: a process that stops early loses nothing."""
    first = place.open(embedder=HashEmbedder(is_local=False, fail_times=1000))
    record = first.add("the code word is marigold", user_id="u").messages[0]
    first.close()
    second = place.open()
    second.flush()
    hit = second.search("the code word is marigold", user_id="u", explain=True)[0]
    assert hit.id == record.id
    assert hit.why is not None
    assert hit.why.cosine == pytest.approx(1.0, abs=1e-3)


def test_another_process_sees_each_write_at_once(place: Place) -> None:
    """A cached user is never older than the database, whoever wrote."""
    one, two = place.open(), place.open()
    one.add("the code word is marigold", user_id="u")
    record = two.search("code word", user_id="u")[0]
    two.update(record.id, text="the code word is tulip")
    assert one.search("code word", user_id="u")[0].text == "the code word is tulip"
    one.delete(record.id)
    assert two.search("code word", user_id="u") == []


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_foreign_table_of_the_same_database_is_left_alone(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """A store can live in a database that exists, under a prefix."""
    is_file = kind == "sqlite"
    place = Place(str(tmp_path / "own.db") if is_file else request.getfixturevalue("postgres_url"))
    place.sql("CREATE TABLE messages (id INTEGER)")
    memory = Memory.from_config({"url": place.url, "table_prefix": "bs_", "embedder": "none"})
    with memory:
        memory.add("hello there", user_id="u")
        assert memory.search("hello", user_id="u")
    assert place.sql("SELECT count(*) FROM messages") == [(0,)]
    assert place.sql("SELECT count(*) FROM bs_messages") == [(1,)]


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Any) -> None:
    """One clear error, and nothing written."""
    path = tmp_path / "notes.db"
    path.write_bytes(b"just some notes, no database" * 100)
    with pytest.raises(StoreError, match="not a SQLite database"):
        Memory(path, embedder=None)
    assert path.read_bytes() == b"just some notes, no database" * 100
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(path).execute("SELECT 1 FROM sqlite_master")
