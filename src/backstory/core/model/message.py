"""Messages: what was said, by whom, when."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from backstory.core.model.record import Record
from backstory.core.model.sentiment import Sentiment


class Role(StrEnum):
    """Who speaks in a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, kw_only=True)
class Message(Record):
    """A stored message.

    Attributes:
        id: The record's id in this store.
        session_id: The conversation it belongs to.
        text: What was said; the text parts of a content list, in order.
        speaker: The name of who spoke, if one was given.
        message_id: The caller's own id, unique in (tenant, user, session), if one was given.
        timestamp: When it was said (aware, UTC). An import keeps its own.
        recorded_at: When this store committed it (aware, UTC).
        known_from: Of a bulk import: its timestamp; ``known_at`` compares with it.
        updated_at: When it was last edited, or None.
        metadata: The caller's own JSON data.
        notes: What of the content was not kept as text ("image part skipped").
        created: False if an earlier call had already stored it.
        sentiment: What was felt in it, or None if that was not read.
    """

    id: str
    user_id: str
    session_id: str
    role: Role
    text: str
    timestamp: datetime
    recorded_at: datetime
    speaker: str | None = None
    agent_id: str | None = None
    message_id: str | None = None
    known_from: datetime | None = None
    updated_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    created: bool = True
    sentiment: Sentiment | None = None

    def own(self) -> "Message":
        """The same message with metadata of its own, which its holder may change."""
        metadata = deepcopy(self.metadata) if self.metadata else {}
        # not ``replace``, which takes ten times as long: a search makes dozens
        made = object.__new__(Message)
        made.__dict__.update(self.__dict__, metadata=metadata)
        return made


@dataclass(frozen=True, kw_only=True)
class MessageRevision(Record):
    """One version of a message: its text and metadata, and while when it was the current one."""

    message_id: str
    text: str
    metadata: Mapping[str, Any]
    recorded_at: datetime
    replaced_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class MessageDraft:
    """A message that was read from the caller's input and is not stored yet.

    Attributes:
        said_locally: Its time in the zone that the caller gave with it; None if that was UTC.
    """

    role: Role
    text: str
    speaker: str | None = None
    message_id: str | None = None
    timestamp: datetime | None = None
    said_locally: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
