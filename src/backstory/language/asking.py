"""What a question about time asks of the dates that messages tell of."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from backstory.core.terms import AskedDate, QueryTerms, date_key
from backstory.language.dates import Precision, ResolvedDate, find_dates
from backstory.language.questions import LONGEST

_MOST_KEYS: Final = 64
_ONE_DAY: Final = timedelta(days=1)


def with_time(terms: QueryTerms, query: str, now: datetime | None) -> QueryTerms:
    """Return what a question about time asks: also for messages that tell of the dates it names.

    A day is also that before and after it: people are off by one, and a night belongs to both. A
    year alone counts if it is written as a figure.

    Args:
        terms: Of the query.
        query: The query.
        now: The time of asking, in the zone of who asks: "last week" is seen from it. None:
            only dates that do not depend on it count.
    """
    if len(query) > LONGEST:
        return replace(terms, is_temporal=True)
    keys: dict[int, None] = {}
    for asked in terms.dates:
        keys.update(dict.fromkeys(_of_asked(asked)))
    if now is not None:
        parts = {asked.month for asked in terms.dates if asked.until is not None}
        found = (one for one in find_dates(query, now) if not _is_whole(one, parts))
        keys.update(dict.fromkeys(_of_found(query, found)))
    return replace(terms, is_temporal=True, told=tuple(keys)[:_MOST_KEYS])


def _of_asked(asked: AskedDate) -> Iterator[int]:
    if asked.day is None:
        yield date_key(asked.year, asked.month)
        return
    first, last = asked.day, asked.until or asked.day
    if asked.until is None:
        first, last = first - 1, last + 1
    for day in range(max(first, 1), min(last, 31) + 1):
        yield date_key(asked.year, asked.month, day)


def _is_whole(one: ResolvedDate, parts: Collection[int]) -> bool:
    """Whether it is a month of which the query names a part."""
    return one.precision is Precision.MONTH and one.start.month in parts


def _of_found(query: str, found: Iterable[ResolvedDate]) -> Iterator[int]:
    for one in found:
        day = one.start.date()
        if one.precision is Precision.YEAR:
            if str(day.year) in query[slice(*one.span)]:
                yield date_key(day.year)
        elif one.precision is Precision.MONTH:
            yield date_key(day.year, day.month)
        else:
            for near in _around(day):
                yield date_key(near.year, near.month, near.day)


def _around(day: date) -> Iterator[date]:
    yield day
    if day > date.min:
        yield day - _ONE_DAY
    if day < date.max:
        yield day + _ONE_DAY
