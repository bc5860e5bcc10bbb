"""Kills and races: ``python -m bench.durability --out FILE``.

Writers are killed at random moments on SQLite and PostgreSQL, then a PostgreSQL server under a
writer; two processes write to one store at once. Any loss or double ends the run with an error.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg

from backstory.core.location import parse_location
from backstory.storage.factory import make_store
from bench.children import must
from bench.crashing import Writer, check, check_file, kill_clients
from bench.measure import positive, write_json
from bench.racing import race
from tools.local_postgres import LocalPostgres

MUST_BE_ON = ("fsync", "synchronous_commit", "full_page_writes")


def kill_server(count: int, seed: int = 1) -> dict[str, Any]:
    """Kill a PostgreSQL server under a writer, start it again, and go on with the same writer."""
    choose = random.Random(seed)  # noqa: S311
    with LocalPostgres() as server:
        settings = durable_settings(server.url())
        url = server.take_database()
        asyncio.run(create(url))
        writer = Writer(url, f"server{seed}", is_local=False, patient=True)
        writer.start()
        for _ in range(count):
            writer.wait_until(len(writer.acknowledged) + 3)
            time.sleep(choose.uniform(0, 0.2))
            server.kill()
            server.start()
        writer.wait_until(len(writer.acknowledged) + 3)
        writer.kill()
        counts = asyncio.run(check(url, writer))
    return {
        "kills": count,
        **counts,
        "settings": settings,
        "errors_while_down": dict(writer.failures),
    }


def durable_settings(url: str) -> dict[str, str]:
    """Read from a server that it keeps what it acknowledges.

    Raises:
        AssertionError: It would not survive a crash.
    """
    with psycopg.connect(url) as connection:
        rows = [(name, connection.execute(f"SHOW {name}").fetchone()) for name in MUST_BE_ON]
    found = {name: str(row[0]) for name, row in rows if row is not None}
    must(found == dict.fromkeys(MUST_BE_ON, "on"), f"the server does not keep data: {found}")
    return found


async def create(url: str) -> None:
    """Make the tables."""
    store = make_store(parse_location(url))
    await store.open(may_upgrade=True)
    await store.close()


def run(*, kills: int, server_kills: int, writers: int, each: int) -> dict[str, Any]:
    """Run everything.

    Args:
        kills: Writers killed on each database.
        server_kills: Kills of the PostgreSQL server.
        writers: Writers of each of the two processes.
        each: Messages of each writer.
    """
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="backstory-") as folder, LocalPostgres() as server:
        path = Path(folder) / "memory.db"
        found["sqlite client killed"] = _told(kill_clients, str(path), kills, 1)
        check_file(path)
        durable_settings(server.url())
        url = server.take_database()
        asyncio.run(create(url))
        found["postgresql client killed"] = _told(kill_clients, url, kills, 2)
        found["postgresql server killed"] = _told(kill_server, server_kills)
        for name, place in (
            ("sqlite", f"{folder}/race.db"),
            ("postgresql", server.take_database()),
        ):
            asyncio.run(create(place))
            found[f"{name} race"] = race(place, writers=writers, each=each)
            sys.stdout.write(f"{name} race: {found[f'{name} race']}\n")
    return found


def _told(step: Any, *arguments: Any) -> Any:
    begun = time.monotonic()
    found = step(*arguments)
    sys.stdout.write(f"{step.__name__}: {found} in {time.monotonic() - begun:.0f} s\n")
    sys.stdout.flush()
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--server-kills", type=int, default=20)
    parser.add_argument("--writers", type=positive, default=25)
    parser.add_argument("--each", type=positive, default=20)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(argv)
    counts = {
        "kills": given.kills,
        "server_kills": given.server_kills,
        "writers": given.writers,
        "each": given.each,
    }
    found = run(**counts)
    if given.out is not None:
        write_json(given.out, {"name": "durability", "parameters": counts, "results": found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
