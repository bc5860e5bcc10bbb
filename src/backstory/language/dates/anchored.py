"""Days counted from another date: "two weeks before Christmas", "the weekend before 9 June"."""

import re
from typing import Final

from backstory.language.dates.calendar import SATURDAY, add_days, after, before, shifted
from backstory.language.dates.grammar import DAY, NUMBER, UNIT, Context, number
from backstory.language.dates.model import Point
from backstory.language.dates.words import weekday_number

_WHAT: Final = rf"(?P<unit>{UNIT}|weekend|morning|evening|{DAY})"
_LEAD: Final = re.compile(
    rf"(?<!\S)(?<!for )(?:(?P<n>{NUMBER}) |the )?{_WHAT} (?P<side>before|after|from|prior to|"
    rf"following) "
    r"(?:the )?$"
)
_REACH: Final = 60
"""Characters before a date that are looked at."""

ANAPHORIC: Final = (
    rf"(?<!\S)the (?:(?P<side2>next|following|previous) )?{_WHAT}(?(side2)| (?P<side>before|after))"
    r"(?=$| [,:()-])"
)
"""Words that count from a date told before: "the day after"."""


def anchored(
    context: Context, begin: int, end: int, point: Point
) -> tuple[int, Point | None] | None:
    """Join a date with the words before it that count from it.

    Returns:
        Where the whole begins and what it means (None: nothing definite), or None if no such
        words stand there.
    """
    line = context.sentence.line
    first = line[begin:end].split(" ", 1)[0]
    last = begin + (len(first) + 1 if first in ("before", "after", "from") else 0)
    low = max(0, begin - _REACH)
    match = _LEAD.search(line[low:last])
    if match is None:
        return None
    start = low + match.start()
    sign = -1 if match["side"] in ("before", "prior to") else 1
    return start, _count(point, match["unit"], sign * int(number(match["n"] or "a")))


def anaphoric(match: re.Match[str], context: Context) -> Point | None:
    """Count from the date that was told before, if there is one."""
    if context.prior is None:
        return None
    return _count(
        context.prior,
        match["unit"],
        -1 if "before" in match.group() or match["side2"] == "previous" else 1,
    )


def _count(point: Point, unit: str, steps: int) -> Point | None:
    if point.day is None:
        if unit == "year" or (unit == "month" and point.month):
            found = shifted(point.first, steps, unit, exact=True)
            return Point(found.year, found.month if point.month else None)
        return None
    day = point.first
    if unit in ("morning", "evening"):
        unit = "day"
    if unit == "weekend":
        return Point.of(before(add_days(day, -1), SATURDAY) if steps < 0 else after(day, SATURDAY))
    if unit in ("day", "night", "week", "fortnight", "month", "year", "decade", "century"):
        return shifted(day, steps, unit, exact=True)
    weekday = weekday_number(unit)
    return Point.of(before(day, weekday) if steps < 0 else after(day, weekday))
