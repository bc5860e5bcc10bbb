"""Weeks, weekends, months and years as such: "last weekend", "later this month", "next year"."""

import re
from typing import Final

from backstory.language.dates.calendar import SATURDAY, add_days, add_months, clipped, in_week
from backstory.language.dates.grammar import NTH, Context, Rule, ordinal, rule
from backstory.language.dates.model import Point

_STEPS: Final = {
    "last": -1,
    "past": -1,
    "this past": -1,
    "this coming": 0,
    "previous": -1,
    "next": 1,
    "coming": 1,
    "following": 1,
}
_FRIDAY: Final = 4


def _steps(match: re.Match[str]) -> int:
    side = match.groupdict().get("side")
    if side:
        return -2 if side == "before last" else 2
    return _STEPS.get(match["which"], 0)


def _week(match: re.Match[str], context: Context) -> Point:
    day = add_days(context.today, 7 * _steps(match))
    part = match.groupdict().get("part")
    if part in ("later", "end of", "late"):
        friday = in_week(day, _FRIDAY)
        return Point.of(friday if friday > context.today or part != "later" else in_week(day, 6))
    if part in ("start of", "beginning of", "early"):
        return Point.of(in_week(day, 0))
    if part in ("middle of", "mid"):
        return Point.of(in_week(day, 2))
    return Point.of(day)


def _weekend(match: re.Match[str], context: Context) -> Point:
    today = context.today
    saturday = in_week(today, SATURDAY)
    steps = _steps(match)
    if steps == 0:
        early = saturday > add_days(today, 1) and context.is_past(match)
        return Point.of(add_days(saturday, -7 if early else 0))
    if steps < 0:
        return Point.of(add_days(saturday, 7 * steps))
    if saturday <= today:
        saturday = add_days(saturday, 7)
    return Point.of(add_days(saturday, 7 * (steps - 1)))


def _month(match: re.Match[str], context: Context) -> Point:
    month = add_months(context.today.replace(day=1), _steps(match))
    return Point(month.year, month.month)


def _year(match: re.Match[str], context: Context) -> Point:
    return Point(context.today.year + _steps(match))


def _day_of_month(match: re.Match[str], context: Context) -> Point:
    month = add_months(context.today.replace(day=1), _steps(match))
    end = match.groupdict().get("end")
    if end:
        return Point.of(clipped(month.year, month.month, 1 if end == "first" else 31))
    return Point.of(month.replace(day=ordinal(match["d"])))


_PART: Final = "start of|beginning of|end of|middle of|early|mid|late"
_LEAD: Final = (
    rf"(?:(?:the |at the |by the )?(?:very )?(?P<part>{_PART}|later|earlier)(?: -)? )?(?:the )?"
)
_WHICH: Final = "last|past|previous|next|coming|following"

RULES: Final[tuple[Rule, ...]] = (
    rule(rf"{_LEAD}(?P<which>last|next|this|this past|this coming) week", _week, "unit", "week"),
    rule(r"(?:the )?week (?P<side>before last|after next)", _week, "unit", "week"),
    rule(rf"(?P<part>{_PART}) (?P<which>the|this) week", _week, "unit", "week"),
    rule(
        rf"(?:(?:on|at|over|during) )?(?:the )?(?P<which>{_WHICH}|this|this past|this coming) "
        r"(?:(?:long|bank holiday|whole) )?weekend",
        _weekend,
        "unit",
        "weekend",
    ),
    rule(
        r"(?:(?:on|at|over|during|for|since|until|by|before|after) )(?P<which>the) "
        r"(?:(?:long|bank holiday|whole) )?weekend",
        _weekend,
        "unit",
        "weekend",
    ),
    rule(
        r"(?P<which>the) weekend(?= (?:was|were|is|will|'ll|has|had)\b)",
        _weekend,
        "unit",
        "weekend",
    ),
    rule(r"(?:the )?weekend (?P<side>before last|after next)", _weekend, "unit", "weekend"),
    rule(rf"{_LEAD}(?P<which>last|next|this|this past|this coming) month", _month, "unit", "month"),
    rule(r"(?:the )?month (?P<side>before last|after next)", _month, "unit", "month"),
    rule(rf"(?:{_PART}) (?P<which>the|this) month", _month, "unit", "month"),
    rule(rf"{_LEAD}(?P<which>last|next|this|this past|this coming) year", _year, "unit", "year"),
    rule(r"(?:the )?year (?P<side>before last|after next)", _year, "unit", "year"),
    rule(rf"(?:{_PART}) (?P<which>the|this) year", _year, "unit", "year"),
    rule(
        rf"(?P<which>last|next|this) month(?: ,)?(?: on)? the (?P<d>{NTH})",
        _day_of_month,
        "unit",
        "month",
    ),
    rule(
        r"(?:on |by )?(?:the )?(?P<end>first|last) day of (?P<which>last|next|this|the) month",
        _day_of_month,
        "unit",
        "month",
    ),
    rule(
        rf"(?:on )?the (?P<d>{NTH}) (?:of )?(?P<which>last|next|this|the|this coming) month",
        _day_of_month,
        "unit",
        "month",
    ),
)
