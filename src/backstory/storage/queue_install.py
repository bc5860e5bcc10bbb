"""Makes the tables of the queue with procrastinate's own schema. Imported by a worker only."""

from importlib.metadata import version
from typing import Final
from zlib import crc32

from procrastinate.schema import SchemaManager
from sqlalchemy import Connection, text

from backstory.errors import StoreBusyError, StoreError
from backstory.storage.engines.base import Units

# The comment of a schema that was made here.
_MARK: Final = "procrastinate "
_ALIVE: Final = text(
    "SELECT 1 FROM procrastinate_workers WHERE last_heartbeat > now() - interval '30 s'"
)
_FIND: Final = text(
    "SELECT obj_description(oid, 'pg_namespace') AS mark, "
    "EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = spaces.oid) AS tables "
    "FROM pg_namespace AS spaces WHERE nspname = :name"
)
_SET_PATH: Final = text("SELECT set_config('search_path', :path, true)")


async def install_queue(units: Units, schema: str) -> bool:
    """Make the queue if it is not there, or bring it to the version of procrastinate here.

    What is in it may be lost by that: it only wakes workers up, and the store says what is due.

    Args:
        units: The engine of PostgreSQL.
        schema: The PostgreSQL schema that is to hold it, of letters, digits and underscores.

    Returns:
        Whether it was made now.

    Raises:
        StoreBusyError: A worker of another version of procrastinate is at work.
        StoreError: There is a schema of this name that holds something else.
    """
    made: list[bool] = []

    def work(connection: Connection) -> None:
        made[:] = [_install(connection, schema)]

    await units.migrate(work)
    return made[0]


def _install(connection: Connection, schema: str) -> bool:
    key = crc32(f"backstory queue {schema}".encode())
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
    wanted = f"{_MARK}{version('procrastinate')}"
    found = connection.execute(_FIND, {"name": schema}).first()
    if found is not None and found.mark == wanted:
        return False
    if found is not None and (found.mark or "").startswith(_MARK):
        _drop(connection, schema, found.mark, wanted)
        found = None
    if found is not None and found.tables:
        raise StoreError(
            f"the PostgreSQL schema {schema} is there, and holds what is not of backstory"
        )
    if found is None:
        connection.execute(text(f'CREATE SCHEMA "{schema}"'))
    connection.execute(_SET_PATH, {"path": f'"{schema}"'})
    # as it is: it holds percent signs, and many statements
    plain = {"no_parameters": True}
    connection.exec_driver_sql(SchemaManager.get_schema(), execution_options=plain)
    connection.execute(text(f"COMMENT ON SCHEMA \"{schema}\" IS '{wanted}'"))
    return True


def _drop(connection: Connection, schema: str, mark: str, wanted: str) -> None:
    """Drop the queue of another version, unless a worker is at it."""
    connection.execute(_SET_PATH, {"path": f'"{schema}"'})
    if connection.execute(_ALIVE).first() is not None:
        raise StoreBusyError(
            f"a worker with {mark} is at work, and here is {wanted}; stop all workers before "
            "they are upgraded"
        )
    connection.execute(text(f'DROP SCHEMA "{schema}" CASCADE'))
