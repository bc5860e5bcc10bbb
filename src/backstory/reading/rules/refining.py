"""When another answer is no other answer: the same with more or less detail.

For: "a nurse" and "a paediatric nurse", "Chile" and "Valdivia, Chile", "in September" and "on 17
September", "182 cm" and "about 1.80 m", "Max" and "Maximilian". Not for: what merely sounds alike.
"""

import re
from typing import Final

from backstory.core.facts.slots import AGE
from backstory.core.judging import decide_compatible
from backstory.core.values import normal_value
from backstory.reading.rules.held import tokens
from backstory.reading.rules.patterns import Pattern

_NAMES: Final = ("personal.name", "relationship.partner", "relationship.boss")
_SHORTEST: Final = 3
_DATED: Final = re.compile(
    r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)?\b(?! ?(?:cm|m|ft)\b)|"
    r"\b(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_CLOSE_CM: Final = 3.0
_METRES: Final = re.compile(r"(\d)[.,](\d{1,2})\s*m?\b|(\d{3})\s*(?:cm)?\b")
_FEET: Final = re.compile(r"(\d)\s*(?:'|ft|feet|foot)\s*(\d{1,2})?")
_CM_PER_INCH: Final = 2.54
_INCHES_PER_FOOT: Final = 12
_WHOLE_BEHIND: Final = Pattern(r"\b(?:in|of|near|part of|part) (?:the )?(?:\w+ )?(?:of )?$")


def adds_to(key: str, held: str, stated: str, sentence: str = "") -> bool:
    """Whether a stated value only adds detail to the held one.

    Args:
        key: Their slot; of a slot with one value.
        held: The value that is held.
        stated: The value that is stated.
        sentence: The sentence it is stated in: "in Favoriten, in the south of Vienna".
    """
    return _may_add(key, held, stated, sentence) and not _agree(held, stated)


def _agree(held: str, stated: str) -> bool:
    return decide_compatible(held, stated).compatible


def _may_add(key: str, held: str, stated: str, sentence: str) -> bool:
    if key == "personal.birthday":
        return _more_dated(held, stated)
    if key == "home.place" and _is_within(held, stated, sentence):
        return True
    if key == AGE or key.startswith(_NAMES):
        return key.startswith(_NAMES) and _is_short_for(held, stated)
    return _has_more_words(held, stated)


def is_part_of(key: str, held: str, stated: str) -> bool:
    """Whether a stated value says less than the held one, and nothing else."""
    return _may_be_part(key, held, stated) and not _agree(held, stated)


def _may_be_part(key: str, held: str, stated: str) -> bool:
    if key == "personal.height":
        one, two = _height(held), _height(stated)
        return one is not None and two is not None and abs(one - two) <= _CLOSE_CM
    if key == "personal.birthday":
        return _same_date(held, stated) or _more_dated(stated, held)
    if key == AGE:
        return False
    if key.startswith(_NAMES):
        return _is_short_for(stated, held)
    return _has_more_words(stated, held)


_STATIONS: Final = (
    ("single",),
    ("dating", "in a relationship", "taken"),
    ("engaged",),
    ("married",),
    ("separated",),
    ("divorced", "widowed", "a widow", "a widower", "widow", "widower"),
)


def goes_on(held: str, stated: str) -> bool:
    """Whether one relationship status follows another in the course of a life."""
    one, two = _station(held), _station(stated)
    return one is not None and two is not None and one < two


def _station(value: str) -> int | None:
    folded = value.casefold()
    return next((n for n, names in enumerate(_STATIONS) if folded in names), None)


def _has_more_words(fewer: str, more: str) -> bool:
    """Whether a value ends, or begins, with all words of the other: its head is the same."""
    one, two = tokens(fewer), tokens(more)
    if not one or len(one) >= len(two):
        return False
    if any(token.isdigit() for token in set(two) - set(one)) and any(t.isdigit() for t in one):
        return False
    return two[-len(one) :] == one or two[: len(one)] == one


def _is_short_for(short: str, long: str) -> bool:
    one, two = normal_value(short), normal_value(long).split(" ")[0]
    return len(one) >= _SHORTEST and one != two and two.startswith(one)


def _is_within(held: str, stated: str, sentence: str) -> bool:
    """Whether the sentence says that the stated place lies in the held one."""
    text, place, whole = normal_value(sentence), normal_value(stated), normal_value(held)
    if not place or not whole:
        return False
    behind = text.partition(place)[2]
    at = behind.find(whole)
    return at > 0 and _WHOLE_BEHIND.search(behind[:at]) is not None


def _parts(value: str) -> dict[str, str]:
    return {
        kind: part.lower()
        for match in _DATED.finditer(value)
        for kind, part in match.groupdict().items()
        if part
    }


def _same_date(one: str, two: str) -> bool:
    first, second = _parts(one), _parts(two)
    return bool(first) and first == second


def _more_dated(fewer: str, more: str) -> bool:
    first, second = _parts(fewer), _parts(more)
    return bool(first) and len(first) < len(second) and first.items() <= second.items()


def _height(value: str) -> float | None:
    feet = _FEET.search(value)
    if feet:
        inches = int(feet[1]) * _INCHES_PER_FOOT + int(feet[2] or 0)
        return inches * _CM_PER_INCH
    metres = _METRES.search(value)
    if metres is None:
        return None
    if metres[3]:
        return float(metres[3])
    return int(metres[1]) * 100 + int(metres[2].ljust(2, "0"))
