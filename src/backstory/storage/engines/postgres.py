"""PostgreSQL through psycopg 3: a pool with time limits, the same functions under ``run_sync``."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, exc, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from backstory.errors import ClosedError, ConfigurationError
from backstory.storage.engines.failures import RETRY_STATES, postgres_failure

T = TypeVar("T")
_TRIES = 5


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
        self._engine = _engine(
            url, pool_size, pool_timeout_s, statement_timeout_s, connect_timeout_s
        )
        self._closed = False

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a reading function on one snapshot."""
        return await self._run(work, "REPEATABLE READ")

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a writing function; it is repeated after a deadlock."""
        return await self._run(work, "READ COMMITTED")

    async def scrub(self) -> None:
        """Do nothing: the server's vacuum reuses the space of deleted rows."""

    async def close(self) -> None:
        """Close the pool."""
        if not self._closed:
            self._closed = True
            await self._engine.dispose()

    async def _run(self, work: Callable[[Connection], T], isolation: str) -> T:
        if self._closed:
            raise ClosedError
        for last in (False,) * (_TRIES - 1) + (True,):
            try:
                return await self._once(work, isolation)
            except (exc.DBAPIError, exc.TimeoutError, OSError) as error:
                state = getattr(getattr(error, "orig", None), "sqlstate", None)
                if last or state not in RETRY_STATES:
                    raise postgres_failure(error) from error
        raise AssertionError

    async def _once(self, work: Callable[[Connection], T], isolation: str) -> T:
        async with self._engine.connect() as connection:
            await connection.execution_options(isolation_level=isolation)
            async with connection.begin():
                return await connection.run_sync(work)


def _engine(
    url: str,
    pool_size: int,
    pool_timeout_s: float,
    statement_timeout_s: float,
    connect_timeout_s: float,
) -> AsyncEngine:
    try:
        parsed = make_url(url).set(drivername="postgresql+psycopg")
    except exc.ArgumentError as error:
        raise ConfigurationError(
            "the database URL cannot be read; write postgresql://user:password@host:port/database"
        ) from error
    limit_ms = int(statement_timeout_s * 1000)
    return create_async_engine(
        parsed,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=pool_timeout_s,
        # A connection that died while it was idle (a restarted server) is replaced unseen.
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": max(2, int(connect_timeout_s)),
            "application_name": "backstory",
            "options": f"-c statement_timeout={limit_ms} -c lock_timeout={limit_ms} "
            f"-c synchronous_commit=on -c timezone=UTC",
        },
    )
