"""Bringing intentions up: the oldest open one, at most one on a day of the user."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import Final

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.intentions.listing import OPEN, listed
from backstory.core.model.derived import Intention, IntentionStatus
from backstory.core.times import date_in

_NEVER: Final = datetime.max.replace(tzinfo=UTC)


def bring_up(
    book: DerivedBook, *, now: datetime, zone: tzinfo, recorded_at: datetime
) -> DerivedPlan:
    """Bring up the oldest open intention and count that, unless the day has had one.

    Whatever became of the one that was brought up, the day is used. A day is one of the calendar
    in the zone of this call; where the zone changes between calls, neither the date that was
    written down nor the date of that instant in the new zone is used twice, and neither is a day
    before them.

    Args:
        book: What is known of the user.
        now: The time of asking.
        zone: Where the user is.
        recorded_at: The time of the commit.

    Returns:
        Nothing, or one intention; and the remains of deleted ones go that hold no day any more.
    """
    waiting = listed(book, OPEN)
    if not waiting or _is_used(book, now, zone, None):
        return DerivedPlan()
    surfaced = replace(
        waiting[0],
        deferrals=waiting[0].deferrals + 1,
        surfaced_on=date_in(now, zone),
        surfaced_at=now,
        recorded_at=recorded_at,
    )
    remains = listed(book, {IntentionStatus.ERASED})
    return DerivedPlan(put=(surfaced,), erase=tuple(one.id for one in remains))


def preview(
    book: DerivedBook, *, now: datetime, zone: tzinfo, known_at: datetime
) -> Intention | None:
    """Which intention a context of the past shows: nothing is counted.

    It is the one that had been brought up on that day, as it was known; else the oldest open one,
    counted as if it were brought up, if the day had not had one.
    """
    today = date_in(now, zone)
    waiting = listed(book, OPEN, known_at)
    shown = next((one for one in waiting if one.surfaced_on == today), None)
    if shown is not None or not waiting or _is_used(book, now, zone, known_at):
        return shown
    return replace(waiting[0], deferrals=waiting[0].deferrals + 1)


def take_back(book: DerivedBook, surfaced: Intention, recorded_at: datetime) -> DerivedPlan:
    """Undo a ``bring_up`` that nobody saw: as if the day had not had one.

    Nothing is undone if the intention was changed since.

    Args:
        book: What is known of the user.
        surfaced: The intention as it was brought up.
        recorded_at: The time of the commit.
    """
    current = book.get(Intention, surfaced.id)
    if current is None or current.surfaced_at != surfaced.surfaced_at:
        return DerivedPlan()
    if current.status is not IntentionStatus.OPEN or current.deferrals != surfaced.deferrals:
        return DerivedPlan()
    before = _before(book, surfaced)
    undone = replace(
        current,
        deferrals=current.deferrals - 1,
        surfaced_on=before.surfaced_on if before else None,
        surfaced_at=before.surfaced_at if before else None,
        recorded_at=recorded_at,
    )
    return DerivedPlan(put=(undone,))


def _before(book: DerivedBook, surfaced: Intention) -> Intention | None:
    """The last version of an intention that had been brought up less often."""
    earlier = (
        one
        for one in book
        if isinstance(one, Intention)
        and one.id == surfaced.id
        and one.deferrals < surfaced.deferrals
    )
    return max(earlier, key=lambda one: (one.deferrals, one.recorded_at), default=None)


def _is_used(book: DerivedBook, now: datetime, zone: tzinfo, known_at: datetime | None) -> bool:
    """Whether the day of an instant has had one."""
    return any(_uses(one, now, zone) for one in _marks(book, known_at))


def _uses(one: Intention, now: datetime, zone: tzinfo) -> bool:
    if one.surfaced_on is None or one.surfaced_at is None:
        return False
    today = date_in(now, zone)
    days = (one.surfaced_on, date_in(one.surfaced_at, zone))
    # a mark of later than now, by a clock that was ahead, holds its own day only
    return today in days or (one.surfaced_at <= now and today < max(days))


def _marks(book: DerivedBook, known_at: datetime | None) -> Iterable[Intention]:
    """What says which days are used: each intention as it is, or as it was before it went."""
    last: dict[str, Intention] = {}
    for one in book:
        if isinstance(one, Intention) and (known_at is None or _began(one) <= known_at):
            known = last.get(one.id)
            if known is None or _ended(one) >= _ended(known):
                last[one.id] = one
    return last.values()


def _began(one: Intention) -> datetime:
    return one.known_from or one.recorded_at


def _ended(one: Intention) -> datetime:
    return one.replaced_at or _NEVER
