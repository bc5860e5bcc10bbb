"""After a deletion, the bytes of the text are in no file of the database and in no table."""

import asyncio
import random
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from backstory.core.location import Location
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import NOW, VERA, add, embed, into, said, vector_of
from backstory.testing.stores.records import edit

MARK = "xyzzy-secret"
OTHER = Scope("default", "other")


def secret(n: int, size: int = 40) -> str:
    """A text that can be found again wherever it is left."""
    return f"{MARK}-{n:05d}-" + "pad" * size


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def left_in(folder: Path, wanted: str = MARK) -> list[str]:
    """The files of a folder that hold a text."""
    return [name for name, data in files_of(folder).items() if wanted.encode() in data]


async def opened(folder: Path) -> SqlStore:
    """A store in a file."""
    store = make_store(Location("sqlite", str(folder / "memory.db")))
    await store.open(may_upgrade=True)
    return store


async def fill(store: SqlStore, count: int, seed: int = 0) -> list[Message]:
    """Secrets among other messages, of many sizes, partly edited and embedded."""
    choose = random.Random(seed)  # noqa: S311
    kept: list[Message] = []
    for n in range(count):
        long = choose.choice([0, 3, 30, 300, 3000])
        metadata = {"note": secret(n, 1)}
        given = said(secret(n, long), f"{MARK}-{n}", speaker=f"{MARK} name", metadata=metadata)
        kept += (await add(store, given, session=into(f"{MARK}-{n % 3}"))).messages
        await add(store, "public " + "word " * choose.randint(1, 400), scope=OTHER)
    await embed(store, kept)
    for message in choose.sample(kept, len(kept) // 2):
        changed = edit(secret(99, choose.choice([1, 50, 2000])), note=secret(98, 1))
        await store.messages.edit(VERA, message.id, changed, NOW)
    return kept


# With seed 111, rows that move between pages leave copies that secure_delete does not reach.
@pytest.mark.parametrize(("seed", "count"), [(0, 60), (1, 60), (111, 150)])
def test_nothing_is_left_in_the_files(tmp_path: Path, seed: int, count: int) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        kept = await fill(store, count, seed)
        assert left_in(tmp_path)
        for message in kept[:20]:
            await store.messages.delete(VERA, message.id)
        await store.messages.delete_all(VERA, f"{MARK}-1")
        assert left_in(tmp_path)
        await store.messages.delete_all(VERA, None)
        assert left_in(tmp_path) == []
        await store.close()
        assert left_in(tmp_path) == []

    asyncio.run(run())


def test_single_deletions_leave_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        texts = {m.id: m.text for m in await fill(store, 40)}
        for n, name in enumerate(texts):
            marker = f"{MARK}-{n:05d}"
            await store.messages.delete(VERA, name)
            assert left_in(tmp_path, marker) == []
        await store.close()

    asyncio.run(run())


def test_an_edit_leaves_nothing_once_the_message_is_deleted(tmp_path: Path) -> None:
    async def run() -> None:
        store = await opened(tmp_path)
        message = (await add(store, said(secret(1)))).messages[0]
        await embed(store, [message])
        for n in range(2, 30):
            await store.messages.edit(VERA, message.id, edit(secret(n, n * 40)), NOW)
        await store.messages.delete(VERA, message.id)
        assert left_in(tmp_path) == []
        vector = vector_of(message.text)
        assert vector not in b"".join(files_of(tmp_path).values())
        await store.close()

    asyncio.run(run())


def test_a_reader_puts_it_off_and_the_next_chance_takes_it(tmp_path: Path) -> None:
    async def run(how: str) -> None:
        store = await opened(tmp_path)
        await add(store, said(secret(1)))
        reader = sqlite3.connect(tmp_path / "memory.db")
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM messages").fetchone()[0] > 0
        await store.messages.delete_all(VERA, None)
        assert left_in(tmp_path) != []
        reader.close()
        if how == "tend":
            await store.tend()
        elif how == "write":
            await add(store, "something else", scope=OTHER)
        else:
            await store.close()
        assert left_in(tmp_path) == []
        await store.close()

    for how in ("tend", "write", "close"):
        asyncio.run(run(how))


def test_the_next_process_cleans_up_after_a_crash(tmp_path: Path) -> None:
    """A process that was killed after a deletion's commit left the text in the WAL."""

    async def run() -> None:
        store = await opened(tmp_path)
        await add(store, said(secret(1)))
        await store.close()
        path = tmp_path / "memory.db"
        crashed = sqlite3.connect(path, isolation_level=None)
        crashed.executescript("PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON")
        crashed.execute("UPDATE messages SET needs_vector = 0")
        crashed.execute("DELETE FROM sessions")
        files = files_of(tmp_path)
        crashed.close()
        assert not {name for name in files_of(tmp_path) if name.endswith("-wal")}
        for name, content in files.items():
            if not name.endswith("-shm"):
                (tmp_path / name).write_bytes(content)
        assert left_in(tmp_path) != []
        store = await opened(tmp_path)
        assert left_in(tmp_path) == []
        await store.close()

    asyncio.run(run())


def test_nothing_is_left_in_any_table_of_postgres(ready_postgres_url: str) -> None:
    def found(connection: Connection) -> list[str]:
        hits = []
        for table in inspect(connection).get_table_names():
            query = text(f"SELECT count(*) FROM {table} t WHERE t::text LIKE :secret")  # noqa: S608
            if connection.scalar(query, {"secret": f"%{MARK}%"}):
                hits.append(table)
        return hits

    async def run() -> None:
        store = make_store(Location("postgres", ready_postgres_url))
        await store.open(may_upgrade=True)
        kept = await fill(store, 12)
        before = await store.units.read(found)
        assert set(before) == {"messages", "message_revisions", "sessions"}
        for message in kept[:4]:
            await store.messages.delete(VERA, message.id)
        await store.messages.delete_all(VERA, None)
        assert await store.units.read(found) == []
        vectors = "SELECT count(*) FROM message_vectors WHERE user_id = 'vera'"
        assert await store.units.read(lambda c: c.scalar(text(vectors))) == 0
        await store.close()

    asyncio.run(run())
