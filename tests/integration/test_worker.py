"""A worker is called through the queue on PostgreSQL, and needs none to lose nothing."""

import asyncio
import contextlib
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text

from backstory import AsyncMemory, ConsolidationStatus, Settings
from backstory.api.worker import run_worker
from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope
from backstory.errors import StoreBusyError
from backstory.storage.engines.postgres import PostgresUnits
from backstory.storage.queue import SqlQueue, lock_of, queue_schema
from backstory.storage.queue_install import install_queue

SCHEMA = queue_schema("", None)
NEVER_S = 3600.0


def settings(url: str, **values: object) -> Settings:
    return Settings(url=url, embedder="none", background=False, **values)  # type: ignore[arg-type]


def rows(url: str, table: str, columns: str = "*") -> list[tuple[object, ...]]:
    """All rows of a table of the queue."""
    query = f"SELECT {columns} FROM {SCHEMA}.procrastinate_{table}"  # noqa: S608
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    try:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(query))]
    finally:
        engine.dispose()


@contextlib.asynccontextmanager
async def working(given: Settings, round_s: float = NEVER_S) -> AsyncIterator[list[str]]:
    """A worker at work; its rounds are over when the block begins."""
    stop, said, ready = asyncio.Event(), list[str](), asyncio.Event()

    def say(line: str) -> None:
        said.append(line)
        ready.set()

    task = asyncio.create_task(run_worker(given, stop, say, round_s=round_s))
    try:
        async with asyncio.timeout(30):
            await ready.wait()
            await asyncio.sleep(0.5)
            yield said
    finally:
        stop.set()
        async with asyncio.timeout(30):
            await task


async def seen(memory: AsyncMemory, what: Callable[[ConsolidationStatus], bool]) -> None:
    """Wait until a status says so."""
    async with asyncio.timeout(20):
        while not what(await memory.consolidation_status()):  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0.05)


def test_the_end_of_a_session_calls_a_worker(ready_postgres_url: str) -> None:
    """At once: its next round is an hour away."""

    async def scenario() -> None:
        given = settings(ready_postgres_url)
        async with working(given) as said, AsyncMemory(settings=given) as memory:
            assert "procrastinate" in said[0]
            for user in ("vera", "名" * 512, "a'b\"%_"):
                async with memory.session(user_id=user) as session:
                    await session.add("user", "I work at Volvo.")
            # the run is noted as done after the session is
            await seen(memory, lambda status: status.counts[0].done == 3)
            assert not (await memory.consolidation_status()).sessions_due
        # calls that were answered are gone
        assert rows(ready_postgres_url, "jobs") == []
        assert rows(ready_postgres_url, "workers") == []

    asyncio.run(scenario())


def test_other_processes_leave_it_to_a_worker(ready_postgres_url: str) -> None:
    async def scenario() -> None:
        given = settings(ready_postgres_url)
        async with AsyncMemory(settings=given) as memory:
            services = await memory._open()
            assert not await services.store.runs.has_worker()
            async with working(given):
                assert await services.store.runs.has_worker()
            assert not await services.store.runs.has_worker()

    asyncio.run(scenario())


def test_a_call_is_part_of_the_transaction(postgres_url: str) -> None:
    """What is taken back calls nobody, and what cannot be called is no error."""

    async def scenario() -> None:
        units = PostgresUnits(postgres_url)
        queue = SqlQueue(units, SCHEMA)
        call = (Scope("default", "vera"), RunKind.DAILY, "2026-03-02T02:00Z")

        def put(connection: Connection) -> str:
            queue.put(connection, [call])
            return str(connection.scalar(text("SELECT current_setting('search_path')")))

        def fail(connection: Connection) -> None:
            put(connection)
            raise ValueError

        path = await units.write(put)  # there is no queue yet
        assert await install_queue(units, SCHEMA)
        assert not await install_queue(units, SCHEMA)
        with pytest.raises(ValueError):  # noqa: PT011 - it is ours
            await units.write(fail)
        assert rows(postgres_url, "jobs") == []
        assert await units.write(put) == path
        found = rows(postgres_url, "jobs", "lock, args")
        wanted = {
            "tenant_id": "default",
            "user_id": "vera",
            "kind": "daily",
            "period": "2026-03-02T02:00Z",
        }
        assert found == [(lock_of(call[0]), wanted)]
        assert await units.write(lambda c: queue.forget(c, Scope("default", "kim"))) == 0
        assert await units.write(lambda c: queue.forget(c, call[0])) == 1
        assert rows(postgres_url, "jobs") == []
        await units.close()

    asyncio.run(scenario())


