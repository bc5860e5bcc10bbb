"""Corrections by hand: the end of belief, the end of validity, another value or interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from backstory.core.facts import retracting
from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.disputing import release
from backstory.core.facts.draft import By, Draft
from backstory.core.facts.ending import end_row
from backstory.core.facts.news import is_current_row, same_value
from backstory.core.facts.restoring import mend
from backstory.core.facts.rows import cap
from backstory.core.facts.settling import settle
from backstory.core.model.fact import Cardinality, Category, Change, Evidence, Fact, FactStatus
from backstory.core.unset import UNSET, Unset
from backstory.core.values import normal_value
from backstory.errors import InvalidInputError

Kept = Literal[Unset.UNSET]


@dataclass(frozen=True, kw_only=True)
class FactChanges:
    """What an update sets; what is unset stays.

    Attributes:
        valid_from, valid_until: None = no bound.
    """

    value: str | Kept = UNSET
    valid_from: datetime | Kept | None = UNSET
    valid_until: datetime | Kept | None = UNSET
    category: Category | Kept = UNSET
    confidence: float | Kept = UNSET
    intent_id: str | Kept | None = UNSET


def retract(
    book: FactBook,
    fact_id: str,
    *,
    user_id: str,
    now: datetime,
    new_ids: Sequence[str],
    actor: str = "api",
    reason: str = "",
    evidence: tuple[Evidence, ...] = (),
) -> FactPlan:
    """End belief in a fact: it was never true. What it had superseded holds again.

    Raises:
        NotFoundError: There is no such fact.
    """
    draft = Draft(book, user_id=user_id, now=now, new_ids=new_ids)
    row = draft.fact(fact_id)
    settle(draft, row.subject, row.key)
    draft.start(By(actor=actor, reason=reason, at=now, evidence=evidence))
    row = draft.facts[fact_id]
    if row.status is not FactStatus.RETRACTED:
        retracting.retract(draft, row)
        mend(draft, row.subject, row.key)
    return draft.plan()


def end(
    book: FactBook,
    fact_id: str,
    at: datetime,
    *,
    user_id: str,
    now: datetime,
    new_ids: Sequence[str],
    actor: str = "api",
    reason: str = "",
) -> FactPlan:
    """End the validity of a fact: it holds no longer, but did.

    Args:
        book: The slot of the fact.
        fact_id: The fact.
        at: When it ended or is going to end, aware.
        user_id: Whose facts.
        now: The time of the commit.
        new_ids: At least one id that is not in use.
        actor: For the log.
        reason: For the log.

    Raises:
        NotFoundError: There is no such fact.
        InvalidInputError: It is over already, is not believed, or begins only then.
    """
    draft = Draft(book, user_id=user_id, now=now, new_ids=new_ids)
    row = draft.fact(fact_id)
    settle(draft, row.subject, row.key)
    draft.start(By(actor=actor, reason=reason, at=now))
    if not is_current_row(draft.facts[fact_id]) or not end_row(draft, draft.facts[fact_id], at):
        raise InvalidInputError("the fact does not hold at that time, so that it cannot end then")
    return draft.plan()


def update(
    book: FactBook,
    fact_id: str,
    changes: FactChanges,
    *,
    user_id: str,
    now: datetime,
    new_ids: Sequence[str],
    actor: str = "api",
    reason: str = "",
) -> FactPlan:
    """Correct a fact in place: the same id, its earlier state kept as a revision.

    Neighbours give way: the row before ends where this one begins.

    Raises:
        NotFoundError: There is no such fact.
        InvalidInputError: The fact is not believed; the value is empty or another current row
            holds it; the period is empty or overlaps with another row of the slot.
    """
    draft = Draft(book, user_id=user_id, now=now, new_ids=new_ids)
    row = draft.fact(fact_id)
    settle(draft, row.subject, row.key)
    row = draft.facts[fact_id]
    if row.status is FactStatus.RETRACTED:
        raise InvalidInputError("the fact was retracted; state it again instead")
    draft.start(By(actor=actor, reason=reason, at=now))
    fields = _set_fields(changes, ("value", "valid_from", "valid_until"))
    fields = {name: value for name, value in fields.items() if getattr(row, name) != value}
    if fields:
        _update_state(draft, row, fields)
    beside = _set_fields(changes, ("category", "confidence", "intent_id"))
    if beside or fields:
        draft.touch(fact_id, **beside, updated_at=now)
    return draft.plan()


def _set_fields(changes: FactChanges, names: Sequence[str]) -> dict[str, Any]:
    found = {name: getattr(changes, name) for name in names}
    return {name: value for name, value in found.items() if value is not UNSET}


def _update_state(draft: Draft, row: Fact, fields: dict[str, Any]) -> None:
    start = fields.get("valid_from", row.valid_from)
    end = fields.get("valid_until", row.valid_until)
    if start is not None and end is not None and end <= start:
        raise InvalidInputError("valid_until must be after valid_from")
    if "value" in fields:
        _check_value(draft, row, fields["value"])
    before = [
        r
        for r in draft.rows(row.subject, row.key)
        if r.superseded_by == row.id and r.valid_until == row.valid_from
    ]
    if "valid_until" in fields:
        over = end is not None and end <= draft.now
        fields["status"] = FactStatus.ENDED if over else _open_status(row)
        fields["superseded_by"] = None
        fields["superseded_at"] = None
    fields["scheduled"] = start is not None and start > draft.now
    changed = draft.change(
        row.id, Change.UPDATED, new_value=fields.get("value", row.value), **fields
    )
    if "valid_from" in fields and start is not None:
        for earlier in before:
            _end_at(draft, earlier, changed)
    _check_room(draft, changed)
    mend(draft, row.subject, row.key)
    release(draft, row.subject, row.key)


def _open_status(row: Fact) -> FactStatus:
    return row.status if is_current_row(row) else FactStatus.ACTIVE


def _end_at(draft: Draft, earlier: Fact, row: Fact) -> None:
    start = row.valid_from
    if start is None or (earlier.valid_from is not None and earlier.valid_from >= start):
        raise InvalidInputError("it would begin before the row that it follows")
    cap(draft, earlier, start, row)


def _check_value(draft: Draft, row: Fact, value: str) -> None:
    if not normal_value(value):
        raise InvalidInputError("a fact needs a value")
    for other in draft.rows(row.subject, row.key):
        if other.id != row.id and is_current_row(other) and same_value(other, value, {}):
            raise InvalidInputError("another current fact of this slot holds that value already")


def _check_room(draft: Draft, row: Fact) -> None:
    """See that a row does not reach into another of its slot, or of its value."""
    if row.status is FactStatus.DISPUTED:
        return
    many = row.cardinality is Cardinality.MANY
    for other in draft.rows(row.subject, row.key):
        if other.id == row.id or other.kind is not row.kind:
            continue
        if many and not same_value(other, row.value, {}):
            continue
        if _overlap(row, other) and other.status is not FactStatus.DISPUTED:
            raise InvalidInputError("the period overlaps with another value of the same slot")


def _overlap(one: Fact, other: Fact) -> bool:
    one_first = (
        one.valid_until is None or other.valid_from is None or other.valid_from < one.valid_until
    )
    other_first = (
        other.valid_until is None or one.valid_from is None or one.valid_from < other.valid_until
    )
    return one_first and other_first
