"""The current facts that are near to what is being said: for readers, for judges, for callers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final

import numpy as np

from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingError
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.facts.index import FactIndex, WordTable, near_by_words

MOST: Final = 40


class NearFacts:
    """Finds near facts. At most 40, however many are stored: a prompt stays bounded.

    Args:
        index: The searchable form of a user's facts.
        vectors: Embeds texts.
    """

    def __init__(self, index: FactIndex, vectors: VectorMaker) -> None:
        self._index = index
        self._vectors = vectors

    async def measures_meaning(self) -> bool:
        """Whether there are embeddings to compare."""
        return await self._vectors.generation() is not None

    async def to_texts(self, scope: Scope, texts: Sequence[str], now: datetime) -> tuple[Fact, ...]:
        """Current facts that share words with texts, best first; then the latest ones."""
        # of the generation that search uses: one table of a user serves both
        _, table = await self._vectors.meanwhile(partial(self._index.get, scope))
        return tuple(near_by_words(table, " ".join(texts), now, MOST))

    async def words(self, scope: Scope) -> WordTable:
        """The words of a user's facts as they were known last; see ``FactIndex.words``."""
        _, table = await self._vectors.meanwhile(partial(self._index.words, scope))
        return table

    def keep_words(self, scope: Scope, before: WordTable, now: WordTable) -> None:
        """Keep newer words of a user; see ``FactIndex.keep_words``."""
        self._index.keep_words(scope, before, now)

    async def similar(
        self, scope: Scope, text: str, threshold: float, now: datetime, limit: int
    ) -> list[tuple[Fact, float]]:
        """Current facts whose cosine to a text is at least ``threshold``, nearest first.

        Nothing without an embedder, or where it fails: similarity is only a hint.
        """
        generation = await self._vectors.generation()
        if generation is None:
            return []
        table = await self._index.get(scope, generation)
        if not len(table) or table.matrix is None:
            return []
        try:
            vector = await self._vectors.embed_query(text, generation)
        except EmbeddingError:
            return []
        cosines = table.matrix @ vector
        near = np.flatnonzero(table.current(now) & (cosines >= threshold)).tolist()
        found = [(table.facts[row], float(cosines[row])) for row in near]
        return sorted(found, key=lambda pair: -pair[1])[:limit]
