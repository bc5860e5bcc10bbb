"""The handle on one conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from backstory.api.aio_opened import _Opened
from backstory.api.inputs import messages_of
from backstory.bootstrap import Services
from backstory.core.content import draft, read_name
from backstory.core.model.message import Message
from backstory.core.model.results import AddResult
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel


class AsyncSession:
    """A handle on one conversation, from ``memory.session(…)``."""

    def __init__(self, memory: _Opened, scope: Scope, name: str, label: SessionLabel) -> None:
        self._memory = memory
        self._scope = scope
        self._name = name
        self._label = label
        self._wants_hold = label.bulk
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
            services.held.hold(self._scope, self._name)
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
                stored one, with ``created`` False. The same means role, speaker and text as first
                added, whatever ``update`` made of it since.
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
            services.held.release(self._scope, self._name)
            self._holding = False
        self._wants_hold = False
        await services.store.sessions.end(self._scope, self._name)
        services.background.wake()
