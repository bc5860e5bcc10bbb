"""Chooses events by meaning; their dates decide nothing but the order in which they are shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from backstory.core.content import is_blank
from backstory.core.filters import Filter, parse_filter
from backstory.core.model.recall import ArmScore, Hit, Hits, Why, shown
from backstory.core.routing import Profile
from backstory.core.terms import QueryTerms
from backstory.core.text import abridge
from backstory.core.timeline.making import message_of
from backstory.core.timeline.rendering import event_text
from backstory.errors import EmbeddingError
from backstory.language.asking import with_time
from backstory.language.terms import has_content, query_terms, shared_words
from backstory.services.filtering import filtered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from backstory.core.model.derived import Event
    from backstory.core.model.embedding import Generation
    from backstory.core.model.scope import Scope
    from backstory.core.shape import Floors
    from backstory.core.timeline.table import EventScores, EventTable
    from backstory.ports.store import Store
    from backstory.services.embedding.vectors import VectorMaker
    from backstory.services.recalling.requests import Request
    from backstory.services.timeline.table import EventTables

_READ_CHARS: Final = (2000, 500)
MOST_NEAR: Final = 200
"""Events of which is asked whether they have to do with a query."""
UNMEASURED: Final = 0.35
DATE_WEIGHT: Final = 0.2
"""Share of the score for the date, where a question about time names one."""


@dataclass(frozen=True, kw_only=True)
class ChosenEvent:
    """An event that was found.

    Attributes:
        score: 0 to 1.
        keyword: What the words gave; 0 = none is shared.
        cosine: To the query's vector; None without one of both.
        is_dated: Whether it lies at a date that the question names.
        ranks: Its rank by keyword and by cosine, from 1.
        parts: What the score is made of, by name.
    """

    event: Event
    score: float
    keyword: float
    cosine: float | None
    is_dated: bool
    ranks: tuple[int | None, int | None]
    parts: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class ChosenEvents:
    """What was found, best first."""

    events: Sequence[ChosenEvent] = ()
    degraded: str | None = None


class EventSearch:
    """Searches one user's events.

    Args:
        store: Where messages are; filters choose by them.
        vectors: Embeds the query.
        tables: Gives events in their searchable form.
        floors: What cosines of the store's embedder mean.
    """

    def __init__(
        self,
        store: Store,
        vectors: VectorMaker,
        tables: EventTables,
        floors: Callable[[], Awaitable[Floors | None]],
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._tables = tables
        self.floors = floors

    async def search(self, request: Request) -> Hits:
        """Find events; a blank query, or one of punctuation only, finds nothing.

        Filters choose messages: an event counts if its message passes.

        Raises:
            InvalidFilterError: A filter cannot be used.
        """
        found = await self.choose(request, request.shape.top_k)
        hits = [_hit(one, request) for one in found.events]
        return Hits(hits, degraded=found.degraded)

    async def choose(self, request: Request, most: int) -> ChosenEvents:
        """The best events that pass filters and threshold; of equal ones the latest comes first.

        Args:
            request: What is asked; ``shape.top_k`` is not looked at.
            most: So many at most.
        """
        conditions = parse_filter(request.filters)
        if is_blank(request.query) or not has_content(request.query):
            return ChosenEvents()
        generation, table = await self._vectors.meanwhile(partial(self._table, request))
        if not table.events:
            return ChosenEvents()
        allowed = await self._allowed(request, conditions, generation)
        vector, degraded = await self._vector(request, table, generation)
        words = abridge(request.query, *_READ_CHARS)
        terms = QueryTerms()
        if request.keyword:
            terms = query_terms(words) if request.terms is None else request.terms
        if request.keyword and request.shape.profile is Profile.TEMPORAL:
            terms = with_time(terms, words, request.now)
        scores = table.score(terms, vector)
        dated = table.dated(terms.told)
        parts, fused = scores.parts, scores.fused
        if terms.told:
            parts = {name: (1 - DATE_WEIGHT) * values for name, values in parts.items()}
            parts["date"] = DATE_WEIGHT * dated.astype(np.float64)
            fused = (1 - DATE_WEIGHT) * fused + DATE_WEIGHT * dated
        passing = _passing(scores, request.threshold)
        left_out = request.exclude_session_id or ""
        order = np.lexsort((-np.arange(len(fused)), -np.round(fused, 9)))
        rows = (
            row
            for row in order[passing[order]].tolist()
            if (allowed is None or message_of(table.events[row]) in allowed)
            and table.events[row].session_id != left_out
        )
        events = [_chosen(table, scores, fused, parts, dated, row) for row in islice(rows, most)]
        return ChosenEvents(events=events, degraded=degraded)

    def forget(self, scope: Scope) -> None:
        """Drop what is kept in memory of a user."""
        self._tables.forget(scope)

    async def near(self, request: Request) -> list[Event]:
        """The events that a text may mean, best first: see ``is_near``."""
        found = await self.choose(request, max(MOST_NEAR, request.shape.top_k))
        floors = await self.floors() if found.events else None
        return [one.event for one in found.events if is_near(one, floors)]

    async def _table(self, request: Request, generation: Generation | None) -> EventTable:
        return await self._tables.get(request.scope, generation, request.known_at)

    async def _allowed(
        self, request: Request, conditions: Filter, generation: Generation | None
    ) -> Collection[str] | None:
        """The ids of the messages that pass; None = all."""
        if not (conditions.columns or conditions.metadata):
            return None
        partition = await self._store.partitions.get(request.scope, generation)
        mask = await filtered(self._store, request.scope, partition, conditions)
        return {partition.message_ids[row] for row in np.flatnonzero(mask).tolist()}

    async def _vector(
        self, request: Request, table: EventTable, generation: Generation | None
    ) -> tuple[NDArray[np.float32] | None, str | None]:
        if not request.dense or generation is None or table.matrix is None:
            return None, self._vectors.problem if request.dense else None
        try:
            text = abridge(request.query, *_READ_CHARS)
            return await self._vectors.embed_query(text, generation), None
        except EmbeddingError as error:
            return None, f"searched by keywords only: {error}"


def is_near(one: ChosenEvent, floors: Floors | None) -> bool:
    """Whether an event has to do with a query.

    It shares a word with it, lies at a date that it names, or its cosine is more than unrelated
    texts have; where that was not measured, more than UNMEASURED.
    """
    low = UNMEASURED if floors is None else floors.low
    return one.is_dated or one.keyword > 0 or (one.cosine is not None and one.cosine >= low)


def _passing(scores: EventScores, threshold: float | None) -> NDArray[np.bool_]:
    """Which events a threshold of the caller lets pass."""
    if not threshold:
        return np.ones(len(scores.keyword), dtype=np.bool_)
    passing = scores.keyword > 0
    if scores.cosines is not None:
        passing = passing | (np.nan_to_num(scores.cosines, nan=-1.0) >= threshold)
    return passing


def _chosen(
    table: EventTable,
    scores: EventScores,
    fused: NDArray[np.float64],
    parts: Mapping[str, NDArray[np.float64]],
    dated: NDArray[np.bool_],
    row: int,
) -> ChosenEvent:
    keyword = float(scores.keyword[row])
    cosine = None if scores.cosines is None else float(scores.cosines[row])
    if cosine is not None and np.isnan(cosine):
        cosine = None
    by_words = int((scores.keyword > keyword).sum()) + 1 if keyword > 0 else None
    by_meaning = None
    if cosine is not None and scores.cosines is not None:
        by_meaning = int((scores.cosines > cosine).sum()) + 1
    return ChosenEvent(
        event=table.events[row],
        score=min(max(float(fused[row]), 0.0), 1.0),
        keyword=keyword,
        cosine=cosine,
        is_dated=bool(dated[row]),
        ranks=(by_words, by_meaning),
        parts={name: float(values[row]) for name, values in parts.items()},
    )


def _hit(one: ChosenEvent, request: Request) -> Hit:
    return Hit(
        kind="event",
        id=one.event.id,
        text=event_text(one.event),
        score=one.score,
        created_at=one.event.at,
        event=one.event,
        why=_why(one, request) if request.explain else None,
    )


def _why(one: ChosenEvent, request: Request) -> Why:
    arms = [ArmScore(arm="keyword", rank=one.ranks[0], score=one.keyword)]
    if one.cosine is not None:
        arms.append(ArmScore(arm="dense", rank=one.ranks[1], score=one.cosine))
    return Why(
        arms=tuple(arms),
        bonuses=shown(one.parts),
        terms=shared_words(event_text(one.event), request.query),
        cosine=one.cosine,
    )
