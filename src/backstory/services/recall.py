"""The way out: a query becomes ranked messages.

Partition (cached, current) → filter → both arms → fused order → only the hits are fetched,
with their neighbouring turns in the same query.
"""

import asyncio
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from backstory.core.content import is_blank
from backstory.core.filters import Filter, parse_filter
from backstory.core.model.embedding import Generation
from backstory.core.model.message import Message
from backstory.core.model.recall import ArmScore, Hit, Hits, Why
from backstory.core.partition import Partition
from backstory.core.ranking import Ranking, rank
from backstory.core.ranking.distant import Compared
from backstory.core.terms import QueryTerms
from backstory.core.text import abridge
from backstory.core.times import to_micros
from backstory.errors import EmbeddingError
from backstory.language.terms import dense_query_text, has_content, query_terms
from backstory.ports.store import Store
from backstory.services.distant import EXACT, DistantArm
from backstory.services.filtering import filtered
from backstory.services.knowing import as_known
from backstory.services.requests import Request
from backstory.services.vectors import VectorMaker
from backstory.threads import run_in_thread

# Above this many messages, ranking takes more than a few ms: it leaves the event loop free.
_INLINE_ROWS = 20_000
# Of a longer query, what begins and what ends it is embedded: a pasted page keeps its question.
_EMBEDDED_CHARS = (2000, 500)