def test_a_queue_of_another_version_is_made_anew(postgres_url: str) -> None:
    """But not under a worker that is at work."""

    async def scenario() -> None:
        units = PostgresUnits(postgres_url)
        await install_queue(units, SCHEMA)

        def older(connection: Connection) -> None:
            connection.execute(text(f"COMMENT ON SCHEMA {SCHEMA} IS 'procrastinate 2.0'"))
            connection.execute(text(f"INSERT INTO {SCHEMA}.procrastinate_workers DEFAULT VALUES"))

        def gone(connection: Connection) -> None:
            connection.execute(text(f"TRUNCATE {SCHEMA}.procrastinate_workers CASCADE"))

        await units.write(older)
        with pytest.raises(StoreBusyError, match=r"procrastinate 2\.0"):
            await install_queue(units, SCHEMA)
        await units.write(gone)
        assert await install_queue(units, SCHEMA)
        await units.close()

    asyncio.run(scenario())


def test_a_schema_of_somebody_else_is_left_alone(ready_postgres_url: str) -> None:
    """The worker says so, and works in rounds. One that is empty is used."""

    async def scenario() -> None:
        units = PostgresUnits(ready_postgres_url)

        def occupy(connection: Connection) -> None:
            connection.execute(text(f"CREATE SCHEMA {SCHEMA}"))
            connection.execute(text(f"CREATE TABLE {SCHEMA}.procrastinate_workers (id int)"))

        def leave(connection: Connection) -> None:
            connection.execute(text(f"DROP TABLE {SCHEMA}.procrastinate_workers"))

        await units.write(occupy)
        given = settings(ready_postgres_url)
        async with AsyncMemory(settings=given) as memory:
            async with memory.session(user_id="vera") as session:
                await session.add("user", "I work at Volvo.")
            async with working(given, round_s=0.05) as said:
                await seen(memory, lambda status: status.counts[0].done == 1)
        assert any("there is no queue" in line for line in said)
        assert rows(ready_postgres_url, "workers") == []
        await units.write(leave)
        assert await install_queue(units, SCHEMA)
        await units.close()

    asyncio.run(scenario())


def test_forgetting_drops_the_calls(ready_postgres_url: str) -> None:
    async def scenario() -> None:
        given = settings(ready_postgres_url)
        async with working(given):
            pass
        async with AsyncMemory(settings=given) as memory:
            async with memory.session(user_id="vera") as session:
                await session.add("user", "I work at Volvo.")
            receipt = await memory.forget_user("vera")
            assert receipt.rows["queued_calls"] == 1
        assert rows(ready_postgres_url, "jobs") == []
        assert rows(ready_postgres_url, "events") == []

    asyncio.run(scenario())


def test_a_worker_on_sqlite_works_in_rounds(tmp_path: Path, ready_sqlite: bytes) -> None:
    async def scenario() -> None:
        path = tmp_path / "memory.db"
        path.write_bytes(ready_sqlite)
        given = settings(str(path), inactivity_timeout_s=0.01)
        async with AsyncMemory(settings=given) as memory:
            await memory.add("I work at Volvo.", user_id="vera")
            async with working(given, round_s=0.05) as said:
                await seen(memory, lambda status: status.counts[0].done == 1)
                # a user who was there when it became due has a daily run
                services = await memory._open()
                due = datetime(2126, 1, 1, tzinfo=UTC)
                await services.store.runs.queue("default", RunKind.DAILY, "x", due)
                await seen(memory, lambda status: status.counts[1].done == 1)
        assert any("1 sessions digested" in line for line in said)
        assert any("1 runs done" in line for line in said)

    asyncio.run(scenario())


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_the_command_ends_cleanly(tmp_path: Path, ready_sqlite: bytes) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(ready_sqlite)
    command = [sys.executable, "-m", "backstory", "worker", "--url", str(path)]
    with subprocess.Popen(
        [*command, "--embedder", "none"], stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stderr is not None
        said = [child.stderr.readline() for _ in range(2)]
        child.send_signal(signal.SIGTERM)
        said += child.stderr.readlines()
        assert child.wait(30) == 0
    assert said[0] == "at work on a sqlite store\n"
    assert said[-2:] == ["SIGTERM: what is going on is finished\n", "stopped\n"]
