"""Plans of summaries: pure functions from what was said to what is written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from backstory.core.continuity.prose import sentences
from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.facts.gate import MAX_QUOTE_CHARS
from backstory.core.model.derived import Summary, SummaryKind
from backstory.core.model.fact import Evidence
from backstory.core.model.scope import Scope
from backstory.core.summaries.choosing import (
    MODEL,
    says_the_same,
    summary_id,
    summary_slot,
)
from backstory.core.summaries.guarding import MOST_CHARS, checked_text
from backstory.core.times import date_in
from backstory.language.extracts import Said, extract
from backstory.services.summaries.talks import Talk, said_in, worth_telling

DAY_CHARS: Final = 900
WEEK_CHARS: Final = 1_500
SOURCE_CHARS: Final = 12_000
"""What a model sees of a day or a week at most, however much was said: the sentences that say most
of it. So no period can become too large to be summarised."""


@dataclass(frozen=True, kw_only=True)
class ModelText:
    """A summary that a model wrote.

    Attributes:
        text: As it came.
        model: The model's name.
    """

    text: str
    model: str


def session_summary(
    scope: Scope, talk: Talk, now: datetime, written: ModelText | None = None
) -> Summary | None:
    """The summary of a whole session.

    Args:
        scope: Whose it is.
        talk: All turns of the session.
        now: The time of the run.
        written: What a model wrote of them: it is taken if it passes the guard, else the extract.

    Returns:
        None if the session has nothing to say.
    """
    said = said_in(talk.messages)
    found = extract(said, most_chars=MOST_CHARS)
    if found is None:
        return None
    days = [date_in(message.timestamp, UTC) for message in talk.messages]
    made = Summary(
        id=summary_id(scope, summary_slot(SummaryKind.SESSION, talk.session_id)),
        user_id=scope.user_id,
        at=talk.at,
        recorded_at=now,
        known_from=talk.at if talk.bulk else None,
        session_id=talk.session_id,
        evidence=_evidence(found.said),
        kind=SummaryKind.SESSION,
        text=found.text,
        starts_on=min(days),
        ends_on=max(days),
        messages=len(talk.messages),
        sessions=(talk.session_id,),
    )
    return _by_model(made, written, "\n".join(one.text for one in said))


def plan_session(book: DerivedBook, talk: Talk, made: Summary | None) -> DerivedPlan:
    """What is written of a session that was digested.

    A summary that a model made of the same turns stays. A session that has nothing to say any
    more loses its summary. The same summary again writes nothing.

    Args:
        book: What is known of the user.
        talk: All turns of the session.
        made: What ``session_summary`` made of them.
    """
    slot = summary_slot(SummaryKind.SESSION, talk.session_id)
    known = book.in_slot(Summary, slot)
    if made is not None and known is not None and _is_of_same_turns(known, talk):
        return DerivedPlan()
    return _put(known, made)


def source_of(
    book: DerivedBook, kind: SummaryKind, talks: Sequence[Talk], zone: tzinfo = UTC
) -> str:
    """What a model is shown of a day or a week; "" if there is nothing to say.

    Args:
        book: What is known of the user.
        kind: ``DAY`` or ``WEEK``.
        talks: The turns of that time, session by session, in order.
        zone: Where the user's days begin and end.
    """
    found = extract(_said(book, kind, talks, zone), most_chars=SOURCE_CHARS)
    return "" if found is None else found.text


def plan_day(
    book: DerivedBook,
    day: date,
    now: datetime,
    talks: Sequence[Talk],
    *,
    scope: Scope,
    zone: tzinfo = UTC,
    written: ModelText | None = None,
) -> DerivedPlan:
    """What is written of a calendar day.

    It is made of what was said on the day, and of what a model made of whole sessions: never of an
    older summary of the day, so nothing wears off however often it runs. The same turns again
    write nothing; a day without any loses its summary.

    Args:
        book: What is known of the user.
        day: A day of ``zone``.
        now: The time of the run.
        talks: The turns of that day, session by session, in order.
        scope: Whose day.
        zone: Where the user's days begin and end.
        written: What a model wrote of these turns.
    """
    period = _Period(SummaryKind.DAY, day, day, DAY_CHARS, scope, zone)
    return _plan_period(book, period, now, talks, written)


def plan_week(
    book: DerivedBook,
    monday: date,
    now: datetime,
    talks: Sequence[Talk],
    *,
    scope: Scope,
    zone: tzinfo = UTC,
    written: ModelText | None = None,
) -> DerivedPlan:
    """What is written of seven days from ``monday`` on; as ``plan_day``, and not of days."""
    end = monday + timedelta(days=6)
    period = _Period(SummaryKind.WEEK, monday, end, WEEK_CHARS, scope, zone)
    return _plan_period(book, period, now, talks, written)


@dataclass(frozen=True)
class _Period:
    kind: SummaryKind
    starts_on: date
    ends_on: date
    most_chars: int
    scope: Scope
    zone: tzinfo

    @property
    def slot(self) -> str:
        return summary_slot(self.kind, self.starts_on.isoformat())


def _plan_period(
    book: DerivedBook,
    period: _Period,
    now: datetime,
    talks: Sequence[Talk],
    written: ModelText | None,
) -> DerivedPlan:
    known = book.in_slot(Summary, period.slot)
    told = [talk for talk in talks if talk.messages]
    said = _said(book, period.kind, told, period.zone)
    found = extract(said, most_chars=period.most_chars)
    if found is None:
        return _put(known, None)
    at = max(talk.at for talk in told)
    made = Summary(
        id=summary_id(period.scope, period.slot),
        user_id=period.scope.user_id,
        at=at,
        recorded_at=now,
        known_from=at if all(talk.bulk for talk in told) else None,
        evidence=_evidence(found.said),
        kind=period.kind,
        text=found.text,
        starts_on=period.starts_on,
        ends_on=period.ends_on,
        messages=sum(len(talk.messages) for talk in told),
        sessions=tuple(dict.fromkeys(talk.session_id for talk in told)),
    )
    source = "\n".join(one.text for one in said)
    return _put(known, _by_model(made, written, source, period.most_chars))


def _said(book: DerivedBook, kind: SummaryKind, talks: Sequence[Talk], zone: tzinfo) -> list[Said]:
    dated = kind is SummaryKind.WEEK
    return [
        one
        for group, talk in enumerate(talks)
        if talk.messages
        for one in _lines(book, talk, zone, dated=dated, group=group)
    ]


def _lines(book: DerivedBook, talk: Talk, zone: tzinfo, *, dated: bool, group: int) -> list[Said]:
    """What a session says in a period: its model-made summary if there is one, else its turns."""
    slot = summary_slot(SummaryKind.SESSION, talk.session_id)
    known = book.in_slot(Summary, slot) if talk.whole else None
    if known is None or not _is_of_same_turns(known, talk):
        return said_in(talk.messages, zone=zone, dated=dated, group=group)
    last = talk.messages[-1]
    day = date_in(last.timestamp, zone) if dated else None
    return [
        Said(who="", text=one.text, message_id=last.id, on=day, group=group)
        for one in sentences(known.text)
    ]


def _is_of_same_turns(summary: Summary, talk: Talk) -> bool:
    """Whether a model's summary is of all that was said; deletions and edits withdraw it."""
    if not summary.made_by.startswith(MODEL):
        return False
    telling = worth_telling(talk.messages)
    last = max((message.timestamp for message in telling), default=talk.at)
    return summary.messages >= len(telling) and summary.at >= last


def _put(known: Summary | None, made: Summary | None) -> DerivedPlan:
    if made is None:
        return DerivedPlan() if known is None else DerivedPlan(withdraw=(known.id,))
    if known is None:
        return DerivedPlan(put=(made,))
    made = replace(made, id=known.id)
    return DerivedPlan() if says_the_same(known, made) else DerivedPlan(put=(made,))


def _evidence(said: Sequence[Said]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(message_id=one.message_id, quote=one.text[:MAX_QUOTE_CHARS]) for one in said
    )


def _by_model(
    made: Summary, written: ModelText | None, source: str, most_chars: int = MOST_CHARS
) -> Summary:
    if written is None:
        return made
    text = checked_text(written.text, source, most_chars)
    return made if text is None else replace(made, text=text, made_by=f"{MODEL}{written.model}")
