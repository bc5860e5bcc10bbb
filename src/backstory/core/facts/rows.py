"""Making, closing and repeating rows: the small steps that statements are made of."""

from dataclasses import replace
from datetime import datetime

from backstory.core.facts.draft import Draft, first_known
from backstory.core.facts.news import News, earliest, is_current_row, starts_by
from backstory.core.facts.slots import category_of
from backstory.core.model.fact import Cardinality, Change, Evidence, Fact, FactKind, FactStatus

MAX_EVIDENCE = 20


def new_row(
    draft: Draft,
    news: News,
    *,
    start: datetime | None,
    end: datetime | None,
    status: FactStatus = FactStatus.ACTIVE,
    follower: Fact | None = None,
) -> Fact:
    """A row for a claim; it is closed if its time is over.

    Args:
        draft: Where it goes.
        news: The claim.
        start: Since when it is valid.
        end: Until when.
        status: Active or disputed, while it is not over.
        follower: The row that begins where this one ends.
    """
    claim = news.claim
    over = end is not None and end <= draft.now
    fact = Fact(
        id=draft.new_id(),
        user_id=draft.user_id,
        subject=claim.subject,
        key=news.key,
        value=news.value,
        category=category_of(news.key, claim.category),
        cardinality=news.cardinality,
        kind=claim.kind,
        confidence=claim.confidence,
        valid_from=start,
        valid_until=end,
        recorded_at=draft.now,
        known_from=claim.known_from,
        believed_at=news.at,
        status=closed_status(claim.kind, follower) if over else status,
        superseded_by=follower.id if follower else None,
        superseded_at=news.at if over and follower else None,
        scheduled=start is not None and start > draft.now,
        trust=claim.trust,
        intent_id=claim.intent_id,
        last_mention_at=claim.said_at,
        evidence=claim.evidence[-MAX_EVIDENCE:],
    )
    return draft.add(fact)


def cap(draft: Draft, row: Fact, end: datetime, follower: Fact) -> Fact:
    """Close a row where another one begins."""
    over = end <= draft.now
    stopped = max(draft.by.at, first_known(draft, row)) if over else None
    return draft.change(
        row.id,
        Change.SUPERSEDED,
        other_id=follower.id,
        new_value=follower.value,
        valid_until=end,
        status=FactStatus.SUPERSEDED if over else row.status,
        superseded_by=follower.id,
        superseded_at=row.superseded_at or stopped,
    )


def mention(draft: Draft, news: News, row: Fact) -> bool:
    """Count that a row was said again; False if this very message was counted already."""
    claim = news.claim
    row = draft.facts[row.id]
    seen = {e.message_id for e in row.evidence}
    fresh = tuple(e for e in claim.evidence if e.message_id not in seen)
    repeated = not fresh and (bool(claim.evidence) or row.last_mention_at == claim.said_at)
    if repeated:
        return False
    known_earlier(draft, news, row)
    draft.touch(
        row.id,
        mentions=row.mentions + 1,
        last_mention_at=max(claim.said_at, row.last_mention_at or claim.said_at),
        evidence=with_evidence(row.evidence, fresh),
        confidence=max(row.confidence, claim.confidence),
    )
    return True


def known_earlier(draft: Draft, news: News, row: Fact) -> None:
    """Let a row be known since a message that is older than what it was known from."""
    first = first_known(draft, row)
    if news.claim.known_from is None or news.at >= first:
        return
    start = news.start if news.start is not None else row.valid_from
    draft.add_state(
        row, news.at, first, status=FactStatus.ACTIVE, valid_from=start, valid_until=None
    )
    if row.known_from is not None:
        draft.touch(row.id, known_from=min(row.known_from, news.at))


