"""What an answer to a question about the user looks like."""

import re
from dataclasses import dataclass
from typing import Final

from backstory.core.inline.values import Taker


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """A lead-in and how to take the value behind it, or in its group ``value``."""

    lead: re.Pattern[str]
    take: Taker


@dataclass(frozen=True, kw_only=True, slots=True)
class Concept:
    """One question about the user.

    Attributes:
        patterns: How messages answer it.
        person: The value is the name of a person or an animal, so short forms are the same.
        digits: Only digits count when values are compared.
        alike: A value counts only when it is written like the stored one: a number, a proper
            name or neither.
    """

    patterns: tuple[Pattern, ...]
    person: bool = False
    digits: bool = False
    alike: bool = False


MINE: Final = r"\b(?:my|our)\s"
ADVERBS: Final = (
    r"(?:(?:now|currently|actually|still|also|just|already|recently|finally|both|officially)\s)*"
)
I_DO: Final = rf"(?:^|(?<=[\s,]))(?:i|we)\s{ADVERBS}"
I_AM: Final = rf"(?:^|(?<=[\s,]))(?:i'?m|i\sam|we're|we\sare)\s{ADVERBS}"
I_HAVE: Final = rf"(?:^|(?<=[\s,]))(?:i|we)(?:'ve|\shave)?\s{ADVERBS}"
ADJECTIVES: Final = (
    r"(?:(?:new|dear|lovely|darling|beautiful|current|little|older|elder|eldest|oldest|younger"
    r"|youngest"
    r"|big|baby|twin|best|good|sweet|crazy|old|family|primary|direct|wonderful)\s)*"
)


# "I told my wife Ann was here": what follows is said to her.
NOT_TOLD: Final = "".join(
    rf"(?<!\b{verb}\s)"
    for verb in [
        "told",
        "asked",
        "showed",
        "gave",
        "sent",
        "bought",
        "reminded",
        "convinced",
        "promised",
        "assured",
        "informed",
        "warned",
        "called",
        "named",
        "handed",
        "bet",
        "tell",
        "ask",
        "show",
        "give",
        "send",
    ]
)


def pattern(lead: str, take: Taker) -> Pattern:
    """A pattern whose lead-in is matched without regard to case."""
    return Pattern(lead=re.compile(lead, re.IGNORECASE), take=take)
