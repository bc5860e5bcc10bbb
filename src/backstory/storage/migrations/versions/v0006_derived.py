"""What is derived from messages, sentiment, which sessions are digested, and consolidation runs."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision: str | None = "0005"
branch_labels: str | None = None
depends_on: str | None = None

INSTANT = sa.BigInteger().with_variant(sa.DateTime(timezone=True), "postgresql")
KEY = ("tenant_id", "user_id")


def upgrade() -> None:
    """Create the tables and add the columns under the store's prefix and schema."""
    options = op.get_context().config.attributes  # type: ignore[union-attr]
    _Schema(options["prefix"], options["schema"]).create()


class _Schema:
    def __init__(self, prefix: str, schema: str | None) -> None:
        self.prefix = prefix
        self.schema = schema

    def create(self) -> None:
        self._columns()
        self._derived()
        self._runs()

    def _columns(self) -> None:
        # sessions of before were never digested: 0 < 1
        added: tuple[tuple[str, str, Any], ...] = (
            ("users", "derived_seq", "0"),
            ("users", "derived_epoch", "0"),
            ("sessions", "touched", "1"),
            ("sessions", "episode_seq", "0"),
        )
        for table, name, default in added:
            column = sa.Column(name, sa.BigInteger, nullable=False, server_default=default)
            op.add_column(self.prefix + table, column, schema=self.schema)
        for name in ("valence", "arousal", "dominance"):
            column = sa.Column(name, sa.Float)
            op.add_column(f"{self.prefix}messages", column, schema=self.schema)
        due = "ended_at IS NOT NULL AND episode_seq < touched"
        self._index("sessions_due", "sessions", *KEY, "ended_at", "name_hash", where=due)

    def _table(self, name: str, *parts: Any) -> None:
        op.create_table(
            self.prefix + name,
            *(sa.Column(column, sa.Text, nullable=False) for column in KEY),
            *parts,
            schema=self.schema,
        )

    def _target(self, table: str, *columns: str) -> list[str]:
        schema = f"{self.schema}." if self.schema else ""
        return [f"{schema}{self.prefix}{table}.{column}" for column in columns]

    def _primary(self, table: str, *columns: str) -> sa.PrimaryKeyConstraint:
        return sa.PrimaryKeyConstraint(*KEY, *columns, name=f"{self.prefix}{table}_pkey")

    def _belongs(self, name: str, target: str, *columns: str) -> sa.ForeignKeyConstraint:
        return sa.ForeignKeyConstraint(
            [*KEY, *columns],
            self._target(target, *KEY, *columns),
            name=f"{self.prefix}{name}_fkey",
            ondelete="CASCADE",
        )

    def _index(
        self, name: str, table: str, *columns: str, where: str | None = None, unique: bool = False
    ) -> None:
        # SQLite compares the words of a condition with a query's, which has no "true" there
        on_sqlite = sa.text(where.replace("IS true", "IS 1")) if where else None
        op.create_index(
            self.prefix + name,
            self.prefix + table,
            list(columns),
            unique=unique,
            schema=self.schema,
            sqlite_where=on_sqlite,
            postgresql_where=sa.text(where) if where else None,
        )

    def _derived(self) -> None:
        self._table(
            "derived",
            sa.Column("seq", sa.BigInteger, nullable=False),
            sa.Column("id", sa.String(64), nullable=False),
            sa.Column("change_no", sa.BigInteger, nullable=False),
            sa.Column("kind", sa.String(16), nullable=False),
            sa.Column("slot_hash", sa.String(64)),
            sa.Column("at", INSTANT, nullable=False),
            sa.Column("recorded_at", INSTANT, nullable=False),
            sa.Column("known_from", INSTANT),
            sa.Column("replaced_at", INSTANT),
            sa.Column("needs_vector", sa.Boolean, nullable=False),
            sa.Column("body", sa.JSON, nullable=False),
            self._primary("derived", "seq"),
            self._belongs("derived_user", "users"),
        )
        current = "replaced_at IS NULL"
        self._index("derived_changes", "derived", *KEY, "change_no")
        self._index("derived_by_id", "derived", "tenant_id", "id")
        self._index("derived_pending", "derived", *KEY, "seq", where="needs_vector IS true")
        self._index("derived_current", "derived", *KEY, "id", where=current, unique=True)
        slot = (*KEY, "kind", "slot_hash")
        self._index("derived_slot", "derived", *slot, where=current, unique=True)
        generation = sa.ForeignKey(self._target("embedding_generations", "id")[0])
        self._table(
            "derived_vectors",
            sa.Column("seq", sa.BigInteger, nullable=False),
            sa.Column("generation_id", sa.Integer, generation, nullable=False),
            sa.Column("vector", sa.LargeBinary, nullable=False),
            self._primary("derived_vectors", "seq", "generation_id"),
            self._belongs("derived_vectors_derived", "derived", "seq"),
        )

    def _runs(self) -> None:
        name = "consolidation_runs"
        self._table(
            name,
            sa.Column("kind", sa.String(16), nullable=False),
            sa.Column("period", sa.String(64), nullable=False),
            sa.Column("state", sa.String(16), nullable=False),
            sa.Column("attempts", sa.Integer, nullable=False),
            sa.Column("queued_at", INSTANT, nullable=False),
            sa.Column("started_at", INSTANT),
            sa.Column("finished_at", INSTANT),
            sa.Column("holder", sa.Text),
            sa.Column("lease_until", INSTANT),
            sa.Column("problem", sa.Text),
            sa.Column("receipt", sa.JSON),
            self._primary(name, "kind", "period"),
            self._belongs("consolidation_runs_user", "users"),
        )
        waiting = "state IN ('queued', 'running', 'failed')"
        self._index(f"{name}_waiting", name, "tenant_id", "queued_at", where=waiting)
