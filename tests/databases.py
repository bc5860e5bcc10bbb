"""Databases that have their tables already, so that a test need not wait for them.

Making the tables takes ten times as long as most tests. A database is used again after it was
emptied; one whose tables a test has changed is given up.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from backstory import Memory
from tools.local_postgres import LocalPostgres

_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_SHAPE = r"""
    WITH own AS (
        SELECT oid, nspname FROM pg_namespace
        WHERE nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema'
    ), tables AS (
        SELECT c.oid, concat_ws(' ', nspname, relname, relkind) AS name
        FROM pg_class c JOIN own ON own.oid = relnamespace
    )
    SELECT name FROM tables
    UNION ALL SELECT nspname FROM own
    UNION ALL SELECT extname FROM pg_extension
    UNION ALL SELECT concat_ws(' ', 'function', proname)
        FROM pg_proc JOIN own ON own.oid = pronamespace
    UNION ALL SELECT concat_ws(' ', name, attname, atttypid, attnotnull)
        FROM pg_attribute JOIN tables ON tables.oid = attrelid
    UNION ALL SELECT concat_ws(' ', name, 'constraint', conname, pg_get_constraintdef(c.oid))
        FROM pg_constraint c JOIN tables ON tables.oid = conrelid
    UNION ALL SELECT concat_ws(' ', name, 'trigger', tgname)
        FROM pg_trigger JOIN tables ON tables.oid = tgrelid WHERE NOT tgisinternal
    ORDER BY 1
"""
_TABLES = (
    "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
)
_SIZE = """
    SELECT sum(pg_relation_size(oid)) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""
_LARGE = 2 * 2**20
_VERSIONS = "alembic_version"


class ReadyDatabases:
    """PostgreSQL databases with current tables and no rows.

    Args:
        server: Where they are.
    """

    def __init__(self, server: LocalPostgres) -> None:
        self._server = server
        self._free: list[str] = []
        self._shape: list[str] | None = None

    @contextmanager
    def one(self) -> Iterator[str]:
        """The URL of a database for one test."""
        url = self._free.pop() if self._free else self._made()
        yield url
        self._put_back(url)

    def _made(self) -> str:
        url = self._server.take_database()
        make_tables(url)
        if self._shape is None:
            with psycopg.connect(url, autocommit=True) as connection:
                self._shape = _names(connection, _SHAPE)
        return url

    def _put_back(self, url: str) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(_OTHERS)
            unchanged = _names(connection, _SHAPE) == self._shape
            if unchanged:
                _empty(connection)
        if unchanged:
            self._free.append(url)
        else:
            self._server.give_back(url)


def _empty(connection: psycopg.Connection) -> None:
    """Remove all rows. Deleting takes an eighth of a TRUNCATE while there are few."""
    names = [name for name in _names(connection, _TABLES) if name != _VERSIONS]
    tables = [sql.Identifier(name) for name in names]
    (size,) = _names(connection, _SIZE)
    if int(size) > _LARGE:
        connection.execute(
            sql.SQL("TRUNCATE {} RESTART IDENTITY").format(sql.SQL(",").join(tables))
        )
        return
    deletions = [sql.SQL("DELETE FROM {}").format(table) for table in tables]
    steps = [sql.SQL("SET session_replication_role = replica"), *deletions]  # in any order
    steps.append(sql.SQL("SELECT setval(seqrelid, seqstart, false) FROM pg_sequence"))
    connection.execute(sql.SQL(";").join(steps))


def make_tables(url: str) -> None:
    """Make the tables of a store, and leave it closed."""
    Memory(url, embedder=None).close()


def sqlite_with_tables(folder: Path) -> bytes:
    """The content of an SQLite file with current tables and no rows."""
    path = folder / "ready.db"
    make_tables(str(path))
    return path.read_bytes()


def _names(connection: psycopg.Connection, query: str) -> list[str]:
    return [row[0] for row in connection.execute(query.encode())]
