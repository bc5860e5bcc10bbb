"""The face of the library, asynchronous. ``blocking.py`` is generated from this file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import PurePath
from types import TracebackType
from typing import Any, Literal, Self

from backstory.api.inputs import (
    DEFAULT_MAX_TOKENS,
    UNSET,
    Unset,
    messages_of,
    open_settings,
    recall_of,
    seconds_of,
    sources_of,
    zone_of,
)
from backstory.bootstrap import (
    Services,
    open_services,
    system_clock,
    system_ids,
    token_counter,
)
from backstory.core.content import draft, read_metadata, read_name
from backstory.core.filters import parse_filter
from backstory.core.identity import check_id, check_optional_id, check_scope
from backstory.core.model.context import Context
from backstory.core.model.message import Message, MessageRevision
from backstory.core.model.recall import Hits, Recall
from backstory.core.model.results import AddResult, DeleteResult, DoctorReport, FlushResult, Page
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo, SessionLabel, UserInfo
from backstory.core.text import clean
from backstory.core.times import parse_instant
from backstory.errors import ClosedError, InvalidInputError
from backstory.ports.clock import Clock
from backstory.ports.embedder import Embedder
from backstory.ports.ids import Ids
from backstory.services.requests import Question, Request
from backstory.settings import Settings


class AsyncMemory:
    """A memory: it remembers what is said, and recalls what matters.

    Made in one event loop, it is used in that loop. It opens at the first call, or with
    ``async with``, which also closes it.

    Args:
        url: A path, ``":memory:"`` or ``"postgresql://…"``; None = ``memory.db`` in the user's
            data folder (the setting ``home``).
        embedder: "local" (carried by the package), "provider:model", None for keywords only, or
            an object of the Embedder port.
        tenant: The tenant that every call belongs to; None = the setting.
        settings: All other settings; None = from the environment (``BACKSTORY_<NAME>``).
        clock: Another source of the time, for tests.
        ids: Another source of record ids, for tests.

    Raises:
        ConfigurationError: A setting cannot be used.
    """

    def __init__(
        self,
        url: str | PurePath | None = None,
        *,
        embedder: str | Embedder | Unset | None = UNSET,
        tenant: str | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
    ) -> None:
        self._settings, self._embedder = open_settings(url, embedder, tenant, settings)
        self._clock = clock or system_clock()
        self._ids = ids or system_ids()
        self._services: Services | None = None
        self._counters: dict[str, Callable[[str], int]] = {}
        self._opening = asyncio.Lock()
        self._closed = False

    @classmethod
    def from_config(cls, config: Mapping[str, Any] | str | PurePath) -> Self:
        """Make a memory of a dict, or of a TOML file; see the table of settings.

        Raises:
            ConfigurationError: The file cannot be read, a name is unknown or a value is wrong.
        """
        return cls(settings=Settings.from_config(config))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._settings.location.kind}>"

    async def __aenter__(self) -> Self:
        await self._open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def _open(self, *, may_upgrade: bool = False) -> Services:
        if self._services is not None:
            return self._services
        if self._closed:
            raise ClosedError
        async with self._opening:
            if self._services is None:
                self._services = await open_services(
                    self._settings,
                    embedder=self._embedder,
                    clock=self._clock,
                    ids=self._ids,
                    may_upgrade=may_upgrade or self._settings.auto_migrate,
                )
                if self._settings.background:
                    self._services.background.start()
        return self._services

    def _scope(self, user_id: object) -> Scope:
        return Scope(self._settings.tenant, check_scope(self._settings.tenant, user_id))

    async def close(self) -> None:
        """End background work and give the database back. Calling it twice is allowed."""
        self._closed = True
        services, self._services = self._services, None
        if services is not None:
            await services.close()

    async def upgrade(self) -> str:
        """Bring the store's tables to this version's schema, also where ``auto_migrate`` is off.

        Returns:
            The schema version that the store has now.

        Raises:
            SchemaVersionError: The store is of a newer version; nothing was changed.
        """
        services = await self._open(may_upgrade=True)
        facts = await services.store.check()
        return str(facts["schema"])

    # ------------------------------------------------------------------ in

    def session(
        self,
        *,
        user_id: str,
        session_id: str | None = None,
        agent_id: str | None = None,
        mode: str | None = None,
        speaker: str | None = None,
        channel: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        bulk_import: bool = False,
    ) -> AsyncSession:
        """Give a handle on a conversation: a new one, or the one that ``session_id`` names.

        As a context manager it ends the session when the block is left. Nothing is stored before
        the first message.

        Args:
            user_id: Whose conversation it is.
            session_id: Names it; None makes a new id.
            agent_id: Which agent talks; a label and a filter.
            mode: A label, such as "voice".
            speaker: The user's name; it marks the user's messages that name no speaker.
            channel: A label, such as "telegram".
            metadata: JSON data, merged into what is stored.
            bulk_import: For past conversations: the handle keeps the session open however long
                the import takes. Messages keep their own timestamps.

        Raises:
            InvalidInputError: An id or the metadata cannot be accepted.
        """
        label = SessionLabel(
            agent_id=check_optional_id(agent_id, "agent_id"),
            mode=read_name(mode, "mode"),
            speaker=read_name(speaker, "speaker"),
            channel=read_name(channel, "channel"),
            metadata=read_metadata(metadata),
        )
        name = check_optional_id(session_id, "session_id") or self._ids.new()
        return AsyncSession(self, self._scope(user_id), name, label, held=bulk_import)

    async def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
        *,
        user_id: str,
        session_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        speaker: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
    ) -> AddResult:
        """Remember one message or several, in one transaction.

        Args:
            messages: Text (the user's), a dict with role and content, or a list of these, as
                chat APIs use them: content may be a list of parts, tool calls and results are
                read. Also understood: id or message_id, name or speaker, timestamp, metadata.
            user_id: Whose memory it is.
            session_id: The conversation; None = the user's open one, else a new one.
            agent_id: Which agent talks.
            run_id: Another name of ``session_id``.
            speaker: The user's name.
            metadata: Added to each message's own.
            infer: Accepted so that calls written for mem0 run. Messages are kept as they are;
                nothing is inferred from them in this version.

        Returns:
            What was stored. Blank messages are skipped and listed in ``rejected``.

        Raises:
            InvalidInputError: A message cannot be accepted, or all are blank; nothing was stored.
            ConflictError: A message id is taken by other content; nothing was stored.
        """
        del infer  # there is nothing to infer yet
        if session_id is not None and run_id is not None and session_id != run_id:
            raise InvalidInputError("session_id and run_id name the same thing; give one of them")
        drafts = messages_of(messages, metadata)
        label = SessionLabel(
            agent_id=check_optional_id(agent_id, "agent_id"), speaker=read_name(speaker, "speaker")
        )
        name = check_optional_id(session_id if session_id is not None else run_id, "session_id")
        scope = self._scope(user_id)
        services = await self._open()
        return await services.ingest.add(scope, name, label, drafts)

    async def flush(self, user_id: str | None = None, timeout_s: float = 60.0) -> FlushResult:
        """Make all pending vectors now, of one user or of all.

        Args:
            user_id: Whose; None = everyone's of this tenant.
            timeout_s: Seconds it may take; what is left then is reported as pending.

        Returns:
            What was done. A failed message is reported, not raised, and stays pending.
        """
        scope = None if user_id is None else self._scope(user_id)
        limit = seconds_of(timeout_s)
        services = await self._open()
        return await services.vectors.flush(scope, self._settings.tenant, limit)

    # ------------------------------------------------------------------ out

    async def search(
        self,
        query: str,
        *,
        user_id: str,
        kind: Literal["all", "messages"] = "all",
        top_k: int | None = None,
        threshold: float | None = None,
        recall: Recall | None = None,
        exclude_session_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        explain: bool = False,
    ) -> Hits:
        """Find what a user's memory holds about something.

        Args:
            query: A question or some words; it is data, never query syntax.
            user_id: Whose memory is searched.
            kind: What to look for; messages are all there is in this version.
            top_k: How many hits, 1 to 10,000; None = ``recall.top_k``, else 10.
            threshold: Least raw cosine, 0 to 1; a message that holds a word of the query passes.
            recall: Overrides of the defaults of recall.
            exclude_session_id: Leaves one session out.
            filters: Conditions, applied before the cut to ``top_k``; see ``parse_filter``.
            explain: Whether each hit says why it is there.

        Returns:
            Hits, best first, ``top_k`` of them whenever so many messages pass the filters and no
            threshold is set. None for a blank query. ``degraded`` says what was missing.

        Raises:
            InvalidInputError: An argument is outside its range.
        """
        if kind not in {"all", "messages"}:
            raise InvalidInputError(f"kind must be 'all' or 'messages', not {kind!r}")
        if not isinstance(query, str):
            raise InvalidInputError(f"query must be text, not {type(query).__name__}")
        chosen = recall_of(recall, top_k, threshold)
        request = Request(
            scope=self._scope(user_id),
            query=clean(query),
            top_k=chosen.top_k or 10,
            threshold=chosen.threshold,
            window=chosen.window,
            keyword=chosen.keyword,
            dense=chosen.dense,
            conditions=parse_filter(filters),
            exclude_session_id=check_optional_id(exclude_session_id, "exclude_session_id"),
            explain=explain,
        )
        services = await self._open()
        return await services.recall.search(request)

    async def context(
        self,
        user_id: str,
        query: str | None = None,
        *,
        max_tokens: int | None = None,
        session_id: str | None = None,
        sources: Sequence[str] | None = None,
        recall: Recall | None = None,
        count_tokens: str | Callable[[str], int] | None = None,
        filters: Mapping[str, Any] | None = None,
        now: datetime | str | None = None,
        timezone: str | tzinfo = "UTC",
        timeout_s: float = 5.0,
    ) -> Context:
        """Build the memory block for a prompt, never larger than its budget.

        Args:
            user_id: Whose memory it is.
            query: What the answer is about, usually the user's last message; None or blank =
                only this conversation's turns.
            max_tokens: The budget, 0 or more: ``count_tokens(context.text) <= max_tokens``,
                headings included. None = 2,000.
            session_id: The current conversation. Its turns then come from the recent turns only,
                never from recall. None = the user's open one.
            sources: Which sources to ask, by name ("recalled", "recent"); None = all.
            recall: Overrides of the defaults of recall.
            count_tokens: A counter's name (see the setting ``token_counter``) or a function from
                text to int; None = the setting.
            filters: Conditions on recalled messages.
            now: The time of asking; None = now. It shows as a date: the text is the same all day.
            timezone: Dates are shown in it: an IANA name or a tzinfo.
            timeout_s: Time limit of each source; one that is late costs only its section.

        Raises:
            InvalidInputError: An argument is outside its range.
            BudgetError: The counter counts the empty text above the budget.
        """
        zone = await zone_of(timezone)
        moment = self._clock.now() if now is None else parse_instant(now, "now")
        counter = await self._counter(count_tokens or self._settings.token_counter)
        chosen = recall_of(recall, None, None)
        scope = self._scope(user_id)
        conditions = parse_filter(filters)
        limit = seconds_of(timeout_s)
        named = check_optional_id(session_id, "session_id")
        if query is not None and not isinstance(query, str):
            raise InvalidInputError(f"query must be text, not {type(query).__name__}")
        services = await self._open()
        names = sources_of(sources, services.context.names)
        session = named
        if session is None and "recent" in names:
            newest = await services.store.sessions.newest_open(scope, None)
            session = newest.id if newest else None
        question = Question(
            scope=scope,
            query=None if query is None else clean(query),
            recall=chosen,
            conditions=conditions,
            session_id=session,
            session_named=named is not None,
            timezone=zone,
        )
        return await services.context.build(
            question,
            max_tokens=DEFAULT_MAX_TOKENS if max_tokens is None else max_tokens,
            count=counter,
            names=names,
            timeout_s=limit,
            today=moment.astimezone(zone).date(),
        )

    async def _counter(self, spec: str | Callable[[str], int]) -> Callable[[str], int]:
        if not isinstance(spec, str):
            return token_counter(spec)
        if spec not in self._counters:
            # in a thread: it may read a tokenizer's file
            self._counters[spec] = await asyncio.to_thread(token_counter, spec)
        return self._counters[spec]

    # ------------------------------------------------------------------ records

    async def get(self, id: str, *, user_id: str | None = None) -> Message:
        """Give one record.

        Args:
            id: The record's id.
            user_id: When given, a record of another user is "not found".

        Raises:
            NotFoundError: There is no such record in this scope.
        """
        services = await self._open()
        return await services.curation.get(check_id(id, "id"), self._optional_user(user_id))

    async def get_all(
        self,
        *,
        user_id: str,
        kind: Literal["messages"] = "messages",
        session_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Message]:
        """List records in order of recording, a page at a time.

        Args:
            user_id: Whose.
            kind: What to list; messages are all there is in this version.
            session_id: Only this conversation.
            filters: Conditions; see ``parse_filter``.
            limit: Most records of one page, 1 or more; there is no upper bound.
            cursor: ``next_cursor`` of the page before.

        Raises:
            InvalidInputError: The limit, cursor or a filter cannot be used.
        """
        if kind != "messages":
            raise InvalidInputError(f"kind must be 'messages', not {kind!r}")
        scope = self._scope(user_id)
        name = check_optional_id(session_id, "session_id")
        services = await self._open()
        return await services.curation.page(
            scope, session_id=name, filters=filters, limit=limit, cursor=cursor
        )

    async def update(
        self,
        id: str,
        *,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> Message:
        """Change a message; its vector and words are made anew, the old version is kept.

        Args:
            id: The record's id.
            text: The new text.
            metadata: Merged: a key that is named is replaced, the others stay.
            user_id: When given, a record of another user is "not found".

        Raises:
            NotFoundError: There is no such record in this scope.
            InvalidInputError: The text is blank, or nothing is given to change.
        """
        services = await self._open()
        user = self._optional_user(user_id)
        return await services.curation.update(check_id(id, "id"), user, text, metadata)

    async def delete(self, id: str, *, user_id: str | None = None) -> None:
        """Delete a message with its vector, words and history.

        Args:
            id: The record's id.
            user_id: When given, a record of another user is "not found".

        Raises:
            NotFoundError: There is no such record in this scope, or not any more.
        """
        services = await self._open()
        await services.curation.delete(check_id(id, "id"), self._optional_user(user_id))

    async def delete_all(
        self, *, user_id: str | None = None, session_id: str | None = None
    ) -> DeleteResult:
        """Delete all messages of a user, or one of the user's sessions.

        Raises:
            InvalidInputError: No user is named: everything is never deleted at once.
        """
        if user_id is None:
            raise InvalidInputError("delete_all() needs a user_id; it never deletes everyone")
        scope = self._scope(user_id)
        name = check_optional_id(session_id, "session_id")
        services = await self._open()
        return await services.curation.delete_all(scope, name)

    async def history(self, id: str, *, user_id: str | None = None) -> list[MessageRevision]:
        """Give all versions of a message, oldest first; the last one is current.

        Raises:
            NotFoundError: There is no such record in this scope.
        """
        services = await self._open()
        return await services.curation.history(check_id(id, "id"), self._optional_user(user_id))

    def _optional_user(self, user_id: str | None) -> str | None:
        return None if user_id is None else self._scope(user_id).user_id

    # ------------------------------------------------------------------ overview

    async def users(self) -> list[UserInfo]:
        """List the users of this tenant, by id."""
        services = await self._open()
        return await services.store.sessions.users(self._settings.tenant)

    async def sessions(self, user_id: str) -> list[SessionInfo]:
        """List a user's sessions, oldest first."""
        scope = self._scope(user_id)
        services = await self._open()
        await services.background.end_sessions()
        return await services.store.sessions.sessions(scope)

    async def doctor(self) -> DoctorReport:
        """Say what works, what is missing and how to fix it. Changes nothing."""
        services = await self._open()
        return await services.doctor.examine()


class AsyncSession:
    """A handle on one conversation, from ``memory.session(…)``."""

    def __init__(
        self, memory: AsyncMemory, scope: Scope, name: str, label: SessionLabel, *, held: bool
    ) -> None:
        self._memory = memory
        self._scope = scope
        self._name = name
        self._label = label
        self._wants_hold = held
        self._holding = False

    @property
    def id(self) -> str:
        """The session's id."""
        return self._name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name}>"

    async def __aenter__(self) -> Self:
        self._wants_hold = True
        await self._ready()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.end()

    async def _ready(self) -> Services:
        services = await self._memory._open()
        if self._wants_hold and not self._holding:
            services.held.hold(self._name)
            self._holding = True
        return services

    async def add(
        self,
        role: str,
        content: str | Sequence[Any] | Mapping[str, Any],
        *,
        message_id: str | None = None,
        speaker: str | None = None,
        timestamp: datetime | str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Message:
        """Remember one message; it is durable when this returns.

        Args:
            role: "user", "assistant", "system" or "tool".
            content: Text, or a list of parts of which the text parts are read.
            message_id: Your id, unique in this session: adding the same message again gives the
                stored one, with ``created`` False.
            speaker: Who speaks, by name.
            timestamp: When it was said; aware, or ISO 8601 text with a zone. None = now.
            metadata: JSON data of yours.

        Raises:
            InvalidInputError: The message is blank or cannot be accepted; nothing was stored.
            ConflictError: The message id is taken by other content.
        """
        message = draft(
            role,
            content,
            message_id=message_id,
            speaker=speaker,
            timestamp=timestamp,
            metadata=metadata,
        )
        services = await self._ready()
        result = await services.ingest.add(self._scope, self._name, self._label, [message])
        return result.messages[0]

    async def add_many(
        self, messages: Sequence[str | Mapping[str, Any]], *, speaker: str | None = None
    ) -> AddResult:
        """Remember several messages in one transaction; shapes as in ``AsyncMemory.add``.

        Raises:
            InvalidInputError: A message cannot be accepted, or all are blank; nothing was stored.
            ConflictError: A message id is taken by other content; nothing was stored.
        """
        drafts = messages_of(messages, None)
        label = self._label
        if speaker is not None:
            label = replace(label, speaker=read_name(speaker, "speaker"))
        services = await self._ready()
        return await services.ingest.add(self._scope, self._name, label, drafts)

    async def end(self) -> None:
        """End the session at the time of its last message. Adding again reopens it."""
        services = await self._ready()
        if self._holding:
            services.held.release(self._name)
            self._holding = False
        self._wants_hold = False
        await services.store.sessions.end(self._scope, self._name)
