"""Days of the month in words and figures: "17 August 1989", "on the 3rd", "04/13/2023"."""

import re
from calendar import isleap, monthrange
from datetime import date
from typing import Final

from backstory.language.dates.calendar import clipped
from backstory.language.dates.grammar import (
    DAY,
    MONTH,
    NTH,
    YEAR,
    YEAR_REFERENCE,
    Context,
    Rule,
    ordinal,
    rule,
)
from backstory.language.dates.model import Point
from backstory.language.dates.words import month_number, weekday_number

_MOST_DAYS: Final = 31


def day_in_year(context: Context, match: re.Match[str], month: int, day: int) -> Point | None:
    """A day and month in the year of the match, or in the nearest one that the tense allows."""
    year = context.year(match)
    which = match.groupdict().get("which")
    if year is None and match.groupdict().get("short"):
        year = context.short_year(int(match["short"]))
    if not 1 <= day <= monthrange(2000, month)[1]:
        return None
    if year is not None:
        return Point(year, month, day)
    if which in ("last", "next"):
        step = -1 if which == "last" else 1
        years = [context.today.year, context.today.year + step]
        found = (clipped(y, month, day) for y in years)
        return Point.of(next(d for d in found if (d - context.today).days * step > 0))
    agreeing = _agreeing(match, context, month, day)
    if agreeing is not None:
        return Point.of(agreeing)
    if (month, day) == (2, 29):
        return _leap_day(match, context)
    return Point.of(context.nearest(match, lambda y: clipped(y, month, day)))


def _agreeing(match: re.Match[str], context: Context, month: int, day: int) -> date | None:
    """The day of last, this or next year that has the weekday told with it, if one has."""
    name = match.groupdict().get("wd")
    if not name or (month, day) == (2, 29):
        return None
    years = range(max(1, context.today.year - 1), min(date.max.year, context.today.year + 1) + 1)
    days = [date(year, month, day) for year in years]
    return next((one for one in days if one.weekday() == weekday_number(name)), None)


def _leap_day(match: re.Match[str], context: Context) -> Point:
    today, past = context.today, context.is_past(match)
    days = [date(y, 2, 29) for y in range(today.year - 8, today.year + 9) if y > 0 and isleap(y)]
    if past:
        return Point.of(max(day for day in days if day <= today))
    return Point.of(min(day for day in days if day >= today))


def _named(match: re.Match[str], context: Context) -> Point | None:
    day = ordinal(match["d"].partition("-")[0])
    return day_in_year(context, match, month_number(match["m"]), day)


def _bare_day(match: re.Match[str], context: Context) -> Point | None:
    """Such as "on the 3rd": of this month or the nearest that has such a day."""
    day, today = ordinal(match["d"]), context.today
    if not 1 <= day <= _MOST_DAYS:
        return None
    past = context.is_past(match)
    for step in range(4):
        year, month = divmod(today.year * 12 + today.month - 1 + (-step if past else step), 12)
        if day > monthrange(year, month + 1)[1]:
            continue
        found = date(year, month + 1, day)
        if found <= today if past else found >= today:
            return Point.of(found)
    return None


def _figures(match: re.Match[str], context: Context) -> Point | None:
    """Read a token of figures: the year's place tells the order; else the day comes first."""
    parts = re.split(r"[-./]", match["f"].rstrip("."))
    numbers = [int(part) for part in parts]
    lengths = [len(part) for part in parts]
    if len(set(re.findall(r"[-./]", match["f"].rstrip(".")))) > 1 or max(lengths) > len("2000"):
        return None
    if len(parts) == 3:
        return _three(numbers, lengths, context)
    if len(parts) == 2:
        return _two(match, numbers, lengths, context)
    return None


def _three(numbers: list[int], lengths: list[int], context: Context) -> Point | None:
    if 0 in numbers[:2] or (lengths[0] == 4 and not numbers[2]):
        return None  # a version, not a day
    if lengths[0] == 4 and max(lengths[1:]) <= 2:
        return Point(*numbers)
    if max(lengths[:2]) > 2 or lengths[2] not in (2, 4):
        return None
    day, month, year = numbers
    if lengths[2] == 2:
        year = context.short_year(year)
    if month > 12:
        day, month = month, day
    return Point(year, month, day)


