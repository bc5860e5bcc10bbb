"""Sessions: one conversation each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class SessionInfo(Record):
    """A stored session.

    Attributes:
        id: The caller's session id, or one that was made.
        started_at: The time of its first message.
        last_received_at: When this store last received a message of it (the server's clock).
        ended_at: The time of its last message once it has ended, else None.
        messages: How many messages it holds.
    """

    id: str
    user_id: str
    started_at: datetime
    last_received_at: datetime
    ended_at: datetime | None = None
    agent_id: str | None = None
    mode: str | None = None
    speaker: str | None = None
    channel: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    messages: int = 0


@dataclass(frozen=True, kw_only=True)
class SessionLabel:
    """What a caller says about a session when it is opened; None leaves a stored value as it is.

    Attributes:
        bulk: Its messages are an import of what was said earlier: they keep their own times, also
            as the time when they were known.
    """

    agent_id: str | None = None
    mode: str | None = None
    speaker: str | None = None
    channel: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    bulk: bool = False


@dataclass(frozen=True, kw_only=True)
class UserInfo(Record):
    """A user of a tenant, and how much is stored for them."""

    user_id: str
    sessions: int
    messages: int
    first_at: datetime | None
    last_at: datetime | None
