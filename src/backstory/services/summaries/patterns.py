"""Plans of observations: a pure function from what was said over months to what is written."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import EmotionalMoment, Observation, ObservationStatus
from backstory.core.model.fact import Evidence
from backstory.core.model.scope import Scope
from backstory.core.times import date_in
from backstory.language.recurring import Heard, Recurring, Seen, habits, is_spread, topics

LOOKED_BACK: Final = timedelta(weeks=26)
"""What was said before is not looked at again; what was seen in it stays known, and fades."""
FADES_AFTER: Final = timedelta(weeks=8)
_MOST_EVIDENCE: Final = 12
_MOST_TOPICS: Final = 10
_LEAST_TIMED: Final = 6
_LEAST_TIMED_WEEKS: Final = 2
_TIMED_SHARE: Final = 0.7
_PARTS: Final = ((5, "morning"), (12, "afternoon"), (17, "evening"), (22, "night"), (24, ""))


@dataclass(frozen=True, kw_only=True)
class Begun:
    """When a conversation began.

    Attributes:
        session_id: The conversation.
        message_id: Its first message.
        at: The time of that.
        bulk: Whether it was imported: what it says was known when it was said.
    """

    session_id: str
    message_id: str
    at: datetime
    bulk: bool = False


def plan_observations(
    book: DerivedBook,
    heard: Sequence[Heard],
    begun: Sequence[Begun],
    now: datetime,
    *,
    scope: Scope,
    zone: tzinfo = UTC,
) -> DerivedPlan:
    """What is written of the patterns of the last half year.

    A pattern needs three conversations in three weeks, so a user with few has none. One that was
    not seen for eight weeks fades; one whose conversations are gone is withdrawn. The same again
    writes nothing.

    Args:
        book: What is known of the user.
        heard: What the user said, conversation by conversation, not older than ``LOOKED_BACK``.
        begun: When those conversations began.
        now: The time of the run.
        scope: Whose they are.
        zone: Where the user's hours are read.
    """
    found = {one.pattern: one for one in _found(book, heard, begun, now, scope, zone)}
    known = {one.pattern: one for one in book.of(Observation)}
    put, withdraw = [], []
    for pattern, one in found.items():
        before = known.get(pattern)
        made = one if before is None else _continued(before, one)
        if before is None or _content(before) != _content(made):
            put.append(made)
    for pattern, before in known.items():
        if pattern in found:
            continue
        if before.last_seen >= now - LOOKED_BACK and _is_ours(before):
            withdraw.append(before.id)  # it would have been found again, if it were still there
        elif before.status is ObservationStatus.ACTIVE and _is_faded(before.last_seen, now):
            put.append(replace(before, status=ObservationStatus.FADED, known_from=None))
    return DerivedPlan(put=tuple(put), withdraw=tuple(withdraw))


def _found(
    book: DerivedBook,
    heard: Sequence[Heard],
    begun: Sequence[Begun],
    now: datetime,
    scope: Scope,
    zone: tzinfo,
) -> Iterator[Observation]:
    times = {one.session_id: one for one in begun}
    every = topics(heard)
    every.sort(key=lambda one: (-len(one.seen), one.pattern))
    for one in (*every[:_MOST_TOPICS], *habits(heard), *_feelings(book, now, zone)):
        text = _TEXTS[one.pattern.partition(":")[0]].format(one.words)
        seen_in = [times[seen.session_id] for seen in one.seen if seen.session_id in times]
        if seen_in:
            yield _made(scope, one, text, _sure(len(one.seen)), seen_in, now)
    timed = _time_of_day(begun, zone)
    if timed is not None:
        one, text, share = timed
        seen_in = [times[seen.session_id] for seen in one.seen]
        yield _made(scope, one, text, round(share * _sure(len(one.seen)), 2), seen_in, now)


_TEXTS: Final = {
    "topic": "Comes back to \u201c{}\u201d",
    "habit": "Says again and again: \u201c{}\u201d",
    "feeling": "Strong feelings again and again: {}",
}


def _sure(sightings: int) -> float:
    """How sure a pattern is, by how often it was seen: 0.5 for three, 0.75 for nine."""
    return round(sightings / (sightings + 3), 2)


def _feelings(book: DerivedBook, now: datetime, zone: tzinfo) -> Iterator[Recurring]:
    """Feelings that were strong in several conversations."""
    by_tag: dict[str, dict[str, Seen]] = {}
    for moment in book.of(EmotionalMoment):
        if moment.session_id is None or not moment.tags or moment.at < now - LOOKED_BACK:
            continue
        evidence = moment.evidence[0].message_id if moment.evidence else ""
        seen = Seen(
            session_id=moment.session_id,
            message_id=evidence,
            on=date_in(moment.at, zone),
            quote=moment.quote[:300],
        )
        by_tag.setdefault(moment.tags[0], {}).setdefault(moment.session_id, seen)
    for tag in sorted(by_tag):
        some = tuple(sorted(by_tag[tag].values(), key=lambda one: one.on))
        if is_spread([one.on for one in some], len(some)):
            yield Recurring(pattern=f"feeling:{tag}", words=tag, seen=some)


def _time_of_day(begun: Sequence[Begun], zone: tzinfo) -> tuple[Recurring, str, float] | None:
    """The part of the day in which conversations begin, if there is one."""
    local = [(one, one.at.astimezone(zone)) for one in begun]
    # an import without times of day has them all at the same minute
    if len({(moment.hour, moment.minute) for _, moment in local}) < _LEAST_TIMED // 2:
        return None
    parts = Counter(_part(moment) for _, moment in local)
    weeks = {moment.isocalendar()[:2] for _, moment in local}
    if len(local) < _LEAST_TIMED or len(weeks) < _LEAST_TIMED_WEEKS:
        return None
    part, count = max(sorted(parts.items()), key=lambda pair: pair[1])
    share = count / len(local)
    if count < _LEAST_TIMED or share < _TIMED_SHARE:
        return None
    inside = [(one, moment) for one, moment in local if _part(moment) == part]
    seen = tuple(
        Seen(session_id=one.session_id, message_id=one.message_id, on=moment.date(), quote="")
        for one, moment in sorted(inside, key=lambda pair: pair[1])
    )
    when = "at night" if part == "night" else f"in the {part}"
    recurring = Recurring(pattern=f"time:{part}", words=part, seen=seen)
    return recurring, f"Usually talks {when}", share


def _part(moment: datetime) -> str:
    name = "night"
    for hour, following in _PARTS:
        if moment.hour < hour:
            return name
        name = following
    return name


def _made(
    scope: Scope,
    one: Recurring,
    text: str,
    confidence: float,
    seen_in: Sequence[Begun],
    now: datetime,
) -> Observation:
    sessions = tuple(dict.fromkeys(seen.session_id for seen in one.seen))
    last = max(session.at for session in seen_in)
    faded = _is_faded(last, now)
    return Observation(
        id=_id(scope, one.pattern),
        user_id=scope.user_id,
        at=last,
        recorded_at=now,
        known_from=last if not faded and all(session.bulk for session in seen_in) else None,
        evidence=_evidence(one.seen),
        pattern=one.pattern,
        text=text,
        confidence=confidence,
        first_seen=min(session.at for session in seen_in),
        last_seen=last,
        sessions=sessions,
        status=ObservationStatus.FADED if faded else ObservationStatus.ACTIVE,
    )


def _evidence(seen: Iterable[Seen]) -> tuple[Evidence, ...]:
    some = [one for one in seen if one.message_id][-_MOST_EVIDENCE:]
    return tuple(Evidence(message_id=one.message_id, quote=one.quote) for one in some)


def _continued(before: Observation, found: Observation) -> Observation:
    """A pattern that is known: it keeps its id and the day it was seen first."""
    return replace(found, id=before.id, first_seen=min(before.first_seen, found.first_seen))


def _is_faded(last_seen: datetime, now: datetime) -> bool:
    return now - last_seen > FADES_AFTER


def _is_ours(one: Observation) -> bool:
    """Whether this plan made it: what a model observed is not for rules to withdraw."""
    return one.pattern.partition(":")[0] in {*_TEXTS, "time"}


def _content(one: Observation) -> Observation:
    nothing = datetime.min.replace(tzinfo=UTC)
    return replace(one, recorded_at=nothing, known_from=None, replaced_at=None)


def _id(scope: Scope, pattern: str) -> str:
    parts = ("observation", scope.tenant_id, scope.user_id, pattern)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
