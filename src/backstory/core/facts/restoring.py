"""Bringing rows back to what they were before a line of the log."""

from collections.abc import Sequence
from datetime import datetime

from backstory.core.facts.disputing import release
from backstory.core.facts.draft import Draft, by_valid_time, first_known
from backstory.core.facts.news import same_value, starts_by
from backstory.core.facts.retracting import state_before
from backstory.core.facts.rows import cap
from backstory.core.facts.settling import close_passed
from backstory.core.model.fact import (
    Cardinality,
    Change,
    Fact,
    FactCorrection,
    FactKind,
    FactRevision,
    FactStatus,
)
from backstory.core.values import normal_value


def take_back_lines(
    draft: Draft, lines: Sequence[FactCorrection], change: Change, *, skip: frozenset[str]
) -> set[str]:
    """Bring the rows of some lines to the states they had before them.

    Args:
        draft: Where they are.
        lines: Oldest first; the oldest of a row decides. They are to be marked as undone already.
        change: What the log says.
        skip: Rows that are left alone.

    Returns:
        The ids of the rows that did not exist before.
    """
    firsts: dict[str, FactCorrection] = {}
    for line in lines:
        firsts.setdefault(line.fact_id, line)
    states = {i: state_before(draft, line) for i, line in firsts.items() if i in draft.facts}
    made = set()
    for fact_id, state in states.items():
        if state is None:
            made.add(fact_id)
        elif fact_id not in skip:
            _restore(draft, fact_id, state, change, firsts[fact_id].other_id)
    return made


def _restore(
    draft: Draft, fact_id: str, state: FactRevision, change: Change, other_id: str | None
) -> None:
    row = draft.facts[fact_id]
    followed = [
        line
        for line in draft.lines
        if line.fact_id == fact_id and line.change is Change.SUPERSEDED and not line.undone
    ]
    updated = [
        line.at
        for line in draft.lines
        if line.fact_id == fact_id
        and line.change is Change.UPDATED
        and line.old_value is not None
        and not line.undone
    ]
    superseded = state.status is FactStatus.SUPERSEDED
    follower = followed[-1].other_id if followed and state.valid_until is not None else None
    draft.change(
        fact_id,
        change,
        other_id=other_id,
        new_value=state.value,
        value=state.value,
        status=state.status,
        valid_from=state.valid_from,
        valid_until=state.valid_until,
        superseded_by=follower if state.status is not FactStatus.ENDED else None,
        superseded_at=(row.superseded_at or _last_at(followed, draft)) if superseded else None,
        retracted_at=row.retracted_at if state.status is FactStatus.RETRACTED else None,
        updated_at=max(updated, default=None),
        scheduled=state.valid_from is not None and state.valid_from > draft.now,
    )


def _last_at(lines: Sequence[FactCorrection], draft: Draft) -> datetime:
    return lines[-1].at if lines else draft.by.at


def mend(draft: Draft, subject: str, key: str) -> None:
    """Make a slot whole: ends meet the next beginning, links are right, disputes are named.

    It changes nothing in a slot that is whole. Of a slot with several values, the rows of each
    value are looked at apart.
    """
    close_passed(draft, subject, key)
    for ids in _groups(draft.rows(subject, key)):
        for place, one in enumerate(ids):
            for other in ids[place + 1 :]:
                _part_equal_starts(draft, draft.facts[one], draft.facts[other])
        rows = _sorted(draft, ids)
        for fact_id in ids:
            if _clip(draft, draft.facts[fact_id], rows):
                rows = _sorted(draft, ids)
        for fact_id in ids:
            _link(draft, draft.facts[fact_id])
    release(draft, subject, key)


def _groups(rows: Sequence[Fact]) -> list[list[str]]:
    """The ids of the rows that may not hold at the same time."""
    groups: dict[tuple[FactKind, str | None], list[str]] = {}
    for row in rows:
        value = normal_value(row.value) if row.cardinality is Cardinality.MANY else None
        groups.setdefault((row.kind, value), []).append(row.id)
    return list(groups.values())


