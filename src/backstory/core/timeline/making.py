"""The records that are made of the events found in messages."""

from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b
from typing import Final

from backstory.core.model.derived import Event
from backstory.core.model.fact import Evidence
from backstory.core.model.found import FoundEvent

RULES: Final = "rules"
_ID_BYTES: Final = 16


def made_events(
    found: Iterable[FoundEvent],
    user_id: str,
    now: datetime,
    *,
    is_known_since_said: bool = False,
    made_by: str = RULES,
) -> list[Event]:
    """Make the records of what was found.

    Their ids follow from the message and the place in it: the same message read again gives the
    same ids, so that a record takes the place of its earlier version.

    Args:
        found: The events; those of one message have different places.
        user_id: Whose.
        now: Stands for the time of recording, which the store sets.
        is_known_since_said: They are of a bulk import.
        made_by: "rules", or "model:NAME".
    """
    return [
        Event(
            id=event_id(one.message_id, one.place),
            user_id=user_id,
            at=one.said_at,
            recorded_at=now,
            known_from=one.said_at if is_known_since_said else None,
            session_id=one.session_id,
            evidence=(Evidence(message_id=one.message_id, quote=one.quote),),
            subject=one.subject,
            predicate=one.predicate,
            occurred_on=one.occurred_on,
            precision=one.precision,
            expression=one.expression,
            made_by=made_by,
        )
        for one in found
    ]


def event_id(message_id: str, place: int) -> str:
    """The id of the event at a place of a message."""
    named = f"event\0{message_id}\0{place}".encode("utf-8", "surrogatepass")
    return blake2b(named, digest_size=_ID_BYTES).hexdigest()


def message_of(event: Event) -> str | None:
    """The id of the message that tells of an event."""
    return event.evidence[0].message_id if event.evidence else None
