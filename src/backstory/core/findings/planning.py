"""From what passed the gate to records: what is put, and what is there already. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import count
from typing import Final, TypeVar

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.feelings.moments import intensity_of, moment_of
from backstory.core.findings.model import Findings, model_summary
from backstory.core.findings.retold import Condense, gone_on
from backstory.core.graph.admitting import AdmittedGraph, admit_relations
from backstory.core.intentions import new_proposals
from backstory.core.model.derived import (
    Derived,
    EmotionalMoment,
    Event,
    Intention,
    IntentionStatus,
    Sentiment,
    Summary,
    SummaryKind,
)
from backstory.core.model.fact import Evidence
from backstory.core.model.found import Found, FoundEvent, FoundSummary
from backstory.core.summaries.choosing import MODEL, summary_id, summary_slot
from backstory.core.summaries.guarding import MOST_CHARS
from backstory.core.timeline.making import RULES, made_events, message_of
from backstory.core.times import date_in

_ID_BYTES: Final = 16
_Found = TypeVar("_Found", bound=Found)


def graph_records(
    batches: Sequence[Findings], unread: frozenset[str], now: datetime
) -> AdmittedGraph:
    """The entities and relations of batches, and what the closed schema refuses of them.

    Args:
        batches: In order of time.
        unread: As of ``plan_found``.
        now: The time of the commit.
    """
    found = [_Maker(batch, unread, now).graph() for batch in batches]
    return AdmittedGraph(
        records=tuple(record for one in found for record in one.records),
        rejections=tuple(refusal for one in found for refusal in one.rejections),
    )


def plan_found(
    book: DerivedBook,
    batches: Sequence[Findings],
    graph: Sequence[Derived],
    unread: frozenset[str],
    now: datetime,
    condense: Condense,
) -> DerivedPlan:
    """What is written of what was found in messages that still are as they were read.

    Ids follow from the message and what was found, so that the same found again is the same
    record. What nobody has to confirm or resolve replaces its earlier version; an intention that is
    known stays as it is.

    Args:
        book: What is known of the user.
        batches: In order of time; they passed the gate.
        graph: The records of their entities and relations.
        unread: The ids of the messages that nobody has read or changed meanwhile: of others nothing
            is written.
        now: The time of the commit.
        condense: Shortens a summary that was put together of several.
    """
    made: list[Derived] = []
    proposed: list[Intention] = []
    summaries: dict[str, Summary] = {}
    for batch in batches:
        maker = _Maker(batch, unread, now)
        made += maker.events()
        made += maker.moments(book)
        proposed += maker.intentions()
        for summary in batch.reading.summaries:
            name = summary.session_id
            known = summaries.get(name) or model_summary(book, name)
            whole = maker.summary(summary, known, condense)
            if whole is not None:
                summaries[name] = whole
    made += new_proposals(book, proposed)
    made += graph
    made += [one for one in summaries.values() if _tells_as_much(book, one)]
    return DerivedPlan(put=tuple(made), withdraw=tuple(_outdone(book, made)))


def _outdone(book: DerivedBook, made: Sequence[Derived]) -> Iterator[str]:
    """What rules had found in messages in which the model found events."""
    fresh = {one.id: message_of(one) for one in made if isinstance(one, Event)}
    told = set(fresh.values())
    for event in book.of(Event) if told else ():
        by_rules = event.made_by == RULES and event.id not in fresh
        if by_rules and message_of(event) in told:
            yield event.id


def _tells_as_much(book: DerivedBook, summary: Summary) -> bool:
    """Whether it reaches as far as an extract of the whole session that is there already."""
    known = book.in_slot(Summary, summary.slot)
    return known is None or known.made_by.startswith(MODEL) or summary.at >= known.at


class _Maker:
    """Makes the records of one batch."""

    def __init__(self, batch: Findings, unread: frozenset[str], now: datetime) -> None:
        self._batch = batch
        self._unread = unread
        self._now = now

    def events(self) -> list[Event]:
        return made_events(
            _apart(self._still(self._batch.reading.events)),
            self._batch.scope.user_id,
            self._now,
            is_known_since_said=self._batch.bulk,
            made_by=self._batch.made_by,
        )

    def moments(self, book: DerivedBook) -> Iterator[EmotionalMoment]:
        """One of each message at most, the strongest; it takes the place of the lexicon's."""
        held = book.of(EmotionalMoment)
        known = {one.evidence[0].message_id: one.id for one in held if one.evidence}
        strongest: dict[str, EmotionalMoment] = {}
        for found in self._still(self._batch.reading.moments):
            felt = Sentiment(
                valence=found.valence, arousal=found.arousal, dominance=found.dominance
            )
            moment = moment_of(
                record_id=known.get(found.message_id) or _id("moment", found.message_id),
                user_id=self._batch.scope.user_id,
                message_id=found.message_id,
                session_id=found.session_id,
                quote=found.quote,
                said_at=found.said_at,
                recorded_at=self._now,
                sentiment=felt,
                intensity=intensity_of(felt),
                tags=found.tags,
                made_by=self._batch.made_by,
                known_from=self._known_from(found.said_at),
            )
            other = strongest.get(found.message_id)
            if moment is not None and (other is None or other.intensity < moment.intensity):
                strongest[found.message_id] = moment
        yield from strongest.values()

    def intentions(self) -> Iterator[Intention]:
        for found in self._still(self._batch.reading.intentions):
            yield Intention(
                id=_id("intention", found.message_id, " ".join(found.what.casefold().split())),
                user_id=self._batch.scope.user_id,
                at=found.said_at,
                recorded_at=self._now,
                known_from=self._known_from(found.said_at),
                session_id=found.session_id,
                evidence=(Evidence(message_id=found.message_id, quote=found.quote),),
                what=found.what,
                when_hint=found.when_hint,
                status=IntentionStatus.PROPOSED,
            )

    def graph(self) -> AdmittedGraph:
        entities = list(self._still(self._batch.reading.entities))
        relations = list(self._still(self._batch.reading.relations))
        if not entities and not relations:
            return AdmittedGraph()
        said = [turn for turn in self._batch.turns if turn.message_id in self._unread]
        versions = [f"{turn.message_id}.{turn.revision}" for turn in said]
        return admit_relations(
            entities,
            relations,
            {turn.message_id: turn.text for turn in said},
            user_id=self._batch.scope.user_id,
            now=self._now,
            new_ids=(_id("graph", *versions, str(number)) for number in count()),
            bulk=self._batch.bulk,
            user_name=self._batch.user_name,
        )

    def summary(
        self, found: FoundSummary, known: Summary | None, condense: Condense
    ) -> Summary | None:
        """The summary of a session so far, if all turns that it was made of still are as read.

        What was written without a look at what came before goes behind that.
        """
        turns = [t for t in self._batch.turns if (t.session_id or "") == found.session_id]
        if not turns or any(turn.message_id not in self._unread for turn in turns):
            return None
        if known is None and found.session_id not in self._batch.begun:
            return None  # what was said before is in no summary
        earlier = known.text if known is not None else ""
        shown = earlier == found.earlier
        text = gone_on(earlier, found.text, shown=shown, most_chars=MOST_CHARS, condense=condense)
        days = [date_in(turn.timestamp, UTC) for turn in turns]
        at = max(turn.timestamp for turn in turns)
        if known is not None:
            days += [known.starts_on, known.ends_on]
            at = max(at, known.at)
        slot = summary_slot(SummaryKind.SESSION, found.session_id)
        return Summary(
            id=known.id if known is not None else summary_id(self._batch.scope, slot),
            user_id=self._batch.scope.user_id,
            at=at,
            recorded_at=self._now,
            known_from=self._known_from(at),
            session_id=found.session_id,
            kind=SummaryKind.SESSION,
            text=text,
            starts_on=min(days),
            ends_on=max(days),
            messages=len(turns) + (known.messages if known is not None else 0),
            sessions=(found.session_id,),
            made_by=self._batch.made_by,
        )

    def _still(self, found: Iterable[_Found]) -> Iterator[_Found]:
        return (one for one in found if one.message_id in self._unread)

    def _known_from(self, said_at: datetime) -> datetime | None:
        return said_at if self._batch.bulk else None


def _apart(events: Iterable[FoundEvent]) -> Iterator[FoundEvent]:
    """Events with places of their own: two may be told with one date."""
    taken: set[tuple[str, int]] = set()
    for event in events:
        place = event.place
        while (event.message_id, place) in taken:
            place += 1
        taken.add((event.message_id, place))
        yield replace(event, place=place)


def _id(*parts: str) -> str:
    named = "\0".join(parts).encode("utf-8", "surrogatepass")
    return blake2b(named, digest_size=_ID_BYTES).hexdigest()
