"""What holds for a while only: visits, stays, things on loan, other people's animals, moods.

For: "I'm on holiday in Malta for two weeks", "at my aunt's place in Ghent until Friday", "driving
a rental van", "dog-sitting Juno this weekend". They never touch the permanent slot.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from backstory.language.dates import find_dates
from backstory.reading.rules.patterns import Pattern, Rows
from backstory.reading.rules.phrases import START, pattern_of

_PLACE: Final = (
    r"(?!(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter"
    "|trouble|bed|pain|charge|class|town|hospital|meetings?|court|school|therapy|training"
    r"|surgery|transit|luck|office|line|shape|love|debt|quarantine|recovery|mourning|theory"
    r"|a|my|our|general|case|fact|the (?:morning|afternoon|evening|end|"
    r"meantime))\b)(?P<v>(?:the )?[^\W\d_][\w'.-]*(?: (?-i:[A-Z])[\w'.-]+){0,3})"
)
_BOUND: Final = (
    r"(?:until|till|til|for (?:the |a |an |\d|one|two|three|four|five|six|seven|"
    r"ten|about)|this (?:week|weekend|month|afternoon)|right now|rn\b|today|"
    "tonight|at the moment|on holiday|on vacation|for work|on business|over "
    "(?:christmas|easter|the)|these (?:two|three) (?:days|weeks)|till)"
)
_I: Final = rf"{START}(?:(?:i|we) (?:am|are|have been|will be)(?: just| currently| still| now)? )?"
_LOCATIONS: Final = Rows(
    (pattern_of(text), None)
    for text in (
        (
            f"{_I}(?:(?:away )?on (?:holiday|vacation|a (?:short |work |business |"
            "school |road |city )?(?:trip|break|visit)|business|leave|honeymoon|our "
            "honeymoon|a course|exchange)|holidaying|vacationing|camping|backpacking|"
            f"skiing)(?: with [^,;.]+?)? (?:in|to|at|on|near) {_PLACE}"
        ),
        (
            f"{_I}(?:staying|stuck|visiting|crashing|over|down|up|away|here|back|off|"
            r"couch-?surfing|quarantining|house-?sitting)(?: with [\w' ]+?)? (?:in|at|"
            rf"on|near) {_PLACE}(?=[^.;!?]*\b{_BOUND})"
        ),
        (
            rf"{_I}(?:at|with) (?:my|our) [\w' -]{{2,30}}?(?: (?:place|house|flat|home|"
            "apartment|cabin|cottage|farm))? (?:in|on|near) "
            rf"{_PLACE}(?=[^.;!?]*\b{_BOUND})"
        ),
        (
            f"{START}(?:i|we) (?:am|are)(?: just| currently| still| now| only| also)? "
            rf"in {_PLACE}(?=[^.;!?]*\b{_BOUND})"
        ),
        rf"{_I}visiting [\w' ]+? in {_PLACE}",
        (
            rf"{_I}(?:living|sleeping|staying|put up|holed up|based|camped out) (?:out of |in "
            rf"|at )(?:an? |the |some "
            r"|my |our )?(?:[a-z-]+ ){0,2}(?:hotel|motel|hostel|airbnb|guest ?house|b&b|inn"
            r"|hospital|caravan|tent"
            r"|suitcase|sublet|holiday (?:flat|home|let)|serviced (?:flat|apartment)"
            r"|spare room|sofa|couch)"
            rf"(?: room)? (?:in|near|outside|at|on) {_PLACE}"
        ),
        (
            rf"{_I}(?:living|based|sleeping) (?:in|at|on) {_PLACE}(?=[^.;!?]{{0,30}}\b(?:until"
            rf"|till|til|this (?:week|weekend|month)"
            r"|for (?:the |a |an )?(?:\w+ )?(?:days?|nights?|weeks?|weekend|fortnight|summer"
            r"|winter)|over the (?:summer|winter)"
            r"|while (?:the|our|my|they|we|i))\b)"
        ),
        rf"\bworking (?:remotely )?from [\w' -]{{2,30}}? in {_PLACE}(?=[^.;!?]*\b{_BOUND})",
    )
)
_PASSING: Final = Rows(
    (pattern_of(text), None)
    for text in (
        (
            r"\b(?:driving|using|riding|renting|wearing|in|with|on|got|have|had) (?:an? "
            "|the |my |some )?(?:rental|hire|hired|courtesy|loan(?:er)?|borrowed|"
            r"replacement|rented|company-?loaned)\b[^,;.!?]*"
        ),
        (
            r"\b(?:borrow(?:ed|ing)?|renting|rented|hired|test-?driving|trying "
            r"out)\b(?! (?:a |my |our )?(?:flat|house|room|apartment|place|"
            "studio))[^,;.!?]*"
        ),
        (
            r"\b(?:using|driving|riding|borrowing|wearing|on) (?:my|a|the|our) [\w' "
            r"]*?\b\w+(?:'s|s') [^,;.!?]*"
        ),
        (
            r"\b(?:looking after|look after|(?:pet|dog|cat|house|baby)-?\s?sitting|"
            "taking care of|minding|feeding|walking)(?: for)? [^,;.!?]*"
        ),
        (
            r"\b(?:have|has|got|had)\b[^,;.!?]*\bfor (?:the|this|a) (?:weekend|day|"
            r"afternoon|evening|night|moment)\b"
        ),
    )
)
MOODS: Final = frozenset(
    [
        "hungry",
        "tired",
        "sleepy",
        "bored",
        "sad",
        "happy",
        "angry",
        "excited",
        "exhausted",
        "thirsty",
        "cold",
        "hot",
        "sick",
        "ill",
        "hungover",
        "drunk",
        "nervous",
        "stressed",
        "anxious",
        "late",
        "busy",
        "free",
        "ready",
        "home",
        "back",
        "here",
        "fine",
        "ok",
        "okay",
        "good",
        "great",
        "well",
        "bad",
        "lost",
        "stuck",
        "annoyed",
        "confused",
        "sorry",
        "glad",
        "sure",
        "starving",
        "freezing",
        "melting",
        "wet",
        "broke",
        "lonely",
        "grumpy",
        "curious",
        "done",
        "awake",
        "upset",
        "worried",
        "scared",
        "proud",
        "jealous",
        "furious",
        "knackered",
        "shattered",
        "pumped",
        "hyped",
    ]
)
"""Words after "I'm" that say how one is at the moment."""
_UNTIL: Final = Pattern(r"\b(?:until|till|til|through|back (?:home )?on|leaving on)\b")
_LASTING: Final = Pattern(
    r"\bfor (?:the (?:next |whole )?|about |another |almost )?(?P<n>\d+|a|an|"
    "one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|"
    r"few)?\s*(?:more )?(?P<unit>day|night|week|weekend|fortnight|month)s?\b"
)
_DAYS: Final = {"day": 1, "night": 1, "weekend": 3, "week": 7, "fortnight": 14, "month": 31}
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fourteen": 14, "few": 3,
}  # fmt: skip
STAY: Final = timedelta(days=14)
"""How long a stay is taken to last when its end is not said: a usual holiday."""
_MOST: Final = timedelta(days=200)


@dataclass(frozen=True, slots=True)
class Stay:
    """A place where somebody is for a while, until when, and where the line says so."""

    place: str
    until: datetime
    start: int
    end: int


def stays(line: str, at: datetime) -> Iterator[Stay]:
    """The stays that a line tells of."""
    for match, _ in _LOCATIONS.finditer(line):
        until = end_of(line[match.start() :], at) or at + STAY
        yield Stay(match["v"], until, match.start(), match.end())


def passing(line: str) -> list[tuple[int, int]]:
    """The stretches of a line that are about things on loan and animals in care."""
    return [match.span() for match, _ in _PASSING.finditer(line)]


def end_of(text: str, at: datetime) -> datetime | None:
    """When what a text tells of ends: "until Friday", "for two weeks", "this weekend"."""
    until = _UNTIL.search(text)
    if until:
        dates = find_dates(text[until.start() :], at)
        if dates and at < dates[0].end <= at + _MOST:
            return dates[0].end
    lasting = _LASTING.search(text)
    if lasting:
        number = (lasting["n"] or "one").lower()
        count = int(number) if number.isdigit() else _NUMBERS[number]
        days = timedelta(days=count * _DAYS[lasting["unit"].lower()])
        return at + min(days, _MOST)
    return None
