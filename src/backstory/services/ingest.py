"""The way in: messages are checked, stored in one transaction, then read and embedded.

Messages → drafts → one transaction → facts → vectors. When ``add`` returns, the messages are
durable and can be found by their words; by meaning too, if the embedder is local; and what the
rules read in them is stored as facts.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from backstory.core.content import is_blank
from backstory.core.model.message import Message, MessageDraft, Role
from backstory.core.model.results import AddResult, Rejection
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.errors import BackstoryError, InvalidInputError, ReadingError, StoreError
from backstory.language.terms import TERMS_VERSION
from backstory.ports.clock import Clock
from backstory.ports.ids import Ids
from backstory.ports.store import NewMessage, Pending, Recorded, SessionRequest, Store
from backstory.services.embedding.indexing import terms_of
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.feeling.said import Said
from backstory.services.held import HeldSessions
from backstory.services.reading import ReadingService, Stored
from backstory.services.understanding import ReadResult
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from backstory.services.feeling.sentiments import Sentiments
    from backstory.services.timeline.arriving import ArrivingEvents

BLANK = "the message is blank; there is nothing to remember"
# Below this much text, hashing the words takes less time than a hop into another thread.
_INLINE_CHARS = 20_000


class Ingest:
    """Adds messages.

    Args:
        store: Where they go.
        vectors: Makes their vectors.
        clock: The time of receipt.
        ids: New record ids.
        timeout: A session without a message for so long is over.
        wake: Called when vectors are left to the background.
        held: Sessions that live handles keep open.
        reading: Reads facts in them.
        tenant_id: Whose data it works on.
        sentiments: Reads the feelings in them; None = nothing does.
        arriving: Finds events in those that come with a zone; None = nothing does.
    """

    def __init__(
        self,
        store: Store,
        vectors: VectorMaker,
        clock: Clock,
        ids: Ids,
        timeout: timedelta,
        wake: Callable[[], None],
        held: HeldSessions,
        reading: ReadingService,
        tenant_id: str,
        sentiments: "Sentiments | None" = None,
        arriving: "ArrivingEvents | None" = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._clock = clock
        self._ids = ids
        self._timeout = timeout
        self._wake = wake
        self._held = held
        self._reading = reading
        self._tenant_id = tenant_id
        self._sentiments = sentiments
        self._arriving = arriving

    def new_id(self) -> str:
        """An id for a session that has not been stored yet."""
        return self._ids.new()

    async def add(
        self,
        scope: Scope,
        session_id: str | None,
        label: SessionLabel,
        drafts: Sequence[MessageDraft],
        *,
        infer: bool = True,
    ) -> AddResult:
        """Store messages. Blank ones are skipped and reported.

        Args:
            scope: Whose.
            session_id: The session they go to; None = the open one, else a new one.
            label: What is said about the session.
            drafts: The messages.
            infer: Whether facts and feelings are read in them.

        Raises:
            InvalidInputError: Every message is blank.
            ConflictError: A message id is taken by other content; nothing was stored.
        """
        good = [draft for draft in drafts if not is_blank(draft.text)]
        rejected = tuple(
            Rejection(position=place, reason=_why_blank(draft))
            for place, draft in enumerate(drafts)
            if is_blank(draft.text)
        )
        if not good:
            if rejected:
                raise InvalidInputError(rejected[0].reason)
            return AddResult(session_id=session_id)
        now = self._clock.now()
        speaking = [_named(draft, label, now) for draft in good]
        prepared = await self._prepared(speaking, infer=infer)
        if self._sentiments is not None and infer and not label.bulk:
            said = [_said(message, scope, session_id, label, now) for message in prepared]
            prepared = await _felt(self._sentiments, scope, prepared, said, now)
        if self._arriving is not None:
            prepared = list(await self._arriving.with_events(scope, prepared, label, now))
        request = SessionRequest(
            name=session_id,
            new_id=self._ids.new(),
            label=label,
            timeout=self._timeout,
            held=self._held.of(scope),
        )
        with self._vectors.in_hand({message.id for message in prepared}):
            recorded, stored = await self._record(scope, request, prepared, now)
            read, unreadable = await self._read(scope, recorded, stored, infer=infer)
            pending, degraded = await self._embed(scope, recorded.messages)
        return AddResult(
            session_id=recorded.session_id,
            messages=recorded.messages,
            rejected=rejected,
            facts=tuple({fact.id: fact for fact in read.facts}.values()),
            facts_rejected=tuple(read.rejections),
            pending=pending,
            degraded=degraded or unreadable,
        )

    async def _prepared(self, drafts: Sequence[MessageDraft], *, infer: bool) -> list[NewMessage]:
        ids = [self._ids.new() for _ in drafts]

        def prepare() -> list[NewMessage]:
            wants = self._reading.wants
            readable = [infer and wants(draft.role, draft.text) for draft in drafts]
            return _with_terms(ids, drafts, readable)

        if sum(len(draft.text) for draft in drafts) < _INLINE_CHARS:
            return prepare()
        return await run_in_thread(prepare)

    async def _record(
        self,
        scope: Scope,
        request: SessionRequest,
        messages: Sequence[NewMessage],
        now: datetime,
    ) -> tuple[Recorded, Stored | None]:
        """Store messages, and read them in the same transaction if that waits for nothing.

        If reading fails, or what was read cannot be written, they are stored without it.
        """
        record = self._store.messages.record
        stored = None
        chars = sum(len(m.draft.text) for m in messages if m.needs_reading)
        if chars:
            stored = await self._reading.at_once(scope, chars)
        if stored is None:
            return await record(scope, request, messages, now), None
        try:
            return await record(scope, request, messages, now, stored.at_once), stored
        except ReadingError:
            pass
        except StoreError as error:
            # one of no other kind: the database refused a statement, and nothing is stored
            if type(error) is not StoreError:
                raise
        return await record(scope, request, messages, now), None

    async def _read(
        self, scope: Scope, recorded: Recorded, stored: Stored | None, *, infer: bool
    ) -> tuple[ReadResult, str | None]:
        """Read what was stored. The messages are kept whatever comes of it."""
        if not infer or not any(message.created for message in recorded.messages):
            return ReadResult(), None
        if recorded.read is not None and stored is not None:
            result = await stored.follow(recorded.read)
            return result, min(result.reasons, default=None)
        if not self._reading.reads_at_once:
            self._wake()
            return ReadResult(), None
        try:
            result = await self._reading.read_session(scope, self._tenant_id, recorded.session_id)
        except BackstoryError as error:
            return ReadResult(), f"the messages are stored, and facts are read later: {error}"
        return result, min(result.reasons, default=None)

    async def _embed(self, scope: Scope, messages: Sequence[Message]) -> tuple[int, str | None]:
        fresh = {message.id: message for message in messages if message.created}
        if not fresh:
            return 0, None
        if not self._vectors.works:
            problem = self._vectors.problem
            return len(fresh) if problem else 0, problem
        if not self._vectors.embeds_at_once:
            self._wake()
            return len(fresh), None
        items = [
            Pending(scope=scope, id=message.id, seq=0, revision=1, text=message.text)
            for message in fresh.values()
        ]
        failures = await self._vectors.make(items)
        return len(failures), failures[0].reason if failures else None


def _why_blank(draft: MessageDraft) -> str:
    return f"{BLANK} ({', '.join(draft.notes)})" if draft.notes else BLANK


def spoken(draft: MessageDraft, label: SessionLabel) -> MessageDraft:
    """Fill in what the session says: the user's name."""
    speaker = draft.speaker or (label.speaker if draft.role is Role.USER else None)
    return replace(draft, speaker=speaker)


