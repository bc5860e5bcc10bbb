"""Runs the migrations with Alembic. Imported only when there is something to migrate."""

import threading

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

# Alembic keeps its current context in module globals: one migration at a time in a process.
_ONE_AT_A_TIME = threading.Lock()


def upgrade(connection: Connection, prefix: str, schema: str | None) -> None:
    """Bring the tables of this store to the newest schema, inside the caller's transaction."""
    config = Config()
    config.set_main_option("script_location", "backstory.storage:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes.update(connection=connection, prefix=prefix, schema=schema)
    with _ONE_AT_A_TIME:
        command.upgrade(config, "head")
