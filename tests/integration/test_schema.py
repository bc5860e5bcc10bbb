"""The schema: what a new store gets, equal to what migrations make; upgraded, refused, shared."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, inspect, text

from backstory.core.location import Location
from backstory.core.model.derived import KINDS, Summary
from backstory.core.model.schedule import RunKind
from backstory.core.model.sentiment import Sentiment
from backstory.errors import SchemaVersionError, StoreCorruptError
from backstory.storage.building import USER_KEY
from backstory.storage.creating import version_table
from backstory.storage.document_tables import DOCUMENT_KEY
from backstory.storage.factory import make_store
from backstory.storage.migrate import upgrade
from backstory.storage.schema import HEAD, REVISIONS, read_version
from backstory.storage.store import SqlStore
from backstory.storage.tables import build_tables
from backstory.testing.stores.base import NOW, VERA, add, content, generation, texts
from backstory.testing.stores.derived_base import one_of_each
from backstory.testing.stores.document_base import NOVEL
from backstory.testing.stores.fact_base import ALL, DAY, look
from tests.integration import schema_snapshots as snapshots
from tools import forked

# The only tables of which a key or reference does not start with (tenant_id, user_id), or with
# (tenant_id, document_id).
REFERENCE_TABLES = {"tenants", "embedding_generations"}
ALLOWED_REFERENCES = {
    ("users", ("tenant_id",), "tenants"),
    ("message_vectors", ("generation_id",), "embedding_generations"),
    ("large_parts", ("generation_id",), "embedding_generations"),
    ("fact_vectors", ("generation_id",), "embedding_generations"),
    ("derived_vectors", ("generation_id",), "embedding_generations"),
    ("documents", ("tenant_id",), "tenants"),
    ("document_passages", ("generation_id",), "embedding_generations"),
    ("document_vectors", ("generation_id",), "embedding_generations"),
}


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return Location("sqlite", str(tmp_path / "memory.db"))
    return Location("postgres", request.getfixturevalue("postgres_url"))


async def opened(place: Location, **options: Any) -> SqlStore:
    """An open store."""
    store = make_store(place, **options)
    await store.open(may_upgrade=True)
    return store


def catalog(connection: Connection) -> dict[str, Any]:
    """All that the database knows of its tables, in its own words."""
    if connection.dialect.name == "sqlite":
        return _sqlite_catalog(connection)
    queries = (
        "SELECT schemaname || '.' || indexname, indexdef FROM pg_indexes"
        " WHERE schemaname NOT LIKE 'pg_%'",
        "SELECT conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)"
        " FROM pg_constraint WHERE conrelid <> 0 AND connamespace::regnamespace::text NOT IN"
        " ('pg_catalog', 'information_schema')",
        "SELECT table_schema || '.' || table_name || '.' || column_name, concat_ws(' ', data_type,"
        " is_nullable, column_default, character_maximum_length) FROM information_schema.columns"
        " WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
    )
    return {row[0]: row[1] for query in queries for row in connection.execute(text(query))}


def _sqlite_catalog(connection: Connection) -> dict[str, Any]:
    # The words of a table's statement differ where a column was added to it later.
    found: dict[str, Any] = {}
    query = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    for kind, name, sql in connection.execute(text(query)).all():
        found[name] = " ".join(sql.split())
        if kind == "table":
            parts = (c.strip() for c in found[name].replace("(", ",").replace(")", ",").split(","))
            found[name] = sorted(parts)
            for pragma in ("table_xinfo", "foreign_key_list", "index_list"):
                rows = connection.exec_driver_sql(f'PRAGMA {pragma}("{name}")').all()
                # what is made earlier has another number, except for a column
                first = 0 if pragma == "table_xinfo" else 1
                found[f"{name} {pragma}"] = sorted(str(row[first:]) for row in rows)
    return found


def without_alembic(found: dict[str, Any]) -> dict[str, Any]:
    """A catalog without the version table."""
    return {name: value for name, value in found.items() if "alembic" not in name}


@pytest.mark.parametrize("prefix", ["", "a_"])
def test_migrations_make_the_tables_of_a_new_store(place: Location, prefix: str) -> None:
    schema = "one" if prefix and place.kind == "postgres" else None

    async def run() -> None:
        store = await opened(place, prefix=prefix, schema=schema)
        created = await store.units.read(catalog)
        assert (await store.check())["schema"] == HEAD
        await store.units.write(build_tables(prefix, schema).metadata.drop_all)
        await store.units.write(version_table(prefix, schema).drop)
        assert await store.units.read(catalog) == {}
        await store.units.migrate(lambda c: upgrade(c, prefix, schema))
        assert await store.units.read(catalog) == created
        assert (await store.check())["schema"] == HEAD
        await store.close()
        assert len(created) >= 13

    asyncio.run(run())


def _drop_all(connection: Connection, metadata: Any) -> None:
    metadata.drop_all(connection)


def test_keys_start_with_tenant_and_user_or_document(place: Location) -> None:
    def check(connection: Connection) -> int:
        seen = inspect(connection)
        checked = 0
        for table in seen.get_table_names():
            if table == "alembic_version" or table in REFERENCE_TABLES:
                continue
            keys: list[Any] = [seen.get_pk_constraint(table)["constrained_columns"]]
            keys += [list(item["column_names"]) for item in seen.get_unique_constraints(table)]
            keys += [i["column_names"] for i in seen.get_indexes(table) if i["unique"]]
            for reference in seen.get_foreign_keys(table):
                columns = reference["constrained_columns"]
                if (table, tuple(columns), reference["referred_table"]) in ALLOWED_REFERENCES:
                    continue
                keys += [columns, reference["referred_columns"]]
            for columns in keys:
                key = DOCUMENT_KEY if table.startswith("document") else USER_KEY
                assert tuple(columns[:2]) == key, (table, columns)
                checked += 1
        return checked

    async def run() -> None:
        store = await opened(place)
        assert await store.units.read(check) >= 30
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("revision", REVISIONS)
def test_upgrades_from_every_released_schema(place: Location, revision: str) -> None:
    kind = "sqlite" if place.kind == "sqlite" else "postgresql"
    snapshot = snapshots.read(revision)[kind]

    async def run() -> None:
        store = make_store(place)
        await store.units.write(lambda connection: snapshots.restore(connection, snapshot))
        if revision != HEAD:
            with pytest.raises(SchemaVersionError, match="upgrade"):
                await store.open(may_upgrade=False)
        await store.open(may_upgrade=True)
        assert (await store.check())["schema"] == HEAD
        assert await texts(store) == ["I moved to Lund.", "Nice! 名"]
        first, second = await store.sessions.tail(VERA, "talk", 9)
        assert first.metadata == {"turn": "D1:3"}
        assert (first.speaker, first.message_id, first.timestamp) == ("Vera", "a", NOW)
        assert second.notes == ("image skipped",)
        versions = await store.messages.history(VERA, first.id)
        assert [v.text for v in versions] == ["I moved to Gothenburg.", "I moved to Lund."]
        session = (await store.sessions.sessions(VERA))[0]
        assert (session.mode, session.metadata) == ("voice", {"topic": "moving"})
        found = content(await store.partitions.get(VERA, await generation(store)))
        assert [vector is None for vector in found["vectors"]] == [True, False]
        assert [p.text for p in await store.messages.pending(VERA, "default", 9)] == [
            "I moved to Lund."
        ]
        assert await store.facts.count_unread(VERA, "default") == 2
        if revision != "0001":
            await _check_facts(store)
        if revision >= "0005":
            await _check_documents(store)
        # what was there before sessions were digested is digested once
        assert [due.session.id for due in await store.derived.due(None, "default", 9)] == ["talk"]
        if revision >= "0006":
            await _check_derived(store)
        await add(store, "and it goes on")
        assert len(await store.partitions.get(VERA, None)) == 3
        upgraded = await store.units.read(catalog)
        await store.units.write(lambda c: _drop_all(c, build_tables().metadata))
        await store.units.write(build_tables().metadata.create_all)
        created = await store.units.read(catalog)
        await store.close()
        assert without_alembic(upgraded) == without_alembic(created)

    asyncio.run(run())


async def _check_facts(store: SqlStore) -> None:
    (lund,) = await store.facts.as_of(VERA, NOW, NOW, ALL)
    assert (lund.value, lund.evidence[0].quote) == ("Lund", "I moved to Gothenburg.")
    assert [f.value for f in await store.facts.as_of(VERA, NOW + DAY, None, ALL)] == ["Oslo"]
    book = await look(store, announced=frozenset({("user", "drink", "tea")}))
    assert len(book.erased) == len(book.corrections) == len(book.contradictions) == 1
    assert len(await store.collisions.listed(VERA, include_closed=True)) == 1
    vectors = [t.vector is None for t in await store.facts.texts(VERA, await generation(store), -1)]
    assert vectors == [True, False]


async def _check_derived(store: SqlStore) -> None:
    book = await store.derived.book(VERA)
    assert len(book.records) == len(one_of_each()) + 1
    assert [s.text for s in book.of(Summary, NOW)] == ["名 summary"]
    assert [s.text for s in book.of(Summary)] == ["Vera moved."]
    assert {type(record) for record in book} == set(KINDS.values())
    assert len(await store.derived.vectors(VERA, await generation(store))) == 2
    assert await store.derived.pending(VERA, "default", 9) == []
    _, second = await store.sessions.tail(VERA, "talk", 9)
    assert second.sentiment == Sentiment(valence=0.5, arousal=0.25)
    run = await store.runs.last(VERA, RunKind.DAILY)
    assert run is not None
    assert run.receipt == {"summaries": 1}


async def _check_documents(store: SqlStore) -> None:
    first, second = await store.documents.page(NOVEL, 9)
    assert [first.text[:3], second.text, second.revised] == ["Ann", "Ann\n~1", 1]
    (ann,) = await store.documents.entities(NOVEL, None, None)
    assert (ann.mentions, ann.aliases, ann.states[0].value) == (2, ("Annie",), "green")
    assert [knower.name for knower in ann.states[0].known_by] == ["Bob"]
    (thread,), _ = await store.documents.open_threads(NOVEL, 3, 9)
    assert (thread.summary, thread.last_chapter) == ("Who is Annie? 名", 2)
    rows = await store.documents.passages(NOVEL, await generation(store))
    assert [row.vector is None for row in rows].count(False) == 1
    assert [draft.number for draft in await store.documents.drafts(NOVEL)] == [3]


def test_a_released_migration_does_not_change(place: Location) -> None:
    kind = "sqlite" if place.kind == "sqlite" else "postgresql"

    async def run() -> None:
        store = make_store(place)
        made = await snapshots.statements_of(store)
        await store.close()
        stored = snapshots.read(HEAD)[kind]["statements"]
        assert stored
        assert made[: len(stored)] == stored

    asyncio.run(run())


def test_stores_live_beside_each_other_and_beside_other_tables(place: Location) -> None:
    variants: list[dict[str, Any]] = [{}, {"prefix": "a_"}, {"prefix": "b_"}]
    if place.kind == "postgres":
        variants += [{"schema": "one"}, {"schema": "two", "prefix": "a_"}]

    async def run() -> None:
        first = make_store(place)
        foreign = "CREATE TABLE notes (message TEXT)"
        await first.units.write(lambda c: c.execute(text(foreign)))
        await first.units.write(lambda c: c.execute(text("INSERT INTO notes VALUES ('mine')")))
        await first.close()
        for n, variant in enumerate(variants):
            store = await opened(place, **variant)
            await add(store, f"text of {n}")
            await store.close()
        for n, variant in enumerate(variants):
            store = await opened(place, **variant)
            assert await texts(store) == [f"text of {n}"]
            assert (await store.check())["schema"] == HEAD
            await store.messages.delete_all(VERA, None)
            notes = await store.units.read(lambda c: c.scalar(text("SELECT message FROM notes")))
            assert notes == "mine"
            await store.close()

    asyncio.run(run())


def test_a_newer_version_is_refused_and_nothing_changed(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        await add(store, "kept")
        change = "UPDATE alembic_version SET version_num = '9999'"
        await store.units.write(lambda c: c.execute(text(change)))
        await store.close()
        before = _digest(place)
        for may_upgrade in (True, False):
            store = make_store(place)
            before_catalog = await store.units.read(catalog)
            with pytest.raises(SchemaVersionError, match=r"9999.*newer.*nothing was changed"):
                await store.open(may_upgrade=may_upgrade)
            assert await store.units.read(catalog) == before_catalog
            assert await store.units.read(lambda c: read_version(c, "", None)) == "9999"
            await store.close()
        assert _digest(place) == before

    asyncio.run(run())


def _digest(place: Location) -> str:
    if place.kind == "postgres":
        return ""
    return hashlib.sha256(Path(place.target).read_bytes()).hexdigest()


def test_an_empty_version_table_is_no_store(place: Location) -> None:
    async def run() -> None:
        store = await opened(place)
        await store.units.write(lambda c: c.execute(text("DELETE FROM alembic_version")))
        with pytest.raises(StoreCorruptError, match="alembic_version"):
            await store.open(may_upgrade=True)
        await store.close()

    asyncio.run(run())


def test_without_leave_nothing_is_made(place: Location) -> None:
    async def run() -> None:
        store = make_store(place)
        with pytest.raises(SchemaVersionError, match=r"none.*db upgrade"):
            await store.open(may_upgrade=False)
        assert await store.units.read(lambda c: inspect(c).get_table_names()) == []
        await store.close()

    asyncio.run(run())


OPEN_AND_ADD = """
import asyncio, sys
from backstory.core.location import Location
from backstory.storage.building import USER_KEY
from backstory.storage.factory import make_store
from backstory.testing.stores.base import add, said

