"""The tables of documents.

Every primary key, index and foreign key begins with (tenant_id, document_id). Rows that were read
in a version of a chapter carry its ``revision`` and go with it; those without one are the
author's.
"""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.types import JSON

from backstory.storage.building import Builder, Instant

DOCUMENT_KEY: Final = ("tenant_id", "document_id")


def document_columns() -> list[Column[Any]]:
    """The two columns that every row of a document starts with."""
    return [Column("tenant_id", Text, nullable=False), Column("document_id", Text, nullable=False)]


class DocumentBuilder(Builder):
    """Describes the tables of documents."""

    def primary(self, table: str, *columns: str) -> PrimaryKeyConstraint:
        """A primary key: the document's two columns, then these."""
        return PrimaryKeyConstraint(*DOCUMENT_KEY, *columns, name=f"{self._prefix}{table}_pkey")

    def unique(self, name: str, *columns: str) -> UniqueConstraint:
        """A constraint that these columns are unique within a document."""
        return UniqueConstraint(*DOCUMENT_KEY, *columns, name=self._prefix + name)

    def belongs(self, table: str, target: Table, **columns: str) -> ForeignKeyConstraint:
        """A reference to a document's row, by the columns beside its key: own name = its name."""
        return ForeignKeyConstraint(
            [*DOCUMENT_KEY, *columns],
            [target.c[name] for name in (*DOCUMENT_KEY, *columns.values())],
            name=f"{self._prefix}{table}_fkey",
            ondelete="CASCADE",
        )

    def documents(self, tenants: Table) -> Table:
        """One row for each document: the lock of its writers, and what caches compare."""
        return self.table(
            "documents",
            *document_columns(),
            Column("unit", Text, nullable=False),
            Column("planned_chapters", BigInteger),
            Column("created_at", Instant, nullable=False),
            Column("chapters", BigInteger, nullable=False),
            # as those of users
            Column("next_seq", BigInteger, nullable=False),
            Column("epoch", BigInteger, nullable=False),
            # the number of the write that changed the entities' names last
            Column("names_seq", BigInteger, nullable=False),
            Column("next_thread", BigInteger, nullable=False),
            self.primary("documents"),
            ForeignKeyConstraint(
                ["tenant_id"], [tenants.c.id], name=f"{self._prefix}documents_tenant_fkey"
            ),
        )

    def chapters(self, documents: Table) -> Table:
        """The chapters as they are. The text stands last: a reader of summaries skips it."""
        return self.table(
            "document_chapters",
            *document_columns(),
            Column("number", BigInteger, nullable=False),
            *_version(),
            self.primary("document_chapters", "number"),
            self.belongs("document_chapters", documents),
        )

    def revisions(self, chapters: Table) -> Table:
        """Earlier versions of chapters."""
        return self.table(
            "document_revisions",
            *document_columns(),
            Column("number", BigInteger, nullable=False),
            *_version(),
            self.primary("document_revisions", "number", "revised"),
            self.belongs("document_revisions", chapters, number="number"),
        )

    def passages(self, chapters: Table, generations: Table) -> Table:
        """Parts of the chapters as they are, by their place in the text."""
        result: Table = self.table(
            "document_passages",
            *document_columns(),
            Column("number", BigInteger, nullable=False),
            Column("place", Integer, nullable=False),
            Column("revision", String(64), nullable=False),
            # code points of the text, the end exclusive
            Column("first", Integer, nullable=False),
            Column("behind", Integer, nullable=False),
            # the number of the write that changed the row last
            Column("change_no", BigInteger, nullable=False),
            # the generation that its newest vector is of
            Column(
                "generation_id",
                ForeignKey(
                    generations.c.id,
                    name=f"{self._prefix}document_passages_generation_fkey",
                    ondelete="SET NULL",
                ),
            ),
            # little-endian uint32 hashes of the words
            Column("terms", LargeBinary, nullable=False),
            Column("terms_version", Integer, nullable=False),
            self.primary("document_passages", "number", "place"),
            self.belongs("document_passages", chapters, number="number"),
        )
        of_generation = (*DOCUMENT_KEY, "generation_id", "number", "place")
        self.index("document_passages_pending", result, *of_generation)
        self.index("document_passages_changes", result, *DOCUMENT_KEY, "change_no")
        return result

    def vectors(self, passages: Table, generations: Table) -> Table:
        """The vectors of passages, by embedding generation."""
        return self.table(
            "document_vectors",
            *document_columns(),
            Column("number", BigInteger, nullable=False),
            Column("place", Integer, nullable=False),
            Column(
                "generation_id",
                ForeignKey(
                    generations.c.id,
                    name=f"{self._prefix}document_vectors_generation_fkey",
                    ondelete="CASCADE",
                ),
                nullable=False,
            ),
            # little-endian float32, of length 1
            Column("vector", LargeBinary, nullable=False),
            self.primary("document_vectors", "number", "place", "generation_id"),
            self.belongs("document_vectors", passages, number="number", place="place"),
        )

    def entities(self, documents: Table) -> Table:
        """Who and what occurs. Kind, aliases, chapters and mentions are folded from the rest."""
        return self.table(
            "document_entities",
            *document_columns(),
            Column("id", String(64), nullable=False),
            Column("seq", BigInteger, nullable=False),
            Column("name", Text, nullable=False),
            Column("name_hash", String(64), nullable=False),
            Column("kind", String(16), nullable=False),
            Column("aliases", JSON, nullable=False),
            # those that the author entered
            Column("own_aliases", JSON, nullable=False),
            Column("case_sensitive", Boolean, nullable=False),
            Column("authored", Boolean, nullable=False),
            Column("hidden", Boolean, nullable=False),
            Column("first_chapter", BigInteger),
            Column("last_chapter", BigInteger),
            Column("mentions", BigInteger, nullable=False),
            self.primary("document_entities", "id"),
            self.unique("document_entities_name", "name_hash"),
            self.belongs("document_entities", documents),
        )

    def sightings(self, chapters: Table, entities: Table) -> Table:
        """Which entities occur in which chapter, and what the chapter adds to their names."""
        result: Table = self.table(
            "document_sightings",
            *document_columns(),
            Column("number", BigInteger, nullable=False),
            Column("entity_id", String(64), nullable=False),
            Column("revision", String(64), nullable=False),
            # 0 = the chapter tells of it, but does not name it
            Column("times", Integer, nullable=False),
            # what the chapter adds to kind and names; null of one that adds nothing
            Column("kind", String(16)),
            Column("aliases", JSON, nullable=False),
            self.primary("document_sightings", "number", "entity_id"),
            self.belongs("document_sightings_chapter", chapters, number="number"),
            self.belongs("document_sightings_entity", entities, entity_id="id"),
        )
        of_entity = (*DOCUMENT_KEY, "entity_id", "number")
        self.index("document_sightings_of_entity", result, *of_entity)
        adds = result.c.kind.is_not(None)
        self.index("document_sightings_adding", result, *of_entity, where=adds)
        return result

    def states(self, entities: Table) -> Table:
        """What is so of an entity from a chapter on."""
        result: Table = self.table(
            "document_states",
            *document_columns(),
            Column("id", String(64), nullable=False),
            Column("seq", BigInteger, nullable=False),
            Column("entity_id", String(64), nullable=False),
            Column("attribute", Text, nullable=False),
            Column("value", Text, nullable=False),
            Column("chapter", BigInteger, nullable=False),
            Column("quote", Text, nullable=False),
            Column("revision", String(64)),
            Column("hidden", Boolean, nullable=False),
            # whether only those in document_knowers know
            Column("restricted", Boolean, nullable=False),
            # where a later state of the same attribute begins that all know; null = it holds
            Column("until_chapter", BigInteger),
            self.primary("document_states", "id"),
            self.belongs("document_states", entities, entity_id="id"),
        )
        of_entity = (*DOCUMENT_KEY, "entity_id", "chapter", "seq")
        self.index("document_states_of_entity", result, *of_entity)
        until = (*DOCUMENT_KEY, "entity_id", "until_chapter", "chapter")
        self.index("document_states_until", result, *until)
        self.index("document_states_of_revision", result, *DOCUMENT_KEY, "revision")
        return result

    def knowers(self, states: Table) -> Table:
        """Who knows of a state, and since when."""
        result: Table = self.table(
            "document_knowers",
            *document_columns(),
            Column("seq", BigInteger, nullable=False),
            Column("state_id", String(64), nullable=False),
            Column("name", Text, nullable=False),
            Column("since_chapter", BigInteger, nullable=False),
            Column("revision", String(64)),
            self.primary("document_knowers", "seq"),
            self.belongs("document_knowers", states, state_id="id"),
        )
        self.index("document_knowers_of_state", result, *DOCUMENT_KEY, "state_id", "seq")
        self.index("document_knowers_of_revision", result, *DOCUMENT_KEY, "revision")
        return result

    def threads(self, documents: Table) -> Table:
        """Threads: what was planned, and what is folded from their events."""
        result: Table = self.table(
            "document_threads",
            *document_columns(),
            Column("number", BigInteger, nullable=False),
            Column("summary", Text, nullable=False),
            Column("kind", Text),
            Column("deadline", BigInteger),
            Column("hidden", Boolean, nullable=False),
            Column("authored", Boolean, nullable=False),
            Column("status", String(16), nullable=False),
            Column("planted_in", BigInteger),
            Column("last_chapter", BigInteger),
            Column("closed_in", BigInteger),
            Column("note", Text, nullable=False),
            # the order of urgency, with no nulls: by when, last touched, planted
            Column("due", BigInteger, nullable=False),
            Column("touched", BigInteger, nullable=False),
            Column("since", BigInteger, nullable=False),
            # neither resolved nor given up
            Column("is_open", Boolean, nullable=False, server_default=false()),
            self.primary("document_threads", "number"),
            self.belongs("document_threads", documents),
        )
        urgency = (*DOCUMENT_KEY, "due", "touched", "since", "number")
        self.index("document_threads_open", result, *urgency, where=result.c.is_open.is_(True))
        return result

    def events(self, threads: Table) -> Table:
        """What chapters do to threads: the evidence of their status."""
        result: Table = self.table(
            "document_thread_events",
            *document_columns(),
            Column("thread", BigInteger, nullable=False),
            Column("chapter", BigInteger, nullable=False),
            Column("id", BigInteger, nullable=False),
            Column("kind", String(16), nullable=False),
            Column("note", Text, nullable=False),
            Column("revision", String(64)),
            self.primary("document_thread_events", "thread", "chapter", "id"),
            self.belongs("document_thread_events", threads, thread="number"),
        )
        self.index("document_thread_events_of_revision", result, *DOCUMENT_KEY, "revision")
        return result

    def drafts(self, documents: Table) -> Table:
        """Texts that are not canon."""
        return self.table(
            "document_drafts",
            *document_columns(),
            Column("number", BigInteger, nullable=False),
            Column("title", Text, nullable=False),
            Column("recorded_at", Instant, nullable=False),
            Column("text", Text, nullable=False),
            self.primary("document_drafts", "number"),
            self.belongs("document_drafts", documents),
        )


def _version() -> list[Column[Any]]:
    return [
        Column("revised", Integer, nullable=False),
        Column("revision", String(64), nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Column("summary_source", String(16), nullable=False),
        Column("title", Text, nullable=False),
        Column("summary", Text, nullable=False),
        Column("text", Text, nullable=False),
    ]
