"""Months, seasons and years by name: "last May", "the autumn of 2018", "since 2019"."""

import re
from typing import Final

from backstory.language.dates.calendar import clipped
from backstory.language.dates.grammar import (
    MONTH,
    NOT_MINE,
    NTH,
    NUMBER,
    PART,
    SEASON,
    YEAR,
    YEAR_REFERENCE,
    Context,
    Rule,
    nothing,
    number,
    rule,
)
from backstory.language.dates.model import Point
from backstory.language.dates.tense import Tense
from backstory.language.dates.words import SEASONS, month_number

_RESTLESS: Final = frozenset(["may", "march", "mar"])
_GIVEN_NAMES: Final = frozenset(["april", "june", "august", "jan"])


def _with_year(match: re.Match[str], context: Context) -> Point | None:
    year = context.year(match)
    return None if year is None else Point(year, month_number(match["m"]))


def _which(match: re.Match[str], context: Context) -> Point:
    """Such as "last May", "next June", "this March"."""
    month, today, which = month_number(match["m"]), context.today, match["which"]
    if which in ("last", "past", "this past"):
        return Point(today.year - (month >= today.month), month)
    if which in ("next", "coming", "this coming"):
        return Point(today.year + (month <= today.month), month)
    ahead = month < today.month and context.tense(match) is Tense.FUTURE
    return Point(today.year + ahead, month)


def _beyond(match: re.Match[str], context: Context) -> Point:
    month, today = month_number(match["m"]), context.today
    if match["side"] == "before last":
        return Point(today.year - (month >= today.month) - 1, month)
    return Point(today.year + (month <= today.month) + 1, month)


def _cued(match: re.Match[str], context: Context) -> Point:
    month = month_number(match["m"])
    return Point(context.month(match, month), month)


def _range_month(match: re.Match[str], context: Context) -> Point:
    """The end of "from March to May"."""
    prior = context.prior
    if prior is None or prior.month is None or not context.is_near_prior(match):
        return NOT_MINE
    month, year = month_number(match["m"]), context.year(match)
    return Point(prior.year + (month < prior.month) if year is None else year, month)


def _in_month(match: re.Match[str], context: Context) -> Point:
    month, year = month_number(match["m"]), context.year(match)
    return Point(context.month(match, month) if year is None else year, month)


def _end_of_month(match: re.Match[str], context: Context) -> Point:
    year, month, _ = _in_month(match, context)
    return Point.of(clipped(year, month or 1, 1 if match["end"] == "first" else 31))


def _year(match: re.Match[str], context: Context) -> Point | None:
    groups = match.groupdict()
    if groups.get("y"):
        return Point(int(groups["y"]))
    return Point(context.short_year(int(groups["yy"][1:])))


def _season_year(match: re.Match[str], context: Context) -> Point | None:
    year = context.year(match)
    return None if year is None else Point(year)


def season_of(context: Context, name: str, which: str) -> int:
    """The year of the last, this or the next season; a winter has the year that it ends in."""
    begins, today = SEASONS[name], context.today
    winter = name == "winter"
    ends = 3 if winter else begins + 3
    now = today.year * 12 + today.month
    years = [today.year + step for step in (-2, -1, 0, 1, 2)]
    spans = [(y * 12 + begins - 12 * winter, y * 12 + ends, y) for y in years]
    if which == "last":
        return max(y for _, end, y in spans if end <= now)
    if which == "next":
        return min(y for begin, _, y in spans if begin > now)
    return today.year + (winter and today.month >= SEASONS["fall"])


def _season(match: re.Match[str], context: Context) -> Point | None:
    which = match["which"].removeprefix("this ")
    which = {"past": "last", "coming": "next"}.get(which, which)
    return Point(season_of(context, match["s"], which))


def _seasons_ago(match: re.Match[str], context: Context) -> Point:
    return Point(season_of(context, match["s"], "last") - int(number(match["n"])) + 1)


def _season_beyond(match: re.Match[str], context: Context) -> Point:
    past = match["side"] == "before last"
    year = season_of(context, match["s"], "last" if past else "next")
    return Point(year - 1 if past else year + 1)


def _season_told(match: re.Match[str], context: Context) -> Point | None:
    """Such as "in the summer we went": the tense tells the year; without one it is any summer."""
    tense, today = context.tense(match), context.today
    begins = SEASONS[match["s"]]
    if tense is Tense.PAST:
        return Point(today.year - (begins > today.month and match["s"] != "winter"))
    if tense is Tense.FUTURE:
        over = today.month >= begins + 3
        return Point(today.year + (over or match["s"] == "winter"))
    return None


