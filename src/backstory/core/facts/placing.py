"""What a statement does: which row it repeats, follows, precedes or disputes."""

from dataclasses import replace
from datetime import datetime

from backstory.core.facts.ages import age_fits
from backstory.core.facts.disputing import (
    dispute,
    leave_dispute,
    read_as_sequence,
    release,
    repeat_dispute,
    undecided,
)
from backstory.core.facts.draft import Draft, by_valid_time
from backstory.core.facts.news import (
    News,
    covers,
    earliest,
    is_current_row,
    is_temporary,
    rows_for,
    starts_by,
)
from backstory.core.facts.retracting import retract
from backstory.core.facts.rows import (
    cap,
    carve,
    extend_back,
    grow_states,
    mention,
    new_row,
    set_end,
)
from backstory.core.facts.slots import AGE
from backstory.core.guards.keys import is_volatile_fact_key
from backstory.core.model.fact import Cardinality, Change, Fact, FactKind, FactStatus

Done = tuple[str, str | None]


def state(draft: Draft, news: News) -> Done:
    """Store a statement.

    Returns:
        What became of it, and the row that carries it.
    """
    rows = rows_for(draft, news)
    revived = _revive(draft, news, rows)
    if revived is not None:
        return revived
    if news.cardinality is Cardinality.ONE and not news.can_change:
        news = _behind_ends(news, rows)
    disputed = [r for r in rows if r.status is FactStatus.DISPUTED]
    one = news.cardinality is Cardinality.ONE
    if one and disputed and not is_temporary(news):
        done = _in_dispute(draft, news, disputed)
        if done is not None:
            return done
        rows = rows_for(draft, news)
    if one and not news.can_change:
        return _state_fixed(draft, news, rows)
    if news.always and rows:
        news = replace(news, start=news.claim.said_at)
    return _place(draft, news, rows)


def insert(
    draft: Draft, news: News, rows: list[Fact], before: Fact | None, after: Fact | None
) -> Done:
    """Put a row between its neighbours: the later start holds where two overlap."""
    end = earliest(news.end, after.valid_from if after else None)
    follower = after if after is not None and end == after.valid_from else None
    row = new_row(draft, news, start=news.start, end=end, follower=follower)
    later = [r for r in rows if not starts_by(r, news.start)]
    if news.claim.known_from is not None:
        grow_states(draft, news, row, later)
    if follower is not None and news.end is not None and news.end != end:
        # Its own end, should the follower be taken back.
        draft.add_state(row, news.at, news.at, valid_until=news.end)
    overlapped = before is not None and covers(before, news.start)
    if before is not None and overlapped:
        _make_room(draft, news, before, draft.facts[row.id])
    _go_on(draft, news, rows)
    if after is not None and not after.scheduled:
        return "late", row.id
    return ("superseded" if overlapped else "stored"), row.id


def _behind_ends(news: News, rows: list[Fact]) -> News:
    """Of a slot that cannot change: a statement has no end, and begins behind what is over."""
    starts = [r.valid_until for r in rows if r.valid_until is not None]
    if news.start is not None:
        starts.append(news.start)
    return replace(news, start=max(starts, default=None), end=None)


def _state_fixed(draft: Draft, news: News, rows: list[Fact]) -> Done:
    """A slot that the world cannot change: the same, the first, or a dispute."""
    current = [r for r in rows if is_current_row(r)]
    for row in current:
        if news.is_same(row):
            return _repeat(draft, news, row)
    if current:
        return dispute(draft, news, current[-1], "the slot cannot change")
    return "stored", new_row(draft, news, start=news.start, end=None).id


def _place(draft: Draft, news: News, rows: list[Fact]) -> Done:
    if _follows_undated(news, rows):
        news = replace(news, start=news.claim.said_at)
    begun = [r for r in rows if starts_by(r, news.start)]
    later = [r for r in rows if not starts_by(r, news.start)]
    before = begun[-1] if begun else None
    after = later[0] if later else None
    covered = before is not None and covers(before, news.start)
    if before is not None and covered and news.is_same(before):
        return _repeat(draft, news, before)
    if before is not None and covered and _is_beside(news, before):
        return _beside(draft, news, before, after)
    if after is not None and _goes_on_as(news, after):
        extend_back(draft, news, after, before if covered else None)
        mention(draft, news, after)
        return "mentioned", after.id
    late = any(not r.scheduled for r in later)
    if before is None or late or not covered:
        return insert(draft, news, rows, before, after)
    return _against(draft, news, rows, before, after)


