"""SQLite through the standard library: one writing thread, several reading ones.

WAL, so that readers never wait; ``synchronous=FULL``, so that a commit survives a power loss;
``secure_delete``, so that what was deleted is overwritten. A write starts with BEGIN IMMEDIATE:
a deferred transaction that turns into a write fails at once when another process writes
("database is locked", whatever the busy timeout).
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, exc
from sqlalchemy.pool import NullPool, StaticPool

from backstory.errors import ClosedError
from backstory.storage.engines.failures import sqlite_code, sqlite_failure

T = TypeVar("T")
W = TypeVar("W")

# SQLite's own busy handler sleeps up to 100 ms between two tries, which starves a process beside
# one that writes without pause. Short tries get their turn within milliseconds.
_POLL_S = 0.001
_READ_BUSY_MS = 5000
_READERS = 4
# fullfsync matters on macOS only, where a plain fsync stops at the drive's cache.
_PRAGMAS = ("foreign_keys=ON", "synchronous=FULL", "fullfsync=ON", "secure_delete=ON")


class SqliteUnits:
    """Units of work on one SQLite file, or in memory.

    Args:
        path: The file; None keeps the database in memory.
        lock_timeout_s: How long a write waits for other processes before StoreBusyError.
    """

    dialect = "sqlite"

    def __init__(self, path: Path | None, *, lock_timeout_s: float = 30.0) -> None:
        self._path = path
        self._where = str(path) if path else ":memory:"
        self._lock_timeout_s = lock_timeout_s
        self._engine = _engine(path)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="backstory-write")
        self._readers = (
            ThreadPoolExecutor(_READERS, thread_name_prefix="backstory-read")
            if path
            else self._writer
        )
        self._local = threading.local()
        self._open: list[Connection] = []
        self._closed = False

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a reading function in a reading thread."""
        return await self._run(self._readers, self._read, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a writing function in the one writing thread."""
        return await self._run(self._writer, self._write, work)

    async def scrub(self) -> None:
        """Move the WAL into the file and empty it, unless a reader still needs it."""
        if self._path:
            await self._run(self._writer, self._checkpoint, None)

    async def close(self) -> None:
        """Close every connection; the last one of all processes removes the WAL file."""
        if self._closed:
            return
        self._closed = True
        for pool in {self._writer, self._readers}:
            await asyncio.to_thread(pool.shutdown)
        for connection in self._open:
            connection.close()
        self._engine.dispose()

    async def _run(self, pool: ThreadPoolExecutor, unit: Callable[[W], T], work: W) -> T:
        if self._closed:
            raise ClosedError
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, unit, work)
        except exc.DBAPIError as error:
            raise sqlite_failure(error.orig, self._where) from error
        except sqlite3.Error as error:
            raise sqlite_failure(error, self._where) from error

    def _connection(self) -> Connection:
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._engine.connect()
            self._local.connection = connection
            self._open.append(connection)
        return connection

    def _read(self, work: Callable[[Connection], T]) -> T:
        connection = self._connection()
        with connection.begin():
            connection.exec_driver_sql("BEGIN")
            return work(connection)

    def _write(self, work: Callable[[Connection], T]) -> T:
        connection = self._connection()
        with _waiting_less(connection), connection.begin():
            self._begin_immediate(connection)
            return work(connection)

    def _begin_immediate(self, connection: Connection) -> None:
        give_up = time.monotonic() + self._lock_timeout_s
        while True:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            except exc.OperationalError as error:
                if sqlite_code(error.orig) != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                    raise
                time.sleep(_POLL_S)
            else:
                return

    def _checkpoint(self, _: None) -> None:
        self._connection().exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").all()
        self._connection().rollback()


@contextmanager
def _waiting_less(connection: Connection) -> Iterator[None]:
    """Let BEGIN IMMEDIATE fail at once instead of sleeping in SQLite's busy handler."""
    raw: Any = connection.connection.dbapi_connection
    raw.execute("PRAGMA busy_timeout=0")
    try:
        yield
    finally:
        raw.execute(f"PRAGMA busy_timeout={_READ_BUSY_MS}")


def _engine(path: Path | None) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}" if path else "sqlite://",
        poolclass=NullPool if path else StaticPool,
        connect_args={"check_same_thread": False, "timeout": _READ_BUSY_MS / 1000},
    )

    @event.listens_for(engine, "connect")
    def _prepare(raw: sqlite3.Connection, _: object) -> None:
        # None: this module writes every BEGIN itself.
        raw.isolation_level = None
        for pragma in _PRAGMAS:
            raw.execute(f"PRAGMA {pragma}")
        if path:
            _use_wal(raw)

    return engine


def _use_wal(raw: sqlite3.Connection) -> None:
    """Switch the file to WAL; two processes that create it at once may have to try again."""
    if raw.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    give_up = time.monotonic() + _READ_BUSY_MS / 1000
    while True:
        try:
            raw.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if sqlite_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(_POLL_S)
        else:
            return
