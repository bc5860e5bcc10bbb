"""Makes the vectors that a generation lacks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from backstory.core.model.scope import Scope
from backstory.errors import EmbeddingDimensionError, EmbeddingError, EmbeddingUnavailableError
from backstory.ports.derived import DerivedPending
from backstory.ports.embedder import Embedder
from backstory.ports.facts import FactPending
from backstory.ports.reindexing import MissingPage, Place
from backstory.ports.store import MadeVector, Pending, Store
from backstory.services.embedding.leases import Lease

if TYPE_CHECKING:
    from backstory.core.model.moving import Progress

_PAGE: Final = 256
# So many texts at once: a search that needs an embedder on this machine waits for no more.
_BATCH: Final = 32
# No service is waited for longer than this, in s, however long it asks to be left alone.
_LONGEST_PAUSE_S: Final = 600.0
I = TypeVar("I", Pending, FactPending, DerivedPending)  # noqa: E741 - an item
_Save: TypeAlias = Callable[[Sequence[I], Sequence[bytes]], Awaitable[int]]


class Filler:
    """Fills the generation that a lease holds; after the switch, what is pending of it.

    Args:
        store: The store.
        lease: Holds the generation.
        embedder: Of its model.
        progress: Called with how many records are done, and how many there are.
        pauses: Waits between tries, in s, when the embedder is not available.

    Attributes:
        made: How many vectors were made.
        failed: Why the embedder refused a text, by the id of its record. It is not tried again.
        stopped: Why no more could be made, or None.
    """

    def __init__(
        self,
        store: Store,
        lease: Lease,
        embedder: Embedder,
        progress: Progress | None,
        pauses: Sequence[float],
    ) -> None:
        self._store = store
        self._lease = lease
        self._embedder = embedder
        self._progress = progress
        self._pauses = pauses
        self.made = 0
        self.failed: dict[str, str] = {}
        self.stopped: str | None = None

    @property
    def left(self) -> int:
        """How many records have no vector, as of the last count."""
        return self._lease.total - self._lease.done

    async def count(self) -> None:
        """Count what is done and what there is."""
        lease = self._lease
        lease.done, lease.total = await self._store.reindexing.count(lease.generation)
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self._lease.done, max(self._lease.done, self._lease.total))

    async def run(self) -> int:
        """Go once over all records. Gives how many vectors were made.

        Raises:
            EmbeddingError: The embedder does not work any more.
            StoreBusyError: Another process took the work over.
        """
        before = self.made
        store = self._store.reindexing
        try:
            await self._pass(store.missing_messages, self._save_messages)
            await self._pass(store.missing_facts, self._save_facts)
            await self._pass(store.missing_derived, self._save_derived)
        except EmbeddingError as error:
            self.stopped = str(error)
            raise
        return self.made - before

    async def _pass(
        self, missing: Callable[..., Awaitable[MissingPage[I]]], save: _Save[I]
    ) -> None:
        place: Place | None = None
        while True:
            page = await missing(self._lease.generation, _PAGE, place)
            items = [item for item in page.items if item.id not in self.failed]
            for start in range(0, len(items), _BATCH):
                await self._batch(items[start : start + _BATCH], save)
            place = page.end
            if place is None:
                return

    async def _batch(self, items: Sequence[I], save: _Save[I]) -> None:
        self._lease.check()
        try:
            rows = await self._embedded([item.text for item in items])
        except EmbeddingError as error:
            if error.retryable or isinstance(error, EmbeddingDimensionError):
                raise
            await self._refused(items, save, error)
            return
        stored = await save(items, rows)
        self.made += stored
        self._lease.done += stored
        self._tell()

    async def _refused(self, items: Sequence[I], save: _Save[I], error: EmbeddingError) -> None:
        """One text may be what the embedder refuses. If it refuses all, it does not work."""
        if len(items) == 1:
            self.failed[items[0].id] = str(error)
            return
        for item in items:
            await self._batch([item], save)
        if all(item.id in self.failed for item in items):
            for item in items:
                del self.failed[item.id]
            raise error

    async def _embedded(self, texts: Sequence[str]) -> list[bytes]:
        """Embed; a service that is not available is asked again after a while."""
        for pause in self._pauses:
            try:
                return await self._vectors(texts)
            except EmbeddingUnavailableError as error:
                asked = error.retry_after
                if asked is not None and asked > _LONGEST_PAUSE_S:
                    raise
                await asyncio.sleep(pause if asked is None else max(asked, 0.0))
        return await self._vectors(texts)

    async def _vectors(self, texts: Sequence[str]) -> list[bytes]:
        from backstory.services.embedding import guarded  # noqa: PLC0415 - opening needs no numpy

        vectors = await guarded.embed(self._embedder, texts)
        size = self._lease.generation.identity.dimensions
        if vectors.shape[1] != size:
            raise EmbeddingDimensionError(
                f"the embedder gave vectors of {vectors.shape[1]} dimensions after ones of {size}"
            )
        return [row.tobytes() for row in vectors.astype("<f4")]

    async def _save_messages(self, items: Sequence[Pending], rows: Sequence[bytes]) -> int:
        generation = self._lease.generation
        pairs = list(zip(items, rows, strict=True))
        stored = 0
        for scope, group in groupby(pairs, key=lambda pair: pair[0].scope):
            made = [
                MadeVector(message_id=item.id, revision=item.revision, vector=row)
                for item, row in group
            ]
            if self._lease.has_switched:
                saved = await self._store.messages.save_vectors(scope, generation, made)
            else:
                saved = await self._store.reindexing.save_messages(scope, generation, made)
            stored += saved or 0
        return stored

    async def _save_facts(self, items: Sequence[FactPending], rows: Sequence[bytes]) -> int:
        generation = self._lease.generation
        by_scope: dict[Scope, dict[str, tuple[datetime, bytes]]] = {}
        for item, row in zip(items, rows, strict=True):
            by_scope.setdefault(item.scope, {})[item.id] = (item.believed_at, row)
        stored = 0
        for scope, made in by_scope.items():
            if self._lease.has_switched:
                saved = await self._store.facts.save_vectors(scope, generation, made)
            else:
                saved = await self._store.reindexing.save_facts(scope, generation, made)
            stored += saved or 0
        return stored

    async def _save_derived(self, items: Sequence[DerivedPending], rows: Sequence[bytes]) -> int:
        generation = self._lease.generation
        by_scope: dict[Scope, dict[str, tuple[datetime, bytes]]] = {}
        for item, row in zip(items, rows, strict=True):
            by_scope.setdefault(item.scope, {})[item.id] = (item.recorded_at, row)
        stored = 0
        for scope, made in by_scope.items():
            if self._lease.has_switched:
                saved = await self._store.derived.save_vectors(scope, generation, made)
            else:
                saved = await self._store.reindexing.save_derived(scope, generation, made)
            stored += saved or 0
        return stored
