"""The end of validity: what holds no longer, but did."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from backstory.core.facts.disputing import leave_dispute, release
from backstory.core.facts.draft import Draft
from backstory.core.facts.news import News, rows_for
from backstory.core.facts.placing import state
from backstory.core.model.fact import Change, Fact, FactStatus

# "Last year", said in December, may mean a day twenty-three months back; half of it is near.
_VAGUE: Final = timedelta(days=550)


def end_row(draft: Draft, row: Fact, end: datetime) -> bool:
    """Close a current row's valid time; False if it begins only then or later, or is over."""
    if row.valid_from is not None and end <= row.valid_from:
        return False
    if row.valid_until is not None and row.valid_until <= end:
        return False
    over = end <= draft.now
    status = FactStatus.ENDED if over else row.status
    ended = draft.change(
        row.id,
        Change.ENDED,
        valid_until=end,
        status=status,
        superseded_by=None,
    )
    if over and row.status is FactStatus.DISPUTED:
        leave_dispute(draft, ended)
    release(draft, row.subject, row.key)
    return True


def end_within(row: Fact, end: datetime, said_at: datetime) -> datetime:
    """The end of a row that was said to hold; the time of saying if the stated one lies before it.

    "I went back to meat last year" ends "I'm vegetarian", said in January: a date so near is vague.
    One that lies far back is of an earlier time of the same value.
    """
    begun = row.valid_from
    if begun is None or not end <= begun < said_at or begun - end > _VAGUE:
        return end
    return said_at


def was_said_later(row: Fact, end: datetime, said_at: datetime) -> bool:
    """Whether a row was said again after a statement that it ended was made."""
    confirmed = row.last_mention_at
    return confirmed is not None and confirmed > said_at and confirmed > end


def end_unknown(draft: Draft, news: News) -> tuple[str, str | None]:
    """Keep a value that nobody had told of, as the past of its slot."""
    if not news.can_change:
        return "unchanged", None
    end = news.end or news.claim.said_at
    current = [r for r in rows_for(draft, news) if r.valid_from is None]
    if current:
        first = current[0]
        said = first.known_from or first.recorded_at
        end = min(end, said)
    past = replace(news, end=end, always=False, start=news.claim.valid_from, marked=True)
    if past.start is not None and past.start >= end:
        return "unchanged", None
    what, fact_id = state(draft, past)
    return ("ended" if what in ("stored", "late") else what), fact_id
