"""Contradictions: two statements that cannot both hold, until somebody decides."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from backstory.core.model.fact import Evidence
from backstory.core.model.record import Record


class GatePath(StrEnum):
    """What made the memory see a contradiction."""

    SAME_KEY = "same_key"
    KEY_MERGE = "key_merge"
    DIRECT_CORRECTION = "direct_correction"
    BEHAVIOURAL = "behavioural"
    INLINE = "inline"
    JUDGE_SEPARATE = "judge_separate"
    JUDGE_UNAVAILABLE = "judge_unavailable"


class ContradictionState(StrEnum):
    """Where a contradiction is in its life."""

    OPEN = "open"
    HELD = "held"
    RESOLVED = "resolved"


class Decision(StrEnum):
    """Which side holds: what the user said, what was stored, or neither."""

    USER_STATED = "user_stated"
    STORED = "stored"
    NEITHER = "neither"


@dataclass(frozen=True, kw_only=True)
class Contradiction(Record):
    """One contradiction; there is one open row for each (user, subject, key, stored value).

    Attributes:
        id: The record's id.
        session_id: The conversation in which it was first seen, or None.
        stored_value, stated_value: The two answers.
        stored_fact_id, stated_fact_id: Their rows, or None where there is none.
        gate_path: What raised it.
        gate_similarity: Cosine of the two statements, -1 to 1, or None.
        gate_reason: Why, in words ("the judge timed out" is no evidence).
        gate_different_question: The judge said that the statement answers another question.
        opened_at: The first sighting; a repeat does not move it.
        repeat_count: How often it was seen again.
        surfaced: How often it was shown; being shown resolves nothing.
        decision, note, resolved_at: How it ended.
        hold_reason, held_value, held_at: Of a hold: why, and the value it was taken against.
    """

    id: str
    user_id: str
    key: str
    stored_value: str
    stated_value: str
    gate_path: GatePath
    gate_reason: str
    opened_at: datetime
    last_seen_at: datetime
    subject: str = "user"
    session_id: str | None = None
    stored_fact_id: str | None = None
    stated_fact_id: str | None = None
    gate_similarity: float | None = None
    gate_different_question: bool = False
    state: ContradictionState = ContradictionState.OPEN
    repeat_count: int = 0
    surfaced: int = 0
    decision: Decision | None = None
    note: str | None = None
    resolved_at: datetime | None = None
    hold_reason: str | None = None
    held_value: str | None = None
    held_at: datetime | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ContradictionCounts(Record):
    """How many contradictions of a user are in each state."""

    open: int = 0
    held: int = 0
    resolved: int = 0
