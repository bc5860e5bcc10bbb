"""The calls that remember."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backstory.api.aio_opened import _Opened
from backstory.api.aio_session import AsyncSession
from backstory.api.inputs import messages_of, seconds_of
from backstory.core.content import read_metadata, read_name
from backstory.core.identity import check_optional_id
from backstory.core.model.moving import Progress
from backstory.core.model.results import AddResult, FlushResult
from backstory.core.model.session import SessionLabel
from backstory.errors import InvalidInputError


class _Writing(_Opened):
    """The way in."""

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
                the import takes. Messages keep their own timestamps, and what is read in them
                counts as known since then (``known_at``). A model reads several sessions in one
                call. The price: no feelings are read, so an imported history has no emotional
                moments, and nothing is held against facts because of what somebody did then.

        Raises:
            InvalidInputError: An id or the metadata cannot be accepted.
        """
        label = SessionLabel(
            agent_id=check_optional_id(agent_id, "agent_id"),
            mode=read_name(mode, "mode"),
            speaker=read_name(speaker, "speaker"),
            channel=read_name(channel, "channel"),
            metadata=read_metadata(metadata),
            bulk=bulk_import,
        )
        name = check_optional_id(session_id, "session_id") or self._ids.new()
        return AsyncSession(self, self._scope(user_id), name, label)

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
            infer: Whether facts and feelings are read in them; without, they are kept as messages.

        Returns:
            What was stored. Blank messages are skipped and listed in ``rejected``. Without a
            model, ``facts`` is what the rules read; a model reads in the background (``flush``).

        Raises:
            InvalidInputError: A message cannot be accepted, or all are blank; nothing was stored.
            ConflictError: A message id is taken by other content; nothing was stored.
        """
        if session_id is not None and run_id is not None and session_id != run_id:
            raise InvalidInputError("session_id and run_id name the same thing; give one of them")
        drafts = messages_of(messages, metadata)
        label = SessionLabel(
            agent_id=check_optional_id(agent_id, "agent_id"), speaker=read_name(speaker, "speaker")
        )
        name = check_optional_id(session_id if session_id is not None else run_id, "session_id")
        scope = self._scope(user_id)
        services = await self._open()
        return await services.ingest.add(scope, name, label, drafts, infer=infer)

    async def flush(
        self,
        user_id: str | None = None,
        timeout_s: float = 60.0,
        *,
        progress: Progress | None = None,
    ) -> FlushResult:
        """Read and embed everything that is pending now, of one user or of all.

        Args:
            user_id: Whose; None = everyone's of this tenant.
            timeout_s: Seconds it may take; what is left then is reported as pending.
            progress: Called with how many messages were read, and how many there were to read, as
                a model gets on with them.

        Returns:
            What was done. A failed message is reported, not raised, and stays pending; so does a
            reading that failed.
        """
        scope = None if user_id is None else self._scope(user_id)
        limit = seconds_of(timeout_s)
        services = await self._open()
        return await services.flushing.flush(scope, self._settings.tenant, limit, progress)
