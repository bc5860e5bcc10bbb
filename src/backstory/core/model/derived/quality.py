"""How good a response was."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from backstory.core.model.derived.base import Derived
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class Quality(Derived):
    """The scores of one response of the assistant: two numbers that never mix.

    Attributes:
        message_id: The response; of one that is not stored, a name for it.
        mode: That of its session.
        output_integrity: How good the response itself is, 0 to 1.
        integrity_parts: What it is made of, each 0 to 1.
        interaction_vitality: How the user took it, 0 to 1; None until the user replies.
        vitality_parts: What it is made of, each 0 to 1.
        feedback: The class of the reply, or None.
        replied_at: When the user replied, or None.
        self_check: What a model found, 0 to 1, or None; it is not part of the others.
        self_check_note: Why, in the model's words.
    """

    message_id: str
    mode: str | None = None
    output_integrity: float
    integrity_parts: Mapping[str, float] = field(default_factory=dict)
    interaction_vitality: float | None = None
    vitality_parts: Mapping[str, float] = field(default_factory=dict)
    feedback: str | None = None
    replied_at: datetime | None = None
    self_check: float | None = None
    self_check_note: str = ""

    WHOLE = True

    @property
    def slot(self) -> str:
        """One for each response."""
        return self.message_id


@dataclass(frozen=True, kw_only=True)
class Spread(Record):
    """Numbers in short.

    Attributes:
        count: How many there are.
        mean: Their mean.
        deviation: Their standard deviation.
        least, most: The smallest and the largest.
    """

    count: int
    mean: float
    deviation: float
    least: float
    most: float


@dataclass(frozen=True, kw_only=True)
class ModeStats(Record):
    """The scores of one mode; None where there is nothing to measure."""

    responses: int
    output_integrity: float
    interaction_vitality: float | None


@dataclass(frozen=True, kw_only=True)
class QualityStats(Record):
    """The scores of a user's responses.

    Attributes:
        responses: How many were scored.
        replies: To how many of them the user replied.
        output_integrity: Of all; None if there are none.
        interaction_vitality: Of those with a reply; None if there are none.
        self_check: Of those that a model has checked; None if there are none.
        integrity_parts, vitality_parts: The mean of each part.
        feedback: How many replies of each class.
        by_mode: For each mode; "" = none was named.
    """

    responses: int = 0
    replies: int = 0
    output_integrity: Spread | None = None
    interaction_vitality: Spread | None = None
    self_check: Spread | None = None
    integrity_parts: Mapping[str, float] = field(default_factory=dict)
    vitality_parts: Mapping[str, float] = field(default_factory=dict)
    feedback: Mapping[str, int] = field(default_factory=dict)
    by_mode: Mapping[str, ModeStats] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SelfCheckReport(Record):
    """What a run of the self-check did.

    Attributes:
        asked: About how many responses the model was asked.
        checked: Of how many its answer was stored.
        mean: The mean of what it found, or None.
        problem: Why nothing, or not all, was checked; None = all is well.
        checks: The responses that were checked, as they are stored now.
    """

    asked: int = 0
    checked: int = 0
    mean: float | None = None
    problem: str | None = None
    checks: tuple[Quality, ...] = ()
