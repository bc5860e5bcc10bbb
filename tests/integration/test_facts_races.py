"""Many writers of one slot, in two processes with two threads each: one chain, nothing lost."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from backstory.core.location import Location
from backstory.core.model.fact import Fact, FactHistory, FactStatus
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter
from backstory.testing.stores.base import NOW, VERA
from tests.integration.facts_base import fact, opened, place_of, put, quote
from tools import forked

THREADS = 2
WRITERS = 13
MARA = Scope("default", "mara")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """An empty database of each kind."""
    return place_of(request, tmp_path)


async def write(place: Location, name: str, values: Sequence[str]) -> None:
    """Say values at once through one store, for two users."""
    store = await opened(place)
    await asyncio.gather(
        *(
            put(store, fact(value, scope=scope, evidence=quote((f"{name}{n}", value))), scope=scope)
            for scope in (VERA, MARA)
            for n, value in enumerate(values)
        )
    )
    await store.close()


def write_in_threads(place: Location, name: str, kind: str) -> None:
    """Do it in several threads, each with a store and a loop of its own."""

    def run(number: int) -> None:
        own = [f"{name}-{number}-{n}" if kind == "conflicting" else "same" for n in range(WRITERS)]
        asyncio.run(write(place, f"{name}{number}", own))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


SCRIPT = """
import sys
from backstory.core.location import Location
from tests.integration.test_facts_races import write_in_threads

print("ready", flush=True)
sys.stdin.readline()
write_in_threads(Location(sys.argv[1], sys.argv[2]), sys.argv[3], sys.argv[4])
"""


def race(place: Location, kind: str) -> None:
    """Let two processes write at the same time."""
    started = [forked.start(SCRIPT, place.kind, place.target, name, kind) for name in "ab"]
    for process in started:
        process.stdout.readline()
    for process in started:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        ended = process.finish()
        assert ended.returncode == 0, ended.stderr


def found(place: Location, scope: Scope) -> FactHistory:
    """What a user's slot holds in the end."""

    async def read() -> FactHistory:
        store = await opened(place)
        rows = await store.facts.listed(scope, FactFilter(), None)
        history = await store.facts.history(scope, rows[0][1].id)
        await store.close()
        assert history is not None
        return history

    return asyncio.run(read())


def test_conflicting_values_make_one_whole_chain(place: Location) -> None:
    race(place, "conflicting")
    for scope in (VERA, MARA):
        history = found(place, scope)
        rows = {row.id: row for row in history.facts}
        assert len(rows) == 2 * THREADS * WRITERS
        current = [row for row in rows.values() if row.status is FactStatus.ACTIVE]
        assert len(current) == 1
        followed = {row.superseded_by for row in rows.values()} - {None}
        first = next(row for row in rows.values() if row.id not in followed)
        assert _chain_length(first, rows) == len(rows)
        assert len(history.revisions) == len(history.corrections) == len(rows) - 1
        assert {(c.fact_id, c.other_id) for c in history.corrections} == {
            (row.id, row.superseded_by) for row in rows.values() if row.superseded_by
        }
        assert all(len(row.evidence) == 1 for row in rows.values())


def _chain_length(first: Fact, rows: dict[str, Fact]) -> int:
    length, row = 1, first
    while row.superseded_by is not None:
        row = rows[row.superseded_by]
        length += 1
    return length


def test_the_same_value_is_one_row_with_every_mention(place: Location) -> None:
    race(place, "same")
    for scope in (VERA, MARA):
        (row,) = found(place, scope).facts
        assert row.mentions == 2 * THREADS * WRITERS
        said_in = {evidence.message_id for evidence in row.evidence}
        assert len(said_in) == len(row.evidence) == 2 * THREADS * WRITERS
        assert row.valid_from == NOW
