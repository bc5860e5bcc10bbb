"""What a reader found in a message, and the records that are made of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import blake2b
from typing import Final

from backstory.core.model.derived import Event, Precision
from backstory.core.model.fact import USER, Evidence

RULES: Final = "rules"
_ID_BYTES: Final = 16


@dataclass(frozen=True, kw_only=True)
class FoundEvent:
    """A happening with a date, as it was read in one message.

    Attributes:
        subject: "user", or who it happened to.
        predicate: What happened, in the words of the message and without the date.
        occurred_on: The day, or the first day of the month or year.
        precision: How much of the date is known.
        expression: The words of the date.
        quote: The words of the message that say it.
        place: Where the date stands in the message, in characters.
    """

    subject: str = USER
    predicate: str
    occurred_on: date
    precision: Precision
    expression: str
    quote: str
    place: int


@dataclass(frozen=True, kw_only=True)
class Told:
    """A message that tells of events.

    Attributes:
        said_at: The time of the message (aware, UTC).
        known_from: Of a bulk import: the time of the message; else None.
    """

    user_id: str
    session_id: str
    message_id: str
    said_at: datetime
    known_from: datetime | None = None


def made_events(
    found: Iterable[FoundEvent], told: Told, now: datetime, made_by: str = RULES
) -> list[Event]:
    """The records of what was found in one message.

    Their ids follow from the message and the place in it: the same message read again gives the
    same ids, so that a record takes the place of its earlier version.

    Args:
        found: The events, each with a place of its own.
        told: The message.
        now: Stands for the time of recording, which the store sets.
        made_by: "rules", or "model:NAME".
    """
    return [
        Event(
            id=event_id(told.message_id, one.place),
            user_id=told.user_id,
            at=told.said_at,
            recorded_at=now,
            known_from=told.known_from,
            session_id=told.session_id,
            evidence=(Evidence(message_id=told.message_id, quote=one.quote),),
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


def same_content(one: Event, other: Event) -> bool:
    """Whether two versions say the same, whenever they were recorded."""
    return _content(one) == _content(other)


def _content(event: Event) -> Sequence[object]:
    return (
        event.subject,
        event.predicate,
        event.occurred_on,
        event.precision,
        event.expression,
        event.at,
        event.evidence,
        event.session_id,
        event.made_by,
    )
