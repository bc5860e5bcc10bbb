"""Vectors of facts, of the same embedder as those of messages, and what is near to a text."""

from collections.abc import Sequence
from datetime import datetime

from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingError
from backstory.ports.facts import FactPending
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker

_BATCH = 256


class FactVectors:
    """Makes the vectors of facts.

    Args:
        store: Where they go.
        vectors: The embedder, and the generation that it belongs to.
    """

    def __init__(self, store: Store, vectors: VectorMaker) -> None:
        self._store = store
        self._vectors = vectors

    async def make_of(self, scope: Scope, facts: Sequence[Fact]) -> None:
        """Make the vectors of new or changed rows, if that costs no call; else they are pending.

        A failure leaves them pending: the facts are stored, and found by their words.
        """
        if not self._vectors.embeds_at_once or not facts:
            return
        # a row that was only said again, or only ended, keeps the vector it has
        waiting = await self._store.facts.pending(scope, scope.tenant_id, _BATCH)
        changed = {fact.id for fact in facts}
        await self._make([item for item in waiting if item.id in changed])

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
        made, reasons = 0, set[str]()
        if not self._vectors.works:
            return made, reasons
        tried: set[str] = set()
        while True:
            some = await self._store.facts.pending(scope, tenant_id, _BATCH + len(tried))
            fresh = [item for item in some if item.id not in tried]
            if not fresh:
                return made, reasons
            tried.update(item.id for item in fresh)
            problem = await self._make(fresh)
            made += 0 if problem else len(fresh)
            if problem:
                reasons.add(problem)

    async def _make(self, items: Sequence[FactPending]) -> str | None:
        """Embed and store; the reason if it failed."""
        if not items:
            return None
        try:
            while not await self._made(items):
                self._vectors.look_again()  # the store moved to another embedder meanwhile
        except EmbeddingError as error:
            return str(error)
        return None

    async def _made(self, items: Sequence[FactPending]) -> bool:
        generation, rows = await self._vectors.embedded([item.text for item in items])
        by_scope: dict[Scope, dict[str, tuple[datetime, bytes]]] = {}
        for item, row in zip(items, rows, strict=True):
            by_scope.setdefault(item.scope, {})[item.id] = (item.believed_at, row)
        for scope, vectors in by_scope.items():
            if await self._store.facts.save_vectors(scope, generation, vectors) is None:
                return False
        return True
