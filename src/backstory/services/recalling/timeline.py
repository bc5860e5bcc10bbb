"""What callers ask of the time line: ranges, orders, and how long lies between."""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from backstory.core.model.derived import Event
from backstory.core.model.recall import Hits, Recall
from backstory.core.model.results import Page
from backstory.core.model.scope import Scope
from backstory.core.shape import for_search
from backstory.core.timeline.ordering import Elapsed, chronological, elapsed, in_range, place_of
from backstory.errors import InvalidInputError
from backstory.ports.store import Store
from backstory.services.recalling.events import EventSearch
from backstory.services.recalling.requests import Request

_NAMED: Final = Recall(top_k=1)


class Timeline:
    """Answers from a user's events.

    Args:
        store: Where they are.
        search: Chooses them by meaning.
    """

    def __init__(self, store: Store, search: EventSearch) -> None:
        self._store = store
        self._search = search

    async def between(
        self, scope: Scope, start: date | None, end: date | None, known_at: datetime | None
    ) -> list[Event]:
        """The events that may lie within a range of days, in the order of their dates."""
        book = await self._store.derived.book(scope)
        inside = (event for event in book.of(Event, known_at) if in_range(event, start, end))
        return chronological(inside)

    async def page(
        self, scope: Scope, limit: int, cursor: str | None, known_at: datetime | None
    ) -> Page[Event]:
        """A page of all events in the order of their dates.

        Raises:
            InvalidInputError: The cursor is none that an earlier page gave.
        """
        events = await self.between(scope, None, None, known_at)
        after = None if cursor is None else _read_cursor(cursor)
        rest = [event for event in events if after is None or place_of(event) > after]
        items = tuple(rest[:limit])
        following = _write_cursor(items[-1]) if len(rest) > limit else None
        return Page(items=items, next_cursor=following, total=len(events))

    async def search(self, request: Request) -> Hits:
        """The events that are nearest to a query, best first."""
        return await self._search.search(request)

    async def order(self, request: Request) -> list[Event]:
        """Choose events by meaning, then sort them by date."""
        return chronological((await self._search.near(request))[: request.shape.top_k])

    async def order_of(self, asked: Request, items: Sequence[str | Event]) -> list[Event]:
        """The events that are meant, each once, sorted by date; what none is meant by is left out.

        Args:
            asked: Whose events, and as of when.
            items: Events, or texts that each mean one.
        """
        found = [await self._meant(asked, item) for item in items]
        return chronological({event.id: event for event in found if event is not None}.values())

    async def elapsed(
        self, asked: Request, first: str | Event, second: str | Event
    ) -> Elapsed | None:
        """How long lies between two events; None if one is not known."""
        one, other = await self._meant(asked, first), await self._meant(asked, second)
        return None if one is None or other is None else elapsed(one, other)

    async def _meant(self, asked: Request, item: str | Event) -> Event | None:
        if isinstance(item, Event):
            return item
        request = replace(asked, query=item, shape=for_search(item, _NAMED))
        return next(iter(await self._search.near(request)), None)


def _write_cursor(event: Event) -> str:
    middle, micros, name = place_of(event)
    return base64.urlsafe_b64encode(json.dumps([middle, micros, name]).encode()).decode()


def _read_cursor(cursor: str) -> tuple[int, int, str]:
    try:
        middle, micros, name = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        return int(middle), int(micros), str(name)
    except (ValueError, TypeError, binascii.Error, AttributeError) as error:
        raise InvalidInputError(
            "the cursor is none that list() gave; leave it out to start anew"
        ) from error
