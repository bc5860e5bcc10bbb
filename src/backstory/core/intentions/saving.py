"""Saving intentions: the same one said twice is one."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.intentions.listing import listed
from backstory.core.model.derived import Intention, IntentionStatus
from backstory.core.values import normal_value

_ALIVE: Final = frozenset({IntentionStatus.OPEN, IntentionStatus.PROPOSED})


def same_as(book: DerivedBook, what: str) -> Intention | None:
    """The intention that says the same and is neither done nor let go: an open one, if there is.

    Case, accents, spacing and the punctuation around it make no other intention (see
    ``normal_value``).
    """
    wanted = normal_value(what)
    alike = [one for one in listed(book, _ALIVE) if normal_value(one.what) == wanted]
    is_open = (one for one in alike if one.status is IntentionStatus.OPEN)
    return next(is_open, alike[0] if alike else None)


def save(
    book: DerivedBook, *, user_id: str, what: str, when_hint: str | None, new_id: str, now: datetime
) -> DerivedPlan:
    """Save an intention, unless it is open already.

    One that a reader proposed is confirmed by it, and no longer rests on its message. Of one that
    is open, another ``when_hint`` replaces the earlier one. One that is done or let go is none: it
    begins anew.

    Args:
        book: What is known of the user.
        user_id: Whose it is.
        what: What is meant to be done, not blank.
        when_hint: When, or None.
        new_id: The id of a new one.
        now: The time of saving.

    Returns:
        The intention, also where it says nothing new.
    """
    known = same_as(book, what)
    if known is None:
        fresh = Intention(
            id=new_id, user_id=user_id, at=now, recorded_at=now, what=what, when_hint=when_hint
        )
        return DerivedPlan(put=(fresh,))
    changed = replace(known, when_hint=when_hint or known.when_hint, recorded_at=now)
    if known.status is IntentionStatus.PROPOSED:
        # it rests on what is said now, and stays if the message that proposed it goes
        changed = replace(
            changed, status=IntentionStatus.OPEN, what=what, evidence=(), session_id=None
        )
    return DerivedPlan(put=(changed,))


def new_proposals(book: DerivedBook, found: Iterable[Intention]) -> list[Intention]:
    """Of what a reader found, that which is new: neither open nor proposed already.

    Nor is what the same message has already proposed, whatever became of that: a message that is
    read again proposes nothing a second time.

    Args:
        book: What is known of the user.
        found: Intentions with their evidence.
    """
    said = {
        (normal_value(one.what), evidence.message_id)
        for one in book
        if isinstance(one, Intention)
        for evidence in one.evidence
    }
    taken = {normal_value(one.what) for one in listed(book, _ALIVE)}
    fresh = []
    for one in found:
        form = normal_value(one.what)
        again = any((form, evidence.message_id) in said for evidence in one.evidence)
        if form and form not in taken and not again:
            taken.add(form)
            fresh.append(replace(one, status=IntentionStatus.PROPOSED))
    return fresh