def _sorted(draft: Draft, ids: Sequence[str]) -> list[Fact]:
    return sorted((draft.facts[i] for i in ids), key=by_valid_time)


def _part_equal_starts(draft: Draft, one: Fact, other: Fact) -> None:
    """Put rows that begin together one behind the other: that which ends first comes first."""
    if one.valid_from == other.valid_from and _are_rivals(one, other):
        _part(draft, *_by_end(one, other))


def _are_rivals(one: Fact, other: Fact) -> bool:
    both = {one.status, other.status} == {FactStatus.DISPUTED}
    return not both and not _is_empty(one) and not _is_empty(other)


def _is_empty(row: Fact) -> bool:
    return row.valid_from is not None and row.valid_from == row.valid_until


def _by_end(one: Fact, other: Fact) -> tuple[Fact, Fact]:
    """Two rows, that which ends first before the other; else the older one."""
    if one.valid_until is None or other.valid_until is None:
        ordered = (one, other) if one.valid_until is not None else (other, one)
        if one.valid_until is not None or other.valid_until is not None:
            return ordered
    elif one.valid_until != other.valid_until:
        return (one, other) if one.valid_until < other.valid_until else (other, one)
    return (one, other) if one.recorded_at <= other.recorded_at else (other, one)


def _part(draft: Draft, first: Fact, second: Fact) -> None:
    boundary = first.valid_until
    if boundary is None:
        boundary = first.valid_from or first_known(draft, second)
        cap(draft, first, boundary, second)
    if second.valid_from != boundary:
        draft.change(second.id, Change.UPDATED, new_value=second.value, valid_from=boundary)


def _clip(draft: Draft, row: Fact, rows: Sequence[Fact]) -> bool:
    """Close a row that reaches into the one that follows it, unless both are disputed.

    Returns:
        Whether it was closed.
    """
    later = [r for r in rows if not starts_by(r, row.valid_from) and not _is_empty(r)]
    disputed = FactStatus.DISPUTED
    beside = [r for r in later if {r.status, row.status} == {disputed}]
    if _is_empty(row) or len(beside) == len(later):
        return False
    # What was disputed and is over is read as a sequence.
    reaches = row.valid_until is None or any(
        r.valid_from is not None and r.valid_from < row.valid_until
        for r in later
        if r not in beside
    )
    following = later[0]
    if not reaches or following.valid_from is None:
        return False
    if row.valid_until is not None and row.valid_until <= following.valid_from:
        return False
    over = following.valid_from <= draft.now
    draft.change(
        row.id,
        Change.SUPERSEDED,
        other_id=following.id,
        new_value=following.value,
        valid_until=following.valid_from,
        status=FactStatus.SUPERSEDED if over else row.status,
        superseded_by=following.id,
        superseded_at=draft.by.at if over else None,
    )
    return True


def _link(draft: Draft, row: Fact) -> None:
    """Let a superseded row point at the row that begins where it ends."""
    target = draft.facts.get(row.superseded_by or "")
    if row.status not in (FactStatus.SUPERSEDED, FactStatus.ACTIVE) or row.valid_until is None:
        return
    if target is not None and _follows(draft, row, target):
        return
    found = [r for r in draft.rows(row.subject, row.key) if _follows(draft, row, r)]
    if found:
        draft.touch(row.id, superseded_by=found[0].id)
    elif row.superseded_by is not None:
        ended = FactStatus.ENDED if row.status is FactStatus.SUPERSEDED else row.status
        draft.touch(row.id, superseded_by=None, superseded_at=None, status=ended)


def _follows(draft: Draft, row: Fact, other: Fact) -> bool:
    if other.id == row.id or other.id in draft.removed or other.kind is not row.kind:
        return False
    believed = other.status is not FactStatus.RETRACTED
    if not believed or other.valid_from != row.valid_until:
        return False
    if row.cardinality is Cardinality.ONE:
        return starts_by(row, other.valid_from)
    return row.superseded_by == other.id or same_value(row, other.value, {})