async def run(kind, target, name):
    print("ready", flush=True)
    sys.stdin.readline()
    store = make_store(Location(kind, target))
    await store.open(may_upgrade=True)
    message = said("by " + name)
    message = type(message)(id=name * 32, draft=message.draft, terms=b"", terms_version=1)
    await add(store, message)
    await store.close()

asyncio.run(run(*sys.argv[1:]))
"""


def test_processes_that_open_a_new_store_at_once_make_one(place: Location) -> None:
    started = [forked.start(OPEN_AND_ADD, place.kind, place.target, name) for name in "abc"]
    for process in started:
        process.stdout.readline()
    for process in started:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        ended = process.finish()
        assert ended.returncode == 0, ended.stderr

    async def run() -> None:
        store = await opened(place)
        assert sorted(await texts(store)) == ["by a", "by b", "by c"]
        await store.close()

    asyncio.run(run())


def test_a_role_that_may_not_create_schemas_uses_an_existing_one(postgres_url: str) -> None:
    place = Location("postgres", postgres_url)
    steps = (
        "DROP ROLE IF EXISTS modest",
        "CREATE ROLE modest LOGIN",
        "CREATE SCHEMA given AUTHORIZATION modest",
    )

    async def run() -> None:
        owner = make_store(place)
        for step in steps:
            await owner.units.write(lambda c, step=step: c.execute(text(step)))  # type: ignore[misc]
        modest = Location("postgres", postgres_url.replace("postgres@", "modest@"))
        store = await opened(modest, schema="given")
        await add(store, "works")
        assert await texts(store) == ["works"]
        await store.close()
        await owner.units.write(lambda c: c.execute(text("DROP OWNED BY modest")))
        await owner.units.write(lambda c: c.execute(text("DROP ROLE modest")))
        await owner.close()

    asyncio.run(run())
