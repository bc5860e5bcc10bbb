"""PostgreSQL through psycopg 3: a pool with time limits, the same functions under ``run_sync``."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Generic, Self, TypeVar

import psycopg
from psycopg import AsyncCursor, adapters
from psycopg.abc import Params
from psycopg.adapt import Dumper
from psycopg.pq import Format
from sqlalchemy import URL, Connection, Table, create_engine, exc, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool
from sqlalchemy.util import await_only

from backstory.errors import ClosedError, ConfigurationError, StoreError
from backstory.storage.engines.base import Binary, read_json
from backstory.storage.engines.compiled import COMPILED
from backstory.storage.engines.failures import is_conflict, postgres_failure, was_lost
from backstory.storage.engines.piped import PipedConnection, is_unheeded
from backstory.threads import run_in_thread

T = TypeVar("T")
_TRIES = 5
_FIRST_STATISTICS = 200
# How long closing waits for calls that are running.
_CLOSE_S = 10.0
_ESCAPES = "%40 for @, %2F for /, %3F for ?, %23 for # and %3A for :"
_log = logging.getLogger(__name__)


class PostgresUnits:
    """Units of work on one PostgreSQL database.

    Args:
        url: ``postgresql://user:password@host:port/database``.
        pool_size: Most connections that are open at once.
        pool_timeout_s: How long a call waits for a free connection.
        statement_timeout_s: Time limit of one statement, in the server.
        connect_timeout_s: Time limit of connecting.
    """

    dialect = "postgresql"

    def __init__(
        self,
        url: str,
        *,
        pool_size: int = 5,
        pool_timeout_s: float = 10.0,
        statement_timeout_s: float = 30.0,
        connect_timeout_s: float = 5.0,
    ) -> None:
        self._options = _options(statement_timeout_s, connect_timeout_s)
        self._engine = _engine(url, pool_size, pool_timeout_s, self._options)
        self._closed = False
        self._calls = 0
        self._is_quiet = asyncio.Event()
        self._written = 0
        self._next_statistics = _FIRST_STATISTICS

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a reading function on one snapshot."""
        return await self._run(work, "REPEATABLE READ")

    async def peek(self, work: Callable[[Connection], T]) -> T:
        """Run a function that reads with one statement, in one round trip."""
        return await self._run(work, None)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a writing function; it is repeated after a deadlock or a lost connection."""
        return await self._run(work, "READ COMMITTED")

    def compute(self, work: Callable[[], T]) -> T:
        """Run it in a thread, while the event loop goes on."""
        done: T = await_only(run_in_thread(work))
        return done

    async def migrate(self, work: Callable[[Connection], None]) -> None:
        """Run a migration in a thread, over a blocking connection of its own."""
        if self._closed:
            raise ClosedError
        await run_in_thread(self._migrate, work)

    def _migrate(self, work: Callable[[Connection], None]) -> None:
        engine = create_engine(
            self._engine.url, poolclass=NullPool, hide_parameters=True, connect_args=self._options
        )
        try:
            with engine.begin() as connection:
                work(connection)
        except (exc.DBAPIError, OSError) as error:
            raise postgres_failure(error) from error
        finally:
            engine.dispose()

    async def note_growth(self, rows: int, tables: Sequence[Table]) -> None:
        """Take statistics early: the server's own daemon comes after a minute.

        Until then it takes a new table for a small one, and looks through all of a user's rows
        where it should look up each id.
        """
        self._written += rows
        if self._written < self._next_statistics:
            return
        self._next_statistics *= 10
        format_table = self._engine.dialect.identifier_preparer.format_table
        names = ", ".join(format_table(table) for table in tables)
        try:
            await self.peek(lambda connection: connection.execute(text(f"ANALYZE {names}")))
        except StoreError as error:
            _log.warning("statistics could not be taken: %s", error)

    async def scrub(self) -> None:
        """Do nothing: the server's vacuum reuses the space of deleted rows."""

    async def tend(self) -> None:
        """Do nothing: nothing is ever put off."""

    async def close(self) -> None:
        """Wait for the calls that are running, at most 10 s, and close the pool."""
        if self._closed:
            return
        self._closed = True
        if self._calls:
            try:
                await asyncio.wait_for(self._is_quiet.wait(), _CLOSE_S)
            except TimeoutError:
                _log.warning("closed the pool while %d calls were running", self._calls)
        await self._engine.dispose()

    async def _run(self, work: Callable[[Connection], T], isolation: str | None) -> T:
        if self._closed:
            raise ClosedError
        self._calls += 1
        try:
            return await self._tried(work, isolation)
        finally:
            self._calls -= 1
            if self._closed and not self._calls:
                self._is_quiet.set()

    async def _tried(self, work: Callable[[Connection], T], isolation: str | None) -> T:
        reconnected = False
        for last in (False,) * (_TRIES - 1) + (True,):
            unit = _Unit(work, isolation)
            try:
                async with self._engine.connect() as connection:
                    return await connection.run_sync(unit.run)
            except (exc.DBAPIError, exc.TimeoutError, OSError) as error:
                # Whether a commit took place that got no answer is unknown: it is not repeated.
                lost = unit.is_begun and not unit.is_committing and was_lost(error)
                if last or not (is_conflict(error) or (lost and not reconnected)):
                    raise postgres_failure(error) from error
                # SQLAlchemy has dropped every idle connection: the next one is new.
                reconnected = reconnected or lost
        raise AssertionError


