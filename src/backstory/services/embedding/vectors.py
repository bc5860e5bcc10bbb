"""Makes the vectors of messages: in the call that adds them, in the background, or on flush.

What is left to do is read from the store (messages that need a vector), so a crash loses and
repeats nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.core.model.results import FlushResult
from backstory.core.model.scope import Scope
from backstory.errors import (
    EmbeddingDimensionError,
    EmbeddingError,
    EmbeddingUnavailableError,
)
from backstory.ports.clock import Clock
from backstory.ports.embedder import Embedder, Loadable
from backstory.ports.store import MadeVector, Pending, Store
from backstory.services.embedding.embedders import Embedders, why_none

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
_BATCH = 256
FRESH_S = 0.1
"""How long it takes at most to notice, in s, that another process changed the embedder."""
# How often the store may change its embedder while the same texts are embedded.
_TRIES = 3
_CHANGING = "the store changes its embedder at this moment; what was not embedded is tried again"


@dataclass(frozen=True)
class Failure:
    """A message that could not be embedded, and why."""

    item: Pending
    reason: str


class VectorMaker:
    """Embeds with the embedder of the store's active generation.

    Any process may move the store to another embedder (``reindexing.py``): which generation is
    active is asked of the store again after ``FRESH_S``. Who has not heard of a move yet searches
    vectors that are still there, and is refused when it writes.

    Args:
        store: Where vectors go.
        embedders: Gives the embedder of a generation; None = keywords only.
        clock: For the time a generation is registered.

    Attributes:
        embedders: As given.
        problem: Why there is no embedder although one was asked for.
    """

    def __init__(self, store: Store, embedders: Embedders | None, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._generation: Generation | None = None
        self._fresh_until = 0.0
        self._choosing = asyncio.Lock()
        # No text is embedded twice: one drain at a time, and none of what a call has in hand.
        self._one_drain = asyncio.Lock()
        self._in_hand: set[str] = set()
        self._queries: dict[tuple[int, str], asyncio.Task[NDArray[np.float32]]] = {}
        self._loaded: Embedder | None = None
        self.embedders = embedders or Embedders()
        self._embedder = self.embedders.wanted
        self.problem: str | None = None

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
        generation, embedder = await self._current()
        return None if embedder is None else generation

    async def meanwhile(
        self, work: Callable[[Generation | None], Coroutine[Any, Any, T]]
    ) -> tuple[Generation | None, T]:
        """Find the active generation, and do what needs it while the store is asked.

        The work begins with the generation that was found last. If another one is active, what
        it gave is dropped, and it is done again.

        Returns:
            The active generation, and what the work gave for it.
        """
        expected = self._generation
        if expected is None or self._is_fresh():
            found = await self.generation()
            return found, await work(found)
        asked = asyncio.create_task(self.generation())
        try:
            done = await work(expected)
            found = await asked
        finally:
            asked.cancel()
        if found is None or found.id != expected.id:
            done = await work(found)
        return found, done

    def _is_fresh(self) -> bool:
        return asyncio.get_running_loop().time() < self._fresh_until

    async def _current(self) -> tuple[Generation | None, Embedder | None]:
        """The active generation, and its embedder."""
        wanted = self.embedders.wanted
        if wanted is None:
            return None, None
        if self._generation is not None and self._is_fresh():
            return self._generation, self._embedder
        now = asyncio.get_running_loop().time()
        active = await self._store.generations.active()
        if active is None:
            self._generation, self._embedder, self.problem = None, wanted, None
            return None, wanted
        async with self._choosing:
            if self._generation is None or self._generation.id != active.id:
                self._embedder, self.problem = await self.embedders.of(active.identity)
            self._generation, self._fresh_until = active, now + FRESH_S
            return active, self._embedder

    def look_again(self) -> None:
        """Ask the store at the next use which generation is active."""
        self._fresh_until = 0.0

    async def use(self, embedder: Embedder) -> None:
        """Be a memory that was opened with this embedder from now on."""
        self.embedders.wanted = embedder
        self.look_again()
        await self._current()

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
        """Embed a query for one generation, by the embedder of that generation.

        Who asks for a text that is being embedded waits for that vector. Each text is embedded
        alone: two at once save a twelfth of the time, and some models then give other bytes.

        Raises:
            EmbeddingError: The embedder failed or answered with another size.
        """
        asked = generation.id, text
        task = self._queries.get(asked)
        if task is None:
            task = self._queries[asked] = asyncio.create_task(self._query(text, generation))
            task.add_done_callback(partial(self._answered, asked))
        # who is cancelled at a time limit does not take the answer from the others
        return await asyncio.shield(task)

    def _answered(self, asked: tuple[int, str], task: asyncio.Task[NDArray[np.float32]]) -> None:
        self._queries.pop(asked, None)
        if not task.cancelled():
            task.exception()  # seen, also where nobody waits for it any more

    async def _query(self, text: str, generation: Generation) -> NDArray[np.float32]:
        embedder, problem = self._embedder, self.problem
        if self._generation is None or self._generation.id != generation.id:
            embedder, problem = await self.embedders.of(generation.identity)
        vectors = await _embed(embedder, [text], problem)
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
        for _ in range(_TRIES):
            generation, embedder = await self._current()
            vectors = await _embed(embedder, texts, self.problem)
            if generation is None and embedder is not None:
                generation = await self._first_generation(embedder, vectors)
            if generation is not None:
                _check_size(vectors, generation.identity)
                return generation, [row.tobytes() for row in vectors.astype("<f4")]
        raise EmbeddingUnavailableError(_CHANGING)

    async def _first_generation(
        self, embedder: Embedder, vectors: NDArray[np.float32]
    ) -> Generation | None:
        """Begin the first generation; None if another process began one of another model."""
        identity = replace(embedder.identity, dimensions=int(vectors.shape[1]))
        generation = await self._store.generations.activate_first(identity, self._clock.now())
        return generation if generation.identity.same_model(identity) else None

    @property
    def is_loaded(self) -> bool:
        """Whether ``load`` has nothing to do."""
        return self._embedder is self._loaded or not isinstance(self._embedder, Loadable)

    async def load(self) -> None:
        """Let the embedder read its model, where it has one. A failure shows when it embeds."""
        embedder = self._embedder
        if isinstance(embedder, Loadable) and not self.is_loaded:
            self._loaded = embedder
            with contextlib.suppress(Exception):
                await embedder.load()

    async def probe(self, text: str) -> str:
        """Embed a text to see that it works, and say by what.

        Raises:
            EmbeddingError: It does not.
        """
        _, embedder = await self._current()
        if embedder is None:
            raise why_none(self.problem)
        vectors = await _embed(embedder, [text], self.problem)
        detail = f"{embedder.identity}, {vectors.shape[1]} dimensions"
        wanted = self.embedders.wanted
        if wanted is None or wanted.identity.same_model(embedder.identity):
            return detail
        return f"{detail}: the store's, not {wanted.identity} of this memory; see reindex()"

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
        _, embedder = await self._current()
        if embedder is None:
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
        for _ in range(_TRIES):
            try:
                generation, rows = await self.embedded([item.text for item in items])
                if await self._save(items, generation, rows):
                    return []
                self.look_again()
            except EmbeddingError as error:
                if self._embedder is None:
                    return [Failure(item, str(error)) for item in items]
                is_whole = error.retryable or isinstance(error, EmbeddingDimensionError)
                if is_whole or len(items) == 1:
                    return await self._failed(items, str(error))
                # one text may be what the embedder refuses: the others must not wait for it
                return [failure for item in items for failure in await self._make_batch([item])]
        return await self._failed(items, _CHANGING)

    async def _save(
        self, items: Sequence[Pending], generation: Generation, rows: Sequence[bytes]
    ) -> bool:
        """Store vectors. False if another generation became the active one."""
        pairs = list(zip(items, rows, strict=True))
        for scope, group in groupby(pairs, key=lambda pair: pair[0].scope):
            made = [
                MadeVector(message_id=item.id, revision=item.revision, vector=row)
                for item, row in group
            ]
            if await self._store.messages.save_vectors(scope, generation, made) is None:
                return False
        return True

    async def _failed(self, items: Sequence[Pending], reason: str) -> list[Failure]:
        for scope, group in groupby(items, key=lambda item: item.scope):
            ids = [item.id for item in group]
            await self._store.messages.note_failures(scope, ids, reason)
        return [Failure(item, reason) for item in items]

    async def aclose(self) -> None:
        """Free the embedders, except the caller's."""
        await self.embedders.aclose()


async def _embed(
    embedder: Embedder | None, texts: Sequence[str], problem: str | None
) -> NDArray[np.float32]:
    if embedder is None:
        raise why_none(problem)
    from backstory.services.embedding import guarded  # noqa: PLC0415 - opening needs no numpy

    return await guarded.embed(embedder, texts)


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
