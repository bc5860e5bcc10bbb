"""What the user's behaviour shows over several sessions."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from backstory.core.model.derived.base import Derived


class ObservationStatus(StrEnum):
    """Whether a pattern is still seen."""

    ACTIVE = "active"
    FADED = "faded"


@dataclass(frozen=True, kw_only=True)
class Observation(Derived):
    """A pattern.

    Attributes:
        pattern: A short name that stays the same from run to run, such as "topic:running".
        text: The pattern in words.
        confidence: 0 to 1.
        first_seen, last_seen: When.
        sessions: The ids of the sessions it was seen in, two or more.
        status: Whether it is still seen.
    """

    pattern: str
    text: str
    confidence: float
    first_seen: datetime
    last_seen: datetime
    sessions: tuple[str, ...]
    status: ObservationStatus = ObservationStatus.ACTIVE

    WHOLE = True

    @property
    def slot(self) -> str:
        """One for each pattern."""
        return self.pattern
