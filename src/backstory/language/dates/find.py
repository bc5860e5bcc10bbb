"""Applies the rules to a text: at each place the longest match counts, then those before others."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Final

from backstory.core.times import parse_instant
from backstory.language.dates.anchored import ANAPHORIC, anaphoric, anchored
from backstory.language.dates.grammar import NOT_MINE, Context, Rule
from backstory.language.dates.model import Point, ResolvedDate, resolved
from backstory.language.dates.rules import (
    absolute,
    friends,
    holidays,
    months,
    relative,
    weekdays,
    weeks,
)
from backstory.language.dates.scan import may_have_date, sentences

_FAMILIES: Final = (friends, absolute, relative, weekdays, weeks, months, holidays)


def resolve_date(text: str, at: datetime) -> ResolvedDate | None:
    """Resolve the first date expression of a text.

    Args:
        text: What was written, in English.
        at: When, an aware time; its date in its own zone is "today".

    Returns:
        What it means, or None if there is no date in the text.

    Raises:
        InvalidInputError: ``at`` has no time zone.
    """
    return next(_found(text, at), None)


def find_dates(text: str, at: datetime) -> list[ResolvedDate]:
    """Resolve all date expressions of a text, in their order; see `resolve_date`."""
    return list(_found(text, at))


def _found(text: str, at: datetime) -> Iterator[ResolvedDate]:
    parse_instant(at, "at")
    if not may_have_date(text):
        return
    prior: Point | None = None
    for sentence in sentences(text):
        if sentence.kinds <= {"", "ordinal"}:
            continue
        context = Context(sentence, at, prior)
        for begin, end, point in _points(context):
            with suppress(ValueError):
                yield resolved(point, at, sentence.span(begin, end))
        prior = context.prior


@lru_cache(maxsize=1)
def _rules() -> tuple[Rule, ...]:
    counting = Rule(ANAPHORIC, anaphoric, frozenset(("unit", "weekday", "relative")))
    return (*(one for family in _FAMILIES for one in family.RULES), counting)


def _points(context: Context) -> Iterator[tuple[int, int, Point]]:
    line = context.sentence.line
    found = [
        (match.start(), -match.end(), order, match, one.handler)
        for order, one in enumerate(_rules())
        if one.may_match(context.sentence)
        for match in one.pattern.finditer(line)
    ]
    found.sort(key=lambda item: item[:3])
    reached = 0
    waiting: tuple[int, int, Point] | None = None
    for first, end, _, match, handler in found:
        begin = first
        if begin < reached:
            continue
        try:
            point = handler(match, context)
            if point == NOT_MINE:
                continue
            # "the Monday before the Friday before Easter" counts twice
            while point and (joined := anchored(context, begin, -end, point)):
                begin, point = joined
        except (OverflowError, ValueError):
            point = None
        reached = -end
        if point is not None:
            context.prior, context.reached = point, reached
            # in "Monday before Easter" the Monday is no date of its own
            if waiting is not None and waiting[1] <= begin:
                yield waiting
            waiting = (begin, reached, point)
    if waiting is not None:
        yield waiting
