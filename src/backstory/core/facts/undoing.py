"""Taking back the last correction."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.disputing import doubt_again
from backstory.core.facts.draft import By, Draft, first_known, operation_of
from backstory.core.facts.restoring import mend, take_back_lines
from backstory.core.facts.retracting import take_back
from backstory.core.facts.settling import settle
from backstory.core.model.fact import Change, FactCorrection, FactStatus
from backstory.errors import NotFoundError

_BY_ITSELF = ("withdrawal", "expiry")


def undo(
    book: FactBook,
    fact_id: str | None = None,
    *,
    user_id: str,
    now: datetime,
    new_ids: Sequence[str],
    actor: str = "api",
    reason: str = "undone",
) -> FactPlan:
    """Take back the last correction of a user, or of one fact.

    Value, status and interval of the rows are again as they were before it; a row that it brought
    is not believed any more. The log keeps both, and the next undo goes one further back. Category,
    confidence and label of an update stay. What was withdrawn with a message or passed by
    itself does not come back.

    Args:
        book: All rows of the user, or the slot of the fact.
        fact_id: Only a correction that this row has part in.
        user_id: Whose facts.
        now: The time of the commit.
        new_ids: At least one id that is not in use.
        actor: For the log.
        reason: For the log.

    Raises:
        NotFoundError: There is nothing to undo.
    """
    draft = Draft(book, user_id=user_id, now=now, new_ids=new_ids)
    group = _last_operation(draft, fact_id)
    slots = {(line.subject, line.key) for line in group}
    for subject, key in sorted(slots):
        settle(draft, subject, key)
    draft.start(By(actor=actor, reason=reason, at=now))
    group += _by_itself_since(draft, group)
    mark_undone(draft, group)
    made = take_back_lines(draft, group, Change.UNDONE, skip=frozenset())
    made |= {i for line in group if (i := _made_by(draft, line, group)) is not None}
    for new_id in sorted(made):
        row = draft.facts[new_id]
        if row.status is not FactStatus.RETRACTED:
            take_back(draft, row, Change.UNDONE)
    for subject, key in sorted(slots):
        doubt_again(draft, subject, key)
        mend(draft, subject, key)
    return draft.plan()


def mark_undone(draft: Draft, lines: Sequence[FactCorrection]) -> None:
    """Mark lines of the log as taken back."""
    ids = {line.id for line in lines}
    draft.lines = [replace(x, undone=True) if x.id in ids else x for x in draft.lines]


def _last_operation(draft: Draft, fact_id: str | None) -> list[FactCorrection]:
    """The lines of the last correction that is not undone, oldest first."""
    if fact_id is not None:
        draft.fact(fact_id)
    open_lines = [
        line
        for line in draft.lines
        if not line.undone
        and line.change is not Change.UNDONE
        and line.actor not in _BY_ITSELF
        and line.fact_id in draft.facts
    ]
    undone_by_hand = {operation_of(line) for line in draft.lines if line.change is Change.UNDONE}
    chosen = [
        line
        for line in open_lines
        if operation_of(line) not in undone_by_hand
        and (fact_id is None or fact_id in (line.fact_id, line.other_id))
    ]
    if not chosen:
        raise NotFoundError("there is no correction to undo")
    operation = operation_of(chosen[-1])
    return [line for line in open_lines if operation_of(line) == operation]


def _by_itself_since(draft: Draft, group: Sequence[FactCorrection]) -> list[FactCorrection]:
    """What passed by itself in the same slots since an operation, and may rest on it."""
    slots = {(line.subject, line.key) for line in group}
    place = [line.id for line in draft.lines].index(group[-1].id)
    return [
        line
        for line in draft.lines[place + 1 :]
        if line.actor == "expiry"
        and line.change is not Change.EXPIRED
        and not line.undone
        and (line.subject, line.key) in slots
    ]


def _made_by(draft: Draft, line: FactCorrection, group: Sequence[FactCorrection]) -> str | None:
    """The row that an operation brought, by one of its lines."""
    other = draft.facts.get(line.other_id or "")
    if other is None or any(x.fact_id == other.id for x in group):
        return None
    return other.id if first_known(draft, other) == line.at else None
