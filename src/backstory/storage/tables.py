"""The tables, once for both databases.

Every primary key, unique index and foreign key of a user's data starts with
(tenant_id, user_id), so that the tables can be sharded by user. Exceptions: ``tenants`` and
``embedding_generations`` (small reference tables).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
)
from sqlalchemy.types import JSON, TypeEngine

from backstory.core.times import from_micros, to_micros

USER_KEY = ("tenant_id", "user_id")
DIALECTS = ("sqlite", "postgresql")


class Instant(TypeDecorator[datetime]):
    """An instant to the microsecond: ``timestamptz``, or integer microseconds on SQLite."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column type of the database."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(DateTime(timezone=True))
        return dialect.type_descriptor(BigInteger())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Write an aware time."""
        if value is None or dialect.name == "postgresql":
            return value
        return to_micros(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Read it back in UTC, whatever zone the server's session has."""
        if value is None:
            return None
        return value.astimezone(UTC) if dialect.name == "postgresql" else from_micros(value)


@dataclass(frozen=True)
class Tables:
    """The tables of one store, with its prefix and schema."""

    metadata: MetaData
    tenants: Table
    users: Table
    sessions: Table
    messages: Table
    message_revisions: Table
    embedding_generations: Table
    message_vectors: Table


def _key() -> list[Column[Any]]:
    return [Column("tenant_id", Text, nullable=False), Column("user_id", Text, nullable=False)]


def _reference(name: str, target: Table, *columns: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        [*USER_KEY, *columns],
        [target.c.tenant_id, target.c.user_id, *([target.c.id] if columns else [])],
        name=name,
        ondelete="CASCADE",
    )


@lru_cache(maxsize=16)
def build_tables(
    prefix: str = "", schema: str | None = None, dialects: tuple[str, ...] = DIALECTS
) -> Tables:
    """Describe the tables under a prefix and, on PostgreSQL, a schema.

    Args:
        prefix: Goes before every table's name.
        schema: The PostgreSQL schema, or None.
        dialects: The databases that partial indexes are described for. SQLAlchemy loads each,
            and loading that of PostgreSQL takes 0.05 s.
    """
    metadata = MetaData(schema=schema)

    def table(name: str, *parts: Any) -> Table:
        return Table(prefix + name, metadata, *parts)

    def primary(name: str, *columns: str) -> PrimaryKeyConstraint:
        return PrimaryKeyConstraint(*USER_KEY, *columns, name=f"{prefix}{name}_pkey")

    tenants = table(
        "tenants",
        Column("id", Text, primary_key=True),
        Column("created_at", Instant, nullable=False),
    )
    users = table(
        "users",
        *_key(),
        Column("created_at", Instant, nullable=False),
        # next_seq numbers every write of a user and is raised in the write's own transaction;
        # epoch changes when something was removed. Together they tell a cache what it misses.
        Column("next_seq", BigInteger, nullable=False),
        Column("epoch", BigInteger, nullable=False),
        primary("users"),
        ForeignKeyConstraint(["tenant_id"], [tenants.c.id], name=f"{prefix}users_tenant_fkey"),
    )
    sessions = _sessions(table, primary, users, prefix, dialects)
    messages = _messages(table, primary, sessions, prefix, dialects)
    generations = table(
        "embedding_generations",
        Column("id", Integer, primary_key=True),
        Column("provider", Text, nullable=False),
        Column("model", Text, nullable=False),
        Column("version", Text, nullable=False),
        Column("dimensions", Integer, nullable=False),
        Column("active", Boolean, nullable=False, server_default=false()),
        Column("created_at", Instant, nullable=False),
        UniqueConstraint("provider", "model", "version", name=f"{prefix}generations_identity"),
    )
    return Tables(
        metadata=metadata,
        tenants=tenants,
        users=users,
        sessions=sessions,
        messages=messages,
        message_revisions=_revisions(table, primary, messages, prefix),
        embedding_generations=generations,
        message_vectors=table(
            "message_vectors",
            *_key(),
            Column("message_id", String(64), nullable=False),
            Column("generation_id", ForeignKey(generations.c.id), nullable=False),
            # little-endian float32, of length 1
            Column("vector", LargeBinary, nullable=False),
            primary("message_vectors", "message_id", "generation_id"),
            _reference(f"{prefix}message_vectors_message_fkey", messages, "message_id"),
        ),
    )


