"""New for old: a thing got where the old one is spoken of, and another number of the same things.

For: "got myself a Volta 5, the old one is in a drawer" (the phone), "I have three cats now" (two
cats). Not for: "got a Volta 5" alone, which may stand beside the old one; "I have two dogs" beside
"two cats".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backstory.reading.rules.held import Held, tokens
from backstory.reading.rules.lexicon.things import DEVICES
from backstory.reading.rules.patterns import Pattern
from backstory.reading.rules.phrases import ME, pattern_of

_GOT: Final = pattern_of(
    rf"{ME}(?:got|bought|ordered|picked up|treated myself to|splashed out on|using|have|driving"
    r"|drive|use)(?: (?:myself|ourselves|me|us))? (?:an?|the|my|our) (?:(?:new|used|newer"
    r"|second-hand|shiny) )*(?P<v>[A-Z][\w'-]*(?: (?:[A-Z][\w'-]*|\d\w*))*)"
)
_OLD: Final = Pattern(
    r"\b(?:the|my|our|that) (?:old|previous|ancient|former|last) (?P<n>one|[a-z]+)\b"
    r"(?!'s? (?:mum|dad|friend))"
)
_NUMBER: Final = "\\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_COUNTED: Final = re.compile(rf"(?P<n>{_NUMBER}) (?P<noun>[a-z][a-z -]*)", re.IGNORECASE)
_NOW_MANY: Final = pattern_of(
    rf"{ME}(?:have|have got|got|own|keep|am down to|are down to|am up to|are up to)(?: now"
    rf"| only| just| already)? (?P<v>(?P<n>{_NUMBER}) (?P<noun>[a-z]+))(?= now\b| these days\b"
    r"| left\b| instead\b)"
)


@dataclass(frozen=True, slots=True)
class Renewal:
    """What is held, what took its place, and the stretch of the line that says so."""

    held: Held
    value: str
    start: int
    end: int


def renewals(line: str, message: str, held: Sequence[Held]) -> Iterator[Renewal]:
    """What of the held a line says to be another now.

    Args:
        line: The line.
        message: All of the message, where the old one may be spoken of.
        held: What is held of its writer.
    """
    old = _OLD.search(message)
    for match in _GOT.finditer(line) if old else ():
        one = _replaced(held, old["n"].lower() if old else "")
        if one is not None and tokens(one.value) != tokens(match["v"]):
            yield Renewal(one, match["v"], match.start(), match.end())
    for match in _NOW_MANY.finditer(line):
        for one in held:
            was = _COUNTED.fullmatch(one.value)
            same = was and tokens(was["noun"]) == tokens(match["noun"])
            if was and same and was["n"].lower() != match["n"].lower():
                yield Renewal(one, match["v"], match.start(), match.end())


def _replaced(held: Sequence[Held], noun: str) -> Held | None:
    """The one thing that "the old one" or "the old phone" means."""
    things = [h for h in held if h.key.startswith("possession.") and h.is_one]
    if noun in DEVICES:
        things = [h for h in things if h.key == DEVICES[noun]]
    elif noun != "one":
        return None
    return things[0] if len(things) == 1 else None
