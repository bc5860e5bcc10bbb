"""Vectors of facts, of the same embedder as those of messages, and what is near to a text."""

from collections.abc import Sequence

from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingError
from backstory.ports.facts import FactPending
from backstory.ports.store import Store
from backstory.services.embedding.records import BATCH, RecordVectors
from backstory.services.embedding.vectors import VectorMaker


class FactVectors:
    """Makes the vectors of facts.

    Args:
        store: Where they go.
        vectors: The embedder, and the generation that it belongs to.
    """

    def __init__(self, store: Store, vectors: VectorMaker) -> None:
        self._store = store
        self._vectors = vectors
        self._records = RecordVectors[FactPending](
            vectors, store.facts.pending, store.facts.save_vectors, lambda item: item.believed_at
        )

    async def make_of(self, scope: Scope, facts: Sequence[Fact]) -> None:
        """Make the vectors of new or changed rows, if that costs no call; else they are pending.

        A failure leaves them pending: the facts are stored, and found by their words.
        """
        if not self._vectors.embeds_at_once or not facts:
            return
        # a row that was only said again, or only ended, keeps the vector it has
        waiting = await self._store.facts.pending(scope, scope.tenant_id, BATCH)
        changed = {fact.id for fact in facts}
        await self._records.make([item for item in waiting if item.id in changed])

    async def similarity(self, one: str, other: str) -> float | None:
        """The cosine of two texts, -1 to 1; None where it would cost a call, or cannot be had."""
        if not self._vectors.embeds_at_once:
            return None
        try:
            _, (first, second) = await self._vectors.embedded([one, other])
        except EmbeddingError:
            return None
        pairs = zip(memoryview(first).cast("f"), memoryview(second).cast("f"), strict=True)
        return max(-1.0, min(1.0, sum(x * y for x, y in pairs)))

    async def flush(self, scope: Scope | None, tenant_id: str) -> tuple[int, set[str]]:
        """Make every pending vector, each tried once. Returns how many, and why others failed."""
        return await self._records.flush(scope, tenant_id)
