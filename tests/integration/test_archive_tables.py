"""An archive covers every table that holds anything of a user: the tables are enumerated."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select

from backstory.core.location import Location
from backstory.core.model.scope import Scope
from backstory.storage.factory import make_store
from backstory.storage.tables import build_tables
from backstory.testing.stores.archive import ELSEWHERE, restore
from backstory.testing.stores.base import VERA
from backstory.testing.stores.moving_base import fill, taken_out

# made at need, and only for very large users of PostgreSQL
NOT_ARCHIVED = {"large_parts"}


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path, ready_sqlite: bytes) -> Location:
    """A database of each kind, with its tables."""
    if request.param == "sqlite":
        path = tmp_path / "memory.db"
        path.write_bytes(ready_sqlite)
        return Location("sqlite", str(path))
    return Location("postgres", request.getfixturevalue("ready_postgres_url"))


def test_an_archive_covers_every_table_of_a_user(place: Location) -> None:
    tables = build_tables()
    named = [t for t in tables.metadata.sorted_tables if "user_id" in t.c]

    def rows(connection: Connection, scope: Scope) -> dict[str, int]:
        found = {}
        for table in named:
            mine = (table.c.tenant_id == scope.tenant_id, table.c.user_id == scope.user_id)
            query = select(func.count()).select_from(table).where(*mine)
            found[table.name] = connection.scalar(query) or 0
        return found

    async def run() -> None:
        store = make_store(place)
        await store.open(may_upgrade=True)
        await fill(store)
        there = await store.units.read(lambda connection: rows(connection, VERA))
        empty = {name for name, count in there.items() if not count}
        assert empty == NOT_ARCHIVED
        _, items = await taken_out(store)
        assert (await restore(store, items))[1] == []
        here = await store.units.read(lambda connection: rows(connection, ELSEWHERE))
        assert here == there
        await store.close()

    asyncio.run(run())