def _two(
    match: re.Match[str], numbers: list[int], lengths: list[int], context: Context
) -> Point | None:
    if lengths == [4, 2]:
        return Point(*numbers) if 1800 <= numbers[0] < 2200 else None
    if lengths == [4, 4] and match["f"][4] == "-":
        return Point(numbers[0]) if 1900 <= numbers[0] < numbers[1] < 2100 else None
    if lengths[1] == 4 and lengths[0] <= 2:
        return Point(numbers[1], numbers[0]) if 1800 <= numbers[1] < 2200 else None
    dotted = match["f"].endswith(".")
    # "24/12" is no fraction that anybody writes.
    told = dotted or (match["cue"] and "/" in match["f"])
    told = told or ("/" in match["f"] and lengths == [2, 2] and 20 < numbers[0] <= 31)
    if max(lengths) > 2 or not told:
        return None
    day, month = numbers
    if month > 12:
        day, month = month, day
    if not 1 <= month <= 12:
        return None
    return day_in_year(context, match, month, day)


def _compact(match: re.Match[str], _context: Context) -> Point | None:
    figures = match["f"]
    return Point(int(figures[:4]), int(figures[4:6]), int(figures[6:]))


_RANGE: Final = r"(?:(?: ?-| to| until| and| or|/) (?:the )?\d{1,2}(?:th)?)?"
_D: Final = rf"(?P<d>\d{{1,2}}-\d{{1,2}}|\d{{1,2}}|{NTH})"
_WEEKDAY: Final = rf"(?:(?P<wd>{DAY})(?: ,)? )?"
_LEAD: Final = (
    rf"(?:(?:the )?(?:week|weekend|night|morning|evening) (?:of|commencing|beginning) )?"
    rf"(?:(?:on|for|about|of) )?{_WEEKDAY}(?:on )?(?:the )?"
)
_SHORT: Final = r"(?: ,)? (?P<short>\d\d)(?=$| [,:()-])"
_COUNTED: Final = (
    r"(?! (?:miles?|km|kms|kilomet\w+|met\w+|times|minute|hour|day|week|month|year|steps|laps|"
    r"people|"
    r"%|#|percent|blocks|abreast)\b)"
)
# What may follow a day without a month; after "on the 3rd" most nouns are what is numbered.
_FOLLOWS: Final = (
    r"(?=$| [,:()\"/-]| (?:i|we|he|she|they|it|you|my|our|his|her|their|the|this|that|and|but|or|"
    r"at|in|"
    r"for|with|because|so|to|if|when|then|already|again|is|was|were|are|will|'ll|'s|has|had|"
    r"morning|"
    r"afternoon|evening|night|until|from|by|as|after|before|which|not|instead|latest|please|"
    r"0:00)(?: |$))"
)
_FIGURED: Final = r"\d{1,2}th"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"{_LEAD}{_D}(?: of)? (?P<m>{MONTH})"
        rf"(?= (?:to|until|through|and|-) (?:the )?\d{{1,2}}(?:th)?"
        rf"(?: of)? (?:{MONTH})(?: of)? (?P<y>{YEAR})(?!\S))",
        _named,
        "month",
        "number ordinal",
    ),
    rule(
        rf"{_LEAD}{_D}{_RANGE}(?: of)?(?: (?P<which>last|next|this))? (?P<m>{MONTH})"
        rf"(?:{YEAR_REFERENCE}|{_SHORT})?",
        _named,
        "month",
        "number ordinal",
    ),
    rule(
        rf"{_LEAD}(?:(?P<which>last|next|this) )?(?P<m>{MONTH}) (?:the )?{_D}{_COUNTED}{_RANGE}"
        rf"(?:{YEAR_REFERENCE}|{_SHORT})?",
        _named,
        "month",
        "number ordinal",
    ),
    rule(
        rf"(?:on|since|until|by|from|before|after|for|of) (?:{_WEEKDAY})the "
        rf"(?P<d>{_FIGURED}){_FOLLOWS}",
        _bare_day,
        "number",
    ),
    rule(
        rf"(?:(?P<cue>on|since|until|by|from|before|after|due|for|{DAY})(?: ,)?(?: the)? )?"
        r"(?P<f>\d{1,4}(?:[-./]\d{1,4}){1,2}\.?)(?! (?:cups?|tsp|tbsp|of|pints?|lit\w+|stars?|"
        r"hour|day)\b)",
        _figures,
        "number",
    ),
    rule(r"(?P<f>(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))", _compact, "number"),
    rule(rf"(?P<y>{YEAR}) (?P<m>{MONTH}) {_D}", _named, "month", "number ordinal"),
)
