"""Days with a name: fixed, counted from Easter, or the nth weekday of a month."""

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from backstory.language.dates.calendar import add_days, easter, nth_weekday
from backstory.language.dates.grammar import YEAR_REFERENCE, Context, Rule, nothing, rule
from backstory.language.dates.model import Point

OfYear = Callable[[int], date]


def _fixed(month: int, day: int) -> OfYear:
    return lambda year: date(year, month, day)


def _easter(days: int) -> OfYear:
    return lambda year: add_days(easter(year), days)


def _nth(month: int, weekday: int, number: int, days: int = 0) -> OfYear:
    return lambda year: add_days(nth_weekday(year, month, weekday, number), days)


# Those that are also things, seasons or greetings: a date only with a word beside that says so.
_LOOSE: Final[dict[str, OfYear]] = {
    "christmas|x - mas": _fixed(12, 25),
    "easter": _easter(0),
    "halloween": _fixed(10, 31),
    "thanksgiving": _nth(11, 3, 4),
    "valentine(?: 's)?": _fixed(2, 14),
    "(?:the )?new year(?: 's)?": _fixed(1, 1),
    "advent": lambda year: add_days(
        date(year, 12, 24), -21 - (date(year, 12, 24).weekday() + 1) % 7
    ),
    "lent": _easter(-46),
    "ascension": _easter(39),
    "pentecost|whitsun": _easter(49),
    "epiphany": _fixed(1, 6),
    "michaelmas": _fixed(9, 29),
    "candlemas": _fixed(2, 2),
}
_FIRM: Final[dict[str, OfYear]] = {
    "christmas eve": _fixed(12, 24),
    "christmas day": _fixed(12, 25),
    "boxing day|(?:st|saint) stephen(?: 's)? day": _fixed(12, 26),
    "new (?:year(?: 's)?|years) eve|nye|hogmanay|old year(?: 's)? (?:eve|night)": _fixed(12, 31),
    "new (?:year(?: 's)?|years) day": _fixed(1, 1),
    "easter sunday|easter day": _easter(0),
    "easter monday": _easter(1),
    "easter saturday|holy saturday": _easter(-1),
    "good friday": _easter(-2),
    "maundy thursday": _easter(-3),
    "palm sunday": _easter(-7),
    "ash wednesday": _easter(-46),
    "shrove tuesday|pancake (?:day|tuesday)|mardi gras|fat tuesday": _easter(-47),
    "ascension day": _easter(39),
    "pentecost sunday|whit sunday": _easter(49),
    "whit monday|pentecost monday": _easter(50),
    "corpus christi": _easter(60),
    "halloween night|all hallows eve": _fixed(10, 31),
    "all saints(?: ')? day": _fixed(11, 1),
    "all souls(?: ')? day": _fixed(11, 2),
    "valentine(?: 's)? day": _fixed(2, 14),
    "april fools?(?: 's| ')? day": _fixed(4, 1),
    "may day": _fixed(5, 1),
    "groundhog day": _fixed(2, 2),
    "(?:st|saint) patrick(?:s| 's)? day|paddy(?: 's)? day": _fixed(3, 17),
    "(?:st|saint) george(?:s| 's)? day": _fixed(4, 23),
    "(?:st|saint) andrew(?:s| 's)? day": _fixed(11, 30),
    "(?:st|saint) david(?:s| 's)? day": _fixed(3, 1),
    "(?:st|saint) nicholas(?: 's)? day": _fixed(12, 6),
    "burns night": _fixed(1, 25),
    "bonfire night|guy fawkes(?: night| day)?": _fixed(11, 5),
    "independence day|(?:the )?fourth of july": _fixed(7, 4),
    "juneteenth": _fixed(6, 19),
    "veterans(?: ')? day|armistice day": _fixed(11, 11),
    "remembrance sunday": _nth(11, 6, 2),
    "remembrance day": _fixed(11, 11),
    "memorial day": _nth(5, 0, -1),
    "labou?r day": _nth(9, 0, 1),
    "thanksgiving day": _nth(11, 3, 4),
    "black friday": _nth(11, 3, 4, 1),
    "cyber monday": _nth(11, 3, 4, 4),
    "mothering sunday": _easter(-21),
    "mother(?:s|(?: 's)) day": _nth(5, 6, 2),
    "father(?:s|(?: 's)) day": _nth(6, 6, 3),
    "(?:martin luther king|mlk)(?: jr)? day": _nth(1, 0, 3),
    "presidents(?: ')? day": _nth(2, 0, 3),
    "columbus day|indigenous peoples(?: ')? day": _nth(10, 0, 2),
    "anzac day": _fixed(4, 25),
    "australia day": _fixed(1, 26),
    "canada day": _fixed(7, 1),
    "bastille day": _fixed(7, 14),
    "cinco de mayo": _fixed(5, 5),
    "international women(?: 's)? day": _fixed(3, 8),
    "earth day": _fixed(4, 22),
    "pi day": _fixed(3, 14),
}


