"""Scores responses and replies when a caller says so, and tells the numbers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.derived.paging import page_of
from backstory.core.fence import strip_memory
from backstory.core.model.derived import Quality
from backstory.core.model.derived.quality import QualityStats
from backstory.core.model.message import Message, Role
from backstory.core.model.results import Page
from backstory.core.model.scope import Scope
from backstory.core.quality import (
    Exchange,
    exchanges_of,
    rescored,
    resolved,
    stats_of,
)
from backstory.errors import ConflictError, InvalidInputError, NotFoundError
from backstory.ports.clock import Clock
from backstory.ports.derived import DerivedPlanner
from backstory.ports.ids import Ids
from backstory.ports.store import Store
from backstory.services.quality.making import known_facts, quality_of, replied, replies_to
from backstory.threads import run_in_thread

_ALL: Final = 2**31 - 1
_OPEN_TURNS: Final = 400
_TRIES: Final = 3
_OPEN_SESSIONS: Final = 8


class QualityService:
    """Works on scores.

    Args:
        store: Where messages and scores are.
        clock: The time.
        ids: Names responses that are not stored.
    """

    def __init__(self, store: Store, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def score(
        self,
        scope: Scope,
        message_id: str | None,
        content: str | None,
        session_id: str | None,
        mode: str | None,
    ) -> Quality:
        """Score one response, and store that.

        Args:
            scope: Whose.
            message_id: The response, by its record's id or the caller's; None = by its text.
            content: Its text. One that is no stored message is scored as the last word of the
                session.
            session_id: Where it was said; None = the open session.
            mode: None = that of the session.
        """
        for _ in range(_TRIES):
            exchange, own_mode = await self._exchange(scope, message_id, content, session_id)
            facts = await known_facts(self._store, scope, exchange.response)
            now = self._clock.now()
            chosen = mode if mode is not None else own_mode
            fresh = await run_in_thread(
                partial(quality_of, scope, exchange, facts, mode=chosen, now=now)
            )
            written = await self._written(scope, exchange, partial(rescored, fresh=fresh))
            if written is not None:
                return written
        raise ConflictError(f"the response {fresh.message_id!r} goes on changing; try again")

    async def resolve(
        self,
        scope: Scope,
        message_id: str,
        reply: str,
        session_id: str | None,
        replied_at: datetime | None,
        said_at: datetime | None,
    ) -> Quality:
        """Score how the user took a response; one that was not scored is scored first.

        Args:
            scope: Whose.
            message_id: The response, by its record's id or the caller's.
            reply: What the user said next.
            session_id: Where.
            replied_at: When; None = now.
            said_at: When the response was given; None = as it is stored.
        """
        book = await self._store.derived.book(scope)
        exchange, known = await self._known(scope, book, message_id, session_id)
        now = self._clock.now()
        at = now if replied_at is None else replied_at
        begun = known.at if said_at is None else said_at
        prompt = "" if exchange is None else exchange.prompt
        record = replied(
            known,
            strip_memory(reply),
            prompt=prompt,
            delay_s=(at - begun).total_seconds(),
            at=at,
        )
        plan = partial(resolved, message_id=known.message_id, reply=record)
        written = await self._written(scope, exchange, plan)
        if written is None:
            raise ConflictError(f"the response {message_id!r} was changed meanwhile; try again")
        return written

    async def stats(self, scope: Scope, since: datetime | None) -> QualityStats:
        """The numbers, with the replies that have come meanwhile in open sessions."""
        await self.settle_open(scope)
        book = await self._store.derived.book(scope)
        return stats_of(one for one in book.of(Quality) if since is None or one.at >= since)

    async def page(self, scope: Scope, *, limit: int, cursor: str | None) -> Page[Quality]:
        """The scores of all responses, oldest first, a page at a time."""
        book = await self._store.derived.book(scope)
        return page_of(book.of(Quality), limit, cursor)

    async def settle_open(self, scope: Scope) -> int:
        """Score the replies to what was scored in open sessions. Gives how many there were.

        Sessions that have ended are settled by their digest.
        """
        book = await self._store.derived.book(scope)
        waiting = [one for one in book.of(Quality) if one.interaction_vitality is None]
        waiting.sort(key=lambda one: one.at, reverse=True)
        names = dict.fromkeys(one.session_id for one in waiting if one.session_id is not None)
        ids = {one.message_id for one in waiting}
        exchanges: list[Exchange] = []
        for name in [*names][:_OPEN_SESSIONS]:
            session = await self._store.sessions.find(scope, name)
            if session is not None and session.ended_at is None:
                exchanges += exchanges_of(await self._messages(scope, name, _OPEN_TURNS))
        replied_to = [e for e in exchanges if e.reply is not None and e.response.id in ids]
        if not replied_to:
            return 0
        now = self._clock.now()
        plan = partial(replies_to, exchanges=replied_to, now=now)
        return len((await self._store.derived.change(scope, plan, now)).put)

    async def _exchange(
        self, scope: Scope, message_id: str | None, content: str | None, session_id: str | None
    ) -> tuple[Exchange, str | None]:
        stored = None
        if message_id is not None:
            stored = (await self._store.messages.many(scope, [message_id])).get(message_id)
        name = stored.session_id if stored is not None else session_id
        if name is None:
            session = await self._store.sessions.newest_open(scope, None)
        else:
            session = await self._store.sessions.find(scope, name)
        messages = [] if session is None else await self._messages(scope, session.id, _ALL)
        found = _response(messages, message_id, content)
        is_unstored = found is None
        if found is None:
            if content is None:
                raise NotFoundError(f"there is no message {message_id!r} of this user")
            name = None if session is None else session.id
            found = self._unstored(scope, message_id, content, name)
            messages = [*messages, found]
        if found.role is not Role.ASSISTANT:
            raise InvalidInputError(
                f"the message {found.id!r} is the {found.role}'s; only responses of the assistant "
                "are scored"
            )
        exchange = next((e for e in exchanges_of(messages) if e.response.id == found.id), None)
        if exchange is None:
            raise InvalidInputError("the response is blank; there is nothing to score")
        exchange = replace(exchange, is_unstored=is_unstored)
        return exchange, None if session is None else session.mode

    async def _known(
        self, scope: Scope, book: DerivedBook, message_id: str, session_id: str | None
    ) -> tuple[Exchange | None, Quality]:
        """The scores of a response, and what was said around it if it is stored."""
        known = book.in_slot(Quality, message_id)
        if known is not None and known.session_id is None:
            return None, known
        try:
            exchange, _ = await self._exchange(scope, message_id, None, session_id)
        except NotFoundError:
            if known is None:
                raise
            return None, known
        known = book.in_slot(Quality, exchange.response.id)
        if known is None:
            known = await self.score(scope, exchange.response.id, None, session_id, None)
        return exchange, known

    def _unstored(
        self, scope: Scope, message_id: str | None, content: str, session_id: str | None
    ) -> Message:
        now = self._clock.now()
        return Message(
            id=message_id or self._ids.new(),
            user_id=scope.user_id,
            session_id=session_id or "",
            role=Role.ASSISTANT,
            text=content,
            timestamp=now,
            recorded_at=now,
        )

    async def _messages(self, scope: Scope, session_id: str, limit: int) -> list[Message]:
        return await self._store.sessions.tail(scope, session_id, limit)

    async def _written(
        self, scope: Scope, exchange: Exchange | None, plan: DerivedPlanner
    ) -> Quality | None:
        """Write a score; None if a message that it rests on was changed meanwhile."""
        seen = () if exchange is None else exchange.stored

        def planned(book: DerivedBook) -> DerivedPlan:
            return replace(plan(book), seen=seen)

        written = await self._store.derived.change(scope, planned, self._clock.now())
        return next((one for one in written.put if isinstance(one, Quality)), None)


def _response(
    messages: Sequence[Message], message_id: str | None, content: str | None
) -> Message | None:
    """The message that is meant: by its ids, else the last response with the text."""
    if message_id is not None:
        named = (m for m in messages if message_id in (m.id, m.message_id))
        return next(named, None)
    said = (m for m in reversed(messages) if m.role is Role.ASSISTANT and m.text == content)
    return next(said, None)
