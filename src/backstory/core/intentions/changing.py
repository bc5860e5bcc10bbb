"""What becomes of an intention."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.intentions.listing import OPEN, known, listed
from backstory.core.intentions.saving import same_as
from backstory.core.model.derived import Intention, IntentionStatus
from backstory.errors import InvalidInputError, NotFoundError

_RESOLVED: Final = frozenset({IntentionStatus.DONE, IntentionStatus.LET_GO})


def resolve(
    book: DerivedBook, outcome: IntentionStatus, intention_id: str | None, now: datetime
) -> DerivedPlan:
    """Say that an intention was done or let go.

    Args:
        book: What is known of the user.
        outcome: DONE or LET_GO. Saying the same again changes nothing.
        intention_id: Which; None = the open one that was brought up last.
        now: When.

    Returns:
        The intention, also where it says nothing new.

    Raises:
        NotFoundError: There is none of this id, or none that was brought up is open.
        InvalidInputError: It was resolved otherwise.
    """
    one = _last_surfaced(book) if intention_id is None else known(book, intention_id)
    if one.status is outcome:
        return DerivedPlan(put=(one,))
    if one.status in _RESOLVED:
        raise InvalidInputError(
            f"the intention {one.id!r} was resolved as {one.status!s} already; save it again to "
            "open it anew"
        )
    return DerivedPlan(put=(replace(one, status=outcome, resolved_at=now, recorded_at=now),))


def _last_surfaced(book: DerivedBook) -> Intention:
    brought_up = [
        (one.surfaced_at, one.id, one) for one in listed(book, OPEN) if one.surfaced_at is not None
    ]
    if not brought_up:
        raise NotFoundError(
            "no open intention was brought up; name one with id, such as from list_open"
        )
    return max(brought_up)[2]


def confirm(book: DerivedBook, intention_id: str, now: datetime) -> DerivedPlan:
    """Open an intention that a reader proposed.

    One that is open stays as it is. If another one that says the same is open, the proposal goes.

    Raises:
        NotFoundError: There is none of this id.
        InvalidInputError: It was resolved.
    """
    one = known(book, intention_id)
    if one.status is IntentionStatus.OPEN:
        return DerivedPlan(put=(one,))
    if one.status in _RESOLVED:
        raise InvalidInputError(
            f"the intention {one.id!r} was resolved as {one.status!s}; save it again to open it "
            "anew"
        )
    same = same_as(book, one.what)
    if same is not None and same.status is IntentionStatus.OPEN:
        return DerivedPlan(put=(same,), withdraw=(one.id,))
    return DerivedPlan(put=(replace(one, status=IntentionStatus.OPEN, recorded_at=now),))


def erase(book: DerivedBook, intention_id: str, new_id: str, now: datetime) -> DerivedPlan:
    """Delete an intention with all its versions.

    If it was brought up, that day stays used: a record without text keeps it until another day.

    Args:
        book: What is known of the user.
        intention_id: Which.
        new_id: The id of what is left.
        now: When.

    Raises:
        NotFoundError: There is none of this id.
    """
    one = known(book, intention_id)
    if one.surfaced_on is None:
        return DerivedPlan(erase=(one.id,))
    left = Intention(
        id=new_id,
        user_id=one.user_id,
        at=now,
        recorded_at=now,
        what="",
        status=IntentionStatus.ERASED,
        surfaced_on=one.surfaced_on,
        surfaced_at=one.surfaced_at,
    )
    return DerivedPlan(put=(left,), erase=(one.id,))