_FREE: Final = "january|february|july|september|october|november|december|feb|jul|sept|oct|nov|dec"
_NAMED: Final = "|".join(sorted(_RESTLESS | _GIVEN_NAMES))
_SURE_CUES: Final = (
    "in|since|until|during|throughout|back in|between|early|late|mid|mid -|by|around|as of|"
    "in early|in late|start of|beginning of|end of|middle of|week of|half of|rest of|part of|"
    "weekend of|weekend in|from early|from late|come|through"
)
_CUES: Final = rf"{_SURE_CUES}|from|before|after|for|of|about"
_TO: Final = r"(?:(?:on|in|since|until|by|from|before|after|around|during|back in|for|of|the) )*"
_VERBS: Final = "was|were|is|has|had|will|'ll|'s"
# A number of things, not a year.
_THINGS: Final = (
    r"(?! (?:[#%]|euros?|dollars?|pounds?|bucks|quid|people|persons|men|women|steps|miles?|km|kms|"
    r"kg|"
    r"kilos?|kilomet\w+|met\w+|m|cm|mm|feet|ft|inches|calories|kcal|px|pixels?|pieces|times|"
    r"employees|users|lines|words|characters|points|pages|hours?|hour|minute|day|week|month|year|"
    r"seconds|votes|grams?|g|ml|lit\w+|gb|mb|kb|rpm|hp|watts?|volts?|degrees|copies|items|"
    r"followers|"
    r"subscribers|views|likes|photos|tickets|seats|books|songs|games|emails|messages|rows|k)\b)"
)
_YEAR_CUES: Final = (
    "in|since|until|by|from|around|before|after|during|back in|early|mid|late|end of|start of|"
    "beginning of|middle of|circa|summer of|class of|year|between|throughout|as of|through|rest of|"
    "half of|quarter|quarter of|in early|in late|in mid|pre|post|pre -|post -|mid -|early -|late "
    "-|graduated|born|married|est|established|founded|it was|it 's|year was|year is|was about|was "
    "around|season of|of|for"
)

RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?:from|between|in) (?P<m>{MONTH})"
        rf"(?= (?:to|and|or|until|through|-) (?:{MONTH}) (?P<y>{YEAR})(?!\S))",
        _with_year,
        "month",
        "number",
    ),
    rule(rf"{_TO}{PART}?(?P<m>{MONTH}){YEAR_REFERENCE}", _with_year, "month", "number year"),
    rule(
        rf"(?P<yr>last|next|this) year(?: 's| ,)?(?: in| around)? (?:early |late |mid "
        rf")?(?P<m>{MONTH})",
        _with_year,
        "month",
        "number year",
    ),
    rule(
        rf"{PART}?(?P<which>last|next|this|past|this past|coming|this coming) (?P<m>{MONTH})",
        _which,
        "month",
        "last next this past coming",
    ),
    rule(
        rf"(?:the )?(?P<m>{MONTH}) (?P<side>before last|after next)",
        _beyond,
        "month",
        "before after",
    ),
    rule(rf"(?:{_CUES}) (?P<m>{_FREE}|sep|apr|jun|aug)", _cued, "month"),
    rule(rf"(?:{_SURE_CUES}) (?P<m>{_NAMED})(?! 's (?!end\b))", _cued, "month"),
    rule(rf"from (?P<m>{_NAMED})(?= (?:on|onwards|until|to|through)\b)", _cued, "month"),
    rule(rf"(?P<m>{_FREE})(?= (?:{_VERBS})\b)", _cued, "month"),
    rule(r"(?P<m>may|march)(?= was\b)", _cued, "month"),
    rule(rf"(?P<m>{_FREE})(?=$| [,:()-])", _cued, "month"),
    rule(rf"(?:{_YEAR_CUES}) (?:the year )?(?P<y>{YEAR}){_THINGS}", _year, "number"),
    rule(rf"(?:since|during|after|before|in|at) the (?P<y>{YEAR}) \S+", _year, "number"),
    rule(
        rf"(?:the )?(?:last|{NTH}) (?:week|half|part)(?: of| in) (?P<m>{MONTH})"
        rf"{YEAR_REFERENCE}?",
        _in_month,
        "month",
        "week half part",
    ),
    rule(
        rf"(?:the )?(?P<end>first|last) day of (?P<m>{MONTH}){YEAR_REFERENCE}?",
        _end_of_month,
        "month",
        "day",
    ),
    rule(rf"(?<=\d\d\d\d )(?:to|-) (?P<y>{YEAR})", _year, "number"),
    rule(
        rf"(?:to|and|until|through|-) (?P<m>{MONTH}){YEAR_REFERENCE}?",
        _range_month,
        "month",
        "to and until through -",
    ),
    rule(rf"(?P<y>{YEAR})(?= (?:was|will|has been|had)\b)", _year, "number"),
    rule(rf"(?:from|between|in) (?P<y>{YEAR})[-/](?:{YEAR}|\d\d)", _year, "number"),
    rule(rf"(?:{_YEAR_CUES}|{SEASON}) (?P<yy>'\d\d)", _year, "number"),
    rule(
        rf"{_TO}{PART}?(?:the )?(?:{SEASON}){YEAR_REFERENCE}", _season_year, "season", "number year"
    ),
    rule(
        rf"(?P<yr>last|next) year(?: 's| ,| in)?(?: the)? (?:{SEASON})",
        _season_year,
        "season",
        "number year",
    ),
    rule(
        rf"{PART}?(?P<which>last|next|this|this past|this coming|past|coming) (?P<s>{SEASON})"
        r"(?! (?:coat|season|term|semester|roll|collection|clean\w*|fashion|break)\b)",
        _season,
        "season",
        "last next this past coming",
    ),
    rule(
        rf"(?:the )?(?P<s>{SEASON}) (?P<side>before last|after next)",
        _season_beyond,
        "season",
        "before after",
    ),
    rule(
        rf"(?:in|over|during|since|until|by|before|after|for|all) (?:early |late )?(?:the )?"
        rf"(?P<s>{SEASON})",
        _season_told,
        "season",
    ),
    rule(rf"(?P<n>{NUMBER}) (?P<s>{SEASON})s ago", _seasons_ago, "season", "ago"),
    rule(r"so last (?:year|season|summer|winter|week|month)", nothing, "unit season"),
)
