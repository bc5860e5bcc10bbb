"""Every store gives whole documents out and takes them in, also from one of another kind."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from backstory.core.archive.document_checks import check_records
from backstory.core.location import Location
from backstory.core.model.document import Draft
from backstory.core.model.entity import Entity, EntityKind, EntityState, Knower
from backstory.core.model.plot import PlotThread
from backstory.errors import ConflictError
from backstory.ports.documents import DocumentStore
from backstory.ports.store import Store
from backstory.storage.factory import make_store
from backstory.testing.fake_store import MemoryDatabase, MemoryStore
from backstory.testing.stores.base import NOW, terms
from backstory.testing.stores.document_base import NOVEL, OTHERS, chapter, reads


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "memory":
        return MemoryStore(MemoryDatabase())
    if request.param == "sqlite":
        path = tmp_path / "memory.db"
        path.write_bytes(request.getfixturevalue("ready_sqlite"))
        return make_store(Location("sqlite", str(path)))
    url = request.getfixturevalue("ready_postgres_url")
    return make_store(Location("postgres", url))


async def _fill(documents: DocumentStore) -> None:
    await documents.ensure(NOVEL, "章", 9, NOW)
    for number, text in ((2, "Ann|Annie\nAnn.eyes=green@Bob\n+who?"), (1, "Bob\nAnn"), (5, "~1")):
        await documents.add(NOVEL, chapter(number, text), reads(text), NOW)
    text = "Ann|Anna\nAnn.eyes=blue\nAnn.home=Ulm@Bob"
    await documents.revise(NOVEL, chapter(1, text), reads(text), NOW)
    entity = Entity(id="e" * 32, name="Ordo", kind=EntityKind.LORE, aliases=("O",), hidden=True)
    await documents.put_entity(NOVEL, entity, NOW)
    state = EntityState(id="s" * 32, entity="Ordo", attribute="note", value="old", chapter=0)
    await documents.put_state(NOVEL, state, NOW)
    await documents.put_knower(NOVEL, state.id, Knower(name="Ann", since_chapter=2), NOW)
    await documents.plant(NOVEL, PlotThread(number=0, summary="plan", authored=True), None, NOW)
    await documents.put_draft(NOVEL, Draft(number=6, title="", text="no", recorded_at=NOW))


async def _seen(documents: DocumentStore) -> list[object]:
    return [
        await documents.info(NOVEL),
        await documents.entities(NOVEL, None, None),
        await documents.entities(NOVEL, None, 1),
        await documents.threads(NOVEL, None, None),
        await documents.events(NOVEL, 1),
        await documents.names(NOVEL),
        await documents.sightings(NOVEL, [1, 2, 5]),
        await documents.drafts(NOVEL),
        [await documents.history(NOVEL, number) for number in (1, 2, 5)],
        [replace(row, vector=None) for row in await documents.passages(NOVEL, None)],
        await documents.open_threads(NOVEL, 6, 9),
    ]


def _run(store: Store, work: Callable[[DocumentStore], Awaitable[None]]) -> None:
    async def run() -> None:
        await store.open(may_upgrade=True)
        try:
            await work(store.documents)
        finally:
            await store.close()

    asyncio.run(run())


def test_what_is_restored_is_what_was_read_out(store: Store) -> None:
    async def work(documents: DocumentStore) -> None:
        await _fill(documents)
        before = await _seen(documents)
        records = await documents.archive.read_out(NOVEL)
        assert records is not None
        check_records(records)
        assert await documents.archive.restore(NOVEL, records, terms, 1) is False
        await documents.delete(NOVEL)
        assert await documents.archive.read_out(NOVEL) is None
        assert await documents.archive.restore(NOVEL, records, terms, 1) is True
        assert await _seen(documents) == before
        assert await documents.archive.read_out(NOVEL) == records
        other = replace(records, unit="lesson")
        with pytest.raises(ConflictError):
            await documents.archive.restore(NOVEL, other, terms, 1)
        assert await documents.archive.restore(OTHERS[1], other, terms, 1) is True
        assert await _seen(documents) == before

    _run(store, work)


def test_a_document_goes_on_where_it_stopped(store: Store) -> None:
    async def work(documents: DocumentStore) -> None:
        await _fill(documents)
        records = await documents.archive.read_out(NOVEL)
        assert records is not None
        await documents.delete(NOVEL)
        await documents.archive.restore(NOVEL, records, terms, 1)
        planted = PlotThread(number=0, summary="next", authored=True)
        assert (await documents.plant(NOVEL, planted, 5, NOW)).number == 3
        gone = await documents.remove(NOVEL, 2, NOW)
        assert gone is not None
        assert gone > 0
        (ann,) = [one for one in await documents.entities(NOVEL, None, None) if one.name == "Ann"]
        assert [state.value for state in ann.states] == ["blue", "Ulm"]

    _run(store, work)
