"""The tables, once for both databases.

Every primary key, unique index and foreign key of a user's data starts with
(tenant_id, user_id), and of a document's (tenant_id, document_id), so that the tables can be
sharded by user and document. Exceptions: ``tenants`` and ``embedding_generations`` (small
reference tables).
"""

from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.types import JSON

from backstory.storage.building import DIALECTS, USER_KEY, Builder, Instant, key_columns
from backstory.storage.derived_tables import DUE, DerivedBuilder
from backstory.storage.document_tables import DocumentBuilder
from backstory.storage.fact_tables import FactBuilder


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
    large_parts: Table
    facts: Table
    fact_evidence: Table
    fact_revisions: Table
    fact_corrections: Table
    fact_vectors: Table
    contradictions: Table
    collisions: Table
    erased_claims: Table
    derived: Table
    derived_vectors: Table
    consolidation_runs: Table
    documents: Table
    document_chapters: Table
    document_revisions: Table
    document_passages: Table
    document_vectors: Table
    document_entities: Table
    document_sightings: Table
    document_states: Table
    document_knowers: Table
    document_threads: Table
    document_thread_events: Table
    document_drafts: Table


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
    build = _Builder(metadata, prefix, dialects)
    of_facts = FactBuilder(metadata, prefix, dialects)
    of_derived = DerivedBuilder(metadata, prefix, dialects)
    of_documents = DocumentBuilder(metadata, prefix, dialects)
    tenants = build.tenants()
    users = build.users(tenants)
    sessions = build.sessions(users)
    messages = build.messages(sessions)
    generations = build.generations()
    facts = of_facts.facts(users)
    derived = of_derived.derived(users)
    documents = of_documents.documents(tenants)
    chapters = of_documents.chapters(documents)
    passages = of_documents.passages(chapters, generations)
    entities = of_documents.entities(documents)
    states = of_documents.states(entities)
    threads = of_documents.threads(documents)
    return Tables(
        metadata=metadata,
        tenants=tenants,
        users=users,
        sessions=sessions,
        messages=messages,
        message_revisions=build.revisions(messages),
        embedding_generations=generations,
        message_vectors=build.vectors(messages, generations),
        large_parts=build.large_parts(users, generations),
        facts=facts,
        fact_evidence=of_facts.evidence(users),
        fact_revisions=of_facts.revisions(facts),
        fact_corrections=of_facts.corrections(users),
        fact_vectors=of_facts.vectors(facts, generations),
        contradictions=of_facts.contradictions(users),
        collisions=of_facts.collisions(users),
        erased_claims=of_facts.erased(users),
        derived=derived,
        derived_vectors=of_derived.vectors(derived, generations),
        consolidation_runs=of_derived.runs(users),
        documents=documents,
        document_chapters=chapters,
        document_revisions=of_documents.revisions(chapters),
        document_passages=passages,
        document_vectors=of_documents.vectors(passages, generations),
        document_entities=entities,
        document_sightings=of_documents.sightings(chapters, entities),
        document_states=states,
        document_knowers=of_documents.knowers(states),
        document_threads=threads,
        document_thread_events=of_documents.events(threads),
        document_drafts=of_documents.drafts(documents),
    )


