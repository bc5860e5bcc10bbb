"""Finds events in messages whose time comes with a zone of its own.

Only the instant of a message is stored. "yesterday" is seen from the date where it was said, so
what such a message tells is found as it comes in, and keeps its date when the session is read.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.fence import strip_memory
from backstory.core.model.derived import Event
from backstory.core.model.fact import USER
from backstory.core.model.message import Role
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.core.secrets import redact
from backstory.core.timeline.making import made_events
from backstory.language.dates import may_have_date
from backstory.ports.store import NewMessage
from backstory.services.timeline.digesting import INLINE_CHARS, EventFinder
from backstory.threads import run_in_thread


class ArrivingEvents:
    """Reads messages before they are stored.

    Args:
        find: Reads one message.
        redaction: Whether secrets are masked.
    """

    def __init__(self, find: EventFinder, *, redaction: bool) -> None:
        self._find = find
        self._redaction = redaction

    async def with_events(
        self, scope: Scope, messages: Sequence[NewMessage], label: SessionLabel, now: datetime
    ) -> Sequence[NewMessage]:
        """The messages, those that were said in a zone of their own with their events."""
        local = [message for message in messages if message.draft.said_locally is not None]
        if not local:
            return messages

        def each() -> list[NewMessage]:
            return [self._read(scope, message, label, now) for message in messages]

        if sum(len(message.draft.text) for message in local) < INLINE_CHARS:
            return each()
        return await run_in_thread(each)

    def _read(
        self, scope: Scope, message: NewMessage, label: SessionLabel, now: datetime
    ) -> NewMessage:
        draft = message.draft
        if draft.said_locally is None or draft.role is not Role.USER:
            return message
        if not may_have_date(draft.text):
            return message
        text = strip_memory(draft.text)
        if self._redaction:
            text = redact(text).text
        another = draft.speaker and label.speaker and draft.speaker != label.speaker
        found = self._find(
            text,
            draft.said_locally,
            subject=draft.speaker or USER if another else USER,
            message_id=message.id,
        )
        events: list[Event] = made_events(found, scope.user_id, now, is_known_since_said=label.bulk)
        return replace(message, derived=(*message.derived, *events)) if events else message
