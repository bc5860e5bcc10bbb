"""Bringing a slot up to date with the time that has passed since it was written."""

from backstory.core.facts.disputing import leave_dispute, release
from backstory.core.facts.draft import By, Draft
from backstory.core.facts.news import is_current_row
from backstory.core.facts.rows import closed_status
from backstory.core.model.fact import Fact, FactStatus


def settle(draft: Draft, subject: str, key: str) -> None:
    """Bring rows up to date whose planned end or beginning has come.

    What was planned is in their intervals already: this is no change of what is believed. It is an
    operation of its own, so that it comes before the one that it makes way for.
    """
    draft.start(By(actor="expiry", reason="its time has come", at=draft.now))
    if close_passed(draft, subject, key):
        release(draft, subject, key)


def close_passed(draft: Draft, subject: str, key: str) -> bool:
    """Close the current rows of a slot that are over; whether there were any."""
    over = False
    for row in draft.rows(subject, key):
        if row.scheduled and (row.valid_from is None or row.valid_from <= draft.now):
            draft.touch(row.id, scheduled=False)
        if is_current_row(row) and row.valid_until is not None and row.valid_until <= draft.now:
            over = True
            _close(draft, draft.facts[row.id])
    return over


def _close(draft: Draft, row: Fact) -> None:
    follows = row.superseded_by is not None
    closed = draft.touch(
        row.id,
        status=closed_status(row.kind, row if follows else None),
        superseded_at=row.valid_until if follows else None,
    )
    if row.status is FactStatus.DISPUTED:
        leave_dispute(draft, closed)
