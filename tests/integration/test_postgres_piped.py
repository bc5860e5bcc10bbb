"""PostgreSQL: one trip for several statements, and what goes wrong in them is as before."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection, text

from backstory import AsyncMemory
from backstory.errors import StoreError
from backstory.settings import Settings
from backstory.storage.engines.piped import PipedConnection, is_unheeded
from backstory.storage.engines.postgres import PostgresUnits

Work = Callable[[PostgresUnits], Awaitable[None]]


def run(url: str, work: Work) -> None:
    async def use() -> None:
        units = PostgresUnits(url, pool_size=1)
        try:
            await units.write(lambda c: c.execute(text("CREATE TABLE piped (n int PRIMARY KEY)")))
            await work(units)
        finally:
            await units.write(lambda c: c.execute(text("DROP TABLE IF EXISTS piped")))
            await units.close()

    asyncio.run(use())


def put(connection: Connection, *numbers: int) -> None:
    for number in numbers:
        connection.execute(text("INSERT INTO piped VALUES (:n)"), {"n": number})


async def stored(units: PostgresUnits) -> list[int]:
    return await units.read(lambda c: list(c.scalars(text("SELECT n FROM piped ORDER BY n"))))


def test_a_change_that_fails_unseen_is_raised_and_nothing_is_written(
    ready_postgres_url: str,
) -> None:
    def last(connection: Connection) -> None:
        put(connection, 1, 2, 1)

    def read_later(connection: Connection) -> None:
        put(connection, 3, 3)
        connection.execute(text("SELECT 1")).all()

    async def work(units: PostgresUnits) -> None:
        for broken in (last, read_later):
            with pytest.raises(StoreError, match="piped_pkey"):
                await units.write(broken)
            assert await stored(units) == []
        await units.write(lambda c: put(c, 4, 5))
        assert await stored(units) == [4, 5]

    run(ready_postgres_url, work)


def test_an_error_of_the_work_takes_back_what_was_sent(ready_postgres_url: str) -> None:
    def fail(connection: Connection) -> None:
        put(connection, 1)
        raise LookupError

    async def work(units: PostgresUnits) -> None:
        with pytest.raises(LookupError):
            await units.write(fail)
        assert await stored(units) == []

    run(ready_postgres_url, work)


def test_a_call_that_is_cancelled_leaves_a_connection_that_works(ready_postgres_url: str) -> None:
    def slow(connection: Connection) -> None:
        put(connection, 1)
        connection.execute(text("SELECT pg_sleep(5)")).all()

    async def work(units: PostgresUnits) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(units.write(slow), 0.2)
        assert await stored(units) == []
        await units.write(lambda c: put(c, 2))
        assert await stored(units) == [2]

    run(ready_postgres_url, work)


def test_a_connection_that_closes_within_a_unit_says_nothing(
    ready_postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(units: PostgresUnits) -> None:
        await units.peek(lambda c: c.execute(text("SELECT 1")).all())
        async with units._engine.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            assert isinstance(driver, PipedConnection)
            await driver.enter()
            await driver.close()
            await connection.invalidate()
        del driver
        gc.collect()
        await asyncio.sleep(0)

    run(ready_postgres_url, work)
    assert caplog.records == []


def test_rows_found_are_counted(ready_postgres_url: str) -> None:
    async def work(units: PostgresUnits) -> None:
        await units.write(lambda c: put(c, 1, 2))
        changed = text("UPDATE piped SET n = n + 10 WHERE n > 1")
        assert await units.write(lambda c: c.execute(changed).rowcount) == 1
        assert await units.write(lambda c: c.execute(text("DELETE FROM piped")).rowcount) == 2

    run(ready_postgres_url, work)


def test_one_message_takes_three_trips(
    ready_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips = 0

    def counting(method: Any) -> Any:
        async def counted(self: PipedConnection) -> None:
            nonlocal trips
            trips += 1
            await method(self)

        return counted

    async def add() -> None:
        nonlocal trips
        settings = Settings(reading="none", background=False)
        async with AsyncMemory(ready_postgres_url, embedder=None, settings=settings) as memory:
            for _ in range(8):  # the first ones also prepare statements
                trips = 0
                await memory.add("Hello \u6c49\u5b57 \U0001f40c", user_id="u", session_id="s")
            assert trips == 3  # closing leaves too

    monkeypatch.setattr(PipedConnection, "settle", counting(PipedConnection.settle))
    monkeypatch.setattr(PipedConnection, "leave", counting(PipedConnection.leave))
    asyncio.run(add())


def test_what_is_waited_for() -> None:
    assert is_unheeded("INSERT INTO a VALUES (1)")
    assert is_unheeded("UPDATE /* unheeded */ a SET b=1")
    assert not is_unheeded("INSERT INTO a VALUES (1) RETURNING b")
    assert not is_unheeded("UPDATE a SET b=1")
    assert not is_unheeded("SELECT 1")