def _named(draft: MessageDraft, label: SessionLabel, now: datetime) -> MessageDraft:
    """Fill in what the session and the clock say: the user's name, the time."""
    return replace(spoken(draft, label), timestamp=draft.timestamp or now)


async def _felt(
    sentiments: "Sentiments",
    scope: Scope,
    prepared: Sequence[NewMessage],
    said: Sequence[Said],
    now: datetime,
) -> list[NewMessage]:
    """The messages with their feelings."""
    found = await sentiments.read(scope, said, now)
    return [
        replace(message, sentiment=felt.sentiment, derived=felt.derived)
        for message, felt in zip(prepared, found, strict=True)
    ]


def _said(
    message: NewMessage,
    scope: Scope,
    session_id: str | None,
    label: SessionLabel,
    now: datetime,
) -> Said:
    draft = message.draft
    return Said(
        id=message.id,
        user_id=scope.user_id,
        role=draft.role,
        text=draft.text,
        timestamp=draft.timestamp or now,
        session_id=session_id,
        speaker=draft.speaker,
        user_name=label.speaker,
    )


def _with_terms(
    ids: Sequence[str], drafts: Sequence[MessageDraft], readable: Sequence[bool]
) -> list[NewMessage]:
    return [
        NewMessage(
            id=record_id,
            draft=draft,
            terms=terms_of(draft.text, draft.speaker, draft.timestamp, draft.role),
            terms_version=TERMS_VERSION,
            needs_reading=needs_reading,
        )
        for record_id, draft, needs_reading in zip(ids, drafts, readable, strict=True)
    ]
