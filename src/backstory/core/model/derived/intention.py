"""What the user means to do."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from backstory.core.model.derived.base import Derived
from backstory.core.model.record import Record


class IntentionStatus(StrEnum):
    """PROPOSED: a reader found it, nobody has confirmed it.

    ERASED is what is left of one that was deleted on the day on which it was brought up: that day
    and no text, so that the day stays used. It is in no list, and goes with the next day.
    """

    PROPOSED = "proposed"
    OPEN = "open"
    DONE = "done"
    LET_GO = "let_go"
    ERASED = "erased"


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


@dataclass(frozen=True, kw_only=True)
class IntentionPrompt(Record):
    """An intention that is to be brought up now.

    Attributes:
        text: Ready for a system prompt; the words of the user are quoted in it.
        intention: As it is stored now, with this time counted.
        asks_to_decide: Whether it was put off three times, so that the text asks to do it or to
            let it go.
    """

    text: str
    intention: Intention
    asks_to_decide: bool = False

    def __str__(self) -> str:
        return self.text
