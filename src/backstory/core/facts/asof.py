"""What was believed at one time about another: the reference for what storages answer."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.facts.draft import CURRENT
from backstory.core.model.fact import Fact, FactRevision, FactStatus


def is_current(fact: Fact, now: datetime) -> bool:
    """Whether a fact is true now: active or disputed, begun, not over."""
    return fact.status in CURRENT and holds_at(fact, now)


def holds_at(state: Fact | FactRevision, at: datetime) -> bool:
    """Whether a time lies within a state's valid time, whose end is exclusive."""
    begun = state.valid_from is None or state.valid_from <= at
    return begun and (state.valid_until is None or at < state.valid_until)


def as_of(
    facts: Iterable[Fact],
    revisions: Iterable[FactRevision],
    valid_at: datetime,
    known_at: datetime | None = None,
) -> list[Fact]:
    """What was believed at ``known_at`` to be true at ``valid_at``.

    Args:
        facts: Rows as they are now.
        revisions: Earlier states of them.
        valid_at: The time in the world.
        known_at: The time of knowledge; None = now.

    Returns:
        Each fact as it was believed then, in the order given.
    """
    states: dict[str, list[FactRevision]] = {}
    for revision in revisions:
        states.setdefault(revision.fact_id, []).append(revision)
    then = (believed_at(fact, states.get(fact.id, ()), known_at) for fact in facts)
    return [
        fact
        for fact in then
        if fact is not None and fact.status is not FactStatus.RETRACTED and holds_at(fact, valid_at)
    ]


def believed_at(
    fact: Fact, revisions: Sequence[FactRevision], known_at: datetime | None
) -> Fact | None:
    """A fact as it was believed at a time, None if it was not known yet.

    It is the row itself if that is old enough, else the state that covers the time.
    """
    if known_at is None or fact.believed_at <= known_at:
        return fact
    for state in revisions:
        if state.believed_at <= known_at < state.replaced_at:
            return _in_state(fact, state, known_at)
    return None


def _in_state(fact: Fact, state: FactRevision, known_at: datetime) -> Fact:
    """A row as it was; what came later is not known in it."""
    is_superseded = state.status is FactStatus.SUPERSEDED
    return replace(
        fact,
        value=state.value,
        status=state.status,
        valid_from=state.valid_from,
        valid_until=state.valid_until,
        believed_at=state.believed_at,
        superseded_at=fact.superseded_at if is_superseded else None,
        superseded_by=fact.superseded_by if is_superseded else None,
        retracted_at=_known(fact.retracted_at, known_at),
        updated_at=_known(fact.updated_at, known_at),
    )


def _known(at: datetime | None, known_at: datetime) -> datetime | None:
    return at if at is not None and at <= known_at else None
