"""Disputes: both answers stay, and a contradiction says so until somebody decides."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from backstory.core.facts.draft import Draft, first_known
from backstory.core.facts.news import NO_VERDICT, News, covers, earliest, is_current_row, starts_by
from backstory.core.facts.rows import cap, carve, new_row
from backstory.core.judging import Judgement
from backstory.core.model.contradiction import (
    Contradiction,
    ContradictionState,
    Decision,
    GatePath,
)
from backstory.core.model.fact import Change, Evidence, Fact, FactStatus
from backstory.core.values import normal_value

_UNDECIDED = (ContradictionState.OPEN, ContradictionState.HELD)
# They never change a fact, so that their fact does not show whether they are over.
_BESIDE_FACTS = (GatePath.BEHAVIOURAL, GatePath.INLINE)


def dispute(draft: Draft, news: News, stored: Fact, reason: str) -> tuple[str, str | None]:
    """Keep a statement beside a row that says something else."""
    after = [
        r
        for r in draft.rows(news.claim.subject, news.key)
        if r.scheduled and r.kind is news.claim.kind and not starts_by(r, news.start)
    ]
    end = earliest(news.end, *(r.valid_from for r in after))
    stored = _free_side(draft, stored)
    stated = new_row(draft, news, start=news.start, end=end, status=FactStatus.DISPUTED)
    if stored.status is not FactStatus.DISPUTED:
        draft.change(
            stored.id,
            Change.DISPUTED,
            other_id=stated.id,
            new_value=stated.value,
            status=FactStatus.DISPUTED,
        )
    else:
        draft.log(stored, Change.DISPUTED, other_id=stated.id, old_value=stored.value)
        draft.add_state(stored, draft.by.at, draft.by.at)
    judged = news.verdict(stored)
    raise_contradiction(
        draft,
        stored,
        stated,
        path=_path(judged),
        reason=judged.reason if judged is not None else reason,
        said_at=news.claim.said_at,
        session_id=news.claim.session_id,
    )
    return "disputed", stated.id


def _free_side(draft: Draft, stored: Fact) -> Fact:
    """The disputed row of a slot that a further contradiction can be about.

    There is one open contradiction for each stored value; n rows have n - 1 between them.
    """
    known = undecided(draft, stored.subject, stored.key)
    taken = {normal_value(c.stored_value) for c in known if c.stated_fact_id is not None}
    rows = [r for r in draft.rows(stored.subject, stored.key) if r.status is FactStatus.DISPUTED]
    free = [r for r in rows if normal_value(r.value) not in taken]
    return stored if stored in free or not free else free[-1]


def _path(judged: Judgement | None) -> GatePath:
    if judged is None:
        return GatePath.SAME_KEY
    silent = judged.reason.startswith(NO_VERDICT)
    return GatePath.JUDGE_UNAVAILABLE if silent else GatePath.JUDGE_SEPARATE


def deny(draft: Draft, news: News, stored: Fact) -> bool:
    """Put a row in doubt; False if this denial is known already."""
    known = [
        c for c in undecided(draft, stored.subject, stored.key) if c.stored_fact_id == stored.id
    ]
    if stored.status is not FactStatus.DISPUTED:
        draft.change(stored.id, Change.DISPUTED, status=FactStatus.DISPUTED)
    raise_contradiction(
        draft,
        stored,
        None,
        path=GatePath.SAME_KEY,
        reason="it was denied, and nothing says that it changed",
        said_at=news.claim.said_at,
        session_id=news.claim.session_id,
    )
    return not known


def raise_contradiction(
    draft: Draft,
    stored: Fact,
    stated: Fact | None,
    *,
    path: GatePath,
    reason: str,
    said_at: datetime,
    session_id: str | None = None,
) -> Contradiction:
    """Open a contradiction, or count one more sighting of the one about the stored value."""
    value = stated.value if stated is not None else f"not {stored.value}"
    form = normal_value(stored.value)
    for known in undecided(draft, stored.subject, stored.key):
        if normal_value(known.stored_value) != form:
            continue
        changes: dict[str, Any] = {}
        if known.gate_path in _BESIDE_FACTS:
            changes = _as_dispute(draft, stored, path=path, reason=reason)
        if known.stated_fact_id is None and (stated is not None or changes):
            changes |= {"stated_fact_id": stated.id if stated else None, "stated_value": value}
        seen = replace(
            known,
            repeat_count=known.repeat_count + 1,
            last_seen_at=max(known.last_seen_at, said_at),
            **changes,
        )
        draft.contradictions[seen.id] = seen
        return seen
    opened = Contradiction(
        id=draft.new_id(),
        user_id=draft.user_id,
        subject=stored.subject,
        key=stored.key,
        session_id=session_id,
        stored_value=stored.value,
        stated_value=value,
        stored_fact_id=stored.id,
        stated_fact_id=stated.id if stated is not None else None,
        gate_path=path,
        gate_reason=reason,
        opened_at=said_at,
        last_seen_at=said_at,
        evidence=draft.by.evidence,
    )
    draft.contradictions[opened.id] = opened
    return opened


def _as_dispute(draft: Draft, stored: Fact, *, path: GatePath, reason: str) -> dict[str, Any]:
    """What of a mere suspicion changes when the facts themselves are disputed.

    There is one open contradiction for each stored value. What was put aside was the suspicion.
    """
    return {
        "gate_path": path,
        "gate_reason": reason,
        "stored_fact_id": stored.id,
        "evidence": draft.by.evidence,
        "state": ContradictionState.OPEN,
        "hold_reason": None,
        "held_value": None,
        "held_at": None,
    }


def repeat_dispute(draft: Draft, news: News, row: Fact) -> None:
    """Count that one side of a contradiction was said again."""
    for known in undecided(draft, row.subject, row.key):
        if row.id in (known.stored_fact_id, known.stated_fact_id):
            draft.contradictions[known.id] = replace(
                known,
                repeat_count=known.repeat_count + 1,
                last_seen_at=max(known.last_seen_at, news.claim.said_at),
            )


def read_as_sequence(draft: Draft, disputed: list[Fact]) -> None:
    """Take disputed rows for what held one after the other: the last is the current one."""
    previous: Fact | None = None
    for row in disputed:
        latest = row
        if previous is not None:
            start = row.valid_from
            if start is None or (previous.valid_from is not None and start < previous.valid_from):
                start = first_known(draft, row)
                latest = draft.change(row.id, Change.UPDATED, valid_from=start)
            cap(draft, previous, start, latest)
        previous = latest
    if previous is not None:
        draft.change(
            previous.id, Change.RESTORED, new_value=previous.value, status=FactStatus.ACTIVE
        )
    release(draft, disputed[0].subject, disputed[0].key, note="the user told of a change")


def leave_dispute(draft: Draft, row: Fact) -> None:
    """Close a disputed row that is over, among the rows it is disputed with.

    One that began earlier ends where the next begins; one that began later interrupts the others.
    """
    others = [
        r
        for r in draft.rows(row.subject, row.key)
        if r.id != row.id and r.status is FactStatus.DISPUTED and r.kind is row.kind
    ]
    later = [r for r in others if not starts_by(r, row.valid_from)]
    around = [r for r in others if r not in later and covers(r, row.valid_from)]
    if len(around) > 1 and row.valid_from is not None:
        # Others that dispute its time remain; none of them can be said to be interrupted.
        draft.change(row.id, Change.ENDED, valid_until=row.valid_from, status=FactStatus.ENDED)
        return
    for other in around:
        carve(draft, other, row.valid_from, row)
        row = draft.facts[row.id]
    until = later[0].valid_from if later else None
    if until is not None and (row.valid_until is None or until < row.valid_until):
        cap(draft, row, until, later[0])


def release(draft: Draft, subject: str, key: str, *, note: str | None = None) -> None:
    """Bring the disputes of a slot in line with its rows.

    A contradiction one side of which is gone is resolved; a row that nothing disputes any more is
    active; rows that are still disputed are named by a contradiction.
    """
    for known in undecided(draft, subject, key):
        if not _still_holds(draft, known):
            draft.contradictions[known.id] = decided(
                known, _winner(draft, known), note or "one side no longer holds", draft.by.at
            )
    rows = [r for r in draft.rows(subject, key) if r.status is FactStatus.DISPUTED]
    named = {
        side
        for c in undecided(draft, subject, key)
        if c.gate_path not in _BESIDE_FACTS
        for side in (c.stored_fact_id, c.stated_fact_id)
    }
    if len(rows) == 1 and rows[0].id not in named:
        draft.change(rows[0].id, Change.RESTORED, new_value=rows[0].value, status=FactStatus.ACTIVE)
        return
    for place, row in enumerate(rows):
        if row.id not in named:
            other = rows[place - 1] if place else rows[1]
            # one contradiction for each stored value; that of an unnamed row is free
            is_first = place and _free_side(draft, other).id == other.id
            first, second = (other, row) if is_first else (row, other)
            raise_contradiction(
                draft,
                first,
                second,
                path=GatePath.SAME_KEY,
                reason="both are still believed",
                said_at=draft.by.at,
            )
            named |= {first.id, second.id}


def doubt_again(draft: Draft, subject: str, key: str) -> None:
    """Open the denial of a row again that was just brought back to be disputed alone."""
    rows = [r for r in draft.rows(subject, key) if r.status is FactStatus.DISPUTED]
    alone = len(rows) == 1 and not undecided(draft, subject, key)
    if alone and rows[0].believed_at == draft.by.at:
        raise_contradiction(
            draft,
            rows[0],
            None,
            path=GatePath.SAME_KEY,
            reason="the decision about it was undone",
            said_at=draft.by.at,
        )


def undecided(draft: Draft, subject: str, key: str) -> list[Contradiction]:
    """The open and held contradictions of a slot, oldest first."""
    found = [
        c
        for c in draft.contradictions.values()
        if c.state in _UNDECIDED
        and (c.subject, c.key) == (subject, key)
        and c.id not in draft.removed
    ]
    return sorted(found, key=lambda c: (c.opened_at, c.id))


def decided(
    contradiction: Contradiction, decision: Decision, note: str | None, at: datetime
) -> Contradiction:
    """A contradiction as resolved."""
    return replace(
        contradiction,
        state=ContradictionState.RESOLVED,
        decision=decision,
        note=note,
        resolved_at=at,
    )


def file_correction(
    draft: Draft, old: Fact, new: Fact, *, said_at: datetime, evidence: tuple[Evidence, ...]
) -> None:
    """File a contradiction that the user resolved at once by a direct correction."""
    opened = Contradiction(
        id=draft.new_id(),
        user_id=draft.user_id,
        subject=old.subject,
        key=old.key,
        stored_value=old.value,
        stated_value=new.value,
        stored_fact_id=old.id,
        stated_fact_id=new.id,
        gate_path=GatePath.DIRECT_CORRECTION,
        gate_reason="the user corrected it",
        opened_at=said_at,
        last_seen_at=said_at,
        evidence=evidence,
    )
    draft.contradictions[opened.id] = decided(opened, Decision.USER_STATED, None, draft.by.at)


def _still_holds(draft: Draft, known: Contradiction) -> bool:
    stored = draft.facts.get(known.stored_fact_id or "")
    stated = draft.facts.get(known.stated_fact_id or "")
    if known.gate_path in _BESIDE_FACTS:
        return stored is None or is_current_row(stored)
    sides = [s for s in (stored, stated) if s is not None]
    if known.state is ContradictionState.HELD:
        # A hold whose value only moved lapses when it is read, so that somebody sees it again.
        return not any(s.status is FactStatus.RETRACTED or s.id in draft.removed for s in sides)
    return all(s.status is FactStatus.DISPUTED and s.id not in draft.removed for s in sides)


def _winner(draft: Draft, known: Contradiction) -> Decision:
    stored, stated = (
        fact is not None and is_current_row(fact) and fact.id not in draft.removed
        for fact in (
            draft.facts.get(known.stored_fact_id or ""),
            draft.facts.get(known.stated_fact_id or ""),
        )
    )
    if stored and not stated:
        return Decision.STORED
    if stated or not known.stated_fact_id:
        return Decision.USER_STATED
    return Decision.NEITHER
