"""What a book costs: trips to the database, rows that are read, and memory."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.location import Location
from backstory.core.model.derived import Event
from backstory.core.model.scope import Scope
from backstory.storage.derived.books import DerivedBooks
from backstory.storage.factory import make_store
from backstory.storage.numbers import UserNumbers
from backstory.storage.store import SqlStore
from backstory.storage.tables import build_tables
from backstory.testing.stores.base import NOW, VERA, add, generation
from backstory.testing.stores.derived_base import HOUR, do, embed_derived, keep, records
from backstory.testing.stores.derived_base import event as happened


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path, ready_sqlite: bytes) -> Location:
    """A database of each kind, with its tables."""
    if request.param == "sqlite":
        path = tmp_path / "memory.db"
        path.write_bytes(ready_sqlite)
        return Location("sqlite", str(path))
    return Location("postgres", request.getfixturevalue("ready_postgres_url"))


@contextmanager
def selects() -> Iterator[list[str]]:
    """The queries that are run meanwhile."""
    seen: list[str] = []

    def note(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.lstrip().startswith("SELECT"):
            seen.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def test_a_warm_book_costs_no_trip_of_its_own(place: Location) -> None:
    async def run() -> None:
        store = make_store(place)
        await store.open(may_upgrade=True)
        await add(store, "one")
        active = await generation(store)
        with selects() as seen:
            await store.derived.book(VERA)
            await store.derived.vectors(VERA, active)
        assert len(seen) == 2  # a user without records: nothing but the numbers
        await keep(store, *(happened(f"event {n}") for n in range(30)))
        await embed_derived(store)
        await store.derived.vectors(VERA, active)
        for _ in range(3):
            with selects() as seen:
                both = (store.derived.book(VERA), store.derived.vectors(VERA, active))
                await asyncio.gather(*both, store.facts.stamp(VERA))
            # whoever asks at once is told by one statement: of the numbers, no more
            assert len(seen) == 1
            assert not any(" derived " in statement for statement in seen)
            await add(store, "a message changes no derived record")
        await store.close()

    asyncio.run(run())


def test_only_what_changed_is_read_again(place: Location) -> None:
    async def run() -> None:
        store = make_store(place)
        await store.open(may_upgrade=True)
        await keep(store, *(happened(f"event {n}") for n in range(30)))
        before = await store.derived.book(VERA)
        changed = replace(before.of(Event)[3], predicate="other")
        await keep(store, changed, now=NOW + HOUR)
        after = await store.derived.book(VERA)
        # the others are the same objects: they were not read again
        same = {id(record) for record in before} & {id(record) for record in after}
        assert len(same) == 29
        assert len(after.records) == 31
        await do(store, erase=(changed.id,))
        assert len((await store.derived.book(VERA)).records) == 29
        await store.close()

    asyncio.run(run())


def test_writes_alone_read_only_what_the_one_before_wrote(place: Location) -> None:
    async def run() -> None:
        store = make_store(place)
        await store.open(may_upgrade=True)
        await keep(store, *(happened(f"event {n}") for n in range(30)))
        shown: list[DerivedBook] = []

        def look(book: DerivedBook) -> DerivedPlan:
            shown.append(book)
            return DerivedPlan(put=(happened(f"event {30 + len(shown)}"),))

        def fail(book: DerivedBook) -> DerivedPlan:
            look(book)
            message = "no plan"
            raise RuntimeError(message)

        for plan in (look, look, fail, look):
            with suppress(RuntimeError):
                await store.derived.change(VERA, plan, NOW)
        counts = [len(book.records) for book in shown]
        assert counts == [30, 31, 32, 32]
        for earlier, later in pairwise(shown):
            # the same objects: they were not read again
            assert {id(record) for record in earlier} <= {id(record) for record in later}
        assert len((await store.derived.book(VERA)).records) == 33
        await store.close()

    asyncio.run(run())


def test_the_memory_of_books_is_bounded(place: Location) -> None:
    async def run() -> None:
        store = make_store(place)
        await store.open(may_upgrade=True)
        users = [Scope("default", f"user {n}") for n in range(6)]
        for scope in users:
            await keep(store, happened("long " * 1000), scope=scope)
        books = _books(store, most_bytes=25_000)
        for scope in (*users, *users[::-1]):
            assert len((await books.get(scope)).records) == 1
        assert len(books._entries) == 3
        assert books._locks.keys() == books._entries.keys()
        # one user is always kept, however large
        small = _books(store, most_bytes=1)
        for scope in users:
            assert len((await small.get(scope)).records) == 1
        assert list(small._entries) == users[-1:]
        await small.forget(users[-1])
        assert not small._entries
        await store.close()

    asyncio.run(run())


def _books(store: SqlStore, most_bytes: int) -> DerivedBooks:
    tables = build_tables("", None, (store.units.dialect,))
    return DerivedBooks(store.units, tables, UserNumbers(store.units, tables), most_bytes)


def test_readers_and_writers_at_once_see_whole_books(place: Location) -> None:
    """Each write puts two records; no reader ever sees one without the other."""

    async def run() -> None:
        stores = [make_store(place) for _ in range(2)]
        for store in stores:
            await store.open(may_upgrade=True)

        async def write(n: int) -> None:
            pair = (happened(f"a {n}"), happened(f"b {n}"))
            await keep(stores[n % 2], *pair, now=NOW + n * HOUR)
            if n % 3 == 0:
                await do(stores[n % 2], erase=(pair[0].id, pair[1].id))

        async def read(n: int) -> None:
            found = await records(stores[n % 2])
            words = [r.predicate.split() for r in found if isinstance(r, Event)]
            firsts = {word[1] for word in words if word[0] == "a"}
            assert firsts == {word[1] for word in words if word[0] == "b"}

        work = [act(n) for n in range(24) for act in (write, read)]
        await asyncio.gather(*work)
        for store in stores:
            assert len(await records(store)) == 2 * 16
            await store.close()

    asyncio.run(run())
