"""What kind of question a query is, as far as the ranking needs to know. English."""

import re
from typing import Final

from backstory.core.terms import AskedDate
from backstory.language.dates.words import ORDINALS
from backstory.language.lexicon import MONTHS

__all__ = [
    "LONGEST",
    "asked_dates",
    "asks_for_answers",
    "asks_for_taste",
    "is_request",
    "without_frame",
]

LONGEST: Final = 2000
"""Characters. A longer text is a pasted page, not a question."""

_TALKS: Final = r"(?:conversations?|chats?|discussions?|talks|sessions)"
_FRAMES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:^|(?<=[.?!]\s))(?:please )?(?:mention|list|name|give|include|use) (?:me )?only\b"
        r"[^.?!]*[.?!]?",
        rf",? ?\b(?:throughout|across|in|during|over|from) (?:(?:all )?(?:of )?(?:our|these)|all) "
        rf"(?:(?:past|previous|earlier) )?{_TALKS}\b",
        r",? ?\bin order\b(?=\s*(?:[,.?!]|$))",
        r"^\s*(?:can|could|would|will) you (?:please )?(?:walk me through|list|tell me|give me|"
        r"show me|summari[sz]e|remind me(?: of| about)?|help me (?:understand|see))\b",
        r"\b(?:the )?order in which (?:i|we) (?:\w+ up|mentioned|discussed|talked about)\b"
        r"(?: (?:the )?(?:different|various)? ?(?:aspects|parts|topics|sides) of\b)?",
        r"\b(?:an?|the) (?:(?:brief|clear|complete|comprehensive|detailed|full|short) )?"
        r"(?:summary|overview|recap) of\b",
    )
)

_REQUEST: Final = re.compile(
    r"\b(?:can|could|would|will) you\b|\b(?:can|do|should|would|could) (?:i|we)\b"
    r"|\bi'm (?:about|planning|trying|going|looking|thinking|considering)\b"
    r"|\bi (?:want|need|plan) to\b|\b(?:suggest|recommend|help me|show me|explain)\b"
    r"|\bwhat(?:'s| is| are) (?:the|an?|some) (?:best|good|ways?|different)\b"
)
_LOOKING_BACK: Final = re.compile(
    r"\b(?:did|was|were|had|has|have (?:i|you|we)|our|summary|summari[sz]e|overview|recap|remind"
    r"|so far|throughout)\b"
    r"|\b(?:i|we|you) (?:[a-z]+ed|bought|brought|came|found|gave|got|made|met|said|saw|told|took"
    r"|went|wrote)\b"
)
_TASTE: Final = re.compile(
    r"\b(?:prefer(?:s|red|ences?)?|favou?rites?|tastes?|(?:dis)?likes|interests|advice)\b"
    r"|\b(?:do|does|would|might) \w+ (?:like|enjoy|love|hate|dislike|want)\b"
)
_ANSWERS: Final = re.compile(
    r"\b(?:summary|summari[sz]e|overview|recap)\b|\bdid you\b"
    r"|\byou (?:recommended|suggested|advised|said|told|gave|explained|described|proposed"
    r"|provided|shared|showed)\b"
)

_NAMES: Final = "|".join(rf"{month[:3]}(?:{month[3:]})?" for month in MONTHS).replace(
    "sep(?:tember)?", "sept?(?:ember)?"
)
_DAY: Final = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_DATE: Final = re.compile(
    rf"(?P<iso>\b(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b)"
    rf"|\b(?:(?P<before>{_DAY}) (?:of )?)?"
    rf"(?:(?P<part>first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) "
    rf"(?P<unit>week|half) (?:of|in) )?"
    rf"(?P<lead>(?:in|during|since|until|early|late|mid|last)[ -])?"
    rf"(?P<month>{_NAMES})\b\.?(?: (?P<after>{_DAY})\b)?"
    rf"(?:(?:, ?| )(?P<year>(?:19|20)\d\d)\b)?"
)


def without_frame(text: str) -> str:
    """Return a query without what only says how to answer, such as "Mention only five items".

    Such words are about the conversation or the answer, so messages that share them have nothing
    to do with the question. A query of nothing else is returned as it is, and so is a text that is
    longer than ``LONGEST``.
    """
    if len(text) > LONGEST:
        return text
    kept = text
    for frame in _FRAMES:
        kept = frame.sub(" ", kept)
    kept = kept.strip(" ,.?!\n") if kept != text else kept
    return kept if any(character.isalnum() for character in kept) else text


def is_request(query: str) -> bool:
    """Whether a query asks for help or advice, not for something that was said.

    Args:
        query: In lower case.
    """
    return _REQUEST.search(query) is not None and _LOOKING_BACK.search(query) is None


def asks_for_taste(query: str) -> bool:
    """Whether a query asks for advice, or for what somebody prefers.

    Args:
        query: In lower case.
    """
    return is_request(query) or _TASTE.search(query) is not None


def asks_for_answers(query: str) -> bool:
    """Whether a query asks for what the assistant said, or for a summary of both sides.

    Args:
        query: In lower case.
    """
    return _ANSWERS.search(query) is not None


def asked_dates(query: str) -> tuple[AskedDate, ...]:
    """Return the months and days of the calendar that a query names, in order.

    The name of a month alone counts after a preposition only: "in May", but not "may I".

    Args:
        query: In lower case.
    """
    found = []
    for match in _DATE.finditer(query):
        if match["iso"]:
            year, month, day = map(int, match["iso"].split("-"))
            found.append(AskedDate(year=year, month=month, day=day))
        elif match["part"]:
            first, last = _part(match["part"], match["unit"])
            found.append(AskedDate(year=_year(match), month=_month(match), day=first, until=last))
        elif written := match["before"] or match["after"]:
            day = int(re.sub(r"\D", "", written))
            found.append(AskedDate(year=_year(match), month=_month(match), day=day))
        elif match["lead"] or match["year"]:
            found.append(AskedDate(year=_year(match), month=_month(match)))
    return tuple(dict.fromkeys(found))


def _part(which: str, unit: str) -> tuple[int, int]:
    """The first and last day of a week or a half of a month."""
    if unit == "half":
        return (1, 15) if which in ("first", "1st") else (16, 31)
    if which == "last":
        return 25, 31
    number = int(which[0]) if which[0].isdigit() else ORDINALS[which]
    return 7 * number - 6, 7 * number


def _month(match: re.Match[str]) -> int:
    return [month[:3] for month in MONTHS].index(match["month"][:3]) + 1


def _year(match: re.Match[str]) -> int | None:
    return int(match["year"]) if match["year"] else None
