"""How the user felt."""

from dataclasses import dataclass

from backstory.core.model.derived.base import Derived
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class Sentiment(Record):
    """The feeling of one message, each part from -1 to 1.

    Attributes:
        valence: From unpleasant to pleasant.
        arousal: From calm to stirred.
        dominance: From overwhelmed to in control.
    """

    valence: float
    arousal: float
    dominance: float


@dataclass(frozen=True, kw_only=True)
class EmotionalMoment(Derived):
    """A message whose feeling was strong.

    Attributes:
        valence, arousal, dominance: As those of ``Sentiment``.
        intensity: How strong, 0 to 1.
        tags: Names of feelings, the strongest first.
        quote: The words.
    """

    valence: float
    arousal: float
    dominance: float
    intensity: float
    tags: tuple[str, ...] = ()
    quote: str
