"""Makes the vectors of messages: in the call that adds them, in the background, or on flush.

What is left to do is read from the store (messages that need a vector), so a crash loses and
repeats nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.core.model.results import FlushResult
from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingDimensionError, EmbeddingError
from backstory.ports.clock import Clock
from backstory.ports.embedder import Embedder, Loadable
from backstory.ports.store import MadeVector, Pending, Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 256


@dataclass(frozen=True)
class Failure:
    """A message that could not be embedded, and why."""

    item: Pending
    reason: str


class VectorMaker:
    """Embeds with the embedder of the store's generation.

    Args:
        store: Where vectors go.
        embedder: The embedder of the active generation, or of the first one to come; None if
            there is none (keywords only).
        clock: For the time a generation is registered.
        problem: Why there is no embedder although one was asked for.
        owned: Whether the embedder is closed with this; a caller's object is not.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        clock: Clock,
        problem: str | None = None,
        *,
        owned: bool = True,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._owned = owned
        self._generation: Generation | None = None
        # No text is embedded twice: one drain at a time, and none of what a call has in hand.
        self._one_drain = asyncio.Lock()
        self._in_hand: set[str] = set()
        self._loaded = False
        self.problem = problem

    @property
    def embeds_at_once(self) -> bool:
        """Whether a message's vector is made in the call that adds it."""
        return self._embedder is not None and self._embedder.is_local

    @property
    def works(self) -> bool:
        """Whether there is an embedder at all."""
        return self._embedder is not None

    async def generation(self) -> Generation | None:
        """The generation that search uses; None without an embedder or before the first vector."""
        if self._embedder is None:
            return None
        if self._generation is None:
            self._generation = await self._store.generations.active()
        return self._generation

    async def generation_for(self, identity: EmbedderIdentity) -> Generation | None:
        """The store's generation of vectors that were made elsewhere; None if they are of no use.

        In a store without vectors they begin the first generation, if this embedder is of their
        model.
        """
        active = await self._store.generations.active()
        if active is None:
            if self._embedder is None or identity.dimensions is None:
                return None
            own = self._embedder.identity
            if not own.same_model(identity) or own.dimensions not in {None, identity.dimensions}:
                return None
            active = await self._store.generations.activate_first(identity, self._clock.now())
        fits = active.identity.same_model(identity)
        return active if fits and active.identity.dimensions == identity.dimensions else None

    async def embed_query(self, text: str, generation: Generation) -> NDArray[np.float32]:
        """Embed a query for one generation.

        Raises:
            EmbeddingError: The embedder failed or answered with another size.
        """
        vectors = await self._embed([text])
        _check_size(vectors, generation.identity)
        query: NDArray[np.float32] = vectors[0]
        return query

    async def embedded(self, texts: Sequence[str]) -> tuple[Generation, list[bytes]]:
        """Embed texts for the active generation, or for the first one.

        Returns:
            The generation, and for each text its vector as it is stored.

        Raises:
            EmbeddingError: The embedder failed or answered with another size.
        """
        vectors = await self._embed(texts)
        generation = await self.generation() or await self._first_generation(vectors)
        _check_size(vectors, generation.identity)
        return generation, [row.tobytes() for row in vectors.astype("<f4")]

    async def load(self) -> None:
        """Let the embedder read its model, where it has one. A failure shows when it embeds."""
        if isinstance(self._embedder, Loadable) and not self._loaded:
            self._loaded = True
            with contextlib.suppress(Exception):
                await self._embedder.load()

    async def probe(self, text: str) -> str:
        """Embed a text to see that it works, and say by what.

        Raises:
            EmbeddingError: It does not.
        """
        if self._embedder is None:
            raise EmbeddingError(self.problem or "there is no embedder")
        vectors = await self._embed([text])
        return f"{self._embedder.identity}, {vectors.shape[1]} dimensions"

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self._embedder is None:
            raise EmbeddingError(self.problem or "there is no embedder")
        from backstory.services import guarded  # noqa: PLC0415 - opening needs no numpy

        return await guarded.embed(self._embedder, texts)

    async def make(self, items: Sequence[Pending]) -> list[Failure]:
        """Embed messages and store their vectors.

        Returns:
            Those that failed; they stay pending, and the store keeps the reason.
        """
        failures: list[Failure] = []
        with self.in_hand({item.id for item in items}):
            for start in range(0, len(items), _BATCH):
                failures += await self._make_batch(items[start : start + _BATCH])
        return failures

    @contextlib.contextmanager
    def in_hand(self, ids: AbstractSet[str]) -> Iterator[None]:
        """Keep messages from being embedded by a flush while a call is going to do it."""
        mine = ids - self._in_hand
        self._in_hand |= mine
        try:
            yield
        finally:
            self._in_hand -= mine

    async def flush(self, scope: Scope | None, tenant_id: str, timeout_s: float) -> FlushResult:
        """Embed everything that is pending, each message tried once, within a time limit."""
        if self._embedder is None:
            return await self._unflushed(scope, tenant_id)
        embedded = 0
        failures: list[Failure] = []
        try:
            async with asyncio.timeout(timeout_s), self._one_drain:
                last: Pending | None = None
                while some := await self._store.messages.pending(scope, tenant_id, _BATCH, last):
                    last = some[-1]
                    mine = [item for item in some if item.id not in self._in_hand]
                    failed = await self._make_batch(mine)
                    embedded += len(mine) - len(failed)
                    failures += failed
        except TimeoutError:
            pending = await self._store.messages.count_pending(scope, tenant_id)
            return _flushed(embedded, failures, pending)
        return _flushed(embedded, failures, 0)

    async def _unflushed(self, scope: Scope | None, tenant_id: str) -> FlushResult:
        """Without an embedder nothing is owed, unless one was asked for and cannot be had."""
        if self.problem is None:
            return FlushResult()
        pending = await self._store.messages.count_pending(scope, tenant_id)
        return FlushResult(pending=pending, reasons=(self.problem,) if pending else ())

    async def _make_batch(self, items: Sequence[Pending]) -> list[Failure]:
        if not items:
            return []
        if self._embedder is None:
            return [Failure(item, self.problem or "there is no embedder") for item in items]
        try:
            vectors = await self._embed([item.text for item in items])
        except EmbeddingError as error:
            if error.retryable or len(items) == 1:
                return await self._failed(items, str(error))
            # one text may be what the embedder refuses: the others must not wait for it
            return [failure for item in items for failure in await self._make_batch([item])]
        try:
            await self._save(items, vectors)
        except EmbeddingDimensionError as error:
            return await self._failed(items, str(error))
        return []

    async def _save(self, items: Sequence[Pending], vectors: NDArray[np.float32]) -> None:
        generation = await self.generation() or await self._first_generation(vectors)
        _check_size(vectors, generation.identity)
        pairs = list(zip(items, vectors.astype("<f4"), strict=True))
        for scope, group in groupby(pairs, key=lambda pair: pair[0].scope):
            made = [
                MadeVector(message_id=item.id, revision=item.revision, vector=row.tobytes())
                for item, row in group
            ]
            await self._store.messages.save_vectors(scope, generation, made)

    async def _first_generation(self, vectors: NDArray[np.float32]) -> Generation:
        if self._embedder is None:
            raise EmbeddingError
        named = self._embedder.identity
        identity = EmbedderIdentity(
            provider=named.provider,
            model=named.model,
            version=named.version,
            dimensions=int(vectors.shape[1]),
        )
        generation = await self._store.generations.activate_first(identity, self._clock.now())
        if not generation.identity.same_model(identity):
            raise EmbeddingDimensionError(
                f"another process began this store with {generation.identity}; open it again"
            )
        self._generation = generation
        return generation

    async def _failed(self, items: Sequence[Pending], reason: str) -> list[Failure]:
        for scope, group in groupby(items, key=lambda item: item.scope):
            ids = [item.id for item in group]
            await self._store.messages.note_failures(scope, ids, reason)
        return [Failure(item, reason) for item in items]

    async def aclose(self) -> None:
        """Free the embedder, unless it is the caller's."""
        if self._embedder is not None and self._owned:
            await self._embedder.aclose()


def _check_size(vectors: NDArray[np.float32], identity: EmbedderIdentity) -> None:
    if vectors.shape[1] != identity.dimensions:
        raise EmbeddingDimensionError(
            f"the store holds vectors of {identity.dimensions} dimensions ({identity}), the "
            f"embedder gave {vectors.shape[1]}"
        )


def _flushed(embedded: int, failures: Sequence[Failure], pending: int) -> FlushResult:
    return FlushResult(
        embedded=embedded,
        failed=len(failures),
        reasons=tuple(sorted({failure.reason for failure in failures})),
        pending=pending,
    )
