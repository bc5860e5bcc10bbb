"""What is written into the store: messages, their sessions, and edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from backstory.core.model.message import Message, MessageDraft
from backstory.core.model.sentiment import Sentiment
from backstory.core.model.session import SessionLabel
from backstory.ports.pending import Pending

if TYPE_CHECKING:
    from backstory.core.model.derived import Derived
    from backstory.ports.at_once import ReadDone


@dataclass(frozen=True, kw_only=True)
class NewMessage:
    """A message to be recorded.

    Attributes:
        id: The record id it gets if it is new.
        draft: What was said; its timestamp is set.
        terms: Its hashed words, little-endian uint32.
        terms_version: The version of the code that made them.
        needs_reading: Whether a reader has to look at it.
        sentiment: What was felt in it, or None.
        derived: Records that were read of it, written with it if it is new; one that names no
            session gets that of the message.
    """

    id: str
    draft: MessageDraft
    terms: bytes
    terms_version: int
    needs_reading: bool = True
    sentiment: Sentiment | None = None
    derived: tuple[Derived, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SessionRequest:
    """Which session messages go to.

    Attributes:
        name: The caller's session id; None = the newest open session of this user and agent that
            has not timed out, else a new one.
        new_id: Names the session if one must be made.
        timeout: A session without a message for this long is over.
        held: Ids of sessions that a live handle holds open; they do not time out.
    """

    name: str | None
    new_id: str
    label: SessionLabel = field(default_factory=SessionLabel)
    timeout: timedelta
    held: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """What was recorded: the messages in the order given, and their session's id.

    Attributes:
        read: What was read of them in the same transaction; None if nothing was: then those that
            need a reader are unread.
    """

    session_id: str
    messages: tuple[Message, ...]
    read: ReadDone | None = None


@dataclass(frozen=True, kw_only=True)
class MessageEdit:
    """New text or metadata of a message, with what belongs to the text; see ``NewMessage``.

    What was read of the text before is withdrawn. If the text is the same, only the metadata
    counts.
    """

    text: str
    metadata: Mapping[str, Any]
    terms: bytes
    terms_version: int
    needs_reading: bool = True
    sentiment: Sentiment | None = None
    derived: tuple[Derived, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Edited:
    """A message after an edit, and what to embed if its text changed."""

    message: Message
    pending: Pending | None
