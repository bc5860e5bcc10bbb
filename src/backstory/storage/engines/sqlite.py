"""SQLite through the standard library: one writing thread, several reading ones.

WAL, so that readers never wait; ``synchronous=FULL``, so that a commit survives a power loss;
``secure_delete``, so that what was deleted is overwritten. A write starts with BEGIN IMMEDIATE:
a deferred transaction that turns into a write fails at once when another process writes
("database is locked", whatever the busy timeout).
"""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, exc
from sqlalchemy.pool import NullPool, StaticPool

from backstory.errors import ClosedError, StoreAddressError
from backstory.storage.engines.base import read_json
from backstory.storage.engines.compiled import COMPILED
from backstory.storage.engines.failures import sqlite_code, sqlite_failure
from backstory.threads import Workers

T = TypeVar("T")
W = TypeVar("W")
_log = logging.getLogger(__name__)

# SQLite's own busy handler sleeps up to 100 ms between two tries, which starves a process beside
# one that writes without pause. Short tries get their turn within milliseconds.
_POLL_S = 0.001
_READ_BUSY_MS = 5000
_READERS = 4
# How long a deletion holds up other writes of this process while it waits for readers that still
# need the WAL; after that it is tried again later.
_SCRUB_S = 0.2
# Looking through a file of this size for left text takes about 50 ms; a larger one is looked
# through in the background.
_SMALL_BYTES = 64 * 2**20
# fullfsync matters on macOS only, where a plain fsync stops at the drive's cache.
# temp_store keeps sorted rows and undo copies out of files in the folder for temporary ones.
_PRAGMAS = (
    "foreign_keys=ON",
    "synchronous=FULL",
    "fullfsync=ON",
    "secure_delete=ON",
    "temp_store=MEMORY",
)


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
        self._writer = Workers(1, "backstory-write")
        self._readers = Workers(_READERS, "backstory-read") if path else self._writer
        self._lock = threading.Lock()
        self._writing: Connection | None = None
        self._idle: list[Connection] = []
        self._open: list[Connection] = []
        self._closed = False
        self._file: tuple[int, int] | None = None
        # A process that was killed may have left what it had deleted.
        self._must_scrub = path is not None and _has_content(_wal_of(path))
        self._must_sweep = False

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a reading function in a reading thread."""
        return await self._run(self._readers, self._read, work)

    async def peek(self, work: Callable[[Connection], T]) -> T:
        """Run a function that reads with one statement."""
        return await self._run(self._readers, self._peek, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a writing function in the one writing thread."""
        return await self._run(self._writer, self._write, work)

    def compute(self, work: Callable[[], T]) -> T:
        """Run it here: a unit of work has a thread of its own."""
        return work()

    async def migrate(self, work: Callable[[Connection], None]) -> None:
        """Run a migration in the writing thread."""
        await self.write(work)

    async def note_growth(self, rows: int, tables: Sequence[Table]) -> None:
        """Do nothing: without statistics SQLite prefers the index that fits most columns."""

    async def scrub(self) -> None:
        """Move the WAL into the file and empty it; later, if a reader still needs it."""
        if self._path:
            self._must_scrub = self._must_sweep = True
            await self._run(self._writer, self._scrub, _SMALL_BYTES)

    async def tend(self) -> None:
        """Empty the WAL, and look for left text, if that was put off."""
        if self._must_scrub or self._must_sweep:
            await self._run(self._writer, self._scrub, None)

    async def close(self) -> None:
        """Close every connection; the last one of all processes removes the WAL file."""
        if self._closed:
            return
        self._closed = True
        if self._readers is not self._writer:
            await self._readers.close()
        await self._writer.run(self._finish)
        await self._writer.close()
        self._engine.dispose()

    def _finish(self) -> None:
        try:
            if self._must_scrub or self._must_sweep:
                self._scrub(None)
        except (exc.DBAPIError, sqlite3.Error) as error:
            # Nothing that was acknowledged depends on it; the next process that opens the file
            # finds the WAL and empties it.
            _log.warning("deleted text may be left in %s-wal: %s", self._where, error)
        finally:
            for connection in self._open:
                connection.close()

    async def _run(self, workers: Workers, unit: Callable[[W], T], work: W) -> T:
        if self._closed:
            raise ClosedError
        try:
            return await workers.run(unit, work)
        except exc.DBAPIError as error:
            raise sqlite_failure(error.orig, self._where) from error
        except sqlite3.Error as error:
            raise sqlite_failure(error, self._where) from error

    def _connect(self) -> Connection:
        if self._file:  # SQLite would open, or make, whatever is there now
            self._check_file()
        connection = self._engine.connect()
        self._file = self._file or _identity(self._path)
        self._open.append(connection)
        return connection

    def _connection(self) -> Connection:
        """The connection of the writing thread, which in memory is the only one."""
        if self._writing is None:
            writing = self._connect()
            # otherwise SQLite's busy handler sleeps before a write is tried again
            with writing.begin():
                writing.exec_driver_sql("PRAGMA busy_timeout=0")
            self._writing = writing
        return self._writing

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A connection to read on: the one used last, whose pages are in memory."""
        if self._path is None:
            yield self._connection()
            return
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._connect()
        try:
            yield connection
        finally:
            self._idle.append(connection)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self._reading() as connection, connection.begin():
            connection.exec_driver_sql("BEGIN")
            return work(connection)

    def _peek(self, work: Callable[[Connection], T]) -> T:
        # SQLAlchemy's own transaction: SQLite begins and ends one with the statement
        with self._reading() as connection, connection.begin():
            return work(connection)

    def _write(self, work: Callable[[Connection], T]) -> T:
        connection = self._connection()
        with connection.begin():
            self._begin_immediate(connection)
            self._check_file()
            result = work(connection)
        if self._must_scrub:
            self._checkpoint(0.0)
        return result

    def _check_file(self) -> None:
        """Refuse to write where nobody would find it: an open file lives on without a name."""
        if _identity(self._path) != self._file:
            raise StoreAddressError(
                f"the database file was moved or deleted while it was open ({self._where}); "
                "open it again"
            )

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

    def _scrub(self, most_bytes: int | None) -> None:
        """Empty the WAL; then, in a file that is not too large, look for text that was left."""
        self._checkpoint(_SCRUB_S)
        if self._path is None or self._must_scrub or not self._must_sweep:
            return
        if most_bytes is not None and self._path.stat().st_size > most_bytes:
            return
        # numpy loads only to look for what deletions left
        from backstory.storage.engines.residue import has_residue  # noqa: PLC0415

        if has_residue(self._path):
            connection = self._connection()
            try:
                with connection.begin():
                    connection.exec_driver_sql("VACUUM")
            except exc.OperationalError as error:
                # another process writes, or the disk is full: the deletion itself took place
                _log.warning("deleted text may be left in %s: %s", self._where, error.orig)
                return
            self._checkpoint(_SCRUB_S)
        self._must_sweep = self._must_scrub

    def _checkpoint(self, patience_s: float) -> None:
        """Try to empty the WAL. It cannot be done while a reader or writer works on it."""
        connection = self._connection()
        give_up = time.monotonic() + patience_s
        with connection.begin():
            while True:
                row = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
                self._must_scrub = bool(row[0])
                if not self._must_scrub or time.monotonic() > give_up:
                    return
                time.sleep(_POLL_S)


def _wal_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _identity(path: Path | None) -> tuple[int, int] | None:
    """Which file has this path now; None if there is none."""
    try:
        found = path.stat() if path else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _engine(path: Path | None) -> Engine:
    engine = create_engine(
        # not from text: a path may hold characters that mean something in a URL
        URL.create("sqlite", database=str(path) if path else None),
        poolclass=NullPool if path else StaticPool,
        connect_args={"check_same_thread": False, "timeout": _READ_BUSY_MS / 1000},
        hide_parameters=True,  # what users said stays out of error messages
        json_deserializer=read_json,
        execution_options={"compiled_cache": COMPILED},
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