def _sessions(
    table: Any, primary: Any, users: Table, prefix: str, dialects: tuple[str, ...]
) -> Table:
    result: Table = table(
        "sessions",
        *_key(),
        Column("id", String(64), nullable=False),
        # The caller's id. Unique by its hash: an index entry has a bounded size, an id has not.
        Column("name", Text, nullable=False),
        Column("name_hash", String(64), nullable=False),
        Column("agent_id", Text),
        Column("mode", Text),
        Column("speaker", Text),
        Column("channel", Text),
        Column("metadata", JSON, nullable=False),
        Column("started_at", Instant, nullable=False),
        Column("last_message_at", Instant, nullable=False),
        Column("last_received_at", Instant, nullable=False),
        Column("ended_at", Instant),
        primary("sessions", "id"),
        UniqueConstraint(*USER_KEY, "name_hash", name=f"{prefix}sessions_name"),
        _reference(f"{prefix}sessions_user_fkey", users),
    )
    Index(
        f"{prefix}sessions_open",
        *(result.c[name] for name in (*USER_KEY, "last_received_at")),
        **_where(result.c.ended_at.is_(None), dialects),
    )
    return result


def _messages(
    table: Any, primary: Any, sessions: Table, prefix: str, dialects: tuple[str, ...]
) -> Table:
    result: Table = table(
        "messages",
        *_key(),
        Column("id", String(64), nullable=False),
        Column("session_id", String(64), nullable=False),
        Column("seq", BigInteger, nullable=False),
        Column("change_no", BigInteger, nullable=False),
        Column("revision", Integer, nullable=False),
        Column("role", String(16), nullable=False),
        Column("speaker", Text),
        Column("agent_id", Text),
        Column("text", Text, nullable=False),
        # of role, speaker and text as first added: an edit does not break idempotent imports
        Column("content_hash", String(64), nullable=False),
        Column("external_id", Text),
        Column("external_hash", String(64)),
        Column("timestamp", Instant, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Column("updated_at", Instant),
        Column("metadata", JSON, nullable=False),
        Column("notes", JSON, nullable=False),
        # little-endian uint32 hashes of the words, see language/terms.py
        Column("terms", LargeBinary, nullable=False),
        Column("terms_version", Integer, nullable=False),
        Column("needs_vector", Boolean, nullable=False),
        Column("embed_error", Text),
        primary("messages", "id"),
        UniqueConstraint(*USER_KEY, "seq", name=f"{prefix}messages_seq"),
        UniqueConstraint(*USER_KEY, "external_hash", name=f"{prefix}messages_external"),
        _reference(f"{prefix}messages_session_fkey", sessions, "session_id"),
    )
    _index(result, f"{prefix}messages_changes", [*USER_KEY, "change_no"])
    _index(result, f"{prefix}messages_of_session", [*USER_KEY, "session_id", "seq"])
    # Calls that name a record by its id alone look it up across one tenant.
    _index(result, f"{prefix}messages_by_id", ["tenant_id", "id"])
    Index(
        f"{prefix}messages_pending",
        *(result.c[name] for name in (*USER_KEY, "seq")),
        **_where(result.c.needs_vector.is_(True), dialects),
    )
    return result


def _where(condition: Any, dialects: tuple[str, ...]) -> dict[str, Any]:
    return {f"{dialect}_where": condition for dialect in dialects}


def _revisions(table: Any, primary: Any, messages: Table, prefix: str) -> Table:
    result: Table = table(
        "message_revisions",
        *_key(),
        Column("message_id", String(64), nullable=False),
        Column("revision", Integer, nullable=False),
        Column("text", Text, nullable=False),
        Column("metadata", JSON, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Column("replaced_at", Instant, nullable=False),
        primary("message_revisions", "message_id", "revision"),
        _reference(f"{prefix}message_revisions_message_fkey", messages, "message_id"),
    )
    return result


def _index(table: Table, name: str, columns: Sequence[str]) -> None:
    Index(name, *(table.c[column] for column in columns))
