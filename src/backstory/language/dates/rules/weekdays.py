"""Days of the week: "last Tuesday", "Friday next week", "a week on Sunday"."""

import re
from datetime import date
from typing import Final

from backstory.language.dates.calendar import add_days, after, before, in_week, nth_weekday
from backstory.language.dates.grammar import (
    DAY,
    FULL_DAY,
    MONTH,
    NTH,
    NUMBER,
    SHORT_DAY,
    YEAR_REFERENCE,
    Context,
    Rule,
    number,
    ordinal,
    rule,
)
from backstory.language.dates.model import Point
from backstory.language.dates.words import month_number, weekday_number

_LAST: Final = frozenset(("last", "past", "this past", "previous", "this last"))
_NEXT: Final = frozenset(("next", "coming", "this coming", "this next", "following"))


def near(context: Context, match: re.Match[str], weekday: int, which: str = "") -> date:
    """The day with a weekday that a word such as "last", or else the tense, points to."""
    today = context.today
    if which in _LAST:
        return before(today, weekday)
    if which in _NEXT:
        return after(today, weekday)
    start = context.range_start(match)
    if start is not None and not which:
        return after(start, weekday)
    if which == "this" and today.weekday() == weekday:
        return today
    return before(today, weekday) if context.is_past(match) else after(today, weekday)


def _plain(match: re.Match[str], context: Context) -> Point:
    groups = match.groupdict()
    return Point.of(near(context, match, weekday_number(match["w"]), groups.get("which") or ""))


def _capital(match: re.Match[str], context: Context) -> Point | None:
    """An abbreviation in the middle of a sentence, told from a word by its capital."""
    written = context.sentence.written(match.start("w"), match.end("w"))
    first = context.sentence.index(match.start("w"))
    if not written[0].isupper() or first == 0 or context.words[first - 1] in ("the", "a", "an"):
        return None
    return _plain(match, context)


def _gone(match: re.Match[str], context: Context) -> Point:
    return Point.of(before(context.today, weekday_number(match["w"])))


def _beyond(match: re.Match[str], context: Context) -> Point:
    """Such as "the Tuesday before last", "the Friday after next"."""
    weekday = weekday_number(match["w"])
    if match["side"] == "before last":
        return Point.of(add_days(before(context.today, weekday), -7))
    return Point.of(add_days(after(context.today, weekday), 7))


def _of_week(match: re.Match[str], context: Context) -> Point:
    weeks = {"last": -1, "next": 1}.get(match["which"], 0)
    weeks += {"before last": -1, "after next": 1}.get(match.groupdict().get("side") or "", 0)
    if match["which"] == "the":
        weeks = -2 if match.groupdict().get("side") == "before last" else 2
    return Point.of(in_week(add_days(context.today, 7 * weeks), weekday_number(match["w"])))


def _week_on(match: re.Match[str], context: Context) -> Point:
    """Such as "a week on Tuesday", "Tuesday week", "a week last Friday"."""
    groups = match.groupdict()
    days = int(number(groups.get("n") or "a")) * (14 if match["unit"] == "fortnight" else 7)
    weekday = weekday_number(match["w"])
    if groups.get("link") == "last":
        return Point.of(add_days(before(context.today, weekday), -days))
    return Point.of(add_days(after(context.today, weekday), days))


def _with_day(match: re.Match[str], context: Context) -> Point | None:
    """Such as "Thursday the 9th": the nearest such day in the direction of the tense."""
    weekday, number_ = weekday_number(match["w"]), ordinal(match["d"])
    first = context.today.replace(day=1)
    past = match["which"] == "last" or (match["which"] != "next" and context.is_past(match))
    for step in range(60):
        months = -step if past else step
        year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
        try:
            day = date(year, month + 1, number_)
        except ValueError:
            continue
        in_time = day <= context.today if past else day >= context.today
        if day.weekday() == weekday and in_time:
            return Point.of(day)
    return None


def _of_month(match: re.Match[str], context: Context) -> Point:
    """Such as "the first Monday of next month", "the last Friday in May"."""
    word, name = match["nth"], match["m"]
    number_ = -1 if word == "last" else ordinal(word)
    weekday = 5 if match["w"] == "weekend" else weekday_number(match["w"])
    if name:
        month = month_number(name)
        year = context.year(match)
        if year is None:
            year = context.month(match, month)
    else:
        months = {"last": -1, "next": 1}.get(match["which"], 0)
        year, month = divmod(context.today.year * 12 + context.today.month - 1 + months, 12)
        month += 1
    return Point.of(nth_weekday(year, month, weekday, number_))


