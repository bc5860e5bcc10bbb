"""Facts: what is true of somebody, when it was true, and when that was believed."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from backstory.core.model.record import Record

USER = "user"


class Category(StrEnum):
    """What a fact is about, for people who read a profile. It is no part of the identity."""

    PERSONAL = "personal"
    WORK = "work"
    PREFERENCE = "preference"
    HOBBY = "hobby"
    RELATIONSHIP = "relationship"
    GOAL = "goal"
    CONTEXT = "context"


class Cardinality(StrEnum):
    """Whether a slot holds one value at a time (employer) or several (allergies)."""

    ONE = "one"
    MANY = "many"


class FactKind(StrEnum):
    """Whether a fact stays until something ends it, or passes by itself."""

    PERMANENT = "permanent"
    TEMPORARY = "temporary"


class FactStatus(StrEnum):
    """What became of a fact.

    ACTIVE rows are current while their valid time holds. DISPUTED rows are current too, and are
    shown with the other value of their slot. SUPERSEDED and ENDED rows are still believed about
    their own period; RETRACTED ones are not believed at all. EXPIRED: a temporary that passed.
    """

    ACTIVE = "active"
    DISPUTED = "disputed"
    ENDED = "ended"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    EXPIRED = "expired"


class Trust(StrEnum):
    """Where a statement comes from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    DOCUMENT = "document"
    IMPORT = "import"


@dataclass(frozen=True, kw_only=True)
class Evidence(Record):
    """Where a fact was said: a message of the same user, and the words in it."""

    message_id: str
    quote: str


@dataclass(frozen=True, kw_only=True)
class Fact(Record):
    """One value of one slot, in both times.

    Attributes:
        id: The record's id in this store.
        subject: "user", or the other person it is about, such as "friend.sam".
        key: The slot, dotted: "work.employer".
        value: As it was said.
        cardinality: Whether the slot holds one value or several.
        confidence: How sure the reader was, 0 to 1.
        valid_from: Since when it is true in the world (aware, UTC); None = always.
        valid_until: Until when, exclusive; None = open.
        recorded_at: When this store committed it (aware, UTC), and nothing else.
        known_from: Of a bulk import: the time of the message; ``known_at`` compares with it.
        believed_at: Since when the row is as it is now (transaction time; in a bulk import the
            time of the message that changed it). Earlier states are ``FactRevision``s.
        superseded_at: When it stopped being the current answer, or None.
        retracted_at: When belief in it ended, or None.
        updated_at: When it was last corrected in place, or None.
        scheduled: It was recorded to begin in the future; the row before it is current till then.
        superseded_by: The id of the row that followed it, or None.
        intent_id: The caller's label; a filter, no part of the identity.
        mentions: How often it was said, 1 or more.
        last_mention_at: When it was last said.
        evidence: The messages it was said in, with the words.
    """

    id: str
    user_id: str
    key: str
    value: str
    recorded_at: datetime
    believed_at: datetime
    subject: str = USER
    category: Category = Category.CONTEXT
    cardinality: Cardinality = Cardinality.ONE
    kind: FactKind = FactKind.PERMANENT
    confidence: float = 1.0
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    known_from: datetime | None = None
    superseded_at: datetime | None = None
    retracted_at: datetime | None = None
    updated_at: datetime | None = None
    status: FactStatus = FactStatus.ACTIVE
    scheduled: bool = False
    superseded_by: str | None = None
    trust: Trust = Trust.USER
    intent_id: str | None = None
    mentions: int = 1
    last_mention_at: datetime | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FactRevision(Record):
    """How a fact's row was before it changed: believed from ``believed_at`` to ``replaced_at``.

    Attributes:
        fact_id: The row it is a state of.
        revision: Counts from 1.
        believed_at, replaced_at: A half-open interval of knowledge.
    """

    fact_id: str
    revision: int
    value: str
    status: FactStatus
    valid_from: datetime | None
    valid_until: datetime | None
    believed_at: datetime
    replaced_at: datetime


class Change(StrEnum):
    """What a correction did to a fact."""

    SUPERSEDED = "superseded"
    ENDED = "ended"
    RETRACTED = "retracted"
    CORRECTED = "corrected"
    UPDATED = "updated"
    RESTORED = "restored"
    DISPUTED = "disputed"
    EXPIRED = "expired"
    UNDONE = "undone"


@dataclass(frozen=True, kw_only=True)
class FactCorrection(Record):
    """One line of the append-only log: who changed what, when, why, and on what evidence.

    Attributes:
        id: The line's id.
        fact_id: The row that changed.
        other_id: The row that took its place or was taken back, or None.
        actor: "rules", "model:NAME", "api", "import", "expiry" or "withdrawal".
        before: The row's state (see ``FactRevision``) before the change, for undo.
    """

    id: str
    user_id: str
    fact_id: str
    subject: str
    key: str
    change: Change
    old_value: str | None
    new_value: str | None
    actor: str
    reason: str
    at: datetime
    other_id: str | None = None
    evidence: tuple[Evidence, ...] = ()
    undone: bool = False


@dataclass(frozen=True, kw_only=True)
class FactHistory(Record):
    """Everything that is known of one fact: its slot's rows, their earlier states, the log.

    Attributes:
        facts: All rows of the slot, in order of valid time, the latest last.
        revisions: Earlier states of these rows, oldest first.
        corrections: The log, oldest first.
    """

    facts: tuple[Fact, ...]
    revisions: tuple[FactRevision, ...] = ()
    corrections: tuple[FactCorrection, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SimilarFact(Record):
    """A fact that is near to a text, and how near: 0 to 1."""

    fact: Fact
    similarity: float


Profile = dict[str, tuple[Fact, ...]]
"""Current facts of the user by category."""
