"""After a deletion, nothing of a document is in any table or any file of the database."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from backstory.core.location import Location
from backstory.core.model.document import Draft
from backstory.core.model.entity import Entity, EntityState, Knower
from backstory.core.model.plot import PlotThread
from backstory.ports.documents import DocumentScope
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.storage.tables import build_tables
from backstory.testing.stores.base import NOW, generation, vector_of
from backstory.testing.stores.document_base import NOVEL, rewrite, write
from tests.integration.test_erasure import left_in

MARK = "Xyzzy"
OTHER = DocumentScope("default", "other")
TABLES = [name for name in vars(build_tables()) if name.startswith("document")]


async def opened(place: Location) -> SqlStore:
    """An open store."""
    store = make_store(place)
    await store.open(may_upgrade=True)
    return store


async def fill(store: SqlStore, scope: DocumentScope, word: str) -> None:
    """Put the word into every table of a document, in texts of many sizes."""
    documents, active = store.documents, await generation(store)
    lines = f"{word}|{word}ie\n{word}.eyes={word}green@{word}Bob\n+{word} who?\nand {word} "
    for number in range(1, 9):
        await write(store, number, f"{lines} {'pad' * 4**number} {word}-{number}", scope)
    await rewrite(store, 2, f"{lines} changed", scope)
    made = [(p, vector_of(p.key)) for p in await documents.pending(scope, active, 5)]
    await documents.put_vectors(scope, active, made)
    own = Entity(id=f"{word}-lore", name=f"{word} lore", aliases=(f"{word} old",))
    await documents.put_entity(scope, own, NOW)
    note = EntityState(id="note", entity=own.name, attribute="a", value=f"{word} v", chapter=0)
    await documents.put_state(scope, note, NOW)
    await documents.put_knower(scope, "note", Knower(name=f"{word} K", since_chapter=2), NOW)
    await documents.plant(scope, PlotThread(number=0, summary=f"{word} promise"), None, NOW)
    draft = Draft(number=9, title=word, text=f"{word} draft", recorded_at=NOW)
    await documents.put_draft(scope, draft)


def counts(connection: Connection, scope: DocumentScope) -> dict[str, int]:
    """How many rows each table has of a document, whatever tables there are."""
    found = {}
    for table in inspect(connection).get_table_names():
        columns = {column["name"] for column in inspect(connection).get_columns(table)}
        if "document_id" in columns:
            query = text(f"SELECT count(*) FROM {table} WHERE tenant_id = :t AND document_id = :d")  # noqa: S608
            given = {"t": scope.tenant_id, "d": scope.document_id}
            found[table] = connection.scalar(query, given) or 0
    return found


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """A database of each kind with current tables."""
    if request.param == "sqlite":
        (tmp_path / "memory.db").write_bytes(request.getfixturevalue("ready_sqlite"))
        return Location("sqlite", str(tmp_path / "memory.db"))
    return Location("postgres", request.getfixturevalue("ready_postgres_url"))


def test_every_table_is_emptied_of_the_document_only(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        await fill(store, NOVEL, MARK)
        await fill(store, OTHER, "Kept")
        before = await store.units.read(lambda c: counts(c, NOVEL))
        assert sorted(before) == sorted(TABLES)
        assert all(before.values()), "a table that nothing of this test is in"
        kept = await store.units.read(lambda c: counts(c, OTHER))
        assert await store.documents.delete(NOVEL)
        assert not any((await store.units.read(lambda c: counts(c, NOVEL))).values())
        assert await store.units.read(lambda c: counts(c, OTHER)) == kept
        await store.close()

    asyncio.run(run())


def test_no_file_holds_a_deleted_document(tmp_path: Path, ready_sqlite: bytes) -> None:
    (tmp_path / "memory.db").write_bytes(ready_sqlite)

    async def run() -> None:
        store = await opened(Location("sqlite", str(tmp_path / "memory.db")))
        await fill(store, OTHER, "Kept")
        await fill(store, NOVEL, MARK)
        await fill(store, DocumentScope("default", "third"), "Third")
        assert left_in(tmp_path, MARK)
        await store.documents.delete(NOVEL)
        assert left_in(tmp_path, MARK) == []
        assert left_in(tmp_path, "Kept")
        await store.close()
        assert left_in(tmp_path, MARK) == []

    asyncio.run(run())


Removal = Callable[[SqlStore], Awaitable[object]]


async def _remove_chapter(store: SqlStore) -> object:
    await write(store, 20, f"Ann\nAnn.eyes={MARK}\n+{MARK} who?\n{MARK}\n{MARK}er|{MARK}ina" * 9)
    return await store.documents.remove(NOVEL, 20, NOW)


async def _drop_draft(store: SqlStore) -> object:
    draft = Draft(number=20, title="T", text=f"{MARK} " * 3000, recorded_at=NOW)
    await store.documents.put_draft(NOVEL, draft)
    return await store.documents.drop_draft(NOVEL, 20)


async def _replace_draft(store: SqlStore) -> object:
    draft = Draft(number=20, title="T", text=f"{MARK} " * 3000, recorded_at=NOW)
    await store.documents.put_draft(NOVEL, draft)
    await store.documents.put_draft(NOVEL, replace(draft, text="another"))
    return True


async def _drop_entity(store: SqlStore) -> object:
    await store.documents.put_entity(NOVEL, Entity(id="m", name=MARK, aliases=(MARK * 9,)), NOW)
    state = EntityState(id="s", entity=MARK, attribute="a", value=MARK * 300, chapter=1)
    await store.documents.put_state(NOVEL, state, NOW)
    return await store.documents.drop_entity(NOVEL, "m", NOW)


async def _drop_thread(store: SqlStore) -> object:
    thread = PlotThread(number=0, summary=f"{MARK} " * 300)
    made = await store.documents.plant(NOVEL, thread, 3, NOW)
    return await store.documents.drop_thread(NOVEL, made.number, NOW)


@pytest.mark.parametrize(
    "removal", [_remove_chapter, _drop_draft, _replace_draft, _drop_entity, _drop_thread]
)
def test_no_file_holds_what_was_removed(
    tmp_path: Path, ready_sqlite: bytes, removal: Removal
) -> None:
    (tmp_path / "memory.db").write_bytes(ready_sqlite)

    async def run() -> None:
        store = await opened(Location("sqlite", str(tmp_path / "memory.db")))
        await fill(store, NOVEL, "Kept")
        assert await removal(store)
        assert left_in(tmp_path, MARK) == []
        await store.close()

    asyncio.run(run())


def test_a_reader_puts_it_off(tmp_path: Path, ready_sqlite: bytes) -> None:
    (tmp_path / "memory.db").write_bytes(ready_sqlite)

    async def run() -> None:
        store = await opened(Location("sqlite", str(tmp_path / "memory.db")))
        await write(store, 1, MARK)
        reader = sqlite3.connect(tmp_path / "memory.db")
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM document_chapters").fetchone()[0] == 1
        await store.documents.delete(NOVEL)
        assert left_in(tmp_path, MARK)
        reader.close()
        await store.tend()
        assert left_in(tmp_path, MARK) == []
        await store.close()

    asyncio.run(run())
