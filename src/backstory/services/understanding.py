"""From unread messages to what a reader made of them, and from that to what is written."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.gate import MAX_QUOTE_CHARS
from backstory.core.facts.observing import Sighting
from backstory.core.fence import strip_memory
from backstory.core.findings.model import Findings, model_summary
from backstory.core.inline import detect_inline
from backstory.core.model.contradiction import GatePath
from backstory.core.model.fact import USER, Evidence, Fact
from backstory.core.model.message import Message, Role
from backstory.core.model.reading import Batch, Claim, ClaimRejection, Reading, Turn
from backstory.core.model.scope import Scope
from backstory.core.secrets import redact
from backstory.errors import BackstoryError, ReadingError
from backstory.ports.at_once import AtOnce, NewerFacts, ReadDone, ReadNow
from backstory.ports.clock import Clock
from backstory.ports.facts import Planner, Unread
from backstory.ports.reader import Reader, ReaderWithin
from backstory.ports.store import Store
from backstory.services.facts.index import near_by_words
from backstory.services.facts.near import MOST, NearFacts
from backstory.services.facts.writer import FactWriter, Written
from backstory.services.timeline.zones import in_zone, named_zone, names_zone
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from backstory.core.facts.index import FactTable
    from backstory.services.facts.index import WordTable

# Above this much text, looking for memory and secrets in it would hold up the event loop.
_INLINE_CHARS: Final = 20_000
_BESIDE: Final = ("events", "moments", "intentions", "entities", "relations", "summaries")


@dataclass
class ReadResult:
    """What a run of reading did."""

    read: int = 0
    facts: list[Fact] = field(default_factory=list)
    rejections: list[ClaimRejection] = field(default_factory=list)
    failed: int = 0
    reasons: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Understood:
    """What a reader made of a batch; nothing of it is stored yet.

    Attributes:
        parts: The messages, session by session.
    """

    parts: tuple[Unread, ...]
    batch: Batch
    reading: Reading

    @property
    def scope(self) -> Scope:
        """Whose messages."""
        return self.parts[0].scope

    @property
    def messages(self) -> int:
        """How many were read."""
        return sum(len(part.messages) for part in self.parts)


class Understanding:
    """Lets a reader read batches, and writes what it made of them.

    Args:
        store: Says what is known of a user.
        reader: Understands messages.
        writer: Writes what was understood.
        near: Finds the facts that are near to a text.
        clock: The time.
        redaction: Whether readers see secrets masked.
        inline: Whether each message is compared with the facts that it may contradict.
    """

    def __init__(
        self,
        store: Store,
        reader: Reader,
        writer: FactWriter,
        near: NearFacts,
        clock: Clock,
        *,
        redaction: bool = True,
        inline: bool = False,
    ) -> None:
        self.reader = reader
        self._store = store
        self._writer = writer
        self._near = near
        self._clock = clock
        self._redaction = redaction
        self._inline = inline

    async def read(self, parts: Sequence[Unread]) -> Understood:
        """Read a batch: messages of one user, of one session or several.

        Raises:
            ReadingError: They could not be understood.
            ModelError: The model did not answer.
        """
        batch = await self._batch(parts)
        return Understood(tuple(parts), batch, await _reading_of(self.reader, batch))

    async def write(self, understood: Sequence[Understood], result: ReadResult) -> None:
        """Write what was made of some batches of one user, in order, in one transaction."""
        scope = understood[0].scope
        turns = [turn for one in understood for turn in (*one.batch.before, *one.batch.turns)]
        found = [self._findings(one) for one in understood if _has_more(one.reading)]
        written = await self._writer.write(
            scope,
            [claim for one in understood for claim in _placed(one)],
            sources={turn.message_id: turn.text for turn in turns},
            unread=frozenset(
                (message.id, revision)
                for one in understood
                for part in one.parts
                for message, revision in part.messages
            ),
            rejections=[refused for one in understood for refused in one.reading.rejections],
            found=found,
        )
        for one in understood:
            await self._writer.observe(scope, self._sightings(one))
        result.read += sum(one.messages for one in understood)
        result.facts += written.facts
        result.rejections += written.rejections

    async def at_once(self, scope: Scope) -> "tuple[AtOnce, WordTable] | None":
        """What reads messages in the transaction that stores them.

        Returns:
            With it what is known of the user's facts; None if that cannot be done: if reading or
            deciding may wait for something.
        """
        reader, writer = self.reader, self._writer
        if not isinstance(reader, ReaderWithin) or not writer.asks_nobody:
            return None
        known = await self._near.words(scope)

        def read(unread: Unread, newer: NewerFacts | None) -> ReadNow:
            with _keeping_messages():
                return self._read_now(reader, unread, known.newer(newer).table)

        return AtOnce(stamp=known.stamp, seen=known.seen, read=read), known

    def _read_now(self, reader: ReaderWithin, unread: Unread, table: "FactTable") -> ReadNow:
        turns, before = self._turns_of([unread])
        text = " ".join(turn.text for turn in turns)
        batch = Batch(
            turns=turns,
            before=before,
            known=tuple(near_by_words(table, text, self._clock.now(), MOST)),
            user_name=unread.speaker,
            bulk=unread.bulk,
        )
        one = Understood((unread,), batch, reader.read_now(batch))
        change, refused = self._writer.planned(
            unread.scope,
            _placed(one),
            {turn.message_id: turn.text for turn in (*before, *turns)},
            frozenset((message.id, revision) for message, revision in unread.messages),
        )
        if change is not None:
            change = replace(change, plan=partial(_planned, change.plan))
        return ReadNow(change=change, made=(one, (*one.reading.rejections, *refused)))

    async def follow(self, done: ReadDone, known: "WordTable", result: ReadResult) -> None:
        """Do what follows a reading that was stored with its messages."""
        one, refused = cast("tuple[Understood, tuple[ClaimRejection, ...]]", done.made)
        result.read += one.messages
        result.facts += Written(done.plan).facts
        result.rejections += (*refused, *done.plan.rejections)
        words = known.newer(done.newer)
        if done.stamp is not None:
            words = replace(words, stamp=done.stamp)
        self._near.keep_words(one.scope, known, words)
        await self._writer.follow(one.scope, done.plan)
        await self._writer.observe(one.scope, self._sightings(one))

    def _findings(self, one: Understood) -> Findings:
        starts = {part.session_id for part in one.parts if not part.before}
        return Findings(
            scope=one.scope,
            reading=one.reading,
            turns=one.batch.turns,
            made_by=self.reader.name,
            earlier=one.batch.summaries,
            begun=frozenset(starts),
            user_name=one.batch.user_name,
            bulk=one.batch.bulk,
        )

    def _sightings(self, one: Understood) -> list[Sighting]:
        """What was said or done against known facts, beside the statements."""
        if one.batch.bulk:
            return []  # of an imported history it is not known what was settled since
        session_id = one.parts[0].session_id
        found = [
            Sighting(
                fact_id=behaviour.fact_id,
                stated=behaviour.doing,
                path=GatePath.BEHAVIOURAL,
                reason=behaviour.reason,
                said_at=behaviour.said_at,
                session_id=session_id,
                evidence=behaviour.evidence,
            )
            for behaviour in one.reading.behaviours
        ]
        if self._inline:
            stated = {(claim.subject, claim.key) for claim in one.reading.claims}
            known = [fact for fact in one.batch.known if (fact.subject, fact.key) not in stated]
            found += inline_sightings(one.batch.turns, known, session_id)
        return found

    async def _batch(self, parts: Sequence[Unread]) -> Batch:
        first = parts[0]
        turns_of = partial(self._turns_of, parts)

        spoken = (*first.before, *(message for part in parts for message, _ in part.messages))
        given = (*(one.metadata for one in spoken), *(part.metadata for part in parts))
        zoned = any(map(names_zone, given))
        if not zoned and sum(len(message.text) for message in spoken) < _INLINE_CHARS:
            turns, before = turns_of()
        else:
            turns, before = await run_in_thread(turns_of)
        known = await self._near.to_texts(
            first.scope, [turn.text for turn in turns], self._clock.now()
        )
        return Batch(
            turns=turns,
            before=before,
            known=known,
            user_name=next((part.speaker for part in parts if part.speaker), None),
            summaries=await self._summaries(parts),
            bulk=first.bulk,
        )

    def _turns_of(self, parts: Sequence[Unread]) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
        """The turns that are read, and those before them."""
        first = parts[0]
        turns = (self._turn(m, part, revision) for part in parts for m, revision in part.messages)
        return tuple(turns), tuple(self._turn(m, first, 0) for m in first.before)

    async def _summaries(self, parts: Sequence[Unread]) -> dict[str, str]:
        """What a reader that costs calls made of earlier turns of sessions."""
        if self.reader.reads_at_once or not any(part.before for part in parts):
            return {}
        book = await self._store.derived.book(parts[0].scope)
        found = {part.session_id: model_summary(book, part.session_id) for part in parts}
        return {name: summary.text for name, summary in found.items() if summary is not None}

    def _turn(self, message: Message, unread: Unread, revision: int) -> Turn:
        text = strip_memory(message.text)
        if self._redaction:
            text = redact(text).text
        named = message.speaker is not None and unread.speaker is not None
        return Turn(
            message_id=message.id,
            revision=revision,
            role=message.role,
            text=text,
            timestamp=message.timestamp,
            is_user=message.role is Role.USER and not (named and message.speaker != unread.speaker),
            speaker=message.speaker,
            session_id=message.session_id,
            local=_local(message, unread),
        )


def inline_sightings(
    turns: Sequence[Turn], known: Sequence[Fact], session_id: str | None
) -> list[Sighting]:
    """What single messages seem to contradict."""
    own = [fact for fact in known if fact.subject == USER]
    by_key = {fact.key: fact for fact in own}
    return [
        Sighting(
            fact_id=by_key[suspicion.key].id,
            stated=suspicion.suspected,
            path=GatePath.INLINE,
            reason="the message names another value beside the slot's word",
            said_at=turn.timestamp,
            session_id=session_id,
            evidence=(Evidence(message_id=turn.message_id, quote=turn.text[:MAX_QUOTE_CHARS]),),
        )
        for turn in turns
        if turn.is_user
        for suspicion in detect_inline(turn.text, own)
    ]


async def _reading_of(reader: Reader, batch: Batch) -> Reading:
    """Read with a reader that may call foreign code: whatever it raises, the messages are kept.

    Raises:
        ReadingError: The reader failed.
        ModelError: The model did.
    """
    with _keeping_messages(but=BackstoryError):
        return await reader.read(batch)


@contextmanager
def _keeping_messages(but: type[Exception] | tuple[()] = ()) -> Iterator[None]:
    """Make a ReadingError of whatever reading raises: the messages are kept.

    Args:
        but: What is raised as it is.
    """
    try:
        yield
    except but:
        raise
    except Exception as error:  # foreign code may raise anything
        name = type(error).__name__
        raise ReadingError(f"the reader failed with {name}; the messages are kept") from error


def _planned(plan: Planner, book: FactBook) -> FactPlan:
    """Plan inside the transaction that stores the messages: they are kept whatever comes of it.

    Raises:
        ReadingError: Planning failed.
    """
    with _keeping_messages():
        return plan(book)


def _local(message: Message, unread: Unread) -> datetime | None:
    for metadata in (message.metadata, unread.metadata):
        zone = named_zone(metadata)
        if zone is not None:
            return in_zone(message.timestamp, zone)
    return None


def _has_more(reading: Reading) -> bool:
    """Whether anything beside statements was found."""
    return any(getattr(reading, name) for name in _BESIDE)


def _placed(one: Understood) -> list[Claim]:
    """Claims with what the reader does not know: their session, and whether it is an import."""
    first = one.parts[0].session_id
    sessions = {m.id: part.session_id for part in one.parts for m, _ in part.messages}
    return [
        replace(
            claim,
            session_id=next(
                (sessions[e.message_id] for e in claim.evidence if e.message_id in sessions), first
            ),
            known_from=claim.said_at if one.batch.bulk else None,
        )
        for claim in one.reading.claims
    ]