class _Unit(Generic[T]):
    """One try of one unit of work, and how far it came."""

    def __init__(self, work: Callable[[Connection], T], isolation: str | None) -> None:
        self._work = work
        self._isolation = isolation
        self.is_begun = False
        self.is_committing = False

    def run(self, connection: Connection) -> T:
        """Run it under SQLAlchemy's bridge to the asynchronous driver."""
        self.is_begun = True
        if self._isolation is None:
            with connection.begin():  # nothing is sent: the driver is in autocommit
                return self._work(connection)
        with connection.begin():
            try:
                connection.exec_driver_sql(f"BEGIN ISOLATION LEVEL {self._isolation}")
                result = self._work(connection)
                self.is_committing = True
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                _leave(connection)  # before SQLAlchemy rolls back, which would hide the error
                raise
        return result


def _leave(connection: Connection) -> None:
    """Bring the driver back from a unit of work that failed; if that fails too, drop it."""
    if connection.closed or connection.invalidated:
        return
    driver = connection.connection.driver_connection
    if not isinstance(driver, PipedConnection):
        return
    try:
        await_only(driver.leave())
    except psycopg.errors.PipelineAborted:
        return  # statements behind the one that failed
    except (psycopg.Error, OSError):
        connection.invalidate()


class _BinaryCursor(AsyncCursor[Any]):
    """Asks for results in binary form: a vector as text is twice its size and must be parsed.

    SQLAlchemy reads the catalog (``pg_catalog``) in the form of text only.
    """

    async def execute(
        self,
        query: Any,
        params: Params | None = None,
        *,
        prepare: bool | None = None,
        binary: bool | None = None,
    ) -> Self:
        """Run a statement."""
        text = str(query)
        if binary is None:
            binary = "pg_catalog" not in text
        connection = self.connection
        if not isinstance(connection, PipedConnection):
            return await super().execute(query, params, prepare=prepare, binary=binary)
        if text.startswith("BEGIN"):
            await connection.enter()
        await super().execute(query, params, prepare=prepare, binary=binary)
        if text == "COMMIT":
            await connection.leave()
        elif not is_unheeded(text):
            await connection.settle()
        return self

    async def executemany(
        self, query: Any, params_seq: Iterable[Params], *, returning: bool = False
    ) -> None:
        """Run a statement for each of several sets of parameters."""
        await super().executemany(query, params_seq, returning=returning)
        if isinstance(self.connection, PipedConnection):
            await self.connection.settle()


class _BinaryDumper(Dumper):
    """Sends a ``Binary`` as it is; its type is that of the cast around it."""

    format = Format.BINARY

    def dump(self, obj: Binary) -> bytes:
        """Give what is sent."""
        return bytes(obj)


adapters.register_dumper(Binary, _BinaryDumper)


def _options(statement_timeout_s: float, connect_timeout_s: float) -> dict[str, Any]:
    """What every connection is opened with."""
    limit_ms = int(statement_timeout_s * 1000)
    return {
        "connect_timeout": max(2, int(connect_timeout_s)),
        "application_name": "backstory",
        "options": f"-c statement_timeout={limit_ms} -c lock_timeout={limit_ms} "
        f"-c synchronous_commit=on -c timezone=UTC",
    }


def _engine(
    url: str, pool_size: int, pool_timeout_s: float, options: dict[str, Any]
) -> AsyncEngine:
    parsed = _parsed(url)
    return create_async_engine(
        parsed,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=pool_timeout_s,
        hide_parameters=True,  # what users said stays out of error messages
        json_deserializer=read_json,
        execution_options={"compiled_cache": COMPILED},
        # A connection may have died while it was idle; no ping before each use, since a unit of
        # work that finds it lost is run again on a new one.
        connect_args={
            **options,
            "cursor_factory": _BinaryCursor,
            "async_creator_fn": PipedConnection.connect,
        },
        isolation_level="AUTOCOMMIT",  # each unit of work sends its own BEGIN, with what follows
    )


def libpq_url(url: str) -> str:
    """The same address, as programs without SQLAlchemy read it; with the password."""
    return _parsed(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _parsed(url: str) -> URL:
    """Read the URL. What is wrong with it is not quoted: it may be a part of the password.

    Raises:
        ConfigurationError: It cannot be read, or a password has an unescaped "@" or "/".
    """
    parsed = None
    with suppress(exc.ArgumentError, ValueError):
        parsed = make_url(url).set(drivername="postgresql+psycopg")
    # outside of the handler, so that the error carries no other one that quotes the URL
    if parsed is None or not 0 < (parsed.port or 5432) < 2**16:
        raise ConfigurationError(
            "the database URL cannot be read; write postgresql://user:password@host:port/database, "
            f"the password with {_ESCAPES}"
        )
    first_name = url.partition("?")[2].partition("=")[0]
    if any("@" in (part or "") for part in (parsed.host, parsed.database, first_name)):
        raise ConfigurationError(
            "the database URL has more than one @; write a user or password that holds "
            f"such characters with {_ESCAPES}"
        )
    return parsed
