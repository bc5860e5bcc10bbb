"""What is an emotional moment, whoever read it."""

import math
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from backstory.core.feelings.quoting import bounded
from backstory.core.model.derived import EmotionalMoment, Sentiment
from backstory.core.model.fact import Evidence
from backstory.core.text import one_line

GATE: Final = 0.75
"""The intensity from which a message is a moment: where the lexicon calls a feeling intense.

Moments are few by design: they stand for a time of the user's life, and a list of every "nice" and
"tired" hides them. How many messages pass is measured by ``python -m bench emotions``.
"""
QUOTE_CHARS: Final = 240
MOST_TAGS: Final = 3


def passes(intensity: float) -> bool:
    """Whether a feeling is strong enough to be kept."""
    return intensity >= GATE


def intensity_of(sentiment: Sentiment) -> float:
    """How strong a feeling is of which only its parts are known, as a model gives them: 0 to 1.

    It is the distance from neutral in the plane of valence and arousal (J. A. Russell, "A
    circumplex model of affect", 1980), 1 at most.
    """
    return min(1.0, math.hypot(sentiment.valence, sentiment.arousal or 0.0))


def moment_of(
    *,
    record_id: str,
    user_id: str,
    message_id: str,
    session_id: str | None,
    quote: str,
    said_at: datetime,
    recorded_at: datetime,
    sentiment: Sentiment,
    intensity: float,
    tags: Sequence[str],
    made_by: str = "lexicon",
    known_from: datetime | None = None,
) -> EmotionalMoment | None:
    """A moment, or None where the feeling is not strong enough or nothing is quoted.

    Args:
        record_id: Its id, if it becomes one.
        user_id: Whose.
        message_id: Where it was said.
        session_id: In which conversation; None = the store says.
        quote: The words that show it, verbatim.
        said_at: When.
        recorded_at: The time of recording.
        sentiment: The feeling.
        intensity: From 0 to 1.
        tags: Names of feelings, the strongest first.
        made_by: Who read it.
        known_from: Of what was read in a bulk import: the time of the message.
    """
    words = bounded(one_line(quote), QUOTE_CHARS)
    if not passes(intensity) or not words:
        return None
    return EmotionalMoment(
        id=record_id,
        user_id=user_id,
        at=said_at,
        recorded_at=recorded_at,
        known_from=known_from,
        session_id=session_id,
        evidence=(Evidence(message_id=message_id, quote=words),),
        valence=sentiment.valence,
        arousal=sentiment.arousal,
        dominance=sentiment.dominance,
        intensity=min(1.0, intensity),
        tags=tuple(dict.fromkeys(tags))[:MOST_TAGS],
        quote=words,
        made_by=made_by,
    )
