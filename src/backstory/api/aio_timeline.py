"""The sub-service ``memory.timeline``."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypeAlias

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.fact_inputs import known_at_of, limit_of
from backstory.api.inputs import recall_of
from backstory.core.model.derived import Event
from backstory.core.model.recall import Hits
from backstory.core.model.results import Page
from backstory.core.shape import for_search
from backstory.core.text import clean
from backstory.core.timeline.ordering import Elapsed
from backstory.errors import InvalidInputError
from backstory.services.recalling.requests import Request

# A class with a method ``list`` cannot name the type in its annotations.
EventList: TypeAlias = list[Event]
EventPage: TypeAlias = Page[Event]


class AsyncTimeline(_OfMemory):
    """What happened when. From ``memory.timeline``.

    Events are found in what the user says, and put here when a session ended and was digested: in
    the background, by ``flush()``, or by ``consolidate("episodic")``. Each keeps the day, month or
    year that was told, seen from the message's own date; it is the same in every zone.
    """

    async def list(
        self,
        user_id: str,
        *,
        limit: int = 100,
        cursor: str | None = None,
        known_at: datetime | str | None = None,
    ) -> EventPage:
        """All events in the order of their dates, a page at a time.

        Args:
            user_id: Whose.
            limit: Most events of the page, 1 or more.
            cursor: ``next_cursor`` of the page before; None = the first page.
            known_at: As they were known then; None = now.

        Raises:
            InvalidInputError: The cursor is none that an earlier page gave.
        """
        scope = self._memory._scope(user_id)
        most, known = limit_of(limit), known_at_of(known_at)
        services = await self._memory._open()
        return await services.timeline.page(scope, most, cursor, known)

    async def between(
        self,
        user_id: str,
        start: date | str | None = None,
        end: date | str | None = None,
        *,
        known_at: datetime | str | None = None,
    ) -> EventList:
        """The events within a range of days, in the order of their dates.

        An event of which only the month or the year is known is there if it may lie in the range.

        Args:
            user_id: Whose.
            start: The first day: a date, or "2024-05-12", "2024-05", "2024"; None = open.
            end: The last day, itself included, likewise; None = open.
            known_at: As they were known then; None = now.

        Raises:
            InvalidInputError: One of them is no date, or the end lies before the start.
        """
        scope = self._memory._scope(user_id)
        first, last = _day_of(start, "start", last=False), _day_of(end, "end", last=True)
        if first is not None and last is not None and last < first:
            raise InvalidInputError(f"end {end!s} lies before start {start!s}")
        known = known_at_of(known_at)
        services = await self._memory._open()
        return await services.timeline.between(scope, first, last, known)

    async def order(
        self,
        user_id: str,
        items: str | Sequence[str | Event],
        *,
        top_k: int = 10,
        known_at: datetime | str | None = None,
    ) -> EventList:
        """Which came first: choose events by meaning, then sort them by their dates.

        Args:
            user_id: Whose.
            items: A query: the events nearest to it. Or a list of events, or of texts that each
                mean one: "adopted the cat".
            top_k: Most events of a query, 1 to 10,000.
            known_at: As they were known then; None = now.

        Returns:
            Earliest first, each event once. A text that means no known event is left out.
        """
        if isinstance(items, str):
            asked = self._request(user_id, items, top_k, known_at=known_at)
            services = await self._memory._open()
            return await services.timeline.order(asked)
        named = [_item_of(item) for item in _listed(items)]
        asked = self._request(user_id, "", top_k, known_at=known_at)
        services = await self._memory._open()
        return await services.timeline.order_of(asked, named)

    async def elapsed(
        self,
        user_id: str,
        first: str | Event,
        second: str | Event,
        *,
        known_at: datetime | str | None = None,
    ) -> Elapsed | None:
        """How long lies between two events, as far as their dates say.

        Args:
            user_id: Whose.
            first: An event, or a text that means one.
            second: Another one, before or after it.
            known_at: As they were known then; None = now.

        Returns:
            None if one of them is not known.
        """
        one, other = _item_of(first), _item_of(second)
        asked = self._request(user_id, "", 1, known_at=known_at)
        services = await self._memory._open()
        return await services.timeline.elapsed(asked, one, other)

    async def search(
        self,
        user_id: str,
        query: str,
        *,
        top_k: int = 10,
        threshold: float | None = None,
        filters: Mapping[str, Any] | None = None,
        known_at: datetime | str | None = None,
        explain: bool = False,
    ) -> Hits:
        """The events that are nearest to a query, best first; the same as ``kind="events"``.

        Args:
            user_id: Whose.
            query: A question or some words; it is data, never query syntax.
            top_k: Most events, 1 to 10,000.
            threshold: Least raw cosine, 0 to 1; an event that holds a word of the query passes.
            filters: Conditions on the messages that tell of the events.
            known_at: As they were known then; None = now.
            explain: Whether each hit says why it is there.
        """
        asked = self._request(
            user_id, query, top_k, threshold, filters=filters, known_at=known_at, explain=explain
        )
        services = await self._memory._open()
        return await services.timeline.search(asked)

    def _request(
        self,
        user_id: str,
        query: str,
        top_k: int,
        threshold: float | None = None,
        *,
        filters: Mapping[str, Any] | None = None,
        known_at: datetime | str | None = None,
        explain: bool = False,
    ) -> Request:
        recall = recall_of(None, top_k, threshold)
        asked = clean(query, "query")
        return Request(
            scope=self._memory._scope(user_id),
            query=asked,
            shape=for_search(asked, recall),
            threshold=recall.threshold,
            filters=filters,
            known_at=known_at_of(known_at),
            explain=explain,
            now=self._memory._clock.now(),
        )


def _listed(items: object) -> Sequence[object]:
    if isinstance(items, (bytes, bytearray)) or not isinstance(items, Sequence):
        raise InvalidInputError(f"items must be a text or a list, not {type(items).__name__}")
    return items


def _item_of(item: object) -> str | Event:
    if isinstance(item, Event):
        return item
    if isinstance(item, str):
        return clean(item, "item")
    raise InvalidInputError(f"an item must be a text or an Event, not {type(item).__name__}")


def _day_of(value: date | str | None, what: str, *, last: bool) -> date | None:
    """Accept a date, or the text of a day, a month or a year: its first or its last day."""
    if value is None:
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, str):
        try:
            return _read_day(value.strip(), last=last)
        except ValueError:
            pass
    raise InvalidInputError(
        f'{what} must be a date, or text like "2024-05-12", "2024-05" or "2024", not {value!r}'
    )


def _read_day(text: str, *, last: bool) -> date:
    parts = [int(part) for part in text.split("-") if part.isascii() and part.isdecimal()]
    if len(parts) == 1 and len(text) == len("2024"):
        return date(parts[0], 12, 31) if last else date(parts[0], 1, 1)
    if len(parts) == 2 and len(text) == len("2024-05"):
        size = monthrange(parts[0], parts[1])[1]
        return date(parts[0], parts[1], size if last else 1)
    return date.fromisoformat(text)