def _against(draft: Draft, news: News, rows: list[Fact], before: Fact, after: Fact | None) -> Done:
    """Another value while a row holds one."""
    if news.key == AGE:
        if not age_fits(before, news):
            return dispute(draft, news, before, "the age does not fit the time that passed")
        return insert(draft, news, rows, before, after)
    if is_temporary(news) or news.is_past:
        return insert(draft, news, rows, before, after)
    if _was_confirmed_later(news, before):
        return _until_confirmed(draft, news, before)
    if is_changed(news, before):
        return insert(draft, news, rows, before, after)
    return _unmarked(draft, news, rows, before)


def _unmarked(draft: Draft, news: News, rows: list[Fact], before: Fact) -> Done:
    """Another answer, and nothing says that the world changed."""
    if not is_current_row(before):
        # The period that is over stays; what is said to hold begins behind it.
        return _place(draft, replace(news, start=before.valid_until), rows)
    verdict = news.verdict(before)
    if verdict is not None and verdict.separation == "different_question":
        row = new_row(draft, news, start=news.start, end=news.end)
        draft.touch(row.id, kind=FactKind.TEMPORARY)
        return "stored", row.id
    return dispute(draft, news, before, "another answer, and nothing says that it changed")


def _follows_undated(news: News, rows: list[Fact]) -> bool:
    """Whether a change that was told later is dated before an undated row of another value.

    "I live in Ghent" on Monday and "I moved to Namur last week" on Friday: nobody knows when the
    first was true, and the second is true when it is said. It begins then.
    """
    claim = news.claim
    is_open = news.end is None and news.cardinality is Cardinality.ONE
    if not (is_open and news.dated and claim.changed) or claim.actor in ("api", "import"):
        return False
    later = [r for r in rows if not starts_by(r, news.start) and covers(r, claim.said_at)]
    return any(_is_undated(row) and _was_said_by(row, claim.said_at) for row in later) and not any(
        news.is_same(row) for row in later
    )


def _is_undated(row: Fact) -> bool:
    """Whether a row begins when it was said: a date that is told begins with its day."""
    start = row.valid_from
    return start is not None and (start == row.last_mention_at or bool(start.microsecond))


def _was_said_by(row: Fact, at: datetime) -> bool:
    return row.last_mention_at is not None and row.last_mention_at < at


def _is_beside(news: News, before: Fact) -> bool:
    """Whether two past periods of unknown start overlap, and this one ended no earlier.

    Nothing tells their order: it goes behind the other, as an empty period if they ended together.
    """
    until = before.valid_until
    return news.start is None and news.end is not None and until is not None and until <= news.end


def _beside(draft: Draft, news: News, before: Fact, after: Fact | None) -> Done:
    start = before.valid_until
    end = earliest(news.end, after.valid_from if after else None)
    if start is not None and end is not None and end <= start:
        return "late", new_row(draft, news, start=start, end=start).id
    follower = after if after is not None and end == after.valid_from else None
    return "late", new_row(draft, news, start=start, end=end, follower=follower).id


def is_changed(news: News, before: Fact) -> bool:
    """Whether a statement tells of a change in the world since a row began."""
    if news.marked or is_volatile_fact_key(news.key):
        return True
    return news.dated and news.start is not None and before.valid_from != news.start


def _was_confirmed_later(news: News, before: Fact) -> bool:
    """Whether the row was said again after this statement was made."""
    confirmed = before.last_mention_at
    if confirmed is None or news.start is None or confirmed <= news.claim.said_at:
        return False
    return confirmed > news.start and (not news.dated or before.mentions > 1)


def _until_confirmed(draft: Draft, news: News, before: Fact) -> Done:
    start = before.valid_from if news.always and before.valid_from is None else news.start
    end = earliest(before.last_mention_at, news.end)
    row = new_row(draft, news, start=start, end=end, follower=before)
    carve(draft, before, start, row)
    return "late", row.id


def _goes_on_as(news: News, after: Fact) -> bool:
    """Whether a statement says that a later row of its value began earlier."""
    if not news.is_same(after):
        return False
    return news.end is None or (after.valid_from is not None and news.end >= after.valid_from)


def _repeat(draft: Draft, news: News, row: Fact) -> Done:
    counted = mention(draft, news, row)
    changed = set_end(draft, news, row)
    if changed and row.status is FactStatus.DISPUTED and not is_current_row(draft.facts[row.id]):
        leave_dispute(draft, draft.facts[row.id])
        release(draft, row.subject, row.key)
    return ("mentioned" if counted or changed else "unchanged"), row.id


