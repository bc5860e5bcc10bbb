"""Birthdays, compared by what both of two dates say."""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july",
            "aug august", "sep sept september", "oct october", "nov november", "dec december",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE: Final = re.compile(
    rf"(?P<year0>\d{{4}})-(?P<month0>\d\d)-(?P<day0>\d\d)"
    rf"|(?:the )?(?P<day1>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?(?: of)? (?P<month1>{_MONTH})\b\.?(?:,? (?P<year1>\d{{4}}))?"
    rf"|(?P<month2>{_MONTH})\b\.? (?:the )?(?P<day2>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?\b(?:,? (?P<year2>\d{{4}}))?"
    rf"|(?P<month3>{_MONTH})\b\.?(?: (?P<year3>\d{{4}}))?"
    r"|(?P<year4>(?:19|20)\d\d)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"\bmy (?:\d+\w+ )?birthday(?:'s| is| falls)?(?: actually| really)?(?: on| in)?(?: the)? "
    r"|\bi was born (?:on|in) (?:the )?|\bmy date of birth is ",
    re.IGNORECASE,
)
Date: TypeAlias = tuple[int | None, int | None, int | None]


def says_birthday(words: tuple[str, ...]) -> bool:
    """Whether the words of a key ask when the user was born."""
    given = set(words)
    asked = given & {"birthday", "birthdate", "dob", "birth"}
    beside = {
        "user",
        "personal",
        "date",
        "of",
        "birthday",
        "birthdate",
        "dob",
        "birth",
        "year",
        "my",
    }
    return bool(asked) and given <= beside and given != {"birth"}


def birthday_of(clause: str, stored: list[str]) -> Iterator[str]:
    """Birthdays in a clause that no stored date agrees with."""
    known = [date for date in map(_first_date, stored) if date]
    for lead in _LEAD.finditer(clause):
        said = _DATE.match(clause, lead.end())
        if said and known and not any(_agree(_parts(said), date) for date in known):
            yield said.group()


def _first_date(text: str) -> Date | None:
    found = _DATE.search(text)
    return _parts(found) if found else None


def _parts(match: re.Match[str]) -> Date:
    given = {name[:-1]: value for name, value in match.groupdict().items() if value}
    month = given.get("month")
    number = None if month is None else _MONTHS.get(month.lower()) or int(month)
    year, day = given.get("year"), given.get("day")
    return int(year) if year else None, number, int(day) if day else None


def _agree(one: Date, other: Date) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))
