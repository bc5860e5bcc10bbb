"""The end of belief: what was never true, and what is true in its stead."""

from datetime import datetime

from backstory.core.facts.disputing import file_correction, release
from backstory.core.facts.draft import CURRENT, Draft, is_held
from backstory.core.facts.news import News, earliest, same_value, starts_by
from backstory.core.facts.rows import mention, new_row, relink
from backstory.core.model.fact import (
    Cardinality,
    Change,
    Fact,
    FactCorrection,
    FactRevision,
    FactStatus,
)


def retract(draft: Draft, row: Fact) -> None:
    """End belief in a row; what it had superseded holds again as it was."""
    take_back(draft, row, Change.RETRACTED)
    reopen(draft, row)
    release(draft, row.subject, row.key)


def take_back(draft: Draft, row: Fact, change: Change, *, instead: Fact | None = None) -> Fact:
    """Mark a row as not believed since now."""
    return draft.change(
        row.id,
        change,
        other_id=instead.id if instead else None,
        new_value=instead.value if instead else None,
        status=FactStatus.RETRACTED,
        retracted_at=draft.by.at,
    )


def correct(draft: Draft, news: News, old: Fact) -> tuple[str, str | None]:
    """Put a value in the place of one that was never true."""
    if news.is_same(old):
        mention(draft, news, old)
        return "mentioned", old.id
    row = _in_place_of(draft, news, old)
    take_back(draft, old, Change.CORRECTED, instead=row)
    relink(draft, old, draft.facts[row.id])
    row = draft.facts[row.id]
    if row.superseded_by == row.id:
        draft.touch(row.id, superseded_by=None)
    file_correction(draft, old, row, said_at=news.claim.said_at, evidence=news.claim.evidence)
    release(draft, old.subject, old.key, note="the user corrected it")
    return "corrected", row.id


def _in_place_of(draft: Draft, news: News, old: Fact) -> Fact:
    for row in draft.rows(old.subject, old.key):
        beside = row.status in CURRENT and row.id != old.id and row.kind is old.kind
        if beside and news.is_same(row):
            disputed = {row.status, old.status} == {FactStatus.DISPUTED}
            if not disputed and row.valid_from != old.valid_until:
                continue
            mention(draft, news, row)
            if _is_earlier(old.valid_from, row.valid_from):
                draft.change(row.id, Change.UPDATED, valid_from=old.valid_from)
            return draft.facts[row.id]
    if old.cardinality is Cardinality.MANY:
        known = [r for r in draft.rows(old.subject, old.key) if r.id != old.id and news.is_same(r)]
        meeting = [r for r in known if _meet(r, old)]
        if meeting:
            return _widen(draft, news, meeting[0], old)
    moved = news.dated and (old.valid_until is None or _is_earlier(news.start, old.valid_until))
    follower = draft.facts.get(old.superseded_by or "")
    row = new_row(
        draft,
        news,
        start=news.start if moved else old.valid_from,
        end=earliest(news.end, old.valid_until),
        follower=follower,
    )
    return draft.touch(
        row.id,
        status=old.status,
        superseded_at=old.superseded_at,
        cardinality=old.cardinality,
        kind=old.kind,
    )


def _meet(one: Fact, other: Fact) -> bool:
    """Whether two valid times have an instant in common, or touch."""
    starts = [f.valid_from for f in (one, other) if f.valid_from is not None]
    end = earliest(one.valid_until, other.valid_until)
    return end is None or not starts or max(starts) <= end


def _widen(draft: Draft, news: News, row: Fact, old: Fact) -> Fact:
    """Let a row of the same value hold for the time of a corrected one, too."""
    mention(draft, news, row)
    starts, ends = (row.valid_from, old.valid_from), (row.valid_until, old.valid_until)
    start = None if None in starts else earliest(*starts)
    until = None if None in ends else max(e for e in ends if e is not None)
    following = follower_of(draft, row, skip=old.id)
    until = earliest(until, following.valid_from if following else None)
    over = until is not None and until <= draft.now
    closed = row.status if row.status not in CURRENT else FactStatus.ENDED
    return draft.change(
        row.id,
        Change.UPDATED,
        new_value=row.value,
        valid_from=start,
        valid_until=until,
        status=closed if over else FactStatus.ACTIVE,
        superseded_by=row.superseded_by if over else None,
        superseded_at=row.superseded_at if over else None,
        scheduled=start is not None and start > draft.now,
    )


