"""Every connection that writes waits for the disk; kills and races at small counts."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from backstory.core.location import Location
from backstory.storage.factory import make_store
from backstory.testing.stores.base import add
from bench.crashing import check_file, kill_clients
from bench.durability import create, durable_settings, kill_server
from bench.racing import race
from tests.counts import cases
from tools.local_postgres import LocalPostgres

WANTED = {
    "journal_mode": "wal",
    "synchronous": 2,
    "fullfsync": 1,
    "secure_delete": 1,
    "foreign_keys": 1,
    "temp_store": 2,
}


def test_sqlite_connections_are_durable(tmp_path: Path) -> None:
    def pragmas(connection: Connection) -> dict[str, object]:
        return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in WANTED}

    async def run() -> None:
        for _ in ("new", "existing"):
            store = make_store(Location("sqlite", str(tmp_path / "memory.db")))
            await store.open(may_upgrade=True)
            await add(store, "something")
            assert await store.units.write(pragmas) == WANTED
            assert await store.units.read(pragmas) == WANTED
            await store.close()

    asyncio.run(run())


def test_postgres_connections_are_durable(postgres_server: LocalPostgres) -> None:
    """Also where the database, or the role, says otherwise."""
    url = postgres_server.take_database()
    found: list[str | None] = []

    def look(connection: Connection) -> None:
        found.append(connection.scalar(text("SELECT current_setting('synchronous_commit')")))

    async def run() -> None:
        store = make_store(Location("postgres", url), pool_size=3)
        name = await store.units.read(lambda c: c.scalar(text("SELECT current_database()")))
        weaken = f"ALTER DATABASE {name} SET synchronous_commit = off"
        await store.units.write(lambda connection: connection.execute(text(weaken)))
        await store.close()
        store = make_store(Location("postgres", url), pool_size=3)
        await store.open(may_upgrade=True)
        await asyncio.gather(*(store.units.write(look) for _ in range(10)))
        await store.units.migrate(look)
        restore = f"ALTER DATABASE {name} RESET synchronous_commit"
        await store.units.write(lambda connection: connection.execute(text(restore)))
        await store.close()

    asyncio.run(run())
    postgres_server.give_back(url)
    assert found == ["on"] * 11


def test_killed_writers_lose_nothing_on_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    kills = cases(5, 10)
    counts = kill_clients(str(path), kills, seed=11)
    assert counts["kills"] == kills
    assert counts["acknowledged"] > 2 * kills
    assert counts["pending_after_kill"] > 0
    check_file(path)


def test_killed_writers_lose_nothing_on_postgres(postgres_url: str) -> None:
    durable_settings(postgres_url)
    asyncio.run(create(postgres_url))
    kills = cases(3, 5)
    counts = kill_clients(postgres_url, kills, seed=12)
    assert counts["acknowledged"] > kills


def test_a_killed_server_loses_nothing_and_clients_go_on() -> None:
    counts = kill_server(1)
    assert counts["acknowledged"] > 0
    assert set(counts["errors_while_down"]) <= {"store_unavailable"}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_processes_of_many_writers(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    in_file = kind == "sqlite"
    url = str(tmp_path / "memory.db") if in_file else request.getfixturevalue("postgres_url")
    asyncio.run(create(url))
    found = race(url, writers=cases(8, 25), each=2)
    assert found["errors"] == {}
    assert found["same_id_created"] == 1
    assert found["searches"] > 0
    # the bar is 2 s on a quiet machine; beside other tests only that nobody starves is seen
    assert found["longest_wait_s"] < 20
