"""The tables of facts, of what hangs on them, and of contradictions and collisions.

A value, a key and a name may be long: what is looked up is indexed by its hash.
"""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    false,
    literal_column,
    text,
)
from sqlalchemy.types import JSON

from backstory.storage.building import USER_KEY, Builder, Instant, key_columns

# Written out, not as parameters: a database uses a partial index only for a query of its words.
HELD: Final = "status IN ('active', 'disputed')"
ONE_CURRENT: Final = "status = 'active' AND kind = 'permanent' AND NOT scheduled"
OPEN: Final = "state = 'open'"


def held() -> ColumnElement[bool]:
    """The condition that a fact is active or disputed."""
    # without a type: of a boolean, SQLAlchemy makes a comparison on SQLite
    return literal_column(HELD)


class FactBuilder(Builder):
    """Describes the tables of facts."""

    def facts(self, users: Table) -> Table:
        """One row for each value of each slot, as it is believed now."""
        result: Table = self.table(
            "facts",
            *key_columns(),
            Column("id", String(64), nullable=False),
            Column("seq", BigInteger, nullable=False),
            Column("change_no", BigInteger, nullable=False),
            Column("subject", Text, nullable=False),
            Column("key", Text, nullable=False),
            Column("value", Text, nullable=False),
            # see storage/facts/hashes.py: of the key; of subject and key; of subject and normal
            # value; of what only one current row may have
            Column("key_hash", String(64), nullable=False),
            Column("slot_hash", String(64), nullable=False),
            Column("value_hash", String(64), nullable=False),
            Column("identity_hash", String(64), nullable=False),
            Column("category", String(16), nullable=False),
            Column("cardinality", String(16), nullable=False),
            Column("kind", String(16), nullable=False),
            Column("status", String(16), nullable=False),
            Column("trust", String(16), nullable=False),
            Column("scheduled", Boolean, nullable=False, server_default=false()),
            Column("confidence", Float, nullable=False),
            Column("valid_from", Instant),
            Column("valid_until", Instant),
            Column("recorded_at", Instant, nullable=False),
            Column("known_from", Instant),
            Column("believed_at", Instant, nullable=False),
            Column("superseded_at", Instant),
            Column("retracted_at", Instant),
            Column("updated_at", Instant),
            Column("superseded_by", String(64)),
            Column("intent_id", Text),
            Column("mentions", Integer, nullable=False),
            Column("last_mention_at", Instant),
            # little-endian uint32 hashes of the words of its sentence
            Column("terms", LargeBinary, nullable=False),
            Column("terms_version", Integer, nullable=False),
            Column("needs_vector", Boolean, nullable=False),
            self.primary("facts", "id"),
            self.unique("facts_seq", "seq"),
            self.reference("facts_user_fkey", users),
        )
        self.index("facts_changes", result, *USER_KEY, "change_no")
        self.index("facts_of_key", result, *USER_KEY, "key_hash", "seq")
        self.index("facts_of_slot", result, *USER_KEY, "slot_hash")
        self.index("facts_of_value", result, *USER_KEY, "value_hash")
        self.index("facts_by_id", result, "tenant_id", "id")
        self.index("facts_held", result, *USER_KEY, "seq", where=text(HELD))
        self.index("facts_pending", result, *USER_KEY, "seq", where=result.c.needs_vector.is_(True))
        self._unique_where("facts_current", result, "identity_hash", ONE_CURRENT)
        return result

    def evidence(self, users: Table) -> Table:
        """All evidence: of facts, of lines of the log, of contradictions. ``kind`` says which."""
        result: Table = self.table(
            "fact_evidence",
            *key_columns(),
            Column("kind", String(16), nullable=False),
            Column("record_id", String(64), nullable=False),
            Column("place", Integer, nullable=False),
            Column("message_id", String(64), nullable=False),
            Column("quote", Text, nullable=False),
            self.primary("fact_evidence", "kind", "record_id", "place"),
            self.reference("fact_evidence_user_fkey", users),
        )
        self.index("fact_evidence_of_message", result, *USER_KEY, "message_id")
        return result

    def revisions(self, facts: Table) -> Table:
        """What rows were before they changed."""
        result: Table = self.table(
            "fact_revisions",
            *key_columns(),
            Column("fact_id", String(64), nullable=False),
            Column("revision", Integer, nullable=False),
            Column("value", Text, nullable=False),
            Column("status", String(16), nullable=False),
            Column("valid_from", Instant),
            Column("valid_until", Instant),
            Column("believed_at", Instant, nullable=False),
            Column("replaced_at", Instant, nullable=False),
            self.primary("fact_revisions", "fact_id", "revision"),
            self.reference("fact_revisions_fact_fkey", facts, "fact_id"),
        )
        return result

    def corrections(self, users: Table) -> Table:
        """The log. Only ``undone`` changes, and what is erased is blanked."""
        result: Table = self.table(
            "fact_corrections",
            *key_columns(),
            Column("id", String(64), nullable=False),
            Column("seq", BigInteger, nullable=False),
            Column("fact_id", String(64), nullable=False),
            Column("other_id", String(64)),
            Column("subject", Text, nullable=False),
            Column("key", Text, nullable=False),
            Column("slot_hash", String(64), nullable=False),
            Column("change", String(16), nullable=False),
            Column("old_value", Text),
            Column("new_value", Text),
            Column("actor", Text, nullable=False),
            Column("reason", Text, nullable=False),
            Column("at", Instant, nullable=False),
            Column("undone", Boolean, nullable=False),
            self.primary("fact_corrections", "id"),
            self.unique("fact_corrections_seq", "seq"),
            self.reference("fact_corrections_user_fkey", users),
        )
        self.index("fact_corrections_of_slot", result, *USER_KEY, "slot_hash", "seq")
        self.index("fact_corrections_of_fact", result, *USER_KEY, "fact_id")
        self.index("fact_corrections_of_other", result, *USER_KEY, "other_id")
        return result

    def vectors(self, facts: Table, generations: Table) -> Table:
        """The vectors of facts, by embedding generation."""
        return self.table(
            "fact_vectors",
            *key_columns(),
            Column("fact_id", String(64), nullable=False),
            Column("generation_id", ForeignKey(generations.c.id), nullable=False),
            # little-endian float32, of length 1
            Column("vector", LargeBinary, nullable=False),
            self.primary("fact_vectors", "fact_id", "generation_id"),
            self.reference("fact_vectors_fact_fkey", facts, "fact_id"),
        )

    def contradictions(self, users: Table) -> Table:
        """Contradictions: of those that are open, one for each stored value of a slot."""
        result: Table = self.table(
            "contradictions",
            *key_columns(),
            Column("id", String(64), nullable=False),
            Column("seq", BigInteger, nullable=False),
            Column("subject", Text, nullable=False),
            Column("key", Text, nullable=False),
            Column("slot_hash", String(64), nullable=False),
            Column("identity_hash", String(64), nullable=False),
            Column("session_id", Text),
            Column("stored_value", Text, nullable=False),
            Column("stated_value", Text, nullable=False),
            Column("stored_fact_id", String(64)),
            Column("stated_fact_id", String(64)),
            Column("gate_path", String(32), nullable=False),
            Column("gate_similarity", Float),
            Column("gate_reason", Text, nullable=False),
            Column("gate_different_question", Boolean, nullable=False),
            Column("state", String(16), nullable=False),
            Column("opened_at", Instant, nullable=False),
            Column("last_seen_at", Instant, nullable=False),
            Column("repeat_count", Integer, nullable=False),
            Column("surfaced", Integer, nullable=False),
            Column("decision", String(16)),
            Column("note", Text),
            Column("resolved_at", Instant),
            Column("hold_reason", Text),
            Column("held_value", Text),
            Column("held_at", Instant),
            self.primary("contradictions", "id"),
            self.unique("contradictions_seq", "seq"),
            self.reference("contradictions_user_fkey", users),
        )
        self.index("contradictions_of_slot", result, *USER_KEY, "slot_hash")
        self.index("contradictions_in_state", result, *USER_KEY, "state", "seq")
        self.index("contradictions_by_id", result, "tenant_id", "id")
        self._unique_where("contradictions_open", result, "identity_hash", OPEN)
        return result

    def collisions(self, users: Table) -> Table:
        """Collisions, one for each subject, name and family."""
        return self.table(
            "collisions",
            *key_columns(),
            Column("id", String(64), nullable=False),
            Column("seq", BigInteger, nullable=False),
            Column("subject", Text, nullable=False),
            Column("name", Text, nullable=False),
            Column("family", Text, nullable=False),
            Column("identity_hash", String(64), nullable=False),
            Column("kinds", JSON, nullable=False),
            Column("fact_ids", JSON, nullable=False),
            Column("opened_at", Instant, nullable=False),
            Column("state", String(16), nullable=False),
            Column("kept", Text),
            Column("note", Text),
            Column("settled_at", Instant),
            self.primary("collisions", "id"),
            self.unique("collisions_seq", "seq"),
            self.unique("collisions_identity", "identity_hash"),
            self.reference("collisions_user_fkey", users),
        )

    def erased(self, users: Table) -> Table:
        """Keyed hashes of what was erased and must not come back."""
        return self.table(
            "erased_claims",
            *key_columns(),
            Column("claim_hash", String(64), nullable=False),
            Column("erased_at", Instant, nullable=False),
            self.primary("erased_claims", "claim_hash"),
            self.reference("erased_claims_user_fkey", users),
        )

    def _unique_where(self, name: str, table: Table, column: str, where: str) -> None:
        options: dict[str, Any] = {f"{name}_where": text(where) for name in self._dialects}
        chosen = (table.c[part] for part in (*USER_KEY, column))
        Index(self._prefix + name, *chosen, unique=True, **options)
