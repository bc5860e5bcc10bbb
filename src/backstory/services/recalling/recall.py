"""The way out: a query becomes ranked messages.

Partition (cached, current) → filter → both arms → fused order → floor → diversification → only
the hits are fetched, with their neighbouring turns in the same query.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backstory.core.content import is_blank
from backstory.core.diversifying import spread
from backstory.core.filters import Filter, parse_filter
from backstory.core.model.embedding import Generation
from backstory.core.model.message import Message
from backstory.core.model.recall import Hits
from backstory.core.partition import Partition
from backstory.core.ranking import Ranking, rank
from backstory.core.ranking.distant import Compared
from backstory.core.ranking.worth import by_worth
from backstory.core.routing import Profile
from backstory.core.shape import TRUSTED_HITS, floor_of
from backstory.core.terms import QueryTerms
from backstory.core.times import to_micros
from backstory.language.asking import with_time
from backstory.language.terms import has_content, query_terms
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.filtering import filtered
from backstory.services.recalling.asking import INLINE_ROWS, Asked, Asking
from backstory.services.recalling.distant import EXACT, DistantArm
from backstory.services.recalling.hits import Chosen, hits_of
from backstory.services.recalling.knowing import as_known
from backstory.services.recalling.requests import Request
from backstory.threads import run_in_thread


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """What was found, and how.

    Attributes:
        report: What ``explain`` shows about the whole search.
        chosen: The hits; None if there are none.
        messages: The messages of the hits and those around them, by id, as far as they are there.
            They are shared: not to be changed.
        degraded: What was missing, in words.
    """

    report: dict[str, Any]
    chosen: Chosen | None = None
    messages: Mapping[str, Message] = field(default_factory=dict)
    degraded: str | None = None


class RecallService:
    """Searches one user's messages.

    Args:
        store: Where they are.
        vectors: Embeds the query.
        temporal: Whether questions about time look at the times that messages tell of.
    """

    def __init__(self, store: Store, vectors: VectorMaker, *, temporal: bool = True) -> None:
        self._store = store
        self._vectors = vectors
        self._temporal = temporal
        self._asking = Asking(vectors)

    async def search(self, request: Request) -> Hits:
        """Rank the user's messages; a blank query, or one of punctuation only, finds nothing.

        Of a query of more than 2,500 characters, the first 2,000 and last 500 are embedded, cut
        at word borders. Its first 256 words or so are searched by keyword.

        Raises:
            InvalidFilterError: A filter cannot be used.
        """
        found = await self.recall(request)
        hits = []
        if found.chosen is not None:
            own = {message_id: message.own() for message_id, message in found.messages.items()}
            hits = hits_of(found.chosen, own, request)
        explanation = found.report if request.explain else None
        return Hits(hits, degraded=found.degraded, explanation=explanation)

    async def recall(self, request: Request) -> Recalled:
        """Search, and report how.

        Raises:
            InvalidFilterError: A filter cannot be used.
        """
        conditions = parse_filter(request.filters)
        report = _report(request)
        if is_blank(request.query) or not has_content(request.query):
            return Recalled(report=report)
        generation, (partition, early) = await self._vectors.meanwhile(
            partial(self._partition, request)
        )
        if not len(partition):
            return Recalled(report=report)
        shown = await request.shown.ids() if request.shown else frozenset[str]()
        mask = await self._mask(request, conditions, partition, shown)
        asked = await self._asking.of(request, partition, generation, early)
        vector = asked.vector
        terms = self._terms(request)
        compared, how = None, EXACT
        if partition.is_distant and vector is not None and generation is not None:
            arm = DistantArm(self._store, request.scope, generation, partition)
            compared, how = await arm.compare(vector, terms, mask, request.shape.pool)
        ranking = await _rank(asked, terms, mask, request, compared)
        floor = floor_of(request.shape, request.threshold, request.floors)
        chosen = _choose(partition, ranking, floor, mask, request)
        found = await self._store.partitions.messages(request.scope, partition, chosen.wanted)
        if request.known_at is not None:
            found = await as_known(self._store, request.scope, found, request.known_at)
        report |= {
            "messages": len(partition),
            "passed_filter": int(mask.sum()) if mask is not None else len(partition),
            "generation": str(generation.identity) if generation else None,
            "embedded": int(partition.has_vector.sum()),
            "search": how,
            "floor": floor,
            "candidates": len(ranking),
            "moved": chosen.moved,
        }
        return Recalled(report=report, chosen=chosen, messages=found, degraded=asked.degraded)

    async def _partition(
        self, request: Request, generation: Generation | None
    ) -> tuple[Partition, Asked | None]:
        """The partition, and the query as it was made ready while the store was asked for it."""
        partition = self._store.partitions.get(request.scope, generation)
        if generation is None or not request.dense:
            return await partition, None
        if not self._vectors.is_loaded:
            # in a new process both take 0.1 s or more
            found, _ = await asyncio.gather(partition, self._vectors.load())
            return found, None
        last = self._store.partitions.last(request.scope, generation)
        if last is None:
            return await partition, None
        early = asyncio.create_task(self._asking.early(request, last, generation))
        try:
            # not in a task: it asks together with the other sources of a context
            return await partition, await early
        finally:
            early.cancel()

    def _terms(self, request: Request) -> QueryTerms:
        if not request.keyword:
            return QueryTerms()
        terms = query_terms(request.query) if request.terms is None else request.terms
        if self._temporal and request.shape.profile is Profile.TEMPORAL:
            return with_time(terms, request.query, request.now)
        return terms

    async def _mask(
        self, request: Request, conditions: Filter, partition: Partition, shown: frozenset[str]
    ) -> NDArray[np.bool_] | None:
        if request.exclude_session_id is not None:
            other = parse_filter({"session_id": {"ne": request.exclude_session_id}})
            conditions = Filter(conditions.columns + other.columns, conditions.metadata)
        mask = None
        if conditions.columns or conditions.metadata:
            mask = await filtered(self._store, request.scope, partition, conditions)
        if request.known_at is not None:
            known = partition.known <= to_micros(request.known_at)
            mask = known if mask is None else mask & known
        if shown:
            mask = np.ones(len(partition), dtype=np.bool_) if mask is None else mask.copy()
            mask[_latest_rows(partition, shown)] = False
        return mask


async def _rank(
    asked: Asked,
    terms: QueryTerms,
    mask: NDArray[np.bool_] | None,
    request: Request,
    compared: Compared | None,
) -> Ranking:
    partition = asked.partition
    # what does not reach the caller's threshold takes no place of what does
    limit = len(partition) if request.threshold else request.shape.pool

    def run() -> Ranking:
        return rank(
            partition,
            terms=terms,
            vector=asked.vector,
            mask=mask,
            limit=limit,
            compared=compared,
            raw=asked.cosines,
        )

    return run() if len(partition) < INLINE_ROWS else await run_in_thread(run)


def _latest_rows(partition: Partition, ids: frozenset[str]) -> list[int]:
    """The rows of messages that are probably among the last ones."""
    rows: list[int] = []
    for row in range(len(partition) - 1, -1, -1):
        if len(rows) == len(ids):
            break
        if partition.message_ids[row] in ids:
            rows.append(row)
    return rows


def _report(request: Request) -> dict[str, Any]:
    shape = request.shape
    return {
        "profile": str(shape.profile),
        "route": shape.reason,
        "top_k": shape.top_k,
        "per_session": shape.per_session,
        "window": shape.window,
    }


def _choose(
    partition: Partition,
    ranking: Ranking,
    floor: float,
    mask: NDArray[np.bool_] | None,
    request: Request,
) -> Chosen:
    """The places of the hits, those of one session not before all others."""
    is_set = request.threshold is not None
    places = _passing(ranking, floor, -1.0 if is_set else np.inf, 0 if is_set else TRUSTED_HITS)
    ranks = {place: at for at, place in enumerate(places, start=1)}
    if request.shape.by_worth:
        lengths = partition.lengths[ranking.rows[places]].tolist()
        order = by_worth(ranking.scores[places].tolist(), lengths)
        places = [places[at] for at in order]
    if request.shape.per_session:
        sessions = partition.sessions.codes[ranking.rows[places]].tolist()
        places = [places[at] for at in spread(sessions, request.shape.per_session)]
    places = places[: request.shape.top_k]
    if request.shape.by_score:
        places.sort()
    return Chosen(
        partition=partition,
        ranking=ranking,
        places=places,
        ranks=[ranks[place] for place in places],
        shape=request.shape,
        around=mask if request.filters_windows else None,
    )


def _passing(ranking: Ranking, floor: float, unknown: float, trusted: int) -> list[int]:
    """The places of the hits: a floor bounds the raw cosine, a keyword hit passes.

    Args:
        ranking: The candidates.
        floor: The least cosine; 0 = any.
        unknown: What counts as the cosine of a message without a vector: a floor that nobody set
            lets it pass, for it may have been said a second ago.
        trusted: So many of the best pass in any case.
    """
    if not floor:
        return list(range(len(ranking)))
    cosines = np.full(len(ranking), np.nan) if ranking.cosines is None else ranking.cosines
    keep = (ranking.keyword > 0) | (np.nan_to_num(cosines, nan=unknown) >= floor)
    keep[:trusted] = True
    return [int(place) for place in np.flatnonzero(keep)]
