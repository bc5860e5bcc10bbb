"""What the user means to do."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from backstory.core.model.derived.base import Derived


class IntentionStatus(StrEnum):
    """PROPOSED: a reader found it, nobody has confirmed it."""

    PROPOSED = "proposed"
    OPEN = "open"
    DONE = "done"
    LET_GO = "let_go"


@dataclass(frozen=True, kw_only=True)
class Intention(Derived):
    """An intention.

    Attributes:
        what: What is meant to be done.
        when_hint: When, in the words of the user, or None.
        deferrals: How often it was brought up and nothing came of it.
        surfaced_on: The local day on which it was brought up last, or None.
        surfaced_at: When that was, or None.
        resolved_at: When it was done or let go, or None.
    """

    what: str
    when_hint: str | None = None
    status: IntentionStatus = IntentionStatus.OPEN
    deferrals: int = 0
    surfaced_on: date | None = None
    surfaced_at: datetime | None = None
    resolved_at: datetime | None = None
