"""Whole conversations for a query: by their summaries, by their centroids, by their words."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import numpy as np

from backstory.core.content import is_blank
from backstory.core.filters import Filter, parse_filter
from backstory.core.model.recall import ArmScore, Hit, Hits, Why, shown
from backstory.core.partition import Block, Partition
from backstory.core.ranking.dense import cosines
from backstory.core.ranking.sessions import (
    Sums,
    block_sums,
    centroid_cosines,
    fused,
    keyword_scores,
    norms,
)
from backstory.core.terms import QueryTerms
from backstory.core.text import abridge
from backstory.core.times import to_micros
from backstory.language.terms import has_content, query_terms, shared_words
from backstory.services.filtering import filtered
from backstory.services.recalling.asking import INLINE_ROWS, Asked, Asking
from backstory.services.recalling.knowing import as_known
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from backstory.core.model.derived import Summary
    from backstory.core.model.embedding import Generation
    from backstory.core.model.message import Message
    from backstory.core.summaries.index import SummaryTable
    from backstory.ports.store import Store
    from backstory.services.embedding.vectors import VectorMaker
    from backstory.services.recalling.requests import Request
    from backstory.services.summaries.table import SummaryTables

_WORDS_CHARS: Final = (2000, 500)


@dataclass(frozen=True, kw_only=True)
class Told:
    """A conversation that was found.

    Attributes:
        code: Its place among the sessions of the partition.
        score: 0 to 1.
        parts: What it is made of, by name.
        keyword: The share of the query's words that it holds, rare ones counting more.
        centroid: The cosine of the mean of its vectors; None if it has none in memory.
        closeness: The cosine of its summary; None without a vector of it.
        summary: Its summary, if it was digested.
        row: Its message that is nearest to the query.
        ranks: Its rank by keyword, centroid and summary, from 1; None where it was not found.
    """

    code: int
    score: float
    parts: Mapping[str, float]
    keyword: float
    centroid: float | None
    closeness: float | None
    summary: Summary | None
    row: int
    ranks: tuple[int | None, int | None, int | None] = (None, None, None)


@dataclass(frozen=True, kw_only=True)
class Conversations:
    """Ranked conversations, best first."""

    told: Sequence[Told] = ()
    partition: Partition | None = None
    degraded: str | None = None
    report: dict[str, object] = field(default_factory=dict)


class ConversationSearch:
    """Ranks the conversations of one user.

    Args:
        store: Where messages are.
        vectors: Embeds the query.
        tables: Gives the summaries in their searchable form.
    """

    def __init__(self, store: Store, vectors: VectorMaker, tables: SummaryTables) -> None:
        self._store = store
        self._vectors = vectors
        self._tables = tables
        self._asking = Asking(vectors)
        self._sums = WeakKeyDictionary[Block, Sums]()
        self._codes_of = WeakKeyDictionary["Partition", "tuple[SummaryTable, NDArray[np.int64]]"]()
        self._norms = WeakKeyDictionary["Partition", "NDArray[np.float32]"]()

    async def search(self, request: Request) -> Hits:
        """Find conversations; one that has no summary yet is found by its turns.

        Filters choose messages: a conversation counts if one of its messages passes.

        Raises:
            InvalidFilterError: A filter cannot be used.
        """
        found = await self.rank(request, request.shape.top_k)
        explanation = found.report if request.explain else None
        if found.partition is None or not found.told:
            return Hits(degraded=found.degraded, explanation=explanation)
        rows = [one.row for one in found.told]
        messages = await self._store.partitions.messages(request.scope, found.partition, rows)
        if request.known_at is not None:
            messages = await as_known(self._store, request.scope, messages, request.known_at)
        hits = []
        for one in found.told:
            nearest = messages.get(found.partition.message_ids[one.row])
            if nearest is not None:
                hits.append(_hit(one, nearest, request))
        return Hits(hits, degraded=found.degraded, explanation=explanation)

    async def rank(self, request: Request, most: int) -> Conversations:
        """Rank conversations and say how.

        Args:
            request: What is asked. Of its shape only the profile is used.
            most: So many are returned at most.
        """
        conditions = parse_filter(request.filters)
        if is_blank(request.query) or not has_content(request.query):
            return Conversations()
        generation, (partition, table) = await self._vectors.meanwhile(
            partial(self._state, request)
        )
        if not len(partition):
            return Conversations()
        mask = await self._mask(request, conditions, partition)
        asked = await self._asking.of(request, partition, generation)
        # of a pasted page what begins and what ends it, as for the vector
        words = abridge(request.query, *_WORDS_CHARS)
        terms = QueryTerms()
        if request.keyword:
            terms = query_terms(words) if request.terms is None else request.terms
        codes = await self._codes(request, partition, table)

        def run() -> Sequence[Told]:
            return self._ranked(request, asked, terms, table, codes, mask, most)

        told = run() if len(partition) < INLINE_ROWS else await run_in_thread(run)
        report: dict[str, object] = {
            "conversations": len(partition.sessions.values),
            "summaries": len(table),
            "centroids": not partition.is_distant,
            "generation": str(generation.identity) if generation else None,
        }
        return Conversations(told=told, partition=partition, degraded=asked.degraded, report=report)

    async def _state(
        self, request: Request, generation: Generation | None
    ) -> tuple[Partition, SummaryTable]:
        return await asyncio.gather(
            self._store.partitions.get(request.scope, generation),
            self._tables.get(request.scope, generation, request.known_at),
        )

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
        return mask

    async def _codes(
        self, request: Request, partition: Partition, table: SummaryTable
    ) -> NDArray[np.int64]:
        """For each summary the code of its session in the partition, -1 if it has none there."""
        known = self._codes_of.get(partition)
        if known is not None and known[0] is table:
            return known[1]
        names = [summary.session_id or "" for summary in table.summaries]
        keys = await self._store.partitions.session_keys(request.scope, partition, names)
        places = {value: code for code, value in enumerate(partition.sessions.values)}
        found = np.array([places.get(keys.get(name), -1) for name in names], dtype=np.int64)
        self._codes_of[partition] = (table, found)
        return found

    def _ranked(
        self,
        request: Request,
        asked: Asked,
        terms: QueryTerms,
        table: SummaryTable,
        codes: NDArray[np.int64],
        mask: NDArray[np.bool_] | None,
        most: int,
    ) -> list[Told]:
        partition = asked.partition
        count = len(partition.sessions.values)
        present = partition.sessions.codes if mask is None else partition.sessions.codes[mask]
        there = np.bincount(present, minlength=count) > 0
        near = np.zeros(len(partition), dtype=np.float32)
        centroid = np.full(count, np.nan, dtype=np.float32)
        if asked.vector is not None and not partition.is_distant:
            near = cosines(partition, asked.vector)
            # filters choose conversations, which count whole; what was not known does not count
            known = None if request.known_at is None else mask
            lengths = self._lengths(partition, known)
            centroid = centroid_cosines(partition, near, lengths, known)
        keyword = keyword_scores(partition, terms.keys, mask)
        closeness = np.full(count, np.nan, dtype=np.float32)
        inside = np.flatnonzero(codes >= 0)
        row_of = np.full(count, -1, dtype=np.int64)
        if len(inside):
            at = codes[inside]
            row_of[at] = inside
            closeness[at] = table.cosines(asked.vector)[inside]
            keyword[at] = np.maximum(keyword[at], table.keyword(terms.keys)[inside])
        best = _nearest_rows(partition, near, terms, mask, count)
        found = fused(keyword, near[best], centroid, closeness, is_by_words=asked.vector is None)
        passing = there
        if request.threshold:
            passing = there & ((keyword > 0) | (found.nearest >= request.threshold))
        order = np.lexsort((-np.arange(count), -np.round(found.score, 6)))
        chosen: list[int] = order[passing[order]][:most].tolist()
        return [
            Told(
                code=code,
                score=float(found.score[code]),
                parts={"keyword": float(found.words[code]), "dense": float(found.meaning[code])},
                keyword=float(keyword[code]),
                centroid=_or_none(centroid[code]),
                closeness=_or_none(closeness[code]),
                summary=table.summaries[row_of[code]] if row_of[code] >= 0 else None,
                row=int(best[code]),
                ranks=_ranks(code, keyword, centroid, closeness),
            )
            for code in chosen
        ]

    def _lengths(self, partition: Partition, mask: NDArray[np.bool_] | None) -> NDArray[np.float32]:
        if mask is not None:
            sums = [block_sums(partition, block, mask) for block in partition.blocks]
            return norms(partition, sums)
        known = self._norms.get(partition)
        if known is not None:
            return known
        sums = []
        for block in partition.blocks:
            # a message more remakes the last block only
            some = self._sums.get(block)
            if some is None:
                some = self._sums[block] = block_sums(partition, block)
            sums.append(some)
        found = self._norms[partition] = norms(partition, sums)
        return found


def _ranks(code: int, *arms: NDArray[np.float32]) -> tuple[int | None, int | None, int | None]:
    found = [int((arm > arm[code]).sum()) + 1 if arm[code] > 0 else None for arm in arms]
    return found[0], found[1], found[2]


def _or_none(cosine: np.float32) -> float | None:
    return None if np.isnan(cosine) else float(cosine)


def _nearest_rows(
    partition: Partition,
    near: NDArray[np.float32],
    terms: QueryTerms,
    mask: NDArray[np.bool_] | None,
    count: int,
) -> NDArray[np.int64]:
    """The row of each session that is nearest to the query, by its words and its vector."""
    worth = near.astype(np.float64)
    for key in terms.keys:
        rows, _ = partition.find(key)
        worth[rows] += 1 / (1 + len(rows))
    if mask is not None:
        worth = np.where(mask, worth, -np.inf)
    order = np.argsort(worth, kind="stable")  # of equals the last one, which was said last
    best = np.zeros(count, dtype=np.int64)
    best[partition.sessions.codes[order]] = order
    return best


def _hit(one: Told, nearest: Message, request: Request) -> Hit:
    summary = one.summary
    text = nearest.text if summary is None else summary.text
    return Hit(
        kind="conversation",
        id=nearest.session_id,
        text=text,
        score=min(max(one.score, 0.0), 1.0),
        created_at=nearest.timestamp if summary is None else summary.at,
        summary=summary,
        why=_why(one, text, request) if request.explain else None,
    )


def _why(one: Told, text: str, request: Request) -> Why:
    named = (("keyword", one.keyword), ("centroid", one.centroid), ("summary", one.closeness))
    arms = [
        ArmScore(arm=name, rank=rank, score=score)
        for (name, score), rank in zip(named, one.ranks, strict=True)
        if score is not None
    ]
    known = [score for score in (one.centroid, one.closeness) if score is not None]
    return Why(
        arms=tuple(arms),
        bonuses=shown(one.parts),
        terms=shared_words(text, request.query),
        cosine=max(known, default=None),
    )
