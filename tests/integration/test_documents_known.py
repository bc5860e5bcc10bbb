"""What is kept in memory of a document follows every write, of this process and of others."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from backstory.core.block.passages import Passages
from backstory.core.location import Location
from backstory.ports.documents import DocumentStore
from backstory.services.documents.known import KnownDocuments
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import NOW, generation, vector_of
from backstory.testing.stores.document_base import NOVEL, chapter, planned, write


class Noted:
    """A store of documents that notes what is read of it."""

    def __init__(self, documents: DocumentStore) -> None:
        self._documents = documents
        self.read: list[str] = []

    def __getattr__(self, name: str) -> Any:
        async def call(*given: Any, **named: Any) -> Any:
            how = "all" if name == "passages" and len(given) == 2 else "since"
            self.read.append(f"{name} {how}" if name == "passages" else name)
            return await getattr(self._documents, name)(*given, **named)

        return call

    def take(self) -> list[str]:
        """What was read since the last time, without stamps."""
        seen, self.read = self.read, []
        return [name for name in seen if "stamp" not in name]


Act = Callable[[SqlStore, SqlStore, KnownDocuments, Noted], Awaitable[None]]


@pytest.fixture
def on_two_stores(ready_sqlite: bytes, tmp_path: Path) -> Callable[[Act], None]:
    """Runs a function on two stores of one file; what is known is of the first."""

    async def run(act: Act) -> None:
        path = tmp_path / "known.db"
        path.write_bytes(ready_sqlite)
        one, other = (make_store(Location("sqlite", str(path))) for _ in range(2))
        for store in (one, other):
            await store.open(may_upgrade=True)
        noted = Noted(one.documents)
        await act(one, other, KnownDocuments(cast("DocumentStore", noted)), noted)
        for store in (one, other):
            await store.close()

    return lambda act: asyncio.run(run(act))


def _keys(passages: Passages) -> list[tuple[int, int, bool]]:
    found = {
        (int(number), int(place)): bool(has)
        for table in passages._tables
        for number, place, has, is_alive in zip(
            table.numbers,
            table.places,
            table.has_vector,
            table.alive if table.alive is not None else [True] * len(table),
            strict=True,
        )
        if is_alive
    }
    return sorted((number, place, has) for (number, place), has in found.items())


def test_passages_that_others_write_are_read_without_all_the_rest(
    on_two_stores: Callable[[Act], None],
) -> None:
    async def act(one: SqlStore, other: SqlStore, known: KnownDocuments, noted: Noted) -> None:
        active = await generation(one)
        for number in (1, 2, 5):
            await write(one, number, "x" * 30)
        first = await known.passages(NOVEL, active)
        assert noted.take() == ["passages all"]
        assert await known.passages(NOVEL, active) is first
        assert noted.take() == []
        await write(other, 3, "y" * 30)
        found = _keys(await known.passages(NOVEL, active))
        assert noted.take() == ["passages since"]
        assert {number for number, _, _ in found} == {1, 2, 3, 5}
        assert not any(has for _, _, has in found)
        pending = await other.documents.pending(NOVEL, active, 2)
        made = [(one_of, vector_of(one_of.key)) for one_of in pending]
        await other.documents.put_vectors(NOVEL, active, made)
        found = _keys(await known.passages(NOVEL, active))
        assert noted.take() == ["passages since"]
        assert sum(has for _, _, has in found) == 2
        assert len(found) == len(set(found)) == len(await one.documents.passages(NOVEL, active))
        await other.documents.remove(NOVEL, 2, NOW)
        found = _keys(await known.passages(NOVEL, active))
        assert noted.take() == ["passages all"]
        assert {number for number, _, _ in found} == {1, 3, 5}
        assert _keys(await known.passages(NOVEL, None)) == [(n, p, False) for n, p, _ in found]
        assert noted.take() == ["passages all"]

    on_two_stores(act)


def test_names_are_read_again_only_when_others_changed_them(
    on_two_stores: Callable[[Act], None],
) -> None:
    async def act(one: SqlStore, other: SqlStore, known: KnownDocuments, noted: Noted) -> None:
        async def added(store: SqlStore, number: int, text: str) -> None:
            new = chapter(number, text)
            stored = await store.documents.add(NOVEL, new, planned(number, text), NOW)
            if store is one:
                known.note(NOVEL, stored)

        await write(one, 1, "Ann")
        assert (await known.names(NOVEL)).bearers(["ann"])
        assert noted.take() == ["names"]
        await added(one, 2, "Bob\nAnn")
        names = await known.names(NOVEL)
        assert noted.take() == []
        assert names.named("Bob and Ann") == names.named("Ann, Bob")
        assert len(names.bearers(["BOB", "ann", "Eve"])) == 2
        await added(other, 3, "Bob\nAnn")
        assert await known.names(NOVEL) is names
        assert noted.take() == []
        await added(other, 4, "Eve")
        assert (await known.names(NOVEL)).bearer("Eve") is not None
        assert noted.take() == ["names"]
        await added(other, 5, "Max")
        # what this one adds now does not hide that it does not know Max
        await added(one, 6, "Zoe")
        names = await known.names(NOVEL)
        assert noted.take() == ["names"]
        assert len(names.bearers(["Max", "Zoe"])) == 2
        await other.documents.remove(NOVEL, 5, NOW)
        assert (await known.names(NOVEL)).bearer("Max") is None

    on_two_stores(act)