def _many_ago(match: re.Match[str], context: Context) -> Point:
    """Such as "three Fridays ago", "two weekends ago"."""
    weeks = int(number(match["n"])) - 1
    weekday = weekday_number("saturday" if "weekend" in match["w"] else match["w"])
    monday_first = in_week(context.today, 0) if "weekend" in match["w"] else context.today
    return Point.of(add_days(before(monday_first, weekday), -7 * weeks))


_CUED: Final = (
    "on|next|last|this|until|by|since|from|before|after|coming|past|for|due|come|this coming|this "
    "past"
)
_PARTS: Final = r"(?: (?:morning|afternoon|evening|night|lunchtime|noon))?"
_WHICH: Final = (
    "last|next|past|coming|previous|following|this past|this coming|this next|this last|this"
)

RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?:on )?(?:the )?(?P<which>{_WHICH}) (?P<w>{DAY}){_PARTS}",
        _plain,
        "weekday",
        "last next past coming previous following this",
    ),
    rule(rf"(?P<w>{FULL_DAY}|tues?|thu|thurs?){_PARTS}", _plain, "weekday"),
    rule(rf"(?:{_CUED}) (?P<w>{SHORT_DAY}){_PARTS}", _plain, "weekday"),
    rule(
        rf"(?P<w>{SHORT_DAY})(?: (?:morning|afternoon|evening|night)| (?:at )?0:00)",
        _plain,
        "weekday",
    ),
    rule(rf"(?P<w>{SHORT_DAY})", _capital, "weekday"),
    rule(
        rf"(?:on )?(?:the )?(?P<w>{DAY}) (?:just )?(?:gone|past)",
        _gone,
        "weekday",
        "gone past last",
    ),
    rule(
        rf"(?:on )?(?P<w>{DAY}) last(?=$| [,:()-]| (?:i|we|he|she|they|the|my)\b)",
        _gone,
        "weekday",
        "gone past last",
    ),
    rule(
        rf"(?:on )?(?:the )?(?P<w>{DAY}){_PARTS} (?P<side>before last|after next)",
        _beyond,
        "weekday",
        "before after",
    ),
    rule(
        rf"(?:on )?(?:the )?(?P<w>{DAY}){_PARTS}(?: of| in| ,)? (?:earlier |later )?"
        r"(?P<which>last|next|this|the) week(?: (?P<side>before last|after next))?",
        _of_week,
        "weekday",
        "week",
    ),
    rule(
        rf"(?:(?P<which>last|next|this) week)(?: 's| ,| -)?(?: on)?(?: the)? (?P<w>{DAY}){_PARTS}",
        _of_week,
        "weekday",
        "week",
    ),
    rule(rf"(?P<link>last) (?P<w>{DAY}) (?P<unit>week)", _week_on, "weekday", "week"),
    rule(rf"(?:on )?(?P<w>{DAY}) (?P<unit>week|fortnight)", _week_on, "weekday", "week fortnight"),
    rule(
        rf"(?P<n>{NUMBER}) (?P<unit>week|fortnight)(?: (?P<link>on|from|this|next|last|after))?"
        rf"(?: next| this)? (?P<w>{DAY})",
        _week_on,
        "weekday",
        "week fortnight",
    ),
    rule(
        rf"(?:on )?(?:(?P<which>last|next|this) )?(?P<w>{DAY})(?: ,)? (?:the )?(?P<d>{NTH})"
        r"(?! (?:of|january|february|march|april|may|june|july|august|september|october|november|"
        r"december))",
        _with_day,
        "weekday",
        "number ordinal",
    ),
    rule(
        rf"(?:on )?(?:the )?(?P<nth>last|{NTH}) (?P<w>{DAY}|weekend) (?:of|in) "
        rf"(?:(?:the )?(?P<which>last|next|this|the) month|(?P<m>{MONTH}){YEAR_REFERENCE}?)",
        _of_month,
        "weekday unit",
        "of in",
    ),
    rule(
        rf"(?P<n>{NUMBER}) (?P<w>weekends?|(?:{FULL_DAY})s) ago", _many_ago, "unit weekdays", "ago"
    ),
)