def _make_room(draft: Draft, news: News, before: Fact, row: Fact) -> None:
    end, until = row.valid_until, before.valid_until
    goes_on = end is not None and (until is None or end < until)
    if goes_on and end is not None and end <= draft.now and not is_temporary(news):
        carve(draft, before, news.start, row)
    elif news.start is not None:
        cap(draft, before, news.start, row)


def _go_on(draft: Draft, news: News, rows: list[Fact]) -> None:
    """Let an open statement hold again behind later periods that were told with their end."""
    undated = news.is_past and not news.dated
    if is_temporary(news) or undated or news.cardinality is Cardinality.MANY:
        return
    later = sorted((r for r in rows if not starts_by(r, news.start)), key=by_valid_time)
    for place, period in enumerate(later):
        following = later[place + 1] if place + 1 < len(later) else None
        gap = period.valid_until
        if gap is None or period.status is not FactStatus.ENDED or _was_ended(draft, period):
            continue
        if following is not None and starts_by(following, gap):
            continue
        if news.end is not None and news.end <= gap:
            continue
        end = earliest(news.end, following.valid_from if following else None)
        new_row(draft, news, start=gap, end=end, follower=following)


def _was_ended(draft: Draft, row: Fact) -> bool:
    """Whether something said that the row ended, so that nothing is known of the time after."""
    return any(
        line.fact_id == row.id and line.change is Change.ENDED and not line.undone
        for line in draft.lines
    )


def _revive(draft: Draft, news: News, rows: list[Fact]) -> Done | None:
    """Make an expired row of the same value active again, if nothing took its place."""
    if any(is_current_row(r) for r in rows) or (news.end is not None and news.end <= draft.now):
        return None
    for row in reversed(rows):
        if row.status is FactStatus.EXPIRED and news.is_same(row):
            mention(draft, news, row)
            draft.change(
                row.id,
                Change.RESTORED,
                new_value=row.value,
                status=FactStatus.ACTIVE,
                valid_until=news.end,
            )
            return "mentioned", row.id
    return None


def _in_dispute(draft: Draft, news: News, disputed: list[Fact]) -> Done | None:
    """A statement about a slot whose values are disputed; None if it settles the dispute."""
    last = disputed[-1]
    changes = news.can_change and news.key != AGE and is_changed(news, last)
    newer = starts_by(last, news.start) or _is_said_last(news, disputed)
    if changes and newer:
        read_as_sequence(draft, disputed)
        return None
    for row in disputed:
        if news.is_same(row):
            if _was_asked(draft, news, row):
                return _answered(draft, news, row, disputed)
            counted = mention(draft, news, row)
            if counted:
                repeat_dispute(draft, news, row)
            return ("mentioned" if counted else "unchanged"), row.id
    if news.can_change and not starts_by(disputed[0], news.start):
        return None
    if news.is_past:
        return _past_in_dispute(draft, news, disputed)
    return dispute(draft, news, last, "another answer, and nothing says that it changed")


def _is_said_last(news: News, disputed: list[Fact]) -> bool:
    """Whether a statement that holds when it is said was made after all sides of a dispute."""
    if news.end is not None:
        return False
    said = [row.last_mention_at for row in disputed]
    return all(at is not None and at < news.claim.said_at for at in said)


def _was_asked(draft: Draft, news: News, row: Fact) -> bool:
    """Whether the dispute about a row was shown to somebody before this statement was made."""
    return any(
        known.surfaced > 0 and known.last_seen_at < news.claim.said_at
        for known in undecided(draft, row.subject, row.key)
        if row.id in (known.stored_fact_id, known.stated_fact_id)
    )


def _answered(draft: Draft, news: News, row: Fact, disputed: list[Fact]) -> Done:
    """Take one side, said again after the dispute was shown, for the answer to it."""
    for other in disputed:
        if other.id != row.id and not news.is_same(other):
            retract(draft, draft.facts[other.id])
    mention(draft, news, draft.facts[row.id])
    return "mentioned", row.id


def _past_in_dispute(draft: Draft, news: News, disputed: list[Fact]) -> Done | None:
    """A past period while values are disputed; None if it meets one of them at most.

    Where several are disputed it holds at no time, and stays as history.
    """
    start = news.start
    if start is None or sum(covers(row, start) for row in disputed) < 2:
        return None
    return "late", new_row(draft, news, start=start, end=start).id
