"""The way in: messages are checked, stored in one transaction, then embedded.

Messages → drafts → one transaction → vectors. When ``add`` returns, the messages are durable
and can be found by their words; by meaning too, if the embedder is local.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from backstory.core.content import is_blank
from backstory.core.model.message import Message, MessageDraft, Role
from backstory.core.model.results import AddResult, Rejection
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.errors import InvalidInputError
from backstory.language.terms import TERMS_VERSION, message_terms
from backstory.ports.clock import Clock
from backstory.ports.ids import Ids
from backstory.ports.store import NewMessage, Pending, SessionRequest, Store
from backstory.services.held import HeldSessions
from backstory.services.vectors import VectorMaker
from backstory.threads import run_in_thread

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
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._clock = clock
        self._ids = ids
        self._timeout = timeout
        self._wake = wake
        self._held = held

    def new_id(self) -> str:
        """An id for a session that has not been stored yet."""
        return self._ids.new()

    async def add(
        self,
        scope: Scope,
        session_id: str | None,
        label: SessionLabel,
        drafts: Sequence[MessageDraft],
    ) -> AddResult:
        """Store messages. Blank ones are skipped and reported.

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
        recorded = await self._store.messages.record(
            scope,
            SessionRequest(
                name=session_id,
                new_id=self._ids.new(),
                label=label,
                timeout=self._timeout,
                held=self._held.of(scope),
            ),
            await self._prepared(speaking),
            now,
        )
        pending, degraded = await self._embed(scope, recorded.messages)
        return AddResult(
            session_id=recorded.session_id,
            messages=recorded.messages,
            rejected=rejected,
            pending=pending,
            degraded=degraded,
        )

    async def _prepared(self, drafts: Sequence[MessageDraft]) -> list[NewMessage]:
        ids = [self._ids.new() for _ in drafts]
        if sum(len(draft.text) for draft in drafts) < _INLINE_CHARS:
            return _with_terms(ids, drafts)
        return await run_in_thread(_with_terms, ids, drafts)

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


def _named(draft: MessageDraft, label: SessionLabel, now: datetime) -> MessageDraft:
    """Fill in what the session and the clock say: the user's name, the time."""
    speaker = draft.speaker or (label.speaker if draft.role is Role.USER else None)
    return replace(draft, speaker=speaker, timestamp=draft.timestamp or now)


def _with_terms(ids: Sequence[str], drafts: Sequence[MessageDraft]) -> list[NewMessage]:
    return [
        NewMessage(
            id=record_id,
            draft=draft,
            terms=terms_of(draft.text, draft.speaker, draft.timestamp),
            terms_version=TERMS_VERSION,
        )
        for record_id, draft in zip(ids, drafts, strict=True)
    ]


def terms_of(text: str, speaker: str | None, timestamp: datetime | None) -> bytes:
    """The hashed words of a message as they are stored: little-endian uint32."""
    if timestamp is None:
        raise InvalidInputError("a message without a time cannot be indexed")
    return message_terms(text, speaker=speaker, timestamp=timestamp).astype("<u4").tobytes()
