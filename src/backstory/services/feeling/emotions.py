"""Emotional moments and the course of feelings, read back."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

import numpy as np

from backstory.core.derived.paging import page_of
from backstory.core.feelings.course import course_of
from backstory.core.filters import parse_filter
from backstory.core.model.derived import EmotionalMoment
from backstory.core.model.feelings import FeelingDay
from backstory.core.model.results import Page
from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.filtering import filtered

_FETCHED: Final = 500
_FIRST: Final = datetime.min.replace(tzinfo=UTC)


class Emotions:
    """Reads moments and sentiments.

    Args:
        store: Where they are.
        vectors: Names the generation of the partitions, which say when messages were said.
    """

    def __init__(self, store: Store, vectors: VectorMaker) -> None:
        self._store = store
        self._vectors = vectors

    async def recent(
        self, scope: Scope, now: datetime, days: float, limit: int
    ) -> list[EmotionalMoment]:
        """The moments of the last days up to now, newest first."""
        since = begin_of(now, days)
        book = await self._store.derived.book(scope)
        found = [one for one in book.of(EmotionalMoment) if since <= one.at <= now]
        return sorted(found, key=lambda one: (one.at, one.id), reverse=True)[:limit]

    async def page(
        self,
        scope: Scope,
        *,
        tag: str | None,
        known_at: datetime | None,
        limit: int,
        cursor: str | None,
    ) -> Page[EmotionalMoment]:
        """All moments, or those of a feeling, oldest first, a page at a time."""
        book = await self._store.derived.book(scope)
        found = book.of(EmotionalMoment, known_at)
        return page_of((one for one in found if tag is None or tag in one.tags), limit, cursor)

    async def course(
        self, scope: Scope, now: datetime, days: float, zone: tzinfo
    ) -> list[FeelingDay]:
        """The valence of each day on which the user said something whose feeling was read."""
        span = {"gte": begin_of(now, days), "lte": now}
        conditions = parse_filter({"role": "user", "timestamp": span})
        partition = await self._store.partitions.get(scope, await self._vectors.generation())
        rows = np.flatnonzero(await filtered(self._store, scope, partition, conditions))
        ids = [partition.message_ids[row] for row in rows.tolist()]
        felt: list[tuple[datetime, float]] = []
        for start in range(0, len(ids), _FETCHED):
            found = await self._store.messages.many(scope, ids[start : start + _FETCHED])
            felt += [
                (one.timestamp, one.sentiment.valence)
                for one in found.values()
                if one.sentiment is not None
            ]
        return course_of(felt, zone)


def begin_of(now: datetime, days: float) -> datetime:
    """When the last days began; the first instant there is where they are too many."""
    try:
        return now - timedelta(days=days)
    except OverflowError:
        return _FIRST