def _of_year(name: str) -> OfYear:
    return next(of_year for pattern, of_year in _COMPILED if pattern.fullmatch(name))


def _holiday(match: re.Match[str], context: Context) -> Point | None:
    of_year, groups = _of_year(match["h"]), match.groupdict()
    year, which = context.year(match), groups.get("which")
    if year is not None:
        return Point.of(of_year(year))
    if which in ("last", "past", "this past", "previous", "next", "coming", "this coming"):
        ahead = which in ("next", "coming", "this coming")
        years = [context.today.year + (step if ahead else -step) for step in (0, 1)]
        days = [day for day in map(of_year, years) if day != context.today]
        return Point.of(next(day for day in days if (day > context.today) == ahead))
    return Point.of(context.nearest(match, of_year))


def _beyond(match: re.Match[str], context: Context) -> Point:
    of_year, today = _of_year(match["h"]), context.today
    over = of_year(today.year) < today
    ahead = of_year(today.year) > today
    if match["side"] == "before last":
        return Point.of(of_year(today.year - 1 - (not over)))
    return Point.of(of_year(today.year + 1 + (not ahead)))


_CUES: Final = (
    "on|at|by|since|until|before|after|over|around|during|for|from|in|come|till|through|past|of"
)
_THINGS: Final = (
    r"(?! (?:'s )?(?:trees?|cards?|presents?|gifts?|jumpers?|sweaters?|dinners?|lunch|part(?:y|"
    r"ies)|"
    r"carols?|songs?|markets?|eggs?|bunny|bunnies|costumes?|cand(?:y|ies)|pudding|cake|lights|"
    r"decorations?|stockings?|movies?|films?|spirit|shopping|music|cookies|crackers?|vacations?|"
    r"bonus|break|holidays?|season|resolutions?|sale|deals?|turkey|parade|outfit|cactus|island|"
    r"things|stuff|crafts|wreath|hat|concert|play|story|special)\b)"
)
_VERBS: Final = "was|were|will|'ll|felt|had been"
_WHICH: Final = r"(?P<which>last|next|this|this past|this coming|past|previous|coming)"


_KINDS: Final = "holiday"
_NAMES: Final = _FIRM | _LOOSE
_COMPILED: Final = [(re.compile(name), of_year) for name, of_year in _NAMES.items()]
_ANY: Final = rf"(?P<h>{'|'.join(_NAMES)})"
_SURE: Final = rf"(?P<h>{'|'.join(_FIRM)})"
_END: Final = rf"(?:{YEAR_REFERENCE})?{_THINGS}"

RULES: Final[tuple[Rule, ...]] = (
    rule(rf"(?:on |at |over )?{_WHICH} {_ANY}{_END}", _holiday, _KINDS),
    rule(rf"(?:{_CUES}) (?:the )?{_ANY}{_END}", _holiday, _KINDS),
    rule(rf"{_ANY}{YEAR_REFERENCE}", _holiday, _KINDS),
    rule(rf"(?P<yr>last|next|this) year (?:'s |at )?{_ANY}", _holiday, _KINDS),
    rule(rf"(?:on |at |the )*{_ANY} (?P<side>before last|after next)", _beyond, _KINDS),
    rule(rf"{_SURE}{_END}", _holiday, _KINDS),
    rule(rf"{_ANY}(?= (?:{_VERBS})\b)", _holiday, _KINDS),
    rule(
        "(?:happy|merry|blessed|joyful) (?:christmas|easter|new year|halloween|thanksgiving|"
        "valentine)"
        "(?: 's)?(?: day| eve)?",
        nothing,
        _KINDS,
    ),
)
