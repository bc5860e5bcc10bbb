"""Vectors of documents and the embedding generations of the store."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from backstory.core.location import Location
from backstory.core.model.embedding import Generation
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import MODEL, NOW, generation, vector_of
from backstory.testing.stores.document_base import NOVEL, write


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Location:
    """A database of each kind with current tables."""
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("vectors") / "memory.db"
        path.write_bytes(request.getfixturevalue("ready_sqlite"))
        return Location("sqlite", str(path))
    return Location("postgres", request.getfixturevalue("ready_postgres_url"))


async def switch(store: SqlStore, model: str) -> Generation:
    """Move the store to the vectors of another model."""
    later = NOW + timedelta(minutes=1)
    identity = replace(MODEL, model=model)
    new = await store.reindexing.begin(identity, "me", NOW, later, lambda _: False)
    assert await store.reindexing.switch(new, "me", NOW, keep_old=True) is not None
    return new


async def embed(store: SqlStore, active: Generation) -> int:
    """Make the vectors that are owed."""
    pending = await store.documents.pending(NOVEL, active, 99)
    made = [(p, vector_of(f"{active.id} {p.key}")) for p in pending]
    return await store.documents.put_vectors(NOVEL, active, made)


async def vectors(store: SqlStore, active: Generation) -> list[bytes | None]:
    """The vectors of a generation."""
    return [row.vector for row in await store.documents.passages(NOVEL, active)]


def test_generations_never_mix(place: Location) -> None:
    async def run() -> None:
        store = make_store(place)
        await store.open(may_upgrade=True)
        documents = store.documents
        first = await generation(store)
        await write(store, 1, "x" * 30)
        assert await embed(store, first) == 3
        old = await vectors(store, first)
        second = await switch(store, "second")
        assert await vectors(store, second) == [None] * 3
        assert await documents.count_pending(NOVEL, second) == 3
        assert await embed(store, second) == 3
        assert await documents.count_pending(NOVEL, second) == 0
        assert set(await vectors(store, second)).isdisjoint(old)
        # back: the vectors of the first one were kept, and nothing is owed
        assert await switch(store, MODEL.model) == first
        assert await documents.count_pending(NOVEL, first) == 0
        assert await documents.pending(NOVEL, first, 9) == []
        assert await vectors(store, first) == old
        # a generation that is dropped takes its vectors along, and its number may come again
        await store.reindexing.release(NOW, lambda _: False, retired=True)
        await store.reindexing.drop_unused()
        assert await vectors(store, second) == [None] * 3
        third = await switch(store, "third")
        assert third.id == second.id
        assert await vectors(store, third) == [None] * 3
        assert await documents.count_pending(NOVEL, third) == 3
        assert await embed(store, third) == 3
        assert await embed(store, replace(second, id=77)) == 0
        await store.close()

    asyncio.run(run())
