"""Facts for a query: both arms over the user's fact table, past facts only when asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from backstory.core.content import is_blank
from backstory.core.facts.sentences import fact_text
from backstory.core.model.fact import Fact
from backstory.core.model.recall import ArmScore, Hit, Hits, Why, shown
from backstory.core.terms import QueryTerms
from backstory.core.text import abridge
from backstory.errors import EmbeddingError
from backstory.language.terms import has_content, query_terms, shared_words
from backstory.ports.facts import FactFilter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from backstory.core.facts.index import FactScores, FactTable
    from backstory.core.model.embedding import Generation
    from backstory.ports.store import Store
    from backstory.services.embedding.vectors import VectorMaker
    from backstory.services.facts.index import FactIndex
    from backstory.services.facts.requests import FactRequest

# As for messages: the words decide a little less than the meaning.
KEYWORD_WEIGHT: Final = 0.4
_EMBEDDED_CHARS: Final = (2000, 500)


@dataclass(frozen=True)
class _Shown:
    """Rows of a table that may be shown, and the fact of each as it is to be shown."""

    rows: NDArray[np.int64]
    facts: Mapping[int, Fact] | Sequence[Fact]


class FactSearch:
    """Searches one user's facts.

    Args:
        store: Where facts are.
        index: The searchable form of them.
        vectors: Embeds the query.
    """

    def __init__(self, store: Store, index: FactIndex, vectors: VectorMaker) -> None:
        self._store = store
        self._index = index
        self._vectors = vectors

    async def search(self, request: FactRequest) -> Hits:
        """Rank the facts that hold; a blank query, or one of punctuation only, finds nothing."""
        if is_blank(request.query) or not has_content(request.query):
            return Hits()
        return await self.best(request)

    async def best(self, request: FactRequest) -> Hits:
        """The facts that hold, the nearest to the query first; without a query the latest first."""
        generation, table = await self._vectors.meanwhile(partial(self._index.get, request.scope))
        shown = await self._shown(table, request)
        if not len(shown.rows):
            return Hits()
        vector, degraded = await self._query_vector(request, table, generation)
        # of a pasted page what begins and what ends it, as for the vector
        words = abridge(request.query, *_EMBEDDED_CHARS)
        terms = QueryTerms()
        if request.keyword:
            terms = query_terms(words) if request.terms is None else request.terms
        scores = table.score(terms, vector)
        return Hits(_hits(shown, scores, request), degraded=degraded)

    async def _shown(self, table: FactTable, request: FactRequest) -> _Shown:
        """The rows that may be shown, each as it was believed at the time that is asked about."""
        if request.is_as_of:
            valid = request.valid_at or request.known_at or request.now
            then = await self._store.facts.as_of(
                request.scope, valid, request.known_at, FactFilter()
            )
            by_row = {table.rows[fact.id]: fact for fact in then if fact.id in table.rows}
            return _Shown(np.fromiter(by_row, dtype=np.int64), by_row)
        chosen = table.current(request.now)
        if request.include_history:
            chosen = chosen | ~table.retracted
        return _Shown(np.flatnonzero(chosen), table.facts)

    async def _query_vector(
        self, request: FactRequest, table: FactTable, generation: Generation | None
    ) -> tuple[NDArray[np.float32] | None, str | None]:
        if is_blank(request.query):
            return None, None
        if not request.dense or generation is None or table.matrix is None:
            return None, self._vectors.problem if request.dense else None
        try:
            text = abridge(request.query, *_EMBEDDED_CHARS)
            return await self._vectors.embed_query(text, generation), None
        except EmbeddingError as error:
            return None, f"searched by keywords only: {error}"


def _hits(shown: _Shown, scores: FactScores, request: FactRequest) -> list[Hit]:
    fused = scores.fused(KEYWORD_WEIGHT)
    parts = scores.parts(KEYWORD_WEIGHT) if request.explain else {}
    rows = shown.rows
    # equal scores: what was recorded last comes first
    order = rows[np.lexsort((-rows, -fused[rows]))]
    hits: list[Hit] = []
    for row in order.tolist():
        if len(hits) == request.top_k:
            break
        if _passes(scores, row, request.threshold):
            fact = shown.facts[row]
            shares = {name: float(values[row]) for name, values in parts.items()}
            why = _why(fact, row, scores, shares, request) if request.explain else None
            hits.append(_hit(fact, float(fused[row]), why))
    return hits


def _passes(scores: FactScores, row: int, threshold: float | None) -> bool:
    if not threshold or scores.keyword[row] > 0:
        return True
    return scores.cosines is not None and float(scores.cosines[row]) >= threshold


def _hit(fact: Fact, score: float, why: Why | None) -> Hit:
    return Hit(
        kind="fact",
        id=fact.id,
        text=fact_text(fact),
        score=min(max(score, 0.0), 1.0),
        created_at=fact.last_mention_at or fact.recorded_at,
        fact=fact,
        why=why,
    )


def _why(
    fact: Fact, row: int, scores: FactScores, parts: Mapping[str, float], request: FactRequest
) -> Why:
    keyword = float(scores.keyword[row])
    rank = int((scores.keyword > keyword).sum()) + 1 if keyword > 0 else None
    arms = [ArmScore(arm="keyword", rank=rank, score=keyword)]
    cosine = None
    if scores.cosines is not None:
        cosine = float(scores.cosines[row])
        dense_rank = int((scores.cosines > cosine).sum()) + 1
        arms.append(ArmScore(arm="dense", rank=dense_rank, score=cosine))
    return Why(
        arms=tuple(arms),
        bonuses=shown(parts),
        terms=shared_words(fact_text(fact), request.query or ""),
        cosine=cosine,
    )
