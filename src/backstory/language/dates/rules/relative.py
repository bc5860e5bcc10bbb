"""Days, weeks, months and years counted from today: "two weeks ago", "the day before yesterday"."""

import re
from datetime import timedelta
from typing import Final

from backstory.language.dates.calendar import in_week, shifted
from backstory.language.dates.grammar import (
    ABOUT,
    DAY,
    MONTH,
    NUMBER,
    UNIT,
    Context,
    Rule,
    number,
    rule,
)
from backstory.language.dates.model import Point
from backstory.language.dates.tense import Tense
from backstory.language.dates.words import month_number, weekday_number

_DAYS: Final = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "overmorrow": 2}


def _named(match: re.Match[str], context: Context) -> Point:
    return shifted(context.today, _DAYS[match["name"]], "day")


def _beside(match: re.Match[str], context: Context) -> Point:
    """Such as "the day before yesterday", "two days after tomorrow"."""
    count = int(number(match["n"] or "a")) * (1 if match["side"] == "after" else -1)
    return shifted(context.today, count + _DAYS[match["name"]], "day")


def _night(match: re.Match[str], context: Context) -> Point:
    return shifted(context.today, -2 if match["before"] else -1, "day")


def _this_part(_match: re.Match[str], context: Context) -> Point:
    return Point.of(context.today)


def count(words: str, unit: str, and_half: str | None) -> tuple[int, str]:
    """Whole units of an amount: half a year is six months."""
    amount = number(words) + (0.5 if and_half else 0)
    if amount == int(amount):
        return int(amount), unit
    smaller = {
        "year": (12, "month"),
        "decade": (10, "year"),
        "week": (7, "day"),
        "century": (100, "year"),
    }
    factor, name = smaller.get(unit, (30 if unit == "month" else 1, "day"))
    return round(amount * factor), name


def _ago(match: re.Match[str], context: Context) -> Point | None:
    amount, unit = count(match["n"], match["unit"], match["half"] or match["plus"])
    base = context.today
    if match["base"]:
        base = shifted(base, _DAYS[match["base"]], "day").first
    point = shifted(base, -amount, unit, exact=match["exact"] is not None)
    if match["weekday"]:
        return Point.of(in_week(point.first, weekday_number(match["weekday"])))
    if match["month"] and unit in ("year", "decade"):
        return Point(point.year, month_number(match["month"]))
    return point


def _weekday_ago(match: re.Match[str], context: Context) -> Point:
    point = shifted(context.today, -int(number(match["n"])), match["unit"])
    return Point.of(in_week(point.first, weekday_number(match["weekday"])))


def _ahead(match: re.Match[str], context: Context) -> Point | None:
    if context.tense(match) is Tense.PAST:
        return None
    amount, unit = count(match["n"], match["unit"], match["half"] or match["plus"])
    return shifted(context.today, amount, unit)


def _from(match: re.Match[str], context: Context) -> Point | None:
    """Such as "a week from tomorrow", "five days from now", "a week today"."""
    amount, unit = count(match["n"], match["unit"], None)
    name = match["name"]
    if not match["link"]:
        if name == "now" or unit not in ("week", "fortnight"):
            return None
        if name == "yesterday" or context.is_past(match):
            amount = -amount
    day = shifted(context.today, _DAYS.get(name, 0), "day").first
    return shifted(day, amount, unit, exact=name != "now")


def _week_from(match: re.Match[str], context: Context) -> Point:
    return shifted(context.today, 7 + _DAYS[match["name"]], "day")


def _clock(match: re.Match[str], context: Context) -> Point | None:
    groups = match.groupdict()
    words, unit = match["n"], match["unit"]
    back = groups.get("ago") is not None
    if not back and (context.is_past(match) or (unit == "minute" and words == "a")):
        return None
    amount = number(words) + (0.5 if match["half"] else 0)
    delta = timedelta(**{unit + "s": amount})
    return Point.of((context.at.replace(tzinfo=None) + (-delta if back else delta)).date())


def _this_time(match: re.Match[str], context: Context) -> Point:
    unit = match["unit"]
    return shifted(context.today, 1 if match["which"] == "next" else -1, unit)


_HALF: Final = r"(?P<half> and a half)?"
_TIMED: Final = rf"(?P<n>{NUMBER})(?P<plus> and a half)? (?P<unit>{UNIT}){_HALF}"

RULES: Final[tuple[Rule, ...]] = (
    rule(r"(?P<name>yesterday|today|tonight|tomorrow|overmorrow)", _named, "relative"),
    rule(
        rf"(?:the )?(?:(?P<n>{NUMBER}) )?(?:day|night) (?P<side>before|after)"
        r" (?P<name>yesterday|tomorrow)",
        _beside,
        "relative",
        "day night",
    ),
    rule(r"(?:last night|(?:the )?night(?P<before> before) last)", _night, "unit", "night"),
    rule(
        r"(?:early |late )?(?:this|earlier this|later this) (?:very )?(?:morning|afternoon|"
        r"evening|day)",
        _this_part,
        "relative unit",
        "this",
    ),
    rule(
        rf"(?:{ABOUT})?{_TIMED} (?:ago|back)(?:(?P<exact>(?: to the day)?"
        rf"(?: (?P<base>today|tomorrow|yesterday|tonight)| this (?:very )?day| to the day))"
        rf"|(?: ,)?(?: on)? (?P<weekday>{DAY})| in (?P<month>{MONTH}))?",
        _ago,
        "unit",
        "ago back",
    ),
    rule(
        rf"(?:on )?(?P<weekday>{DAY}) (?P<n>{NUMBER}) (?P<unit>week|fortnight) ago",
        _weekday_ago,
        "weekday",
        "ago",
    ),
    rule(
        rf"in (?:{ABOUT})?{_TIMED}(?: (?:'s|')(?: time)?| time)?(?! (?:ago|back)\b)",
        _ahead,
        "unit",
        "in",
    ),
    rule(
        rf"(?:{ABOUT})?(?P<n>{NUMBER}) (?P<unit>{UNIT})"
        r"(?P<link> from| after)? (?P<name>now|today|tomorrow|yesterday)",
        _from,
        "unit",
        "now today tomorrow yesterday",
    ),
    rule(r"(?P<name>today|tomorrow) week", _week_from, "relative", "week"),
    rule(
        rf"(?:{ABOUT})?(?P<n>{NUMBER}) (?P<unit>hour|minute){_HALF} (?P<ago>ago)",
        _clock,
        "unit",
        "ago in now",
    ),
    rule(
        rf"in (?:{ABOUT})?(?P<n>{NUMBER}) (?P<unit>hour|minute){_HALF}(?: 's)?(?: time)?",
        _clock,
        "unit",
        "ago in now",
    ),
    rule(rf"(?P<n>{NUMBER}) (?P<unit>hour|minute){_HALF} from now", _clock, "unit", "ago in now"),
    rule(r"this time (?P<which>last|next) (?P<unit>week|month|year)", _this_time, "unit", "time"),
)
