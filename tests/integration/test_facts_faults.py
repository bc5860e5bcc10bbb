"""A write of facts that fails or is killed at any of its statements leaves the state before it."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, Engine, event, inspect, text

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.location import Location
from backstory.core.model.contradiction import ContradictionState
from backstory.core.model.fact import Change, Fact, FactStatus
from backstory.errors import StoreError
from backstory.ports.facts import FactFilter
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import NOW, VERA, add, generation, vector_of
from backstory.testing.stores.records import edit
from tests.counts import cases
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
    say,
)
from tools import forked

Act = Callable[[SqlStore], Awaitable[object]]
ROLE = ("user", "work.role")
FIRST, SECOND, EMPLOYER = "1" * 32, "2" * 32, "3" * 32


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """An empty database of each kind."""
    return place_of(request, tmp_path)


async def fill(store: SqlStore) -> None:
    """Two messages, facts that rest on them, a contradiction, a vector."""
    messages = (await add(store, "I am a nurse at Volmar.", "I am a midwife.")).messages
    nurse = fact("nurse", key=ROLE[1], id=FIRST, evidence=quote((messages[0].id, "a nurse")))
    employer = fact("Volmar", id=EMPLOYER, evidence=quote((messages[0].id, "at Volmar")))
    await put(store, nurse, employer)
    clash = dispute(nurse, "cook", id="c" * 32, evidence=quote((messages[1].id, "cook")))
    wanted = FactsWanted(slots=frozenset({ROLE}))
    await apply(store, wanted, lambda _: FactPlan(contradictions={clash.id: clash}))
    made = {FIRST: (NOW, vector_of("nurse"))}
    await store.facts.save_vectors(VERA, await generation(store), made)


async def move(store: SqlStore) -> None:
    """A plan with a part for every table: a message that was read changes the role."""
    unread = await store.facts.unread(VERA, "default", 9)
    pairs = frozenset((m.id, revision) for group in unread for m, revision in group.messages)
    last = unread[-1].messages[-1][0].id

    def plan(book: FactBook) -> FactPlan:
        midwife = fact(
            "midwife", key=ROLE[1], id=SECOND, at=NOW + HOUR, evidence=quote((last, "a midwife"))
        )
        made = say(midwife)(book)
        (clash,) = book.contradictions.values()
        settled = replace(clash, state=ContradictionState.RESOLVED, resolved_at=NOW + HOUR)
        again = dispute(midwife, "cook", evidence=quote((last, "a midwife")))
        employer = book.facts[EMPLOYER]
        renamed, state = changed(employer, book, NOW + HOUR, value="Volmar & Co", evidence=())
        entry = line(employer, renamed, Change.UPDATED, NOW + HOUR, evidence=employer.evidence)
        return replace(
            made,
            facts={**made.facts, renamed.id: renamed},
            revisions=(*made.revisions, state),
            corrections=(*made.corrections, entry),
            contradictions={settled.id: settled, again.id: again},
        )

    wanted = FactsWanted(slots=frozenset({ROLE, ("user", "work.employer")}), unread=pairs)
    await apply(store, wanted, plan, now=NOW + HOUR)


async def withdraw(store: SqlStore) -> None:
    """Delete the first message."""
    unread = await store.facts.unread(VERA, "default", 9)
    await store.messages.delete(VERA, unread[0].messages[0][0].id)


async def reword(store: SqlStore) -> None:
    """Edit the first message."""
    unread = await store.facts.unread(VERA, "default", 9)
    await store.messages.edit(VERA, unread[0].messages[0][0].id, edit("I like tea."), NOW + HOUR)


async def erase(store: SqlStore) -> None:
    """Erase a fact with its source."""
    await store.facts.erase(VERA, FIRST, erase_source=True, now=NOW + HOUR)


ACTS: dict[str, Act] = {"move": move, "withdraw": withdraw, "reword": reword, "erase": erase}


def dump(connection: Connection) -> dict[str, list[str]]:
    """Every row of every table."""
    tables = inspect(connection).get_table_names()
    return {
        name: sorted(str(tuple(row)) for row in connection.execute(text(f"SELECT * FROM {name}")))  # noqa: S608
        for name in tables
    }


AT_COMMIT = -1


class Fault:
    """Fails, or ends the process, before the n-th writing statement; counts them."""

    def __init__(self, at: int | None = None, *, kills: bool = False) -> None:
        self.at = at
        self.kills = kills
        self.seen: list[str] = []

    def __call__(self, _c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        """Hear of a statement that is about to run."""
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            self.seen.append(statement)
            if len(self.seen) - 1 == self.at:
                self.strike()
        elif statement == "COMMIT":  # PostgreSQL's units of work send it themselves
            self.on_commit(None)

    def on_commit(self, _: Any) -> None:
        """Hear of a commit that is about to take place."""
        if self.kills and self.seen and self.at == AT_COMMIT:
            self.strike()

    def strike(self) -> None:
        """Fail."""
        if self.kills:
            os.kill(os.getpid(), signal.SIGKILL)
        raise StoreError("fault")


@contextmanager
def listening(fault: Fault) -> Iterator[Fault]:
    """Let a fault hear every statement of this process."""
    event.listen(Engine, "before_cursor_execute", fault)
    event.listen(Engine, "commit", fault.on_commit)
    try:
        yield fault
    finally:
        event.remove(Engine, "before_cursor_execute", fault)
        event.remove(Engine, "commit", fault.on_commit)


@pytest.mark.parametrize("name", ACTS)
def test_a_fault_at_any_statement_changes_nothing(place: Location, name: str) -> None:
    async def run() -> None:
        store = await opened(place)
        await fill(store)
        before = await store.units.read(dump)
        at = 0
        while True:
            with listening(Fault(at)) as fault:
                if await _succeeds(ACTS[name], store):
                    break
            assert await store.units.read(dump) == before, fault.seen[-1]
            at += 1
        assert at == len(fault.seen) >= 6
        assert await store.units.read(dump) != before
        await store.close()

    asyncio.run(run())


async def _succeeds(act: Act, store: SqlStore) -> bool:
    try:
        await act(store)
    except StoreError as error:
        if str(error) != "fault":
            raise
        return False
    return True


KILLED = """
import asyncio, sys
from backstory.core.location import Location
from tests.integration import test_facts_faults as here

