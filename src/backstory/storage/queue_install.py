"""Makes the tables of the queue with procrastinate's own schema. Imported by a worker only."""

from importlib.metadata import version
from typing import Final
from zlib import crc32

from procrastinate.schema import SchemaManager
from sqlalchemy import Connection, text

from backstory.errors import StoreBusyError
from backstory.storage.engines.base import Units

_ALIVE: Final = "SELECT 1 FROM procrastinate_workers WHERE last_heartbeat > now() - interval '30 s'"


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
    """
    made: list[bool] = []

    def work(connection: Connection) -> None:
        made[:] = [_install(connection, schema)]

    await units.migrate(work)
    return made[0]


def _install(connection: Connection, schema: str) -> bool:
    key = crc32(f"backstory queue {schema}".encode())
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
    wanted = f"procrastinate {version('procrastinate')}"
    found = connection.execute(
        text("SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = :name"),
        {"name": schema},
    ).first()
    if found is not None and found[0] == wanted:
        return False
    path = {"path": f'"{schema}"'}
    set_path = text("SELECT set_config('search_path', :path, true)")
    if found is not None:
        connection.execute(set_path, path)
        has_tables = connection.scalar(text("SELECT to_regclass('procrastinate_workers')"))
        if has_tables is not None and connection.execute(text(_ALIVE)).first() is not None:
            raise StoreBusyError(
                f"a worker with {found[0] or 'another version of procrastinate'} is at work, and "
                f"here is {wanted}; stop all workers before they are upgraded"
            )
        connection.execute(text(f'DROP SCHEMA "{schema}" CASCADE'))
    connection.execute(text(f'CREATE SCHEMA "{schema}"'))
    connection.execute(set_path, path)
    # as it is: it holds percent signs, and many statements
    plain = {"no_parameters": True}
    connection.exec_driver_sql(SchemaManager.get_schema(), execution_options=plain)
    connection.execute(text(f"COMMENT ON SCHEMA \"{schema}\" IS '{wanted}'"))
    return True
