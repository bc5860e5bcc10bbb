"""From messages to facts: what no reader has read is read, guarded, and written once.

What is left to do is derived from the store (messages that are unread), so a crash loses
nothing and repeats nothing: the transaction that writes facts marks their messages as read.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from weakref import WeakValueDictionary

from backstory.core.facts.gate import MAX_QUOTE_CHARS
from backstory.core.facts.observing import Sighting
from backstory.core.fence import strip_memory
from backstory.core.inline import detect_inline
from backstory.core.model.contradiction import GatePath
from backstory.core.model.fact import USER, Evidence, Fact
from backstory.core.model.message import Message, Role
from backstory.core.model.reading import Batch, Claim, ClaimRejection, Reading, Turn
from backstory.core.model.scope import Scope
from backstory.core.secrets import redact
from backstory.errors import BackstoryError, ReadingError, StoreError
from backstory.ports.clock import Clock
from backstory.ports.facts import Unread
from backstory.ports.reader import Reader
from backstory.ports.store import Store
from backstory.services.facts.near import NearFacts
from backstory.services.facts.writer import FactWriter
from backstory.threads import run_in_thread

# A model reads this much at once; whichever comes first.
BATCH_MESSAGES: Final = 12
BATCH_TOKENS: Final = 3_000
BEFORE: Final = 6
_CHARS_PER_TOKEN: Final = 4
# Above this much text, looking for memory and secrets in it would hold up the event loop.
_INLINE_CHARS: Final = 20_000
# Whole batches, so that no call is made for the rest of a page.
_AT_ONCE: Final = 17 * BATCH_MESSAGES


@dataclass
class ReadResult:
    """What a run of reading did."""

    read: int = 0
    facts: list[Fact] = field(default_factory=list)
    rejections: list[ClaimRejection] = field(default_factory=list)
    failed: int = 0
    reasons: set[str] = field(default_factory=set)


class ReadingService:
    """Reads messages.

    Args:
        store: Where messages and facts are.
        reader: Understands them; None = nothing is read.
        writer: Writes what was understood.
        near: Finds the facts that are near to a text.
        clock: The time.
        redaction: Whether readers see secrets masked.
        inline: Whether each message is compared with the facts that it may contradict.
    """

    def __init__(
        self,
        store: Store,
        reader: Reader | None,
        writer: FactWriter,
        near: NearFacts,
        clock: Clock,
        *,
        redaction: bool = True,
        inline: bool = False,
    ) -> None:
        self._store = store
        self._reader = reader
        self._writer = writer
        self._near = near
        self._clock = clock
        self._redaction = redaction
        self._inline = inline
        self._one_run = asyncio.Lock()
        # a lock goes when nobody holds it or waits for it
        self._locks = WeakValueDictionary[Scope, asyncio.Lock]()

    @property
    def works(self) -> bool:
        """Whether there is a reader at all."""
        return self._reader is not None

    @property
    def reads_at_once(self) -> bool:
        """Whether messages are read in the call that adds them."""
        return self._reader is not None and self._reader.reads_at_once

    def wants(self, role: Role, text: str) -> bool:
        """Whether a message of this kind can hold anything for the reader."""
        return self._reader is not None and self._reader.wants(role, text)

    async def read_session(self, scope: Scope, tenant_id: str, session_id: str) -> ReadResult:
        """Read what is unread of one session, all of it."""
        result = ReadResult()
        await self._drain(scope, tenant_id, result, session_id=session_id)
        return result

    async def read_all(self, scope: Scope | None, tenant_id: str, result: ReadResult) -> None:
        """Read everything that is unread, of one user or of the tenant; each batch tried once.

        Args:
            scope: Whose messages; None = everybody's.
            tenant_id: Of this tenant.
            result: What was done is added to it, also when the call is cancelled.
        """
        await self._drain(scope, tenant_id, result, session_id=None)

    async def read_due(self, tenant_id: str, idle_before: datetime) -> ReadResult:
        """Read the sessions that are due: a full batch, ended, or idle since ``idle_before``."""
        result = ReadResult()
        if self._reader is None:
            return result
        last: Unread | None = None
        async with self._one_run:
            while some := await self._store.facts.unread(None, tenant_id, _AT_ONCE, None, last):
                for unread in _whole(some):
                    last = unread
                    due = due_part(unread, idle_before)
                    if due is not None and not unread.is_given_up:
                        await self._read(due, result)
        return result

    async def _drain(
        self, scope: Scope | None, tenant_id: str, result: ReadResult, session_id: str | None
    ) -> None:
        if self._reader is None:
            return
        # a reader that costs calls reads nothing twice
        async with contextlib.nullcontext() if self.reads_at_once else self._one_run:
            await self._drained(scope, tenant_id, result, session_id)

    async def _drained(
        self, scope: Scope | None, tenant_id: str, result: ReadResult, session_id: str | None
    ) -> None:
        failed: Unread | None = None
        while True:
            some = await self._store.facts.unread(scope, tenant_id, _AT_ONCE, session_id, failed)
            if not some:
                return
            for unread in _whole(some):
                before = result.failed
                await self._read(unread, result)
                if result.failed > before:
                    failed = unread  # what follows in order; this one is tried once
                    break
            else:
                is_last = sum(len(unread.messages) for unread in some) < _AT_ONCE
                if is_last and self.reads_at_once:
                    return  # what came meanwhile is read by the call that brought it

    async def _read(self, unread: Unread, result: ReadResult) -> None:
        if self._reader is None:
            return
        async with self._locks.setdefault(unread.scope, asyncio.Lock()):
            for part in _parts(unread, self._reader):
                try:
                    await self._understand(self._reader, part, result)
                except BackstoryError as error:
                    if isinstance(error, StoreError) and error.retryable:
                        raise  # nothing is wrong with the messages
                    ids = [message.id for message, _ in part.messages]
                    await self._store.facts.note_unreadable(unread.scope, ids, str(error))
                    result.failed += len(ids)
                    result.reasons.add(str(error))
                    break  # what follows is read in order, or not at all

    async def _understand(self, reader: Reader, unread: Unread, result: ReadResult) -> None:
        batch = await self._batch(unread)
        reading = await _reading_of(reader, batch)
        claims = [_placed(claim, unread) for claim in reading.claims]
        written = await self._writer.write(
            unread.scope,
            claims,
            sources={turn.message_id: turn.text for turn in (*batch.before, *batch.turns)},
            unread=frozenset((message.id, revision) for message, revision in unread.messages),
            rejections=reading.rejections,
        )
        await self._writer.observe(unread.scope, self._sightings(batch, reading, unread))
        result.read += len(unread.messages)
        result.facts += written.facts
        result.rejections += written.rejections

    def _sightings(self, batch: Batch, reading: Reading, unread: Unread) -> list[Sighting]:
        """What was said or done against known facts, beside the statements."""
        if unread.bulk:
            return []  # of an imported history it is not known what was settled since
        found = [
            Sighting(
                fact_id=behaviour.fact_id,
                stated=behaviour.doing,
                path=GatePath.BEHAVIOURAL,
                reason=behaviour.reason,
                said_at=behaviour.said_at,
                session_id=unread.session_id,
                evidence=behaviour.evidence,
            )
            for behaviour in reading.behaviours
        ]
        if self._inline:
            stated = {(claim.subject, claim.key) for claim in reading.claims}
            known = [fact for fact in batch.known if (fact.subject, fact.key) not in stated]
            found += inline_sightings(batch.turns, known, unread.session_id)
        return found

    async def _batch(self, unread: Unread) -> Batch:
        def turns_of() -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
            turns = (self._turn(m, unread, revision) for m, revision in unread.messages)
            return tuple(turns), tuple(self._turn(m, unread, 0) for m in unread.before)

        spoken = (*unread.before, *(message for message, _ in unread.messages))
        if sum(len(message.text) for message in spoken) < _INLINE_CHARS:
            turns, before = turns_of()
        else:
            turns, before = await run_in_thread(turns_of)
        known = await self._near.to_texts(
            unread.scope, [turn.text for turn in turns], self._clock.now()
        )
        return Batch(turns=turns, before=before, known=known, user_name=unread.speaker)

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


def due_part(unread: Unread, idle_before: datetime) -> Unread | None:
    """What of a session's unread messages is to be read now: whole batches, or all that will come.

    The rest of a batch waits for more, so that a model is not called for a message or two.
    """
    if unread.ended or unread.messages[-1][0].recorded_at < idle_before:
        return unread
    chars = sum(len(message.text) for message, _ in unread.messages)
    if chars >= BATCH_TOKENS * _CHARS_PER_TOKEN:
        return unread
    whole = len(unread.messages) // BATCH_MESSAGES * BATCH_MESSAGES
    return replace(unread, messages=unread.messages[:whole]) if whole else None


async def _reading_of(reader: Reader, batch: Batch) -> Reading:
    """Read with a reader that may call foreign code: whatever it raises, the messages are kept.

    Raises:
        ReadingError: The reader failed.
        ModelError: The model did.
    """
    try:
        return await reader.read(batch)
    except BackstoryError:
        raise
    except Exception as error:  # foreign code may raise anything
        name = type(error).__name__
        raise ReadingError(f"the reader failed with {name}; the messages are kept") from error


def _whole(some: Sequence[Unread]) -> Sequence[Unread]:
    """A page without its last session, if that may go on on the next page."""
    is_full = sum(len(unread.messages) for unread in some) >= _AT_ONCE
    return some[:-1] if is_full and len(some) > 1 else some


def _parts(unread: Unread, reader: Reader) -> list[Unread]:
    """The batches of one session: a reader that costs calls gets twelve messages at a time."""
    messages = unread.messages
    if reader.reads_at_once or len(messages) <= BATCH_MESSAGES:
        return [unread]
    parts = []
    for start in range(0, len(messages), BATCH_MESSAGES):
        earlier = tuple(message for message, _ in messages[max(0, start - BEFORE) : start])
        before = (*unread.before, *earlier)[-BEFORE:]
        part = messages[start : start + BATCH_MESSAGES]
        parts.append(replace(unread, messages=part, before=before))
    return parts


def _placed(claim: Claim, unread: Unread) -> Claim:
    """The claim with what the reader does not know: its session, and whether it is an import."""
    known_from = claim.said_at if unread.bulk else None
    return replace(claim, session_id=unread.session_id, known_from=known_from)
