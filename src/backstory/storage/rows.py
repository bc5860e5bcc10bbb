"""Small parts that all repositories share: scoping, the user's row, rows to values."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Connection, Insert, Row, Table, select, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from backstory.core.model.message import Message, Role
from backstory.core.model.scope import Scope
from backstory.storage.tables import Tables

T = TypeVar("T")
AnyRow: TypeAlias = Row[*tuple[Any, ...]]

# SQLite takes 32,766 parameters in a statement, PostgreSQL 65,535 in the protocol.
MOST_PARAMETERS = 1000


def of(table: Table, scope: Scope) -> ColumnElement[bool]:
    """The condition that keeps a statement inside one user's data."""
    return (table.c.tenant_id == scope.tenant_id) & (table.c.user_id == scope.user_id)


def key(scope: Scope) -> dict[str, str]:
    """The two columns that every row of a user starts with."""
    return {"tenant_id": scope.tenant_id, "user_id": scope.user_id}


def hash_name(name: str) -> str:
    """Names a session id in 64 characters, whatever its length."""
    return hashlib.sha256(name.encode()).hexdigest()


def chunks(values: Sequence[T], size: int = MOST_PARAMETERS) -> Iterator[Sequence[T]]:
    """Cut a list into pieces that fit one statement."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


class _InsertMissing(Insert):
    """An insert that does nothing where a row with its key is there.

    SQLite and PostgreSQL share the words; SQLAlchemy's own variants would load the dialect of
    PostgreSQL, 0.05 s, also for SQLite.
    """

    inherit_cache = True


@compiles(_InsertMissing)
def _compile_insert_missing(insert: _InsertMissing, compiler: SQLCompiler, **options: Any) -> str:
    plain = compiler.visit_insert(insert, **options)  # type: ignore[no-untyped-call]
    return f"{plain} ON CONFLICT DO NOTHING"


def insert_missing(connection: Connection, table: Table, values: dict[str, Any]) -> None:
    """Insert a row unless one with its key is there (also when another process is inserting it)."""
    connection.execute(_InsertMissing(table).values(**values).inline())


def lock_user(connection: Connection, tables: Tables, scope: Scope, now: datetime) -> int:
    """Lock a user's row for the rest of the transaction, making it if it is not there.

    Returns:
        The user's next running number. Whoever holds the lock may use it and those after it.
    """
    found = _locked(connection, tables.users, scope)
    if found is None:
        insert_missing(connection, tables.tenants, {"id": scope.tenant_id, "created_at": now})
        values = {**key(scope), "created_at": now, "next_seq": 1, "epoch": 0}
        insert_missing(connection, tables.users, values)
        found = _locked(connection, tables.users, scope)
    if found is None:
        raise AssertionError
    return found


def lock_known_user(connection: Connection, tables: Tables, scope: Scope) -> int | None:
    """Lock a user's row if there is one."""
    return _locked(connection, tables.users, scope)


def _locked(connection: Connection, users: Table, scope: Scope) -> int | None:
    found: int | None = connection.scalar(
        select(users.c.next_seq).where(of(users, scope)).with_for_update()
    )
    return found


def set_next(
    connection: Connection, users: Table, scope: Scope, next_seq: int, *, removed: bool = False
) -> None:
    """Write back the user's next number; ``removed`` tells caches that rows went away."""
    values: dict[str, Any] = {"next_seq": next_seq}
    if removed:
        values["epoch"] = users.c.epoch + 1
    connection.execute(update(users).where(of(users, scope)).values(**values))


MESSAGE_COLUMNS = (
    "id",
    "user_id",
    "role",
    "text",
    "timestamp",
    "recorded_at",
    "speaker",
    "agent_id",
    "external_id",
    "updated_at",
    "metadata",
    "notes",
)


def message_columns(tables: Tables) -> list[ColumnElement[Any]]:
    """The columns that make a Message, the session's name included."""
    return [
        *(tables.messages.c[name] for name in MESSAGE_COLUMNS),
        tables.sessions.c.name.label("session_name"),
    ]


def to_message(row: AnyRow, *, created: bool = False) -> Message:
    """Make a Message of a row of ``message_columns``."""
    return Message(
        id=row.id,
        user_id=row.user_id,
        session_id=row.session_name,
        role=Role(row.role),
        text=row.text,
        timestamp=row.timestamp,
        recorded_at=row.recorded_at,
        speaker=row.speaker,
        agent_id=row.agent_id,
        message_id=row.external_id,
        updated_at=row.updated_at,
        metadata=row.metadata,
        notes=tuple(row.notes),
        created=created,
    )
