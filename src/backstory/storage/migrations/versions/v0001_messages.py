"""Tenants, users, sessions, messages, their revisions, and vectors by embedding generation."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None
branch_labels: str | None = None
depends_on: str | None = None

INSTANT = sa.BigInteger().with_variant(sa.DateTime(timezone=True), "postgresql")
KEY = ("tenant_id", "user_id")


def upgrade() -> None:
    """Create the tables under the store's prefix and schema."""
    options = op.get_context().config.attributes  # type: ignore[union-attr]
    _Schema(options["prefix"], options["schema"]).create()


class _Schema:
    def __init__(self, prefix: str, schema: str | None) -> None:
        self.prefix = prefix
        self.schema = schema

    def create(self) -> None:
        self._references()
        self._users()
        self._sessions()
        self._messages()
        self._details()

    def _table(self, name: str, *parts: Any) -> None:
        op.create_table(self.prefix + name, *parts, schema=self.schema)

    def _target(self, table: str, *columns: str) -> list[str]:
        schema = f"{self.schema}." if self.schema else ""
        return [f"{schema}{self.prefix}{table}.{column}" for column in columns]

    def _primary(self, table: str, *columns: str) -> sa.PrimaryKeyConstraint:
        return sa.PrimaryKeyConstraint(*KEY, *columns, name=f"{self.prefix}{table}_pkey")

    def _foreign(self, name: str, columns: list[str], target: list[str]) -> sa.ForeignKeyConstraint:
        return sa.ForeignKeyConstraint(
            [*KEY, *columns], target, name=self.prefix + name, ondelete="CASCADE"
        )

    def _unique(self, name: str, *columns: str) -> sa.UniqueConstraint:
        return sa.UniqueConstraint(*KEY, *columns, name=self.prefix + name)

    def _index(self, name: str, table: str, columns: list[str], where: str | None = None) -> None:
        # SQLite has no "true" of its own, and compares the words of a condition with a query's
        on_sqlite = sa.text(where.replace("true", "1")) if where else None
        op.create_index(
            self.prefix + name,
            self.prefix + table,
            columns,
            schema=self.schema,
            sqlite_where=on_sqlite,
            postgresql_where=sa.text(where) if where else None,
        )

    def _references(self) -> None:
        self._table(
            "tenants",
            sa.Column("id", sa.Text, primary_key=True),
            sa.Column("created_at", INSTANT, nullable=False),
        )
        self._table(
            "embedding_generations",
            sa.Column("id", sa.Integer, primary_key=True),
            sa.Column("provider", sa.Text, nullable=False),
            sa.Column("model", sa.Text, nullable=False),
            sa.Column("version", sa.Text, nullable=False),
            sa.Column("dimensions", sa.Integer, nullable=False),
            sa.Column("active", sa.Boolean, nullable=False, server_default=sa.false()),
            sa.Column("created_at", INSTANT, nullable=False),
            sa.UniqueConstraint(
                "provider", "model", "version", name=self.prefix + "generations_identity"
            ),
        )

    def _users(self) -> None:
        self._table(
            "users",
            *_key(),
            sa.Column("created_at", INSTANT, nullable=False),
            sa.Column("next_seq", sa.BigInteger, nullable=False),
            sa.Column("epoch", sa.BigInteger, nullable=False),
            self._primary("users"),
            sa.ForeignKeyConstraint(
                ["tenant_id"], self._target("tenants", "id"), name=self.prefix + "users_tenant_fkey"
            ),
        )

    def _sessions(self) -> None:
        self._table(
            "sessions",
            *_key(),
            sa.Column("id", sa.String(64), nullable=False),
            sa.Column("name", sa.Text, nullable=False),
            sa.Column("name_hash", sa.String(64), nullable=False),
            *(sa.Column(name, sa.Text) for name in ("agent_id", "mode", "speaker", "channel")),
            sa.Column("metadata", sa.JSON, nullable=False),
            sa.Column("started_at", INSTANT, nullable=False),
            sa.Column("last_message_at", INSTANT, nullable=False),
            sa.Column("last_received_at", INSTANT, nullable=False),
            sa.Column("ended_at", INSTANT),
            self._primary("sessions", "id"),
            self._unique("sessions_name", "name_hash"),
            self._foreign("sessions_user_fkey", [], self._target("users", *KEY)),
        )
        self._index("sessions_open", "sessions", [*KEY, "last_received_at"], "ended_at IS NULL")

    def _messages(self) -> None:
        self._table(
            "messages",
            *_key(),
            sa.Column("id", sa.String(64), nullable=False),
            sa.Column("session_id", sa.String(64), nullable=False),
            sa.Column("seq", sa.BigInteger, nullable=False),
            sa.Column("change_no", sa.BigInteger, nullable=False),
            sa.Column("revision", sa.Integer, nullable=False),
            sa.Column("role", sa.String(16), nullable=False),
            sa.Column("speaker", sa.Text),
            sa.Column("agent_id", sa.Text),
            sa.Column("text", sa.Text, nullable=False),
            sa.Column("content_hash", sa.String(64), nullable=False),
            sa.Column("external_id", sa.Text),
            sa.Column("external_hash", sa.String(64)),
            sa.Column("timestamp", INSTANT, nullable=False),
            sa.Column("recorded_at", INSTANT, nullable=False),
            sa.Column("updated_at", INSTANT),
            sa.Column("metadata", sa.JSON, nullable=False),
            sa.Column("notes", sa.JSON, nullable=False),
            sa.Column("terms", sa.LargeBinary, nullable=False),
            sa.Column("terms_version", sa.Integer, nullable=False),
            sa.Column("needs_vector", sa.Boolean, nullable=False),
            sa.Column("embed_error", sa.Text),
            self._primary("messages", "id"),
            self._unique("messages_seq", "seq"),
            self._unique("messages_external", "external_hash"),
            self._foreign(
                "messages_session_fkey", ["session_id"], self._target("sessions", *KEY, "id")
            ),
        )
        self._index("messages_changes", "messages", [*KEY, "change_no"])
        self._index("messages_of_session", "messages", [*KEY, "session_id", "seq"])
        self._index("messages_by_id", "messages", ["tenant_id", "id"])
        self._index("messages_pending", "messages", [*KEY, "seq"], "needs_vector IS true")

    def _details(self) -> None:
        messages = self._target("messages", *KEY, "id")
        self._table(
            "message_revisions",
            *_key(),
            sa.Column("message_id", sa.String(64), nullable=False),
            sa.Column("revision", sa.Integer, nullable=False),
            sa.Column("text", sa.Text, nullable=False),
            sa.Column("metadata", sa.JSON, nullable=False),
            sa.Column("recorded_at", INSTANT, nullable=False),
            sa.Column("replaced_at", INSTANT, nullable=False),
            self._primary("message_revisions", "message_id", "revision"),
            self._foreign("message_revisions_message_fkey", ["message_id"], messages),
        )
        self._table(
            "message_vectors",
            *_key(),
            sa.Column("message_id", sa.String(64), nullable=False),
            sa.Column(
                "generation_id",
                sa.Integer,
                sa.ForeignKey(self._target("embedding_generations", "id")[0]),
                nullable=False,
            ),
            sa.Column("vector", sa.LargeBinary, nullable=False),
            self._primary("message_vectors", "message_id", "generation_id"),
            self._foreign("message_vectors_message_fkey", ["message_id"], messages),
        )


def _key() -> list[sa.Column[Any]]:
    return [
        sa.Column("tenant_id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
    ]
