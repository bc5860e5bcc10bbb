"""Reading: what a reader is given, and what it understood."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from backstory.core.model.fact import (
    USER,
    Cardinality,
    Category,
    Evidence,
    Fact,
    FactKind,
    Trust,
)
from backstory.core.model.found import (
    FoundEntity,
    FoundEvent,
    FoundIntention,
    FoundMoment,
    FoundRelation,
    FoundSummary,
)
from backstory.core.model.message import Role
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One message as a reader sees it.

    Attributes:
        message_id: The record id of the message.
        revision: Which version of its text.
        is_user: Whether the memory's own user said it; False for another speaker of role user.
        text: Without what memory itself had put into it.
        timestamp: When it was said, in UTC.
        local: The same in the zone of who wrote it, if that is known: its date there is the
            "today" of the words.
    """

    message_id: str
    revision: int
    role: Role
    text: str
    timestamp: datetime
    is_user: bool
    speaker: str | None = None
    session_id: str | None = None
    local: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Turns to be read at once, in order of time; those of one session stand together.

    Attributes:
        turns: What is read. What is said before them gives sense only.
        before: Turns of the first turn's session that came before, oldest first, a few.
        known: Current facts that are near to the turns, most relevant first, at most 40.
        user_name: The name of the memory's user, if a speaker name is known.
        summaries: What earlier turns of a session came to, by session.
        bulk: They were imported: neither feelings nor what is done against known facts is read.
    """

    turns: tuple[Turn, ...]
    before: tuple[Turn, ...] = ()
    known: tuple[Fact, ...] = ()
    user_name: str | None = None
    summaries: Mapping[str, str] = field(default_factory=dict)
    bulk: bool = False


class Act(StrEnum):
    """What a statement does to a slot.

    STATE: the value holds. END: it holds no longer, but did. RETRACT: it was never true.
    CORRECT: it was never true, and ``value`` is true in its stead, for the same time.
    DENY: it is not true, and nothing says that it ever was.
    """

    STATE = "state"
    END = "end"
    RETRACT = "retract"
    CORRECT = "correct"
    DENY = "deny"


@dataclass(frozen=True, kw_only=True)
class Claim(Record):
    """One statement that a reader, a person or an import makes about a slot.

    Attributes:
        act: What it does.
        key: The slot. None only for END, RETRACT and CORRECT: the current rows of the subject that
            hold ``replaces`` (else ``value``) are meant, whatever their slot.
        value: The value; None for END and RETRACT of whatever the slot holds.
        replaces: Of CORRECT, and of STATE with ``changed``: the old value, if it was named.
        changed: Something says that the world changed: "now", "moved", "since March", a date.
        valid_from, valid_until: When it is true in the world, aware; None = not said.
        said_at: The time of the message (or of the call).
        known_from: In a bulk import: ``said_at``; else None.
        actor: For the log: "rules", "model:NAME", "api", "import".
    """

    act: Act = Act.STATE
    subject: str = USER
    key: str | None
    value: str | None
    replaces: str | None = None
    said_at: datetime
    changed: bool = False
    category: Category | None = None
    cardinality: Cardinality | None = None
    kind: FactKind = FactKind.PERMANENT
    confidence: float = 1.0
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    known_from: datetime | None = None
    trust: Trust = Trust.USER
    intent_id: str | None = None
    actor: str = "rules"
    reason: str = ""
    session_id: str | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ClaimRejection(Record):
    """A statement that was not stored, and why.

    Attributes:
        message_id: Where it was said, if in a message.
        key, value: What it would have stored.
        reason: Why not, in words.
        guard: The name of the guard or rule that refused it.
    """

    reason: str
    guard: str
    message_id: str | None = None
    key: str | None = None
    value: str | None = None


@dataclass(frozen=True, kw_only=True)
class Behaviour(Record):
    """Something that the user does against a stored fact. It changes no fact.

    Attributes:
        fact_id: The fact.
        doing: What the user does, in the words of the message.
        reason: Why both cannot hold.
        evidence: Where it was said.
    """

    fact_id: str
    doing: str
    reason: str
    said_at: datetime
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Reading(Record):
    """What a reader understood of a batch.

    Attributes:
        behaviours, and all below: Only of a reader that asks a model.
        summaries: At most one for each session of the batch.
        usage: "calls", "input_tokens" and "output_tokens" of a reader that asks a model.
    """

    claims: tuple[Claim, ...] = ()
    rejections: tuple[ClaimRejection, ...] = ()
    behaviours: tuple[Behaviour, ...] = ()
    events: tuple[FoundEvent, ...] = ()
    moments: tuple[FoundMoment, ...] = ()
    intentions: tuple[FoundIntention, ...] = ()
    entities: tuple[FoundEntity, ...] = ()
    relations: tuple[FoundRelation, ...] = ()
    summaries: tuple[FoundSummary, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)
