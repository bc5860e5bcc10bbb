"""Documents: chapters with their history, passages, entities, threads, drafts."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision: str | None = "0004"
branch_labels: str | None = None
depends_on: str | None = None

INSTANT = sa.BigInteger().with_variant(sa.DateTime(timezone=True), "postgresql")
KEY = ("tenant_id", "document_id")


def upgrade() -> None:
    """Create the tables under the store's prefix and schema."""
    options = op.get_context().config.attributes  # type: ignore[union-attr]
    _Schema(options["prefix"], options["schema"]).create()


class _Schema:
    def __init__(self, prefix: str, schema: str | None) -> None:
        self.prefix = prefix
        self.schema = schema

    def create(self) -> None:
        self._documents()
        self._chapters()
        self._passages()
        self._entities()
        self._states()
        self._threads()

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

    def _belongs(self, name: str, target: str, **columns: str) -> sa.ForeignKeyConstraint:
        return sa.ForeignKeyConstraint(
            [*KEY, *columns],
            self._target(target, *KEY, *columns.values()),
            name=f"{self.prefix}{name}_fkey",
            ondelete="CASCADE",
        )

    def _generation(self, table: str, when_gone: str) -> sa.ForeignKey:
        return sa.ForeignKey(
            self._target("embedding_generations", "id")[0],
            name=f"{self.prefix}{table}_generation_fkey",
            ondelete=when_gone,
        )

    def _index(self, name: str, table: str, *columns: str, where: str | None = None) -> None:
        # SQLite compares the words of a condition with a query's, which has no "true" there
        on_sqlite = sa.text(where.replace("IS true", "IS 1")) if where else None
        op.create_index(
            self.prefix + name,
            self.prefix + table,
            [*KEY, *columns],
            schema=self.schema,
            sqlite_where=on_sqlite,
            postgresql_where=sa.text(where) if where else None,
        )

    def _documents(self) -> None:
        self._table(
            "documents",
            sa.Column("unit", sa.Text, nullable=False),
            sa.Column("planned_chapters", sa.BigInteger),
            sa.Column("created_at", INSTANT, nullable=False),
            *_numbers("chapters", "next_seq", "epoch", "names_seq", "next_thread"),
            self._primary("documents"),
            sa.ForeignKeyConstraint(
                ["tenant_id"],
                self._target("tenants", "id"),
                name=f"{self.prefix}documents_tenant_fkey",
            ),
        )
        self._table(
            "document_drafts",
            *_numbers("number"),
            *_texts("title"),
            sa.Column("recorded_at", INSTANT, nullable=False),
            *_texts("text"),
            self._primary("document_drafts", "number"),
            self._belongs("document_drafts", "documents"),
        )

    def _chapters(self) -> None:
        self._table(
            "document_chapters",
            *_numbers("number"),
            *_version(),
            self._primary("document_chapters", "number"),
            self._belongs("document_chapters", "documents"),
        )
        self._table(
            "document_revisions",
            *_numbers("number"),
            *_version(),
            self._primary("document_revisions", "number", "revised"),
            self._belongs("document_revisions", "document_chapters", number="number"),
        )

    def _passages(self) -> None:
        name = "document_passages"
        self._table(
            name,
            *_numbers("number"),
            sa.Column("place", sa.Integer, nullable=False),
            sa.Column("revision", sa.String(64), nullable=False),
            sa.Column("first", sa.Integer, nullable=False),
            sa.Column("behind", sa.Integer, nullable=False),
            *_numbers("change_no"),
            sa.Column("generation_id", sa.Integer, self._generation(name, "SET NULL")),
            sa.Column("terms", sa.LargeBinary, nullable=False),
            sa.Column("terms_version", sa.Integer, nullable=False),
            self._primary(name, "number", "place"),
            self._belongs(name, "document_chapters", number="number"),
        )
        self._index("document_passages_pending", name, "generation_id", "number", "place")
        self._index("document_passages_changes", name, "change_no")
        name = "document_vectors"
        self._table(
            name,
            *_numbers("number"),
            sa.Column("place", sa.Integer, nullable=False),
            sa.Column(
                "generation_id", sa.Integer, self._generation(name, "CASCADE"), nullable=False
            ),
            sa.Column("vector", sa.LargeBinary, nullable=False),
            self._primary(name, "number", "place", "generation_id"),
            self._belongs(name, "document_passages", number="number", place="place"),
        )

    def _entities(self) -> None:
        self._table(
            "document_entities",
            sa.Column("id", sa.String(64), nullable=False),
            *_numbers("seq"),
            *_texts("name"),
            sa.Column("name_hash", sa.String(64), nullable=False),
            sa.Column("kind", sa.String(16), nullable=False),
            sa.Column("aliases", sa.JSON, nullable=False),
            sa.Column("own_aliases", sa.JSON, nullable=False),
            *_flags("case_sensitive", "authored", "hidden"),
            sa.Column("first_chapter", sa.BigInteger),
            sa.Column("last_chapter", sa.BigInteger),
            *_numbers("mentions"),
            self._primary("document_entities", "id"),
            sa.UniqueConstraint(*KEY, "name_hash", name=f"{self.prefix}document_entities_name"),
            self._belongs("document_entities", "documents"),
        )
        name = "document_sightings"
        self._table(
            name,
            *_numbers("number"),
            sa.Column("entity_id", sa.String(64), nullable=False),
            sa.Column("revision", sa.String(64), nullable=False),
            sa.Column("times", sa.Integer, nullable=False),
            sa.Column("kind", sa.String(16)),
            sa.Column("aliases", sa.JSON, nullable=False),
            self._primary(name, "number", "entity_id"),
            self._belongs(f"{name}_chapter", "document_chapters", number="number"),
            self._belongs(f"{name}_entity", "document_entities", entity_id="id"),
        )
        self._index(f"{name}_of_entity", name, "entity_id", "number")
        self._index(f"{name}_adding", name, "entity_id", "number", where="kind IS NOT NULL")

    def _states(self) -> None:
        name = "document_states"
        self._table(
            name,
            sa.Column("id", sa.String(64), nullable=False),
            *_numbers("seq"),
            sa.Column("entity_id", sa.String(64), nullable=False),
            *_texts("attribute", "value"),
            *_numbers("chapter"),
            *_texts("quote"),
            sa.Column("revision", sa.String(64)),
            *_flags("hidden", "restricted"),
            sa.Column("until_chapter", sa.BigInteger),
            self._primary(name, "id"),
            self._belongs(name, "document_entities", entity_id="id"),
        )
        self._index(f"{name}_of_entity", name, "entity_id", "chapter", "seq")
        self._index(f"{name}_until", name, "entity_id", "until_chapter", "chapter")
        self._index(f"{name}_of_revision", name, "revision")
        name = "document_knowers"
        self._table(
            name,
            *_numbers("seq"),
            sa.Column("state_id", sa.String(64), nullable=False),
            *_texts("name"),
            *_numbers("since_chapter"),
            sa.Column("revision", sa.String(64)),
            self._primary(name, "seq"),
            self._belongs(name, "document_states", state_id="id"),
        )
        self._index(f"{name}_of_state", name, "state_id", "seq")
        self._index(f"{name}_of_revision", name, "revision")

    def _threads(self) -> None:
        name = "document_threads"
        self._table(
            name,
            *_numbers("number"),
            *_texts("summary"),
            sa.Column("kind", sa.Text),
            sa.Column("deadline", sa.BigInteger),
            *_flags("hidden", "authored"),
            sa.Column("status", sa.String(16), nullable=False),
            sa.Column("planted_in", sa.BigInteger),
            sa.Column("last_chapter", sa.BigInteger),
            sa.Column("closed_in", sa.BigInteger),
            *_texts("note"),
            *_numbers("due", "touched", "since"),
            sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.false()),
            self._primary(name, "number"),
            self._belongs(name, "documents"),
        )
        urgency = ("due", "touched", "since", "number")
        self._index(f"{name}_open", name, *urgency, where="is_open IS true")
        name = "document_thread_events"
        self._table(
            name,
            *_numbers("thread", "chapter", "id"),
            sa.Column("kind", sa.String(16), nullable=False),
            *_texts("note"),
            sa.Column("revision", sa.String(64)),
            self._primary(name, "thread", "chapter", "id"),
            self._belongs(name, "document_threads", thread="number"),
        )
        self._index(f"{name}_of_revision", name, "revision")


def _numbers(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.BigInteger, nullable=False) for name in names]


def _texts(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _flags(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Boolean, nullable=False) for name in names]


def _version() -> list[sa.Column[Any]]:
    return [
        sa.Column("revised", sa.Integer, nullable=False),
        sa.Column("revision", sa.String(64), nullable=False),
        sa.Column("recorded_at", INSTANT, nullable=False),
        sa.Column("summary_source", sa.String(16), nullable=False),
        *_texts("title", "summary", "text"),
    ]