async def act():
    store = await here.opened(Location(sys.argv[1], sys.argv[2]))
    with here.listening(here.Fault(int(sys.argv[3]), kills=True)):
        await here.move(store)

asyncio.run(act())
"""


async def _roles(place: Location) -> tuple[dict[str, FactStatus], int, int]:
    """The rows of the slot, its revisions, and how many messages are unread."""
    store = await opened(place)
    rows: list[Fact] = [f for _, f in await store.facts.listed(VERA, FactFilter(key=ROLE[1]), None)]
    history = await store.facts.history(VERA, rows[0].id)
    unread = await store.facts.count_unread(VERA, "default")
    await store.close()
    assert history is not None
    return {f.value: f.status for f in rows}, len(history.revisions), unread


def test_a_process_killed_at_any_statement_leaves_one_current_row(place: Location) -> None:
    async def prepare() -> None:
        store = await opened(place)
        await fill(store)
        await store.close()

    asyncio.run(prepare())
    before = ({"nurse": FactStatus.ACTIVE}, 0, 2)
    after = ({"nurse": FactStatus.SUPERSEDED, "midwife": FactStatus.ACTIVE}, 1, 0)
    for at in (*range(3, 10, cases(6, 1)), AT_COMMIT, 99):
        ended = forked.run(KILLED, place.kind, place.target, str(at))
        assert ended.returncode == (0 if at == 99 else -signal.SIGKILL), ended.stderr
        assert asyncio.run(_roles(place)) == (after if at == 99 else before), at


def test_a_lost_connection_asks_the_planner_again_and_writes_once(ready_postgres_url: str) -> None:
    calls: list[int] = []

    def plan(book: FactBook) -> FactPlan:
        calls.append(len(book.facts))
        if len(calls) == 1:
            with psycopg.connect(ready_postgres_url, autocommit=True) as other:
                other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
        return say(fact("midwife", key=ROLE[1], at=NOW + HOUR))(book)

    async def run() -> None:
        store = await opened(Location("postgres", ready_postgres_url))
        await fill(store)
        await apply(store, FactsWanted(slots=frozenset({ROLE})), plan)
        assert calls == [1, 1]
        rows = [f.value for _, f in await store.facts.listed(VERA, FactFilter(key=ROLE[1]), None)]
        assert rows == ["nurse", "midwife"]
        await store.close()

    asyncio.run(run())


def test_writers_that_make_the_user_at_once_decide_one_after_the_other(place: Location) -> None:
    async def run() -> None:
        stores = [await opened(place) for _ in range(2)]
        writers = (put(stores[n % 2], fact(f"{n}", at=NOW + n * HOUR)) for n in range(12))
        await asyncio.gather(*writers)
        rows = [f for _, f in await stores[0].facts.listed(VERA, FactFilter(), None)]
        assert len(rows) == 12
        assert sum(f.status is FactStatus.ACTIVE for f in rows) == 1
        for store in stores:
            await store.close()

    asyncio.run(run())