class RecallService:
    """Searches one user's messages."""

    def __init__(self, store: Store, vectors: VectorMaker) -> None:
        self._store = store
        self._vectors = vectors

    async def search(self, request: Request) -> Hits:
        """Rank the user's messages; a blank query, or one of punctuation only, finds nothing.

        Of a query of more than 2,500 characters, the first 2,000 and last 500 are embedded, cut
        at word borders. Its first 256 words or so are searched by keyword.

        Raises:
            InvalidFilterError: A filter cannot be used.
        """
        conditions = parse_filter(request.filters)
        if is_blank(request.query) or not has_content(request.query):
            return Hits()
        generation = await self._vectors.generation()
        partition = await self._partition(request, generation)
        if not len(partition):
            return Hits()
        mask = await self._mask(request, conditions, partition)
        vector, degraded = await self._query_vector(request, partition, generation)
        terms = query_terms(request.query) if request.keyword else QueryTerms()
        compared, how = None, EXACT
        if partition.is_distant and vector is not None and generation is not None:
            arm = DistantArm(self._store, request.scope, generation, partition)
            compared, how = await arm.compare(vector, terms, mask, request.top_k)
        ranking = await _rank(partition, terms, vector, mask, request, compared)
        places = _passing(ranking, request)
        wanted = _wanted(partition, ranking, places, request.window)
        found = await self._store.messages.many(request.scope, wanted)
        if request.known_at is not None:
            found = await as_known(self._store, request.scope, found, request.known_at)
        hits = [
            hit
            for place in places
            if (hit := _hit(partition, ranking, place, found, request)) is not None
        ]
        explanation = None
        if request.explain:
            explanation = {
                "messages": len(partition),
                "passed_filter": int(mask.sum()) if mask is not None else len(partition),
                "generation": str(generation.identity) if generation else None,
                "embedded": int(partition.has_vector.sum()),
                "search": how,
            }
        return Hits(hits, degraded=degraded, explanation=explanation)

    async def _partition(self, request: Request, generation: Generation | None) -> Partition:
        partition = self._store.partitions.get(request.scope, generation)
        if generation is None or not request.dense:
            return await partition
        # in a new process both take 0.1 s or more
        found, _ = await asyncio.gather(partition, self._vectors.load())
        return found

    async def _mask(
        self, request: Request, conditions: Filter, partition: Partition
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
        if request.exclude_ids:
            mask = np.ones(len(partition), dtype=np.bool_) if mask is None else mask.copy()
            mask[_latest_rows(partition, request.exclude_ids)] = False
        return mask

    async def _query_vector(
        self, request: Request, partition: Partition, generation: Generation | None
    ) -> tuple[NDArray[np.float32] | None, str | None]:
        if not request.dense:
            return None, None
        if generation is None or not partition.has_vector.any():
            return None, self._vectors.problem
        names = tuple(name for name in partition.speakers.values if name)
        text = dense_query_text(abridge(request.query, *_EMBEDDED_CHARS), names)
        try:
            return await self._vectors.embed_query(text, generation), None
        except EmbeddingError as error:
            return None, f"searched by keywords only: {error}"


async def _rank(
    partition: Partition,
    terms: QueryTerms,
    vector: NDArray[np.float32] | None,
    mask: NDArray[np.bool_] | None,
    request: Request,
    compared: Compared | None,
) -> Ranking:
    def run() -> Ranking:
        return rank(
            partition,
            terms=terms,
            vector=vector,
            mask=mask,
            limit=request.top_k,
            compared=compared,
        )

    return run() if len(partition) < _INLINE_ROWS else await run_in_thread(run)


def _latest_rows(partition: Partition, ids: frozenset[str]) -> list[int]:
    """The rows of messages that are probably among the last ones."""
    rows: list[int] = []
    for row in range(len(partition) - 1, -1, -1):
        if len(rows) == len(ids):
            break
        if partition.message_ids[row] in ids:
            rows.append(row)
    return rows


def _passing(ranking: Ranking, request: Request) -> list[int]:
    """The places of the hits: a threshold bounds the raw cosine, a keyword hit passes."""
    places = range(len(ranking))
    if not request.threshold:
        return list(places)
    keep = ranking.keyword > 0
    if ranking.cosines is not None:
        keep |= np.nan_to_num(ranking.cosines, nan=-1.0) >= request.threshold
    return [place for place in places if keep[place]]


def _neighbours(partition: Partition, row: int, width: int) -> tuple[list[int], list[int]]:
    """The rows before and after a row in its session, in order."""
    before: list[int] = []
    after: list[int] = []
    for column, rows in ((partition.previous, before), (partition.following, after)):
        at = row
        for _ in range(width):
            at = int(column[at])
            if at >= len(partition):
                break
            rows.append(at)
    return before[::-1], after


def _wanted(
    partition: Partition, ranking: Ranking, places: Sequence[int], window: int
) -> list[str]:
    rows: dict[int, None] = {}
    for place in places:
        row = int(ranking.rows[place])
        before, after = _neighbours(partition, row, window)
        rows.update(dict.fromkeys((row, *before, *after)))
    return [partition.message_ids[row] for row in rows]


def _hit(
    partition: Partition,
    ranking: Ranking,
    place: int,
    found: Mapping[str, Message],
    request: Request,
) -> Hit | None:
    row = int(ranking.rows[place])
    message = found.get(partition.message_ids[row])
    if message is None:
        return None  # deleted since the partition was read
    before, after = _neighbours(partition, row, request.window)
    around = [found.get(partition.message_ids[at]) for at in (*before, *after)]
    return Hit(
        kind="message",
        id=message.id,
        text=message.text,
        score=float(ranking.scores[place]),
        created_at=message.timestamp,
        message=message,
        window=tuple(turn for turn in around if turn is not None),
        why=_why(ranking, place, message, request) if request.explain else None,
    )


def _why(ranking: Ranking, place: int, message: Message, request: Request) -> Why:
    arms = [
        ArmScore(
            arm="keyword",
            rank=int(ranking.keyword_ranks[place]) or None,
            score=float(ranking.keyword[place]),
        )
    ]
    cosine = None
    if ranking.cosines is not None and not np.isnan(ranking.cosines[place]):
        cosine = float(ranking.cosines[place])
        dense_rank = int(ranking.dense_ranks[place]) or None
        arms.append(ArmScore(arm="dense", rank=dense_rank, score=cosine))
    return Why(
        arms=tuple(arms),
        bonuses={name: round(float(values[place]), 4) for name, values in ranking.parts.items()},
        terms=_shared_words(message.text, abridge(request.query, *_EMBEDDED_CHARS)),
        cosine=cosine,
    )


def _shared_words(text: str, query: str) -> tuple[str, ...]:
    """The content words of the query that the text holds, in any form."""
    inside = set(query_terms(text).keys)
    words = dict.fromkeys(query_terms(query).words)
    return tuple(word for word in words if inside.intersection(query_terms(word).keys))
