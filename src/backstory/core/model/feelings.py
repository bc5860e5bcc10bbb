"""The course of a user's feelings over days."""

from dataclasses import dataclass
from datetime import date

from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class FeelingDay(Record):
    """A day on which the user said something whose feeling was read.

    Attributes:
        day: In the zone that was asked for.
        messages: How many were read, neutral ones included.
        valence: Their mean, from -1 to 1.
        lowest, highest: The least and the most pleasant of them.
    """

    day: date
    messages: int
    valence: float
    lowest: float
    highest: float
