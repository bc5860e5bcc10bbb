"""The feeling of one message."""

from dataclasses import dataclass

from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class Sentiment(Record):
    """The feeling of one message, each part from -1 to 1.

    Attributes:
        valence: From unpleasant to pleasant; within 0.15 of 0 it is neutral.
        arousal: From calm to stirred; None where it was not read: no freely licensed list of words
            gives it, a model may.
        dominance: From overwhelmed to in control; None likewise.
    """

    valence: float
    arousal: float | None = None
    dominance: float | None = None
