"""Summaries of sessions, days and weeks."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from backstory.core.model.derived.base import Derived


class SummaryKind(StrEnum):
    """What a summary is of."""

    SESSION = "session"
    DAY = "day"
    WEEK = "week"


@dataclass(frozen=True, kw_only=True)
class Summary(Derived):
    """A summary.

    Attributes:
        kind: Of what.
        text: The summary.
        starts_on, ends_on: First and last day of what it is of, both inclusive.
        messages: How many messages it was made of.
        sessions: The ids of the sessions it was made of.
        made_by: "extractive", or "model:NAME".
    """

    kind: SummaryKind
    text: str
    starts_on: date
    ends_on: date
    messages: int
    sessions: tuple[str, ...]
    made_by: str = "extractive"

    WHOLE = True

    @property
    def slot(self) -> str:
        """One for each session, day and week."""
        name = self.session_id if self.kind is SummaryKind.SESSION else self.starts_on.isoformat()
        return f"{self.kind}:{name}"

    @property
    def indexed_text(self) -> str:
        """The summary."""
        return self.text

    @property
    def covers(self) -> frozenset[str]:
        """The sessions."""
        return frozenset(self.sessions)
