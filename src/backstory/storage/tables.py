"""The tables, once for both databases.

Every primary key, unique index and foreign key of a user's data starts with
(tenant_id, user_id), so that the tables can be sharded by user. Exceptions: ``tenants`` and
``embedding_generations`` (small reference tables).
"""

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
    build = _Builder(MetaData(schema=schema), prefix, dialects)
    tenants = build.tenants()
    users = build.users(tenants)
    sessions = build.sessions(users)
    messages = build.messages(sessions)
    generations = build.generations()
    return Tables(
        metadata=build.metadata,
        tenants=tenants,
        users=users,
        sessions=sessions,
        messages=messages,
        message_revisions=build.revisions(messages),
        embedding_generations=generations,
        message_vectors=build.vectors(messages, generations),
    )


def _key() -> list[Column[Any]]:
    return [Column("tenant_id", Text, nullable=False), Column("user_id", Text, nullable=False)]


class _Builder:
    """Makes the tables of one store: every name in it begins with the prefix."""

    def __init__(self, metadata: MetaData, prefix: str, dialects: tuple[str, ...]) -> None:
        self.metadata = metadata
        self._prefix = prefix
        self._dialects = dialects

    def _table(self, name: str, *parts: Any) -> Table:
        return Table(self._prefix + name, self.metadata, *parts)

    def _primary(self, table: str, *columns: str) -> PrimaryKeyConstraint:
        return PrimaryKeyConstraint(*USER_KEY, *columns, name=f"{self._prefix}{table}_pkey")

    def _unique(self, name: str, *columns: str) -> UniqueConstraint:
        return UniqueConstraint(*USER_KEY, *columns, name=self._prefix + name)

    def _reference(self, name: str, target: Table, *columns: str) -> ForeignKeyConstraint:
        return ForeignKeyConstraint(
            [*USER_KEY, *columns],
            [target.c.tenant_id, target.c.user_id, *([target.c.id] if columns else [])],
            name=self._prefix + name,
            ondelete="CASCADE",
        )

    def _index(self, name: str, table: Table, *columns: str, where: Any = None) -> None:
        options = {f"{dialect}_where": where for dialect in self._dialects}
        chosen = (table.c[column] for column in columns)
        Index(self._prefix + name, *chosen, **({} if where is None else options))

    def tenants(self) -> Table:
        return self._table(
            "tenants",
            Column("id", Text, primary_key=True),
            Column("created_at", Instant, nullable=False),
        )

    def users(self, tenants: Table) -> Table:
        return self._table(
            "users",
            *_key(),
            Column("created_at", Instant, nullable=False),
            # next_seq numbers every write of a user and is raised in the write's own transaction;
            # epoch changes when something was removed. Together they tell a cache what it misses.
            Column("next_seq", BigInteger, nullable=False),
            Column("epoch", BigInteger, nullable=False),
            self._primary("users"),
            ForeignKeyConstraint(
                ["tenant_id"], [tenants.c.id], name=f"{self._prefix}users_tenant_fkey"
            ),
        )

    def generations(self) -> Table:
        return self._table(
            "embedding_generations",
            Column("id", Integer, primary_key=True),
            Column("provider", Text, nullable=False),
            Column("model", Text, nullable=False),
            Column("version", Text, nullable=False),
            Column("dimensions", Integer, nullable=False),
            Column("active", Boolean, nullable=False, server_default=false()),
            Column("created_at", Instant, nullable=False),
            UniqueConstraint(
                "provider", "model", "version", name=f"{self._prefix}generations_identity"
            ),
        )

    def vectors(self, messages: Table, generations: Table) -> Table:
        return self._table(
            "message_vectors",
            *_key(),
            Column("message_id", String(64), nullable=False),
            Column("generation_id", ForeignKey(generations.c.id), nullable=False),
            # little-endian float32, of length 1
            Column("vector", LargeBinary, nullable=False),
            self._primary("message_vectors", "message_id", "generation_id"),
            self._reference("message_vectors_message_fkey", messages, "message_id"),
        )

    def sessions(self, users: Table) -> Table:
        result: Table = self._table(
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
            self._primary("sessions", "id"),
            self._unique("sessions_name", "name_hash"),
            self._reference("sessions_user_fkey", users),
        )
        self._index(
            "sessions_open",
            result,
            *USER_KEY,
            "last_received_at",
            where=result.c.ended_at.is_(None),
        )
        return result

    def messages(self, sessions: Table) -> Table:
        result: Table = self._table(
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
            self._primary("messages", "id"),
            self._unique("messages_seq", "seq"),
            self._unique("messages_external", "external_hash"),
            self._reference("messages_session_fkey", sessions, "session_id"),
        )
        self._index("messages_changes", result, *USER_KEY, "change_no")
        self._index("messages_of_session", result, *USER_KEY, "session_id", "seq")
        # Calls that name a record by its id alone look it up across one tenant.
        self._index("messages_by_id", result, "tenant_id", "id")
        self._index(
            "messages_pending", result, *USER_KEY, "seq", where=result.c.needs_vector.is_(True)
        )
        return result

    def revisions(self, messages: Table) -> Table:
        result: Table = self._table(
            "message_revisions",
            *_key(),
            Column("message_id", String(64), nullable=False),
            Column("revision", Integer, nullable=False),
            Column("text", Text, nullable=False),
            Column("metadata", JSON, nullable=False),
            Column("recorded_at", Instant, nullable=False),
            Column("replaced_at", Instant, nullable=False),
            self._primary("message_revisions", "message_id", "revision"),
            self._reference("message_revisions_message_fkey", messages, "message_id"),
        )
        return result
