"""Makes the vectors of records that are stored in versions: facts, and what is derived."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from backstory.errors import EmbeddingDimensionError, EmbeddingError

if TYPE_CHECKING:
    from backstory.core.model.embedding import Generation
    from backstory.core.model.scope import Scope
    from backstory.services.embedding.vectors import VectorMaker

BATCH: Final = 256


class Waiting(Protocol):
    """A version of a record that waits for its vector."""

    @property
    def scope(self) -> Scope:
        """Whose it is."""
        ...

    @property
    def id(self) -> str:
        """The record."""
        ...

    @property
    def text(self) -> str:
        """What is embedded."""
        ...


W = TypeVar("W", bound=Waiting)
Pending = Callable[["Scope | None", str, int], Awaitable[Sequence[W]]]
Save = Callable[
    ["Scope", "Generation", Mapping[str, tuple[datetime, bytes]]], Awaitable["int | None"]
]


class RecordVectors(Generic[W]):
    """Embeds what is pending and stores it, with the generation that it was made for.

    Args:
        vectors: The embedder, and the generation that it belongs to.
        pending: Says what waits.
        save: Stores vectors; None = the generation is not the active one any more.
        version: Tells the version of a record that is waiting.
    """

    def __init__(
        self,
        vectors: VectorMaker,
        pending: Pending[W],
        save: Save,
        version: Callable[[W], datetime],
    ) -> None:
        self._vectors = vectors
        self._pending = pending
        self._save = save
        self._version = version

    async def flush(self, scope: Scope | None, tenant_id: str) -> tuple[int, set[str]]:
        """Make every pending vector, each tried once. Returns how many, and why others failed."""
        made, reasons = 0, set[str]()
        if not self._vectors.works:
            return made, reasons
        tried: set[tuple[str, datetime]] = set()
        while True:
            some = await self._pending(scope, tenant_id, BATCH + len(tried))
            fresh = [item for item in some if (item.id, self._version(item)) not in tried]
            if not fresh:
                return made, reasons
            tried.update((item.id, self._version(item)) for item in fresh)
            problems = await self.make(fresh)
            made += len(fresh) - len(problems)
            reasons.update(problems)

    async def make(self, items: Sequence[W]) -> list[str]:
        """Embed and store. Gives why, once for each record that failed; they stay pending."""
        if not items:
            return []
        try:
            while not await self._made(items):
                self._vectors.look_again()  # the store moved to another embedder meanwhile
        except EmbeddingError as error:
            is_whole = error.retryable or isinstance(error, EmbeddingDimensionError)
            if is_whole or len(items) == 1 or not self._vectors.works:
                return [str(error)] * len(items)
            # one text may be what the embedder refuses: the others must not wait for it
            return [problem for item in items for problem in await self.make([item])]
        return []

    async def _made(self, items: Sequence[W]) -> bool:
        generation, rows = await self._vectors.embedded([item.text for item in items])
        by_scope: dict[Scope, dict[str, tuple[datetime, bytes]]] = {}
        for item, row in zip(items, rows, strict=True):
            by_scope.setdefault(item.scope, {})[item.id] = (self._version(item), row)
        for scope, vectors in by_scope.items():
            if await self._save(scope, generation, vectors) is None:
                return False
        return True
