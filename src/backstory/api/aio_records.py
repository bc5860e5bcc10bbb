"""The calls on single records, and on lists of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, overload

from backstory.api.aio_opened import _Opened
from backstory.api.fact_inputs import limit_of
from backstory.core.facts.correcting import FactChanges
from backstory.core.identity import check_id, check_optional_id
from backstory.core.model.calibration import Calibration
from backstory.core.model.fact import Fact, FactHistory, Profile
from backstory.core.model.message import Message, MessageRevision
from backstory.core.model.results import DeleteResult, DoctorReport, Page
from backstory.core.model.session import SessionInfo, UserInfo
from backstory.core.text import clean
from backstory.errors import InvalidInputError


class _Records(_Opened):
    """Reading and correcting what is stored."""

    async def get(self, id: str, *, user_id: str | None = None) -> Message | Fact:
        """Give one record: a message or a fact.

        Args:
            id: The record's id.
            user_id: When given, a record of another user is "not found".

        Raises:
            NotFoundError: There is no such record in this scope.
        """
        services = await self._open()
        record, user = check_id(id, "id"), self._optional_user(user_id)
        message = await services.curation.find(record, user)
        return message if message is not None else await services.facts.get(record, user)

    async def profile(self, user_id: str) -> Profile:
        """Give what is true of a user now, by category: only facts about the user, no others."""
        scope = self._scope(user_id)
        services = await self._open()
        return await services.facts.profile(scope)

    @overload
    async def get_all(
        self,
        *,
        user_id: str,
        kind: Literal["messages"] = "messages",
        session_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Message]: ...

    @overload
    async def get_all(
        self,
        *,
        user_id: str,
        kind: Literal["facts"],
        session_id: None = None,
        filters: None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Fact]: ...

    async def get_all(
        self,
        *,
        user_id: str,
        kind: Literal["messages", "facts"] = "messages",
        session_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Message] | Page[Fact]:
        """List records in order of recording, a page at a time.

        Args:
            user_id: Whose.
            kind: "messages", or "facts" with all their history.
            session_id: Only this conversation; of messages.
            filters: Conditions on messages; see ``parse_filter``.
            limit: Most records of one page, 1 or more; there is no upper bound.
            cursor: ``next_cursor`` of the page before.

        Raises:
            InvalidInputError: The limit, cursor or a filter cannot be used.
        """
        if kind not in {"messages", "facts"}:
            raise InvalidInputError(f"kind must be 'messages' or 'facts', not {kind!r}")
        scope = self._scope(user_id)
        name = check_optional_id(session_id, "session_id")
        services = await self._open()
        if kind == "facts":
            if name is not None or filters is not None:
                raise InvalidInputError("session_id and filters are of messages; see facts.get()")
            return await services.facts.page(scope, limit=limit_of(limit), cursor=cursor)
        return await services.curation.page(
            scope, session_id=name, filters=filters, limit=limit, cursor=cursor
        )

    @overload
    async def update(self, id: str, *, value: str, user_id: str | None = None) -> Fact: ...

    @overload
    async def update(
        self,
        id: str,
        *,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> Message: ...

    @overload
    async def update(
        self,
        id: str,
        *,
        text: str | None = None,
        value: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> Message | Fact: ...

    async def update(
        self,
        id: str,
        *,
        text: str | None = None,
        value: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> Message | Fact:
        """Change a message or a fact; its vector and words are made anew, the old state is kept.

        A message whose text changes is read anew: facts that came from the old text alone go.

        Args:
            id: The record's id.
            text: The new text of a message.
            value: The right value of a fact; see ``facts.update``.
            metadata: Of a message. Merged: a key that is named is replaced, the others stay.
            user_id: When given, a record of another user is "not found".

        Raises:
            NotFoundError: There is no such record in this scope.
            InvalidInputError: The text is blank, or nothing is given to change.
        """
        record, user = check_id(id, "id"), self._optional_user(user_id)
        services = await self._open()
        if value is None:
            return await services.curation.update(record, user, text, metadata)
        if text is not None or metadata is not None:
            raise InvalidInputError("value is of a fact, text and metadata of a message")
        return await services.facts.update(
            record, user, FactChanges(value=clean(value, "value")), ""
        )

    async def delete(
        self, id: str, *, erase_source: bool = False, user_id: str | None = None
    ) -> None:
        """Delete a message or a fact with its vector, words and history.

        Facts that came from a deleted message alone go with it.

        Args:
            id: The record's id.
            erase_source: Of a fact: whether the messages that it came from are deleted as well.
            user_id: When given, a record of another user is "not found".

        Raises:
            NotFoundError: There is no such record in this scope, or not any more.
        """
        record, user = check_id(id, "id"), self._optional_user(user_id)
        services = await self._open()
        if await services.curation.find(record, user) is not None:
            await services.curation.delete(record, user)
        else:
            await services.facts.delete(record, user, erase_source=erase_source)

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

    async def history(
        self, id: str, *, user_id: str | None = None
    ) -> list[MessageRevision] | FactHistory:
        """Give all versions of a message, oldest first, or the history of a fact's slot.

        Raises:
            NotFoundError: There is no such record in this scope.
        """
        record, user = check_id(id, "id"), self._optional_user(user_id)
        services = await self._open()
        if await services.curation.find(record, user) is not None:
            return await services.curation.history(record, user)
        return await services.facts.history(record, user)

    async def users(self, *, limit: int | None = None, after: str | None = None) -> list[UserInfo]:
        """List the users of this tenant, by id.

        Args:
            limit: Most users, 1 or more; None = all.
            after: Only users whose id comes after this one: the last of the page before.
        """
        most = None if limit is None else limit_of(limit)
        last = check_optional_id(after, "after") or ""
        services = await self._open()
        return await services.store.sessions.users(self._settings.tenant, most, last)

    async def sessions(self, user_id: str) -> list[SessionInfo]:
        """List all of a user's sessions, oldest first."""
        scope = self._scope(user_id)
        services = await self._open()
        await services.background.end_sessions()
        return await services.store.sessions.sessions(scope)

    async def calibrate(self) -> Calibration | None:
        """Measure from which similarity on two texts are related, on the messages that are stored.

        At most 200 queries are made of words of messages and embedded, then compared with messages
        of other users; where there is one user only, of other sessions. The result is kept in
        the store for the embedder in use, until it is measured again.

        Returns:
            The floors that are in force now. With fewer than 1,000 unrelated or 20 related pairs
            nothing changes: what was measured before stays, or what came with the embedder; None
            where there is neither.

        Raises:
            EmbeddingError: The embedder failed, or there is none.
        """
        services = await self._open()
        return await services.calibrating.measure()

    async def doctor(self) -> DoctorReport:
        """Say what works, what is missing and how to fix it. Changes nothing."""
        services = await self._open()
        return await services.doctor.examine()
