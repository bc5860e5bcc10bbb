"""Whether a response brings something."""

from math import exp
from typing import Final

from backstory.language.quality.content import Content

_SCALE: Final = 5.0
_LEAST: Final = 0.2


def generativity(said: Content, asked: Content) -> float:
    """Content words that the user had not said, each once, saturating.

    An echo brings nothing; from about ten new words on, more are no better.
    """
    new = len(said.distinct - asked.distinct)
    return _LEAST + (1 - _LEAST) * (1 - exp(-new / _SCALE)) if said.terms else 0.0
