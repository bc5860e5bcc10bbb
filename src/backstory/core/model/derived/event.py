"""Events of the time line."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from backstory.core.model.derived.base import Derived
from backstory.core.model.fact import USER


class Precision(StrEnum):
    """How exactly a date is known."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, kw_only=True)
class Event(Derived):
    """Something that happened, or will, at a date.

    Attributes:
        subject: "user", or who it happened to.
        predicate: What happened, in the words of the message.
        occurred_on: When it happened, not when it was told: a calendar date, the same in every
            zone; the first day of the month or year if no more is known.
        precision: How much of the date is known.
        expression: The words that the date was read from.
        made_by: "rules", "model:NAME", or "api".
    """

    subject: str = USER
    predicate: str
    occurred_on: date
    precision: Precision = Precision.DAY
    expression: str = ""
    made_by: str = "rules"

    @property
    def indexed_text(self) -> str:
        """What happened."""
        return self.predicate if self.subject == USER else f"{self.subject}: {self.predicate}"
