"""A fact in words, as search indexes it and a context shows it; without dates."""

import re
from typing import Final

from backstory.core.model.fact import USER, Fact

_DIVIDERS: Final = re.compile(r"[._]+")


def fact_text(fact: Fact) -> str:
    """The sentence of a fact: ``work employer: Volvo``; ``friend sam, work employer: Volvo``.

    Args:
        fact: Any fact. The value is given as it is, on one line.
    """
    words = key_words(fact.key)
    slot = words if fact.subject == USER else f"{key_words(fact.subject)}, {words}"
    return f"{slot}: {' '.join(fact.value.split())}"


def key_words(key: str) -> str:
    """The words of a key or a subject: ``home.postal_code`` is ``home postal code``."""
    return " ".join(_DIVIDERS.sub(" ", key).split())
