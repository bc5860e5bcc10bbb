"""Whether a response is about what was said."""

import re
from math import exp
from typing import Final

from backstory.language.quality.asking import wants_quantity
from backstory.language.quality.content import Content

_SHORT: Final = 8.0
_NOTHING: Final = 0.15
_SHORT_BONUS: Final = 0.6
_EACH: Final = 1.0
_ENOUGH: Final = 3
_IMPERSONAL: Final = 0.45
_LOOKED_AT: Final = 2_000
_WISH: Final = re.compile(
    r"\b(?:should|can|could|do|shall|would) (?:i|we)\b|\bmy\b|\bhow (?:long|to)\b"
    r"|\bi (?:am|feel|failed|need|want|have|lost|can't)\b",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[.!?]+(?:\s|$)")
# Encyclopaedic: of things in general, in the third person.
_GENERAL: Final = re.compile(
    r"^\W*(?:(?:the|a|an|many|some|most|there)\s+)?(?:[\w'-]+\s+){1,4}?"
    r"(?:is|are|was|were|has|have|had|lies|means)\b",
    re.IGNORECASE,
)
_PERSON: Final = re.compile(
    r"\b(?:you|your|yours|i|i'd|i'll|i'm|my|me|we|let's|us|our)\b", re.IGNORECASE
)


def relevance(said: Content, asked: Content) -> float:
    """Content words in common, saturating: the second and third count less than the first.

    A short answer need not repeat anything ("Canberra"), a long one that shares no word with
    what was asked is probably about something else. (Overlap of words as in ROUGE-1, Lin 2004,
    with the length of the answer in place of a reference.)
    """
    if not asked.terms or not said.terms:
        return 1.0 if not asked.terms else _NOTHING
    shared = len(said.distinct & asked.distinct)
    wanted = min(_ENOUGH, len(asked.distinct))
    length = max(len(said.terms), len(said.words) / 2)
    floor = _NOTHING + _SHORT_BONUS * exp(-max(0, length - 1) / _SHORT)
    found = 1 - exp(-_EACH * shared * _ENOUGH / wanted)
    return floor + (1 - floor) * found


def address(text: str, prompt: str) -> float:
    """One, less where the user asks for themselves and is told of things in general. English.

    "Which offer should I take, Oslo or here?" - "Oslo is the capital of Norway."
    """
    asked = prompt[-_LOOKED_AT:].replace("\u2019", "'")
    if not _WISH.search(asked) or wants_quantity(asked):
        return 1.0
    sentences = [s for s in _SENTENCE.split(text[:_LOOKED_AT]) if s.strip()]
    general = [s for s in sentences if _GENERAL.search(s) and not _PERSON.search(s)]
    return _IMPERSONAL if len(general) * 2 > len(sentences) else 1.0
