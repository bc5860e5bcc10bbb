"""Facts with what hangs on them, contradictions, collisions; which messages were not read yet."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"
branch_labels: str | None = None
depends_on: str | None = None

INSTANT = sa.BigInteger().with_variant(sa.DateTime(timezone=True), "postgresql")
KEY = ("tenant_id", "user_id")


def upgrade() -> None:
    """Create the tables under the store's prefix and schema, and add columns to the old ones."""
    options = op.get_context().config.attributes  # type: ignore[union-attr]
    _Schema(options["prefix"], options["schema"]).upgrade()


class _Schema:
    def __init__(self, prefix: str, schema: str | None) -> None:
        self.prefix = prefix
        self.schema = schema

    def upgrade(self) -> None:
        self._columns()
        self._facts()
        self._details()
        self._corrections()
        self._contradictions()
        self._collisions()

    def _add(self, table: str, column: sa.Column[Any]) -> None:
        op.add_column(self.prefix + table, column, schema=self.schema)

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

    def _of_user(self, table: str) -> sa.ForeignKeyConstraint:
        return self._foreign(f"{table}_user_fkey", [], self._target("users", *KEY))

    def _of_fact(self, table: str) -> sa.ForeignKeyConstraint:
        return self._foreign(f"{table}_fact_fkey", ["fact_id"], self._target("facts", *KEY, "id"))

    def _unique(self, name: str, *columns: str) -> sa.UniqueConstraint:
        return sa.UniqueConstraint(*KEY, *columns, name=self.prefix + name)

    def _index(
        self,
        name: str,
        table: str,
        columns: list[str],
        where: str | None = None,
        *,
        unique: bool = False,
    ) -> None:
        # SQLite compares the words of a condition with a query's, which has no "true" there
        on_sqlite = sa.text(where.replace("IS true", "IS 1")) if where else None
        op.create_index(
            self.prefix + name,
            self.prefix + table,
            columns,
            schema=self.schema,
            unique=unique,
            sqlite_where=on_sqlite,
            postgresql_where=sa.text(where) if where else None,
        )

    def _columns(self) -> None:
        self._add("tenants", sa.Column("secret", sa.LargeBinary))
        self._add(
            "users",
            sa.Column("facts_epoch", sa.BigInteger, nullable=False, server_default="0"),
        )
        self._add(
            "sessions",
            sa.Column("bulk_import", sa.Boolean, nullable=False, server_default=sa.false()),
        )
        self._add(
            "messages",
            sa.Column("needs_reading", sa.Boolean, nullable=False, server_default=sa.true()),
        )
        self._add("messages", sa.Column("read_error", sa.Text))
        self._add(
            "messages",
            sa.Column("read_failures", sa.Integer, nullable=False, server_default="0"),
        )
        self._add("messages", sa.Column("known_from", INSTANT))
        unread = "needs_reading IS true"
        self._index("messages_unread", "messages", [*KEY, "seq"], unread)
        self._index("messages_unread_of_session", "messages", [*KEY, "session_id", "seq"], unread)

    def _facts(self) -> None:
        texts = ("subject", "key", "value")
        hashes = ("key_hash", "slot_hash", "value_hash", "identity_hash")
        kinds = ("category", "cardinality", "kind", "status", "trust")
        self._table(
            "facts",
            *_key(),
            sa.Column("id", sa.String(64), nullable=False),
            sa.Column("seq", sa.BigInteger, nullable=False),
            sa.Column("change_no", sa.BigInteger, nullable=False),
            *(sa.Column(name, sa.Text, nullable=False) for name in texts),
            *(sa.Column(name, sa.String(64), nullable=False) for name in hashes),
            *(sa.Column(name, sa.String(16), nullable=False) for name in kinds),
            sa.Column("scheduled", sa.Boolean, nullable=False, server_default=sa.false()),
            sa.Column("confidence", sa.Float, nullable=False),
            sa.Column("valid_from", INSTANT),
            sa.Column("valid_until", INSTANT),
            sa.Column("recorded_at", INSTANT, nullable=False),
            sa.Column("known_from", INSTANT),
            sa.Column("believed_at", INSTANT, nullable=False),
            *(sa.Column(name, INSTANT) for name in ("superseded_at", "retracted_at", "updated_at")),
            sa.Column("superseded_by", sa.String(64)),
            sa.Column("intent_id", sa.Text),
            sa.Column("mentions", sa.Integer, nullable=False),
            sa.Column("last_mention_at", INSTANT),
            sa.Column("terms", sa.LargeBinary, nullable=False),
            sa.Column("terms_version", sa.Integer, nullable=False),
            sa.Column("needs_vector", sa.Boolean, nullable=False),
            self._primary("facts", "id"),
            self._unique("facts_seq", "seq"),
            self._of_user("facts"),
        )
        self._index("facts_changes", "facts", [*KEY, "change_no"])
        self._index("facts_of_key", "facts", [*KEY, "key_hash", "seq"])
        self._index("facts_of_slot", "facts", [*KEY, "slot_hash"])
        self._index("facts_of_value", "facts", [*KEY, "value_hash"])
        self._index("facts_by_id", "facts", ["tenant_id", "id"])
        self._index("facts_held", "facts", [*KEY, "seq"], "status IN ('active', 'disputed')")
        self._index("facts_pending", "facts", [*KEY, "seq"], "needs_vector IS true")
        self._index(
            "facts_current",
            "facts",
            [*KEY, "identity_hash"],
            "status = 'active' AND kind = 'permanent' AND NOT scheduled",
            unique=True,
        )

    def _details(self) -> None:
        self._table(
            "fact_evidence",
            *_key(),
            sa.Column("kind", sa.String(16), nullable=False),
            sa.Column("record_id", sa.String(64), nullable=False),
            sa.Column("place", sa.Integer, nullable=False),
            sa.Column("message_id", sa.String(64), nullable=False),
            sa.Column("quote", sa.Text, nullable=False),
            self._primary("fact_evidence", "kind", "record_id", "place"),
            self._of_user("fact_evidence"),
        )
        self._index("fact_evidence_of_message", "fact_evidence", [*KEY, "message_id"])
        self._table(
            "fact_revisions",
            *_key(),
            sa.Column("fact_id", sa.String(64), nullable=False),
            sa.Column("revision", sa.Integer, nullable=False),
            sa.Column("value", sa.Text, nullable=False),
            sa.Column("status", sa.String(16), nullable=False),
            sa.Column("valid_from", INSTANT),
            sa.Column("valid_until", INSTANT),
            sa.Column("believed_at", INSTANT, nullable=False),
            sa.Column("replaced_at", INSTANT, nullable=False),
            self._primary("fact_revisions", "fact_id", "revision"),
            self._of_fact("fact_revisions"),
        )
        self._table(
            "fact_vectors",
            *_key(),
            sa.Column("fact_id", sa.String(64), nullable=False),
            sa.Column(
                "generation_id",
                sa.Integer,
                sa.ForeignKey(self._target("embedding_generations", "id")[0]),
                nullable=False,
            ),
            sa.Column("vector", sa.LargeBinary, nullable=False),
            self._primary("fact_vectors", "fact_id", "generation_id"),
            self._of_fact("fact_vectors"),
        )
        self._table(
            "erased_claims",
            *_key(),
            sa.Column("claim_hash", sa.String(64), nullable=False),
            sa.Column("erased_at", INSTANT, nullable=False),
            self._primary("erased_claims", "claim_hash"),
            self._of_user("erased_claims"),
        )

    def _corrections(self) -> None:
        self._table(
            "fact_corrections",
            *_key(),
            sa.Column("id", sa.String(64), nullable=False),
            sa.Column("seq", sa.BigInteger, nullable=False),
            sa.Column("fact_id", sa.String(64), nullable=False),
            sa.Column("other_id", sa.String(64)),
            sa.Column("subject", sa.Text, nullable=False),
            sa.Column("key", sa.Text, nullable=False),
            sa.Column("slot_hash", sa.String(64), nullable=False),
            sa.Column("change", sa.String(16), nullable=False),
            sa.Column("old_value", sa.Text),
            sa.Column("new_value", sa.Text),
            sa.Column("actor", sa.Text, nullable=False),
            sa.Column("reason", sa.Text, nullable=False),
            sa.Column("at", INSTANT, nullable=False),
            sa.Column("undone", sa.Boolean, nullable=False),
            self._primary("fact_corrections", "id"),
            self._unique("fact_corrections_seq", "seq"),
            self._of_user("fact_corrections"),
        )
        self._index("fact_corrections_of_slot", "fact_corrections", [*KEY, "slot_hash", "seq"])
        self._index("fact_corrections_of_fact", "fact_corrections", [*KEY, "fact_id"])
        self._index("fact_corrections_of_other", "fact_corrections", [*KEY, "other_id"])

    def _contradictions(self) -> None:
        self._table(
            "contradictions",
            *_key(),
            sa.Column("id", sa.String(64), nullable=False),
            sa.Column("seq", sa.BigInteger, nullable=False),
            sa.Column("subject", sa.Text, nullable=False),
            sa.Column("key", sa.Text, nullable=False),
            sa.Column("slot_hash", sa.String(64), nullable=False),
            sa.Column("identity_hash", sa.String(64), nullable=False),
            sa.Column("session_id", sa.Text),
            sa.Column("stored_value", sa.Text, nullable=False),
            sa.Column("stated_value", sa.Text, nullable=False),
            sa.Column("stored_fact_id", sa.String(64)),
            sa.Column("stated_fact_id", sa.String(64)),
            sa.Column("gate_path", sa.String(32), nullable=False),
            sa.Column("gate_similarity", sa.Float),
            sa.Column("gate_reason", sa.Text, nullable=False),
            sa.Column("gate_different_question", sa.Boolean, nullable=False),
            sa.Column("state", sa.String(16), nullable=False),
            sa.Column("opened_at", INSTANT, nullable=False),
            sa.Column("last_seen_at", INSTANT, nullable=False),
            sa.Column("repeat_count", sa.Integer, nullable=False),
            sa.Column("surfaced", sa.Integer, nullable=False),
            sa.Column("decision", sa.String(16)),
            sa.Column("note", sa.Text),
            sa.Column("resolved_at", INSTANT),
            sa.Column("hold_reason", sa.Text),
            sa.Column("held_value", sa.Text),
            sa.Column("held_at", INSTANT),
            self._primary("contradictions", "id"),
            self._unique("contradictions_seq", "seq"),
            self._of_user("contradictions"),
        )
        self._index("contradictions_of_slot", "contradictions", [*KEY, "slot_hash"])
        self._index("contradictions_in_state", "contradictions", [*KEY, "state", "seq"])
        self._index("contradictions_by_id", "contradictions", ["tenant_id", "id"])
        self._index(
            "contradictions_open",
            "contradictions",
            [*KEY, "identity_hash"],
            "state = 'open'",
            unique=True,
        )

    def _collisions(self) -> None:
        self._table(
            "collisions",
            *_key(),
            sa.Column("id", sa.String(64), nullable=False),
            sa.Column("seq", sa.BigInteger, nullable=False),
            sa.Column("subject", sa.Text, nullable=False),
            sa.Column("name", sa.Text, nullable=False),
            sa.Column("family", sa.Text, nullable=False),
            sa.Column("identity_hash", sa.String(64), nullable=False),
            sa.Column("kinds", sa.JSON, nullable=False),
            sa.Column("fact_ids", sa.JSON, nullable=False),
            sa.Column("opened_at", INSTANT, nullable=False),
            sa.Column("state", sa.String(16), nullable=False),
            sa.Column("kept", sa.Text),
            sa.Column("note", sa.Text),
            sa.Column("settled_at", INSTANT),
            self._primary("collisions", "id"),
            self._unique("collisions_seq", "seq"),
            self._unique("collisions_identity", "identity_hash"),
            self._of_user("collisions"),
        )


def _key() -> list[sa.Column[Any]]:
    return [
        sa.Column("tenant_id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
    ]
