"""What can happen to a server: one clear error each, and what was acknowledged is still there."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, exc, text

from backstory import AsyncMemory
from backstory.core.location import Location
from backstory.errors import (
    ClosedError,
    ConfigurationError,
    StoreAddressError,
    StoreBusyError,
    StoreReadOnlyError,
    StoreUnavailableError,
)
from backstory.settings import Settings
from backstory.storage.engines.failures import postgres_failure
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import add, texts
from tests.embedders import HeldEmbedder
from tools.local_postgres import LocalPostgres

END_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def opened(url: str, **options: Any) -> SqlStore:
    """An open store."""
    store = make_store(Location("postgres", url), **options)
    await store.open(may_upgrade=True)
    return store


@pytest.fixture(scope="module")
def own_server() -> Iterator[LocalPostgres]:
    """A server that these tests may stop, and that asks the role ``guarded`` for a password."""
    with LocalPostgres() as server:
        rules = "local all guarded scram-sha-256\nlocal all all trust\n"
        (server.data / "pg_hba.conf").write_text(rules)
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'")
            connection.execute("SELECT pg_reload_conf()")
        yield server


def test_a_lost_connection_is_replaced_unseen(ready_postgres_url: str) -> None:
    async def run() -> None:
        store = await opened(ready_postgres_url)
        await add(store, "one")
        for n in range(3):
            with psycopg.connect(ready_postgres_url, autocommit=True) as connection:
                connection.execute(END_OTHERS)
            await add(store, f"after {n}")
            with psycopg.connect(ready_postgres_url, autocommit=True) as connection:
                connection.execute(END_OTHERS)
            assert len(await texts(store)) == n + 2
        await store.close()

    asyncio.run(run())


def test_a_server_that_stops_and_comes_back(own_server: LocalPostgres) -> None:
    url = own_server.take_database()

    async def run() -> None:
        store = await opened(url)
        await add(store, "before")
        # in this thread: the server ends with the thread that starts it
        own_server.stop()
        for _ in range(2):
            with pytest.raises(StoreUnavailableError, match="cannot be reached") as caught:
                await add(store, "not stored")
            assert caught.value.retryable
            with pytest.raises(StoreUnavailableError):
                await texts(store)
        own_server.start()
        assert await texts(store) == ["before"]
        await add(store, "after")
        assert await texts(store) == ["before", "after"]
        await store.close()

    asyncio.run(run())


def test_a_pool_in_use_is_busy_within_its_limit(ready_postgres_url: str) -> None:
    async def run() -> None:
        store = await opened(ready_postgres_url, pool_size=1, pool_timeout_s=0.4)
        taken = asyncio.Event()

        def wait(connection: Connection) -> None:
            taken.set()
            connection.execute(text("SELECT pg_advisory_lock(1)"))

        with psycopg.connect(ready_postgres_url, autocommit=True) as other:
            other.execute("SELECT pg_advisory_lock(1)")
            slow = asyncio.create_task(store.units.read(wait))
            await taken.wait()
            begun = time.monotonic()
            with pytest.raises(StoreBusyError, match="pool_size") as caught:
                await add(store, "too busy")
            assert time.monotonic() - begun > 0.3
            assert caught.value.retryable
            assert not slow.done()
        await slow
        await add(store, "free again")
        await store.close()

    asyncio.run(run())


def test_no_connection_is_held_while_a_model_works(ready_postgres_url: str) -> None:
    settings = Settings(pool_size=1, time_limits="pool=5", background=False)

    async def run() -> None:
        embedder = HeldEmbedder()
        async with AsyncMemory(ready_postgres_url, embedder=embedder, settings=settings) as memory:
            adding = asyncio.create_task(memory.add("I live in Lund.", user_id="vera"))
            await asyncio.wait_for(embedder.began.wait(), 50)
            for _ in range(3):
                page = await memory.get_all(user_id="vera")
                assert [message.text for message in page.items] == ["I live in Lund."]
            assert not adding.done()
            embedder.may_go_on.set()
            assert (await adding).pending == 0

    asyncio.run(run())


def test_a_statement_that_takes_too_long(ready_postgres_url: str) -> None:
    async def run() -> None:
        store = await opened(ready_postgres_url, statement_timeout_s=0.3)
        sleep = text("SELECT pg_sleep(20)")  # which would end without an error
        with pytest.raises(StoreBusyError, match="time limit"):
            await store.units.read(lambda c: c.execute(sleep).all())
        await add(store, "works")
        await store.close()

    asyncio.run(run())


def test_a_lock_that_is_not_given_up(ready_postgres_url: str) -> None:
    async def run() -> None:
        store = await opened(ready_postgres_url, statement_timeout_s=0.5)
        await add(store, "one")
        with psycopg.connect(ready_postgres_url) as other:
            other.execute("SELECT * FROM users FOR UPDATE")
            with pytest.raises(StoreBusyError):
                await add(store, "two")
            assert await texts(store) == ["one"]
            other.rollback()
        await add(store, "two")
        await store.close()

    asyncio.run(run())


def test_a_server_that_only_reads(postgres_url: str) -> None:
    async def run() -> None:
        store = await opened(postgres_url)
        await add(store, "kept")
        name = await store.units.read(lambda c: c.scalar(text("SELECT current_database()")))
        await store.close()
        change = "ALTER DATABASE {} {} default_transaction_read_only"
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(change.format(name, "SET") + " = on")
        try:
            store = await opened(postgres_url)
            with pytest.raises(StoreReadOnlyError, match="only accepts reads"):
                await add(store, "more")
            assert await texts(store) == ["kept"]
            await store.close()
        finally:
            with psycopg.connect(postgres_url, autocommit=True) as connection:
                connection.execute("SET default_transaction_read_only = off")
                connection.execute(change.format(name, "RESET"))

    asyncio.run(run())


def refused(url: str) -> StoreUnavailableError:
    """The error of opening."""

    async def run() -> StoreUnavailableError:
        store = make_store(Location("postgres", url))
        with pytest.raises(StoreUnavailableError) as caught:
            await store.open(may_upgrade=True)
        await store.close()
        return caught.value

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("user", "wanted"), [("guarded:hunter22", "password"), ("guarded", "password"), ("bob", "role")]
)
def test_a_login_that_is_refused(own_server: LocalPostgres, user: str, wanted: str) -> None:
    error = refused(own_server.url().replace("postgres@", user + "@"))
    assert isinstance(error, StoreAddressError)
    assert not error.retryable
    assert wanted in str(error)
    assert "hunter22" not in str(error)


def test_no_such_database(own_server: LocalPostgres) -> None:
    error = refused(own_server.url("nowhere"))
    assert 'database "nowhere" does not exist' in str(error)
    assert isinstance(error, StoreAddressError)


def test_no_server() -> None:
    begun = time.monotonic()
    error = refused("postgresql://127.0.0.1:9/nothing")
    assert "cannot be reached" in str(error)
    assert error.retryable
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    ("reason", "wanted"),
    [
        ("Name or service not known", StoreAddressError),
        ("Temporary failure in name resolution", StoreUnavailableError),
    ],
)
def test_no_such_host(reason: str, wanted: type[StoreUnavailableError]) -> None:
    error = psycopg.OperationalError(f"failed to resolve host 'db': [Errno -2] {reason}")
    assert type(postgres_failure(exc.OperationalError(None, None, error))) is wanted


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://host:port/x",
        "postgresql://bob:hunter@22@localhost/x",
        "postgresql://bob:hunter@22/a@localhost/x",
        "postgresql://bob:hunter@22?a@localhost/x",
        "postgresql://bob:hunter@22:a@localhost/x",
        "postgresql://bob:hunter22@localhost:54x/x",
        "postgresql://bob:hunter22@localhost:99999/x",
        "postgresql://bob:hunter22@[::1/x",
    ],
)
def test_a_url_that_cannot_be_read(url: str) -> None:
    with pytest.raises(ConfigurationError, match="URL") as caught:
        make_store(Location("postgres", url))
    assert "hunter" not in str(caught.value)
    assert "22" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_closing_waits_for_calls(ready_postgres_url: str) -> None:
    """No connection is left to the garbage collector."""

    async def run() -> None:
        store = await opened(ready_postgres_url)
        began = asyncio.Event()

        def wait(connection: Connection) -> int:
            began.set()
            return len(connection.execute(text("SELECT pg_sleep(0.5)")).all())

        slow = asyncio.create_task(store.units.read(wait))
        await began.wait()
        assert not slow.done()
        await store.close()
        assert slow.done()
        assert await slow == 1
        with pytest.raises(ClosedError):
            await texts(store)

    asyncio.run(run())


def test_a_closed_store(ready_postgres_url: str) -> None:
    async def run() -> None:
        store = await opened(ready_postgres_url)
        await store.close()
        await store.close()
        with pytest.raises(ClosedError):
            await texts(store)

    asyncio.run(run())


@pytest.mark.parametrize("missing", ["psycopg", "greenlet"])
def test_a_missing_package_is_named(missing: str) -> None:
    script = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from backstory.core.location import Location\n"
        "from backstory.storage.factory import make_store\n"
        "from backstory.errors import MissingDependencyError\n"
        "try: make_store(Location('postgres', 'postgresql://localhost/x'))\n"
        "except MissingDependencyError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert "pip install 'backstory[postgres]'" in done.stdout, done.stderr
