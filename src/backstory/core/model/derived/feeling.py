"""How the user felt."""

from dataclasses import dataclass

from backstory.core.model.derived.base import Derived
from backstory.core.model.sentiment import Sentiment

__all__ = ["EmotionalMoment", "Sentiment"]


@dataclass(frozen=True, kw_only=True)
class EmotionalMoment(Derived):
    """A message whose feeling was strong.

    Attributes:
        valence, arousal, dominance: As those of ``Sentiment``.
        intensity: How strong, 0 to 1.
        tags: Names of feelings, the strongest first.
        quote: The words, abridged where they are many.
        made_by: "lexicon", or "model:NAME".
    """

    valence: float
    arousal: float | None = None
    dominance: float | None = None
    intensity: float
    tags: tuple[str, ...] = ()
    quote: str
    made_by: str = "lexicon"
