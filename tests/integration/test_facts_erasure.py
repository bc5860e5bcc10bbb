"""After a fact is erased, its value is in no file of the database and in no table."""

import asyncio
import random
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from backstory.core.facts.book import FactPlan, FactsWanted
from backstory.core.location import Location
from backstory.core.model.fact import Cardinality, Change, Fact
from backstory.core.model.scope import Scope
from backstory.core.values import normal_value
from backstory.ports.facts import FactFilter
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import NOW, VERA, add, generation, said, vector_of
from tests.integration.facts_base import (
    HOUR,
    apply,
    changed,
    dispute,
    fact,
    line,
    opened,
    place_of,
    put,
    quote,
)
from tests.integration.test_erasure import MARK, files_of, left_in, secret

KEY = "possession.thing"
EVERYTHING = FactsWanted(everything=True)


def thing(value: str, *messages: tuple[str, str]) -> Fact:
    """A row of a list."""
    return fact(value, key=KEY, cardinality=Cardinality.MANY, evidence=quote(*messages))


async def fill(store: SqlStore, count: int, *, told: bool, seed: int = 0) -> list[Fact]:
    """Facts with secrets of many sizes, corrected and disputed, among those of another user."""
    choose = random.Random(seed)  # noqa: S311
    rows = []
    for n in range(count):
        value = secret(n, choose.choice([0, 3, 30, 300, 3000]))
        message = said(value if told else f"turn {n}")
        await add(store, message)
        row = thing(value, (message.id, value))
        rows.append(row)
        await put(store, row)
        await apply(store, EVERYTHING, lambda book, row=row, n=n: _handled(book.facts[row.id], n))  # type: ignore[misc]
        await put(store, *(thing(f"public {n} " + "word " * choose.randint(1, 300)),), scope=OTHER)
    active = await generation(store)
    vectors = {row.id: (row.believed_at, vector_of(row.value)) for row in rows}
    await store.facts.save_vectors(VERA, active, vectors)
    return rows


OTHER = Scope("default", "other")


def _handled(row: Fact, n: int) -> FactPlan:
    """A line of the log and a contradiction that tell the value."""
    entry = line(row, None, Change.UPDATED, NOW, reason=f"was {row.value}", evidence=row.evidence)
    clash = dispute(row, secret(n, 7), note=row.value, held_value=row.value, evidence=row.evidence)
    return FactPlan(corrections=(entry,), contradictions={clash.id: clash})


@pytest.mark.parametrize(("seed", "count"), [(0, 8), (7, 20)])
def test_an_erased_fact_is_nowhere_in_the_files(tmp_path: Path, seed: int, count: int) -> None:
    async def run() -> None:
        store = await opened(Location("sqlite", str(tmp_path / "memory.db")))
        rows = await fill(store, count, told=False, seed=seed)
        for n, row in enumerate(rows):
            assert left_in(tmp_path, f"{MARK}-{n:05d}")
            assert await store.facts.erase(VERA, row.id, erase_source=False, now=NOW + HOUR)
            assert left_in(tmp_path, f"{MARK}-{n:05d}") == []
        assert left_in(tmp_path) == []
        data = b"".join(files_of(tmp_path).values())
        assert all(vector_of(row.value) not in data for row in rows)
        found = await store.facts.listed(OTHER, FactFilter(), None)
        assert len(found) == count
        claims = frozenset(("user", KEY, normal_value(row.value)) for row in rows)
        seen: list[frozenset[tuple[str, str, str]]] = []
        await apply(
            store,
            FactsWanted(),
            lambda book: seen.append(book.erased) or FactPlan(),  # type: ignore[func-returns-value]
            announced=claims,
        )
        assert seen == [claims]
        await store.close()
        assert left_in(tmp_path) == []

    asyncio.run(run())


def test_its_source_leaves_nothing_either(tmp_path: Path) -> None:
    async def run() -> None:
        store = await opened(Location("sqlite", str(tmp_path / "memory.db")))
        for row in await fill(store, 12, told=True):
            assert await store.facts.erase(VERA, row.id, erase_source=True, now=NOW + HOUR)
        assert left_in(tmp_path) == []
        await store.close()

    asyncio.run(run())


def test_a_deleted_message_leaves_no_words_in_facts(tmp_path: Path) -> None:
    async def run() -> None:
        store = await opened(Location("sqlite", str(tmp_path / "memory.db")))
        await fill(store, 12, told=True)
        for group in await store.facts.unread(VERA, "default", 99):
            for message, _ in group.messages:
                assert await store.messages.delete(VERA, message.id)
        assert left_in(tmp_path) == []
        await store.close()

    asyncio.run(run())


def test_nothing_is_left_in_any_table_of_postgres(ready_postgres_url: str) -> None:
    def found(connection: Connection) -> set[str]:
        hits = set()
        for table in inspect(connection).get_table_names():
            query = text(f"SELECT count(*) FROM {table} t WHERE t::text LIKE :secret")  # noqa: S608
            if connection.scalar(query, {"secret": f"%{MARK}%"}):
                hits.add(table)
        return hits

    async def run() -> None:
        store = await opened(Location("postgres", ready_postgres_url))
        rows = await fill(store, 6, told=True)
        holding = {"messages", "facts", "fact_evidence", "fact_corrections", "contradictions"}
        assert await store.units.read(found) == holding
        for row in rows[:3]:
            await store.facts.erase(VERA, row.id, erase_source=True, now=NOW + HOUR)
        await store.messages.delete_all(VERA, None)
        assert await store.units.read(found) == set()
        vectors = "SELECT count(*) FROM fact_vectors"
        assert await store.units.read(lambda c: c.scalar(text(vectors))) == 0
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("place", ["sqlite", "postgresql"], indirect=True)
def test_a_value_it_had_before_does_not_come_back_either(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        row = fact("Norrfisk")
        await put(store, row)

        def rename(book: object) -> FactPlan:
            new, state = changed(row, book, NOW + HOUR, value="Norrfisk AB")  # type: ignore[arg-type]
            return FactPlan(facts={new.id: new}, revisions=(state,))

        await apply(store, EVERYTHING, rename)
        await store.facts.erase(VERA, row.id, erase_source=False, now=NOW + HOUR)
        claims = {("user", row.key, name) for name in ("norrfisk", "norrfisk ab", "other")}
        seen: list[frozenset[tuple[str, str, str]]] = []

        def look(book: object) -> FactPlan:
            seen.append(book.erased)  # type: ignore[attr-defined]
            return FactPlan()

        await apply(store, EVERYTHING, look, announced=frozenset(claims))
        assert {claim[2] for claim in seen[0]} == {"norrfisk", "norrfisk ab"}
        await store.close()

    asyncio.run(run())


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """An empty database of each kind."""
    return place_of(request, tmp_path)
