"""What the user thought of a response, by the words of the reply."""

import re
from enum import StrEnum
from typing import Final

from backstory.language.quality.content import content_of
from backstory.language.quality.feedback_words import (
    COMPLAINTS,
    CORRECTIONS,
    DENIED_PRAISE,
    FROWNS,
    POLITE_NO,
    PRAISE,
    REPEATS,
    SMILES,
)

_LOOKED_AT: Final = 400
_ONLY_MARKS: Final = re.compile(r"[\s?!\uff1f\uff01\u061f]+")
_ALIKE: Final = 0.6
_LEAST_TERMS: Final = 2


class Feedback(StrEnum):
    """The class of a reply.

    POSITIVE thanks or praises, NEGATIVE complains, CORRECTION says that something was wrong and
    what is right, REPEAT asks the same again, NEUTRAL is everything else.
    """

    POSITIVE = "positive"
    NEGATIVE = "negative"
    CORRECTION = "correction"
    REPEAT = "repeat"
    NEUTRAL = "neutral"


_IN_ORDER: Final = (
    (POLITE_NO, Feedback.NEUTRAL),
    (COMPLAINTS, Feedback.NEGATIVE),
    (DENIED_PRAISE, Feedback.NEGATIVE),
    (CORRECTIONS, Feedback.CORRECTION),
)
_LAST: Final = (
    (FROWNS, Feedback.NEGATIVE),
    (PRAISE, Feedback.POSITIVE),
    (SMILES, Feedback.POSITIVE),
)


def feedback_of(reply: str, prompt: str = "") -> Feedback:
    """Classify a reply by small tables of phrases; what they do not know is neutral.

    English, German, Swedish, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian,
    Chinese,
    Japanese, Korean, Arabic and Hebrew, and emoji. A complaint outweighs a correction, and
    both outweigh thanks ("thanks for nothing"). Only the first 400 characters count: behind
    them a reply is about something else.

    Args:
        reply: What the user said next.
        prompt: What the user had asked before the response; asking it again is REPEAT.
    """
    text = reply[:_LOOKED_AT].lower().replace("\u2019", "'").strip()
    if _is_only_question(text):
        return Feedback.NEGATIVE
    for pattern, feedback in _IN_ORDER:
        if pattern.search(text):
            return feedback
    if REPEATS.search(text) or _asks_again(text, prompt):
        return Feedback.REPEAT
    late = (feedback for pattern, feedback in _LAST if pattern.search(text))
    return next(late, Feedback.NEUTRAL)


def _is_only_question(text: str) -> bool:
    return ("?" in text or "\uff1f" in text) and _ONLY_MARKS.fullmatch(text) is not None


def _asks_again(text: str, prompt: str) -> bool:
    asked, again = content_of(prompt).distinct, content_of(text).distinct
    if not again or len(asked) < _LEAST_TERMS:
        return False
    # a question of the same words, or of some of them
    shared = len(asked & again)
    is_part = "?" in text and shared >= _LEAST_TERMS
    return shared / len(again if is_part else asked | again) >= _ALIKE