def reopen(draft: Draft, gone: Fact) -> None:
    """Let the rows that one row had closed hold again, as far as no other row follows."""
    for row in list(draft.facts.values()):
        if row.superseded_by != gone.id or row.status is FactStatus.RETRACTED:
            continue
        if row.id in draft.removed:
            continue
        before = closed_state(draft, row, gone.id)
        give_back(
            draft,
            row,
            until=before.valid_until if before else None,
            skip=gone.id,
            other_id=gone.id,
        )


def give_back(draft: Draft, row: Fact, *, until: datetime | None, skip: str, other_id: str) -> None:
    """Open a row until a time, or until the row that follows it in its slot."""
    following = follower_of(draft, row, skip=skip)
    end = earliest(until, following.valid_from if following else None)
    linked = following if following is not None and end == following.valid_from else None
    over = end is not None and end <= draft.now
    closed = FactStatus.SUPERSEDED if linked else FactStatus.ENDED
    held = row.status if row.status in CURRENT else FactStatus.ACTIVE
    status = closed if over else held
    draft.change(
        row.id,
        Change.RESTORED,
        other_id=other_id,
        new_value=row.value,
        valid_until=end,
        status=status,
        superseded_by=linked.id if linked else None,
        superseded_at=(row.superseded_at or draft.by.at) if over and linked else None,
    )


def follower_of(draft: Draft, row: Fact, *, skip: str) -> Fact | None:
    """The next row of a slot that holds one value; of one with several, of the same value.

    A disputed row has no follower in the rows that it is disputed with.
    """
    for other in draft.rows(row.subject, row.key):
        if other.id in (row.id, skip) or other.kind is not row.kind:
            continue
        if starts_by(other, row.valid_from) or _is_empty_end(other):
            continue
        if {row.status, other.status} == {FactStatus.DISPUTED}:
            continue
        if row.cardinality is Cardinality.ONE or same_value(row, other.value, {}):
            return other
    return None


def _is_empty_end(row: Fact) -> bool:
    """Whether a row holds at no time, and nothing begins where it stands."""
    return row.status is FactStatus.ENDED and row.valid_from == row.valid_until is not None


def closed_state(draft: Draft, row: Fact, by_id: str) -> FactRevision | None:
    """The state of a row before another row closed it; of one that came closed, its own end."""
    lines = [line for line in draft.lines if line.fact_id == row.id]
    for line in reversed(lines):
        if line.change is Change.SUPERSEDED and line.other_id == by_id and not line.undone:
            return state_before(draft, line)
    states = draft.states(row.id)
    was_made_closed = states and states[0].believed_at == states[0].replaced_at
    return states[0] if was_made_closed else None


def state_before(draft: Draft, line: FactCorrection) -> FactRevision | None:
    """The state that a row had before a line of the log.

    The last line about a row at a time belongs to its highest revision that was replaced then.
    """
    same = [x for x in draft.lines if x.fact_id == line.fact_id and x.at == line.at]
    from_last = len(same) - 1 - [x.id for x in same].index(line.id)
    states = [s for s in draft.states(line.fact_id) if s.replaced_at == line.at]
    return states[-1 - from_last] if from_last < len(states) else None


def named_rows(
    draft: Draft, *, subject: str, key: str | None, value: str | None, past: bool
) -> list[Fact]:
    """The believed rows that a statement about stored facts means.

    Args:
        draft: Where to look.
        subject: Whose.
        key: Their slot; None = any.
        value: What they hold; None = whatever is current.
        past: If no current row is meant, a past one may be.
    """
    rows = [
        r
        for r in draft.facts.values()
        if r.subject == subject
        and key in (None, r.key)
        and r.status is not FactStatus.RETRACTED
        and r.id not in draft.removed
        and (value is None or same_value(r, value, {}))
    ]
    held = [r for r in rows if is_held(r, draft.now)]
    begun = [r for r in held if not r.scheduled] if value is None else held
    if begun or held or not past or value is None:
        return begun or held
    latest = max(rows, key=lambda r: (r.superseded_at or r.believed_at, r.id), default=None)
    return [latest] if latest else []


def _is_earlier(one: datetime | None, other: datetime | None) -> bool:
    return other is not None and (one is None or one < other)
