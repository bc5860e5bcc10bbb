"""The time zone that a message was written in: its date there is the "today" of its words."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from backstory.core.model.message import Message
from backstory.core.model.session import SessionInfo

KEY: Final = "timezone"
"""In the metadata of a message or of its session: an IANA name, or an offset such as "+05:45"."""
_OFFSET: Final = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?")
_LAST_OFFSET: Final = timedelta(hours=24)


def said_locally(message: Message, session: SessionInfo) -> datetime:
    """The time of a message in the zone that it, or else its session, names; else in UTC."""
    for metadata in (message.metadata, session.metadata):
        zone = named_zone(metadata)
        if zone is not None:
            return in_zone(message.timestamp, zone)
    return message.timestamp


def names_zone(metadata: Mapping[str, Any]) -> bool:
    """Whether metadata names a zone, whose file may have to be read: not in the event loop."""
    return bool(metadata.get(KEY))


def named_zone(metadata: Mapping[str, Any]) -> tzinfo | None:
    """The zone that metadata names; None if there is none, or it is unknown.

    It may read the zone's file.
    """
    name = metadata.get(KEY)
    if not isinstance(name, str) or not name:
        return None
    offset = _OFFSET.fullmatch(name.strip())
    if offset is not None:
        size = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        return timezone(-size if offset[1] == "-" else size) if size < _LAST_OFFSET else None
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def in_zone(instant: datetime, zone: tzinfo) -> datetime:
    """An instant in a zone; at the ends of the calendar, where it has no date there, in UTC."""
    try:
        return instant.astimezone(zone)
    except (OverflowError, ValueError):
        return instant