class _Builder(Builder):
    """Describes the tables of messages."""

    def tenants(self) -> Table:
        return self.table(
            "tenants",
            Column("id", Text, primary_key=True),
            Column("created_at", Instant, nullable=False),
            # the key of the hashes that keep erased facts from coming back; made at first need
            Column("secret", LargeBinary),
        )

    def users(self, tenants: Table) -> Table:
        return self.table(
            "users",
            *key_columns(),
            Column("created_at", Instant, nullable=False),
            # next_seq numbers every write of a user and is raised in the write's own transaction;
            # epoch changes when something was removed. Together they tell a cache what it misses.
            Column("next_seq", BigInteger, nullable=False),
            Column("epoch", BigInteger, nullable=False),
            # as epoch, of facts
            Column("facts_epoch", BigInteger, nullable=False, server_default="0"),
            # of derived records: the number of their last change, and as epoch
            Column("derived_seq", BigInteger, nullable=False, server_default="0"),
            Column("derived_epoch", BigInteger, nullable=False, server_default="0"),
            self.primary("users"),
            ForeignKeyConstraint(
                ["tenant_id"], [tenants.c.id], name=f"{self._prefix}users_tenant_fkey"
            ),
        )

    def generations(self) -> Table:
        return self.table(
            "embedding_generations",
            Column("id", Integer, primary_key=True),
            Column("provider", Text, nullable=False),
            Column("model", Text, nullable=False),
            Column("version", Text, nullable=False),
            Column("dimensions", Integer, nullable=False),
            Column("active", Boolean, nullable=False, server_default=false()),
            Column("created_at", Instant, nullable=False),
            # JSON: what cosines of this model mean
            Column("calibration", Text),
            # since when another one is active; null of one that is not kept
            Column("retired_at", Instant),
            # since when a reindex fills it, null when it is whole; which process does, and until
            # when that one counts as alive without another word of it
            Column("building_since", Instant),
            Column("holder", Text),
            Column("lease_until", Instant),
            Column("done", BigInteger),
            Column("total", BigInteger),
            Column("problem", Text),
            UniqueConstraint(
                "provider", "model", "version", name=f"{self._prefix}generations_identity"
            ),
        )

    def vectors(self, messages: Table, generations: Table) -> Table:
        return self.table(
            "message_vectors",
            *key_columns(),
            Column("message_id", String(64), nullable=False),
            Column("generation_id", ForeignKey(generations.c.id), nullable=False),
            # little-endian float32, of length 1
            Column("vector", LargeBinary, nullable=False),
            self.primary("message_vectors", "message_id", "generation_id"),
            self.reference("message_vectors_message_fkey", messages, "message_id"),
        )

    def large_parts(self, users: Table, generations: Table) -> Table:
        return self.table(
            "large_parts",
            *key_columns(),
            Column(
                "generation_id",
                ForeignKey(generations.c.id, ondelete="CASCADE"),
                nullable=False,
            ),
            # names the user's index; see large.py
            Column("part", Integer, nullable=False),
            # whether every vector is in it, and each new one goes there
            Column("ready", Boolean, nullable=False),
            self.primary("large_parts", "generation_id"),
            self.reference("large_parts_user_fkey", users),
        )

    def sessions(self, users: Table) -> Table:
        result: Table = self.table(
            "sessions",
            *key_columns(),
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
            # Columns that came later stand at the end, where an upgrade puts them.
            Column("bulk_import", Boolean, nullable=False, server_default=false()),
            # raised by every change of its messages; and what that was when it was digested last
            Column("touched", BigInteger, nullable=False, server_default="1"),
            Column("episode_seq", BigInteger, nullable=False, server_default="0"),
            self.primary("sessions", "id"),
            self.unique("sessions_name", "name_hash"),
            self.reference("sessions_user_fkey", users),
        )
        self.index(
            "sessions_open",
            result,
            *USER_KEY,
            "last_received_at",
            where=result.c.ended_at.is_(None),
        )
        due = (*USER_KEY, "ended_at", "name_hash")
        self.index("sessions_due", result, *due, where=text(DUE))
        return result

    def messages(self, sessions: Table) -> Table:
        result: Table = self.table(
            "messages",
            *key_columns(),
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
            # whether no reader has read it yet; how often that failed, and why
            Column("needs_reading", Boolean, nullable=False, server_default=true()),
            Column("read_error", Text),
            Column("read_failures", Integer, nullable=False, server_default="0"),
            # of a bulk import: when the message was known, which is when it was said
            Column("known_from", Instant),
            # what was felt, each from -1 to 1; see core/model/sentiment.py
            Column("valence", Float),
            Column("arousal", Float),
            Column("dominance", Float),
            self.primary("messages", "id"),
            self.unique("messages_seq", "seq"),
            self.unique("messages_external", "external_hash"),
            self.reference("messages_session_fkey", sessions, "session_id"),
        )
        self.index("messages_changes", result, *USER_KEY, "change_no")
        self.index("messages_of_session", result, *USER_KEY, "session_id", "seq")
        # Calls that name a record by its id alone look it up across one tenant.
        self.index("messages_by_id", result, "tenant_id", "id")
        self.index(
            "messages_pending", result, *USER_KEY, "seq", where=result.c.needs_vector.is_(True)
        )
        unread = result.c.needs_reading.is_(True)
        self.index("messages_unread", result, *USER_KEY, "seq", where=unread)
        of_session = (*USER_KEY, "session_id", "seq")
        self.index("messages_unread_of_session", result, *of_session, where=unread)
        return result

    def revisions(self, messages: Table) -> Table:
        result: Table = self.table(
            "message_revisions",
            *key_columns(),
            Column("message_id", String(64), nullable=False),
            Column("revision", Integer, nullable=False),
            Column("text", Text, nullable=False),
            Column("metadata", JSON, nullable=False),
            Column("recorded_at", Instant, nullable=False),
            Column("replaced_at", Instant, nullable=False),
            self.primary("message_revisions", "message_id", "revision"),
            self.reference("message_revisions_message_fkey", messages, "message_id"),
        )
        return result
