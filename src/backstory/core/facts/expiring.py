"""What passes by itself."""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.draft import CURRENT, By, Draft
from backstory.core.facts.settling import settle
from backstory.core.model.fact import Change, Fact, FactKind, FactStatus
from backstory.errors import InvalidInputError


def expire(
    book: FactBook, days: float = 30.0, *, user_id: str, now: datetime, new_ids: Sequence[str]
) -> FactPlan:
    """Mark temporary facts as expired: past their end, or without one and not said again in time.

    A status flip, never a removal; saying it again makes it active with its history. The age of a
    fact counts from its last mention, else its last correction, else its recording. Permanent
    facts whose planned end has come are marked as ended.

    Args:
        book: All rows of the user.
        days: The age at which a temporary fact without an end expires, 0 or more; ``inf`` = never.
        user_id: Whose facts.
        now: The time of the commit.
        new_ids: At least one id that is not in use.

    Raises:
        InvalidInputError: ``days`` is negative or no number.
    """
    if math.isnan(days) or days < 0:
        raise InvalidInputError(f"days must be 0 or more, not {days}")
    draft = Draft(book, user_id=user_id, now=now, new_ids=new_ids)
    for row in list(book.facts.values()):
        if row.kind is not FactKind.TEMPORARY or row.status not in CURRENT:
            continue
        if not _has_passed(row, now, days):
            continue
        draft.start(By(actor="expiry", reason="it passed by itself", at=now))
        draft.change(
            row.id,
            Change.EXPIRED,
            status=FactStatus.EXPIRED,
            valid_until=row.valid_until or now,
        )
    for subject, key in sorted({(f.subject, f.key) for f in book.facts.values()}):
        settle(draft, subject, key)
    return draft.plan()


def expired_at(row: Fact, days: float) -> datetime | None:
    """When a temporary fact expires, None if never."""
    if row.valid_until is not None:
        return row.valid_until
    if math.isinf(days):
        return None
    try:
        return last_asserted(row) + timedelta(days=days)
    except OverflowError:
        return None


def last_asserted(row: Fact) -> datetime:
    """When a fact was last said, else corrected, else recorded; a read never counts."""
    return row.last_mention_at or row.updated_at or row.recorded_at


def _has_passed(row: Fact, now: datetime, days: float) -> bool:
    at = expired_at(row, days)
    return at is not None and at <= now
