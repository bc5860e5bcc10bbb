"""The two halves of a change: what a planner is given, and what becomes of its plan."""

from collections.abc import Iterable
from dataclasses import replace

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.facts.sentences import fact_text
from backstory.core.model.contradiction import Contradiction, ContradictionState
from backstory.core.model.fact import (
    Cardinality,
    Evidence,
    Fact,
    FactKind,
    FactRevision,
    FactStatus,
)
from backstory.core.values import normal_value
from backstory.errors import StoreError
from backstory.ports.facts import NewTexts
from backstory.testing.fake_store.state import FactRow, UserState

HELD = frozenset({FactStatus.ACTIVE, FactStatus.DISPUTED})
_UNSETTLED = frozenset({ContradictionState.OPEN, ContradictionState.HELD})
NO_TEXTS = NewTexts()


def facts_of(state: UserState) -> list[Fact]:
    """All facts, in order of recording."""
    return [row.fact for row in sorted(state.facts.values(), key=lambda row: row.seq)]


def revisions_of(state: UserState, ids: Iterable[str]) -> tuple[FactRevision, ...]:
    """Earlier states of these rows, oldest first."""
    chosen = set(ids)
    found = [r for r in state.revisions.values() if r.fact_id in chosen]
    return tuple(sorted(found, key=lambda r: (r.replaced_at, r.believed_at, r.revision)))


def load_book(
    state: UserState, wanted: FactsWanted, erased: frozenset[tuple[str, str, str]]
) -> FactBook:
    """Give a planner what it wants, and nothing else."""
    slots = _slots(state, wanted)
    facts = [
        fact
        for fact in facts_of(state)
        if wanted.everything or (fact.subject, fact.key) in slots or _is_member(fact, wanted)
    ]
    ids = {fact.id for fact in facts}
    return FactBook(
        facts={fact.id: fact for fact in facts},
        revisions=revisions_of(state, ids),
        corrections=tuple(c for c in state.corrections.values() if c.fact_id in ids),
        contradictions={
            c.id: c
            for c in state.contradictions.values()
            if c.id in wanted.contradiction_ids
            or (c.state in _UNSETTLED and (wanted.everything or (c.subject, c.key) in slots))
        },
        unread=frozenset(
            name
            for name, revision in wanted.unread
            if (row := state.messages.get(name)) and row.needs_reading and row.revision == revision
        ),
        erased=erased,
    )


def _slots(state: UserState, wanted: FactsWanted) -> set[tuple[str, str]]:
    slots = set(wanted.slots)
    for fact in facts_of(state):
        holds = fact.status in HELD and ((fact.subject, normal_value(fact.value)) in wanted.values)
        if holds or _quotes(fact.evidence, wanted) or fact.id in wanted.fact_ids:
            slots.add((fact.subject, fact.key))
    for line in state.corrections.values():
        if _quotes(line.evidence, wanted):
            slots.add((line.subject, line.key))
    for contradiction in state.contradictions.values():
        if contradiction.id in wanted.contradiction_ids or _quotes(contradiction.evidence, wanted):
            slots.add((contradiction.subject, contradiction.key))
    asked = {(subject, key) for subject, key, _ in wanted.members}
    undecided = (c for c in state.contradictions.values() if c.state in _UNSETTLED)
    slots |= {(c.subject, c.key) for c in undecided} & asked
    return slots


def _is_member(fact: Fact, wanted: FactsWanted) -> bool:
    return (fact.subject, fact.key, normal_value(fact.value)) in wanted.members


def _quotes(evidence: Iterable[Evidence], wanted: FactsWanted) -> bool:
    return any(e.message_id in wanted.message_ids for e in evidence)


def apply_plan(state: UserState, plan: FactPlan, new: NewTexts = NO_TEXTS) -> None:
    """Write a plan.

    Raises:
        StoreError: It breaks a rule of the store.
    """
    for name in plan.removed:
        remove_fact(state, name)
        state.contradictions.pop(name, None)
    for fact in plan.facts.values():
        _write_fact(state, fact, new.terms.get(fact.id))
    for revision in plan.revisions:
        state.revisions[revision.fact_id, revision.revision] = revision
    for line in plan.corrections:
        # the log is only added to: of an old line, nothing but the mark of its undoing changes
        old = state.corrections.get(line.id)
        state.corrections[line.id] = replace(old, undone=line.undone) if old else line
    state.contradictions.update(plan.contradictions)
    if plan.contradictions or plan.corrections:
        state.take()
    _check_one_current_row(state)
    _check_one_open_contradiction(state)


def _write_fact(state: UserState, fact: Fact, terms: bytes | None) -> None:
    number = state.take()
    old = state.facts.get(fact.id)
    if old is None:
        row = FactRow(fact=fact, seq=number, change_no=number, terms=terms or b"")
    else:
        row = replace(old, fact=fact, change_no=number, terms=old.terms if terms is None else terms)
        if fact_text(old.fact) != fact_text(fact):
            row = replace(row, vectors={}, needs_vector=True)
    state.facts[fact.id] = row


def remove_fact(state: UserState, fact_id: str) -> None:
    """Remove a row with all that hangs on it."""
    if state.facts.pop(fact_id, None) is None:
        return
    state.epoch += 1
    state.revisions = {k: r for k, r in state.revisions.items() if r.fact_id != fact_id}
    state.contradictions = {
        name: c
        for name, c in state.contradictions.items()
        if fact_id not in (c.stored_fact_id, c.stated_fact_id)
    }
    for name, line in list(state.corrections.items()):
        if line.fact_id == fact_id:
            del state.corrections[name]
        elif line.other_id == fact_id:
            blank = replace(line, other_id=None, new_value=None, reason="", evidence=())
            state.corrections[name] = blank


def _check_one_current_row(state: UserState) -> None:
    taken = set()
    for fact in facts_of(state):
        place = place_of(fact)
        if place is None:
            continue
        if place in taken:
            raise StoreError(f"the slot {fact.key!r} of {fact.subject!r} has a current row already")
        taken.add(place)


def place_of(fact: Fact) -> tuple[str, str, str | None] | None:
    """The place of a current row, which only one may have; None if it is not current."""
    is_held = fact.status is FactStatus.ACTIVE and fact.kind is FactKind.PERMANENT
    if not is_held or fact.scheduled:
        return None
    many = fact.cardinality is Cardinality.MANY
    return fact.subject, fact.key, normal_value(fact.value) if many else None


def _check_one_open_contradiction(state: UserState) -> None:
    taken = set()
    for contradiction in state.contradictions.values():
        if contradiction.state is ContradictionState.OPEN:
            place = claim_of(contradiction)
            if place in taken:
                raise StoreError(f"there is an open contradiction about {contradiction.key!r}")
            taken.add(place)


def claim_of(contradiction: Contradiction) -> tuple[str, str, str]:
    """The stored claim that a contradiction is about."""
    return contradiction.subject, contradiction.key, normal_value(contradiction.stored_value)
