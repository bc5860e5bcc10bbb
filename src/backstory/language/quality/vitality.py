"""How the user took a response: from the reply only, and apart from how good the response is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from backstory.language.quality.content import content_of
from backstory.language.quality.feedback import Feedback, feedback_of

WEIGHTS: Final[Mapping[str, float]] = {"feedback": 0.6, "speed": 0.2, "length": 0.2}
HALF_S: Final = 900.0
"""After so many seconds, a reply is half as lively."""

_VALUES: Final = {
    Feedback.POSITIVE: 1.0,
    Feedback.NEUTRAL: 0.6,
    Feedback.REPEAT: 0.2,
    Feedback.CORRECTION: 0.2,
    Feedback.NEGATIVE: 0.1,
}
_USUAL_WORDS: Final = 8


@dataclass(frozen=True, kw_only=True)
class Vitality:
    """The score of a reply.

    Attributes:
        score: From 0 to 1: the weighted mean of the parts that are known.
        parts: "feedback", "length", and "speed" where the delay is known; each from 0 to 1.
        feedback: The class of the reply.
    """

    score: float
    parts: Mapping[str, float]
    feedback: Feedback


def score_vitality(reply: str, *, prompt: str = "", delay_s: float | None = None) -> Vitality:
    """Score a reply: what it says of the response, how soon it came and how long it is.

    Its length counts by ``n / (n + 8)`` for n words, its speed halves every 15 minutes. (Quick
    and
    long replies are the usual signs of engagement in talks with assistants, Ghazarian et al.
    2020.)

    Args:
        reply: What the user said next.
        prompt: What the user had asked before.
        delay_s: Seconds between response and reply; None = not known, below 0 = at once.
    """
    feedback = feedback_of(reply, prompt)
    words = len(content_of(reply).words)
    parts = {"feedback": _VALUES[feedback], "length": words / (words + _USUAL_WORDS)}
    if delay_s is not None:
        parts["speed"] = 0.5 ** (max(0.0, delay_s) / HALF_S)
    whole = sum(WEIGHTS[name] for name in parts)
    score = sum(WEIGHTS[name] * part for name, part in parts.items()) / whole
    return Vitality(
        score=round(score, 4),
        parts={name: round(part, 4) for name, part in parts.items()},
        feedback=feedback,
    )