def set_end(draft: Draft, news: News, row: Fact) -> bool:
    """Give a current row the end that a repeated statement names."""
    row = draft.facts[row.id]
    end = news.end
    if end is None or not is_current_row(row) or end == row.valid_until:
        return False
    following = _follower(draft, row)
    if following is not None and following.valid_from is not None and following.valid_from < end:
        end = following.valid_from
    else:
        following = None
    if end == row.valid_until:
        return False
    if row.superseded_by is not None and row.valid_until is not None and end > row.valid_until:
        return False
    if row.valid_from is not None and end <= row.valid_from:
        return False
    over = end <= draft.now
    closed = FactStatus.EXPIRED if row.kind is FactKind.TEMPORARY else FactStatus.ENDED
    draft.change(
        row.id,
        Change.ENDED if over else Change.UPDATED,
        valid_until=end,
        status=closed if over else row.status,
        superseded_by=following.id if following is not None else row.superseded_by,
    )
    return True


def _follower(draft: Draft, row: Fact) -> Fact | None:
    """The next planned row of a slot that holds one value."""
    if row.cardinality is Cardinality.MANY:
        return None
    rows = draft.rows(row.subject, row.key)
    planned = (r for r in rows if r.scheduled and r.id != row.id and r.kind is row.kind)
    return next((r for r in planned if not starts_by(r, row.valid_from)), None)


def extend_back(draft: Draft, news: News, row: Fact, before: Fact | None) -> None:
    """Let a row begin earlier, and the row before it end there."""
    start = news.start
    known_earlier(draft, news, row)
    draft.change(
        row.id,
        Change.UPDATED,
        new_value=row.value,
        valid_from=start,
        scheduled=start is not None and start > draft.now,
    )
    if before is not None and start is not None:
        cap(draft, before, start, row)


def carve(draft: Draft, row: Fact, start: datetime | None, inner: Fact) -> None:
    """Make room for another row inside a row, which goes on behind it under its own id."""
    end = inner.valid_until
    if start is not None and row.valid_from != start:
        head = replace(
            row,
            id=draft.new_id(),
            valid_until=start,
            status=FactStatus.SUPERSEDED,
            superseded_by=inner.id,
            superseded_at=draft.by.at,
            recorded_at=draft.now,
            known_from=draft.by.at if row.known_from else None,
            believed_at=draft.by.at,
            scheduled=False,
        )
        draft.add(head)
        relink(draft, row, head)
    else:
        relink(draft, row, inner)
    draft.change(row.id, Change.UPDATED, other_id=inner.id, new_value=row.value, valid_from=end)
    draft.touch(inner.id, superseded_by=row.id)
    if draft.facts[inner.id].status is FactStatus.ENDED:
        draft.touch(inner.id, status=FactStatus.SUPERSEDED, superseded_at=draft.by.at)


def relink(draft: Draft, old: Fact, new: Fact) -> None:
    """Let the rows that point at one row point at another."""
    for row in list(draft.facts.values()):
        if row.superseded_by == old.id and row.id != new.id:
            draft.touch(row.id, superseded_by=new.id)


def grow_states(draft: Draft, news: News, row: Fact, later: list[Fact]) -> None:
    """Give a row from the past the states it had while its followers were not yet known."""
    known, end = news.at, news.end
    for follower in sorted(later, key=lambda f: first_known(draft, f)):
        first = first_known(draft, follower)
        shorter = earliest(end, follower.valid_from)
        if shorter == end:
            continue
        if first > known:
            draft.add_state(row, known, first, valid_until=end, status=FactStatus.ACTIVE)
            known = first
        end = shorter
    if known != row.believed_at:
        draft.touch(row.id, believed_at=known)


def with_evidence(old: tuple[Evidence, ...], fresh: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Evidence with more of it: the newest is kept."""
    return (*old, *fresh)[-MAX_EVIDENCE:]


def closed_status(kind: FactKind, follower: Fact | None) -> FactStatus:
    """What a row is once its time is over."""
    if follower is not None:
        return FactStatus.SUPERSEDED
    return FactStatus.EXPIRED if kind is FactKind.TEMPORARY else FactStatus.ENDED
