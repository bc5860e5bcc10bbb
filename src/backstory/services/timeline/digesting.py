"""Puts the dated happenings of a session that ended on the time line."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, Protocol

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import Event
from backstory.core.model.fact import USER
from backstory.core.model.found import FoundEvent
from backstory.core.model.message import Message, Role
from backstory.core.timeline.making import RULES, made_events, message_of
from backstory.ports.derived import DerivedPlanner
from backstory.services.consolidating.digest import Digest
from backstory.services.timeline.zones import names_zone, said_locally
from backstory.threads import run_in_thread

INLINE_CHARS: Final = 4_000
"""Characters. Below this much text reading takes no longer than a hop into another thread."""


class EventFinder(Protocol):
    """Finds the dated happenings that a message tells of."""

    def __call__(
        self,
        text: str,
        at: datetime,
        *,
        subject: str = USER,
        message_id: str = "",
        session_id: str | None = None,
    ) -> list[FoundEvent]:
        """Read one message; see ``FoundEvent``. ``at`` is its time in the zone of its writer."""
        ...


class TimelineDigester:
    """Finds events by rules.

    Events that a model found stay as they are; so does what rules would find in their messages.

    Args:
        find: Reads one message.
    """

    name = "timeline"

    def __init__(self, find: EventFinder) -> None:
        self._find = find

    async def digest(self, digest: Digest) -> DerivedPlanner:
        """Read the session. The plan replaces what rules had found in it before."""
        told = [message for message in digest.messages if message.role is Role.USER]
        zoned = any(map(names_zone, (digest.session.metadata, *(m.metadata for m in told))))
        if not zoned and sum(len(message.text) for message in told) < INLINE_CHARS:
            events = self._events(digest, told)
        else:
            events = await run_in_thread(self._events, digest, told)
        return lambda book: planned(book, events, digest.session.id)

    def _events(self, digest: Digest, told: Sequence[Message]) -> list[Event]:
        user = digest.session.speaker or next((m.speaker for m in told if m.speaker), None)
        found: list[FoundEvent] = []
        for message in told:
            another = message.speaker is not None and message.speaker != user
            found += self._find(
                message.text,
                said_locally(message, digest.session),
                subject=message.speaker or USER if another else USER,
                message_id=message.id,
                session_id=digest.session.id,
            )
        return made_events(found, digest.scope.user_id, digest.now, is_known_since_said=digest.bulk)


def _as_dated(event: Event, before: Event | None) -> Event:
    """The event with the date that the same words were given where they were said."""
    if before is None or (before.expression, before.predicate) != (
        event.expression,
        event.predicate,
    ):
        return event
    return replace(event, occurred_on=before.occurred_on, precision=before.precision)


def planned(book: DerivedBook, events: Sequence[Event], session_id: str) -> DerivedPlan:
    """What is written of a session that was read: its events in place of those found before.

    Args:
        book: What is known of the user.
        events: What rules found in the session now.
        session_id: The session.
    """
    known = [event for event in book.of(Event) if event.session_id == session_id]
    read = {message_of(event) for event in known if event.made_by != RULES}
    before = {event.id: event for event in known}
    put = tuple(
        _as_dated(event, before.get(event.id)) for event in events if message_of(event) not in read
    )
    kept = {event.id for event in put}
    gone = (event.id for event in known if event.made_by == RULES and event.id not in kept)
    return DerivedPlan(put=put, withdraw=tuple(gone))
