"""Whether a response is about what was said."""

from math import exp
from typing import Final

from backstory.language.quality.content import Content

_SHORT: Final = 8.0
_NOTHING: Final = 0.15
_SHORT_BONUS: Final = 0.6
_EACH: Final = 1.0
_ENOUGH: Final = 3


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
    floor = _NOTHING + _SHORT_BONUS * exp(-max(0, len(said.terms) - 1) / _SHORT)
    found = 1 - exp(-_EACH * shared * _ENOUGH / wanted)
    return floor + (1 - floor) * found
