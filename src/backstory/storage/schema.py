"""The version of a store's schema: read by plain SQL, raised by Alembic under a lock.

A new store gets the tables of this version at once.
"""

from collections.abc import Callable
from zlib import crc32

from sqlalchemy import Connection, inspect, text

from backstory.errors import SchemaVersionError, StoreCorruptError
from backstory.storage.creating import VERSIONS, create_tables
from backstory.storage.engines.base import Units
from backstory.threads import run_in_thread

# Every revision that this version of backstory knows, oldest first.
REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
HEAD = REVISIONS[-1]
Upgrade = Callable[[Connection, str, str | None], None]


def read_version(connection: Connection, prefix: str, schema: str | None) -> str | None:
    """The revision in the database, or None if the store has no tables there yet.

    Raises:
        StoreCorruptError: The version table is there, but empty.
    """
    table = prefix + VERSIONS
    if not inspect(connection).has_table(table, schema=schema):
        return None
    where = f'"{schema}"."{table}"' if schema else f'"{table}"'
    # Prefix and schema were checked by Settings: letters, digits and underscores.
    found = connection.execute(text(f"SELECT version_num FROM {where}")).scalar()  # noqa: S608
    if found is None:
        raise StoreCorruptError(f"the table {table} is empty: a migration did not finish")
    return str(found)


async def ensure_schema(
    units: Units,
    prefix: str,
    schema: str | None,
    *,
    may_upgrade: bool,
    load_upgrade: Callable[[], Upgrade],
) -> str | None:
    """Bring the store to this version's schema.

    Args:
        units: The engine.
        prefix: Goes before every table's name.
        schema: The PostgreSQL schema, or None.
        may_upgrade: Whether older or absent tables are made current.
        load_upgrade: Gives the function that migrates an older store (it imports Alembic).

    Returns:
        The revision that was there before, None for a new store.

    Raises:
        SchemaVersionError: The store is newer than this version, or older and must not be upgraded.
    """

    def read(connection: Connection) -> str | None:
        return read_version(connection, prefix, schema)

    found = await units.read(read)
    if found == HEAD:
        return found
    _refuse_newer(found)
    if not may_upgrade:
        raise SchemaVersionError(
            f"the store has schema {found or 'none'}, this version needs {HEAD}; "
            "run `backstory db upgrade`, or open it with auto_migrate=True"
        )
    if found is not None:
        # in a thread: the import reads many files; and not while the lock is held
        await run_in_thread(load_upgrade)

    def migrate(connection: Connection) -> None:
        _lock(connection, prefix, schema)
        now = read_version(connection, prefix, schema)
        _refuse_newer(now)
        if now is None:
            create_tables(connection, prefix, schema, HEAD)
        elif now != HEAD:
            load_upgrade()(connection, prefix, schema)

    await units.migrate(migrate)
    return found


def _refuse_newer(found: str | None) -> None:
    if found is not None and found not in REVISIONS:
        raise SchemaVersionError(
            f"the store has schema {found}, made by a newer backstory; this version knows up to "
            f"{HEAD}. Upgrade the package; nothing was changed"
        )


def _lock(connection: Connection, prefix: str, schema: str | None) -> None:
    if connection.dialect.name != "postgresql":
        return  # BEGIN IMMEDIATE is the lock
    key = crc32(f"backstory migrations {schema or ''} {prefix}".encode())
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    # CREATE SCHEMA IF NOT EXISTS needs the right to create one also where it exists
    if schema and not inspect(connection).has_schema(schema):
        connection.execute(text(f'CREATE SCHEMA "{schema}"'))
