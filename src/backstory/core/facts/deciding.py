"""Decisions on contradictions: resolving them, holding them, and holds that lapse."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.disputing import decided
from backstory.core.facts.draft import By, Draft
from backstory.core.facts.news import is_current_row
from backstory.core.facts.restoring import mend
from backstory.core.facts.retracting import retract
from backstory.core.facts.settling import settle
from backstory.core.model.contradiction import (
    Contradiction,
    ContradictionState,
    Decision,
)
from backstory.core.model.fact import Fact, FactStatus
from backstory.core.values import normal_value
from backstory.errors import InvalidInputError, NotFoundError


def resolve(
    book: FactBook,
    contradiction_id: str,
    decision: Decision,
    note: str | None = None,
    *,
    apply: bool = True,
    user_id: str,
    now: datetime,
    new_ids: Sequence[str],
    actor: str = "api",
) -> FactPlan:
    """Decide a contradiction, and apply the decision to its facts.

    The side that does not hold is retracted; what it had closed holds again; the other side is
    active, if nothing else disputes it.

    Args:
        book: The contradiction with its slot.
        contradiction_id: Which one; open or held.
        decision: Which side holds.
        note: Why.
        apply: False leaves the facts as they are.
        user_id: Whose facts.
        now: The time of the commit.
        new_ids: At least one id that is not in use.
        actor: For the log.

    Raises:
        NotFoundError: There is no such contradiction.
        InvalidInputError: It is resolved already.
    """
    draft = Draft(book, user_id=user_id, now=now, new_ids=new_ids)
    known = _undecided(book, contradiction_id)
    settle(draft, known.subject, known.key)
    draft.start(By(actor=actor, reason=note or f"decided: {decision}", at=now))
    draft.contradictions[known.id] = decided(known, Decision(decision), note, now)
    if apply:
        for side in _losers(known, decision):
            row = draft.facts.get(side or "")
            if row is not None and row.status is not FactStatus.RETRACTED:
                retract(draft, row)
        mend(draft, known.subject, known.key)
    return draft.plan()


def hold(book: FactBook, contradiction_id: str, reason: str, *, now: datetime) -> FactPlan:
    """Put a contradiction aside, as long as its stored value stays what it is.

    Raises:
        NotFoundError: There is no such contradiction.
        InvalidInputError: It is resolved already, or the reason is blank.
    """
    known = _undecided(book, contradiction_id)
    if not reason.strip():
        raise InvalidInputError("a hold needs a reason")
    row = book.facts.get(known.stored_fact_id or "")
    held = replace(
        known,
        state=ContradictionState.HELD,
        hold_reason=reason,
        held_value=row.value if row is not None else known.stored_value,
        held_at=now,
    )
    return FactPlan(contradictions={held.id: held})


def hold_has_lapsed(held: Contradiction, facts: Iterable[Fact]) -> bool:
    """Whether the value that a hold was taken against is no current value of its slot any more.

    Args:
        held: Any contradiction; only a held one can lapse.
        facts: At least the rows of its slot.
    """
    if held.state is not ContradictionState.HELD:
        return False
    form = normal_value(held.held_value or held.stored_value)
    return not any(
        (f.subject, f.key) == (held.subject, held.key)
        and is_current_row(f)
        and normal_value(f.value) == form
        for f in facts
    )


def lapsed_holds(
    contradictions: Iterable[Contradiction], facts: Sequence[Fact]
) -> list[Contradiction]:
    """The held contradictions whose value has moved: they count as open again."""
    return [c for c in contradictions if hold_has_lapsed(c, facts)]


def lapse(book: FactBook, contradiction_ids: Iterable[str]) -> FactPlan:
    """Reopen those of some held contradictions whose value has moved."""
    rows = list(book.facts.values())
    asked = [book.contradictions[i] for i in contradiction_ids if i in book.contradictions]
    return FactPlan(contradictions={c.id: reopened(c) for c in lapsed_holds(asked, rows)})


def reopened(held: Contradiction) -> Contradiction:
    """A held contradiction as open again."""
    return replace(
        held, state=ContradictionState.OPEN, hold_reason=None, held_value=None, held_at=None
    )


def _undecided(book: FactBook, contradiction_id: str) -> Contradiction:
    known = book.contradictions.get(contradiction_id)
    if known is None:
        raise NotFoundError("there is no such contradiction for this user")
    if known.state is ContradictionState.RESOLVED:
        raise InvalidInputError("the contradiction is resolved already")
    return known


def _losers(known: Contradiction, decision: Decision) -> tuple[str | None, ...]:
    if decision == Decision.USER_STATED:
        return (known.stored_fact_id,)
    if decision == Decision.STORED:
        return (known.stated_fact_id,)
    return (known.stored_fact_id, known.stated_fact_id)
