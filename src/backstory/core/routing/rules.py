"""What a rule of routing is, and the words that several of them use."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

_BORDER: Final = r"\b"


class Profile(StrEnum):
    """A kind of recall."""

    GATHER = "gather"
    """Counts, lists, comparisons, summaries, what changed: many messages of several sessions."""
    PINPOINT = "pinpoint"
    """One fact."""
    TEMPORAL = "temporal"
    """When, in what order, how long, the first or the last, what was at a stated time."""


@dataclass(frozen=True)
class Rule:
    """Ways to ask for one kind of recall.

    Attributes:
        profile: The kind.
        reason: What such a question asks for, in a few words.
        ways: Regular expressions over lower-case text with one space between words, of which one
            must be found. Alternatives within one stand in brackets.
    """

    profile: Profile
    reason: str
    ways: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All ways as one, compiled when first used: all rules take 30 ms.

        Those that begin at the border of a word are tried together: a search looks at no other
        places for them, and takes half the time.
        """
        at_border = [way.removeprefix(_BORDER) for way in self.ways if way.startswith(_BORDER)]
        others = [way for way in self.ways if not way.startswith(_BORDER)]
        together = [f"{_BORDER}(?:{'|'.join(at_border)})"] if at_border else []
        return re.compile("|".join([*together, *others]))


UNIT: Final = r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|weekends?|months?|years?|decades?)"
MONTH: Final = (
    r"(?:january|february|april|june|july|august|september|october|november|december"
    r"|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
DAY: Final = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?)"
SEASON: Final = r"(?:spring|summer|autumn|fall|winter|christmas|easter|new year|ramadan|holidays)"
AUX: Final = r"(?:have|has|had|did|do|does|are|were|is|was|am|can|could|should|would|will|might)"
MINE: Final = r"(?:i|we|you|they|he|she|my|our)"
# Nouns in -s that are one thing, and words in -s that are no nouns.
PLURAL: Final = (
    r"(?!(?:was|is|does|has|this|his|its|us|as|yes|news|gas|series|perhaps|always|sometimes|besides"
    r"|times|thanks|else's)\b)(?:\w{2,}(?<![sui'])s|people|children|men|women|kids|criteria)\b"
)
MEASURE: Final = (
    r"(?:kilos?|kilogram(?:me)?s?|kg|grams?|g|mg|litres?|liters?|ml|metres?|meters?|cm|km|miles?"
    r"|kilomet(?:re|er)s?|feet|inches|calories|degrees|percent|watts?|volts?|square \w+)"
)
