"""The calls on single records, and on lists of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from backstory.api.aio_opened import _Opened
from backstory.core.identity import check_id, check_optional_id
from backstory.core.model.message import Message, MessageRevision
from backstory.core.model.results import DeleteResult, DoctorReport, Page
from backstory.core.model.session import SessionInfo, UserInfo
from backstory.errors import InvalidInputError


class _Records(_Opened):
    """Reading and correcting what is stored."""

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
