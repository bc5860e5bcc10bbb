"""Databases of which the tables have other names than the usual ones."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from backstory.core.location import Location
from backstory.storage.factory import make_store
from backstory.testing.stores.base import MakeStore, run
from tools.local_postgres import LocalPostgres

PREFIX, SCHEMA = "Bs_", "Memories"
_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_TABLES = (
    "SELECT relname FROM pg_class WHERE relkind = 'r'"
    " AND relnamespace::regnamespace::text = quote_ident(%s) AND relname <> %s"
)


async def _nothing(*_: object) -> None:
    """The stores are open: their tables are there."""


@pytest.fixture(scope="session")
def postgres_with_other_names(postgres_server: LocalPostgres) -> Iterator[Location]:
    """A database that is used again and again."""
    url = postgres_server.take_database()
    place = Location("postgres", url)
    run(lambda: make_store(place, prefix=PREFIX, schema=SCHEMA), _nothing)
    yield place
    postgres_server.give_back(url)


@pytest.fixture
def make_store_in_postgres(postgres_with_other_names: Location) -> Iterator[MakeStore]:
    """Stores over one schema, with a prefix and a schema that must be quoted."""
    place = postgres_with_other_names
    yield lambda: make_store(place, prefix=PREFIX, schema=SCHEMA)
    with psycopg.connect(place.target, autocommit=True) as connection:
        connection.execute(_OTHERS)
        found = connection.execute(_TABLES, (SCHEMA, f"{PREFIX}alembic_version")).fetchall()
        assert found
        # so that the order of tables does not matter
        steps: list[sql.Composable] = [sql.SQL("SET session_replication_role = replica")]
        steps += [sql.SQL("DELETE FROM {}").format(sql.Identifier(SCHEMA, t)) for (t,) in found]
        steps.append(sql.SQL("SELECT setval(seqrelid, seqstart, false) FROM pg_sequence"))
        connection.execute(sql.SQL(";").join(steps))


@pytest.fixture(scope="session")
def sqlite_with_other_names(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a file with tables and no rows."""
    path = tmp_path_factory.mktemp("other") / "memory.db"
    run(lambda: make_store(Location("sqlite", str(path)), prefix=PREFIX), _nothing)
    return path.read_bytes()


@pytest.fixture
def make_store_in_sqlite(sqlite_with_other_names: bytes, tmp_path: Path) -> MakeStore:
    """Stores over one file, with a prefix, and a name that means something in URLs."""
    path = tmp_path / "100%25?mode=ro #1 ü.db"
    path.write_bytes(sqlite_with_other_names)
    return lambda: make_store(Location("sqlite", str(path)), prefix=PREFIX)
