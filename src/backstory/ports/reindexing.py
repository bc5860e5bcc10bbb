"""The part of the store port that moves a store to the vectors of another embedder.

Vectors belong to a generation. One is active: search and new messages use it. A reindex fills
another one beside it, and one transaction makes that the active one. What is left to do follows
from which vectors are there; the row of the generation says who is at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeAlias, TypeVar

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.core.model.moving import Progress
from backstory.core.model.scope import Scope
from backstory.ports.derived import DerivedPending
from backstory.ports.embedder import Embedder
from backstory.ports.facts import FactPending
from backstory.ports.pending import MadeVector, Pending

T = TypeVar("T")
Place: TypeAlias = tuple[str, str, int]
"""Where a record is in the order of the whole store: tenant, user, sequence number."""


@dataclass(frozen=True, kw_only=True)
class Build:
    """An unfinished generation.

    Attributes:
        since: When it was begun.
        holder: The piece of work that fills it now, or did so last; None if it stopped by itself.
        lease_until: Until when the holder counts as alive without another word of it.
        done: How many messages and facts have their vector.
        total: How many there are.
        problem: Why it stopped, or None.
    """

    since: datetime
    holder: str | None = None
    lease_until: datetime | None = None
    done: int = 0
    total: int = 0
    problem: str | None = None

    def is_held(self, now: datetime, is_over: Callable[[str], bool]) -> bool:
        """Whether a piece of work is at it, as far as anyone can know."""
        if self.holder is None or self.lease_until is None or self.lease_until <= now:
            return False
        return not is_over(self.holder)


@dataclass(frozen=True, kw_only=True)
class GenerationState:
    """A generation, and what it is for.

    Attributes:
        generation: The generation.
        active: Whether search uses it.
        retired_at: Since when another one took its place, if it is kept.
        build: If a reindex fills it.
    """

    generation: Generation
    active: bool = False
    retired_at: datetime | None = None
    build: Build | None = None

    @property
    def is_unused(self) -> bool:
        """Whether nothing needs its vectors any more."""
        return not self.active and self.retired_at is None and self.build is None


@dataclass(frozen=True, kw_only=True)
class MissingPage(Generic[T]):
    """A part of what has no vector of a generation. ``end`` is where the next page begins."""

    items: tuple[T, ...]
    end: Place | None


@dataclass(frozen=True, kw_only=True)
class ReindexRequest:
    """What a caller asks for.

    Attributes:
        embedder: Whose vectors it will be; None = of the one that the memory was opened with.
        progress: Called with how many records are done, and how many there are.
        keep_old: Whether the vectors before are kept for an undo.
        skip_failed: Whether to switch although the embedder refused some texts.
    """

    embedder: str | Embedder | None = None
    progress: Progress | None = None
    keep_old: bool = True
    skip_failed: bool = False


class ReindexStore(Protocol):
    """Fills a generation beside the active one, and switches. It works on all tenants."""

    async def states(self) -> list[GenerationState]:
        """All generations, oldest first."""
        ...

    async def begin(
        self,
        identity: EmbedderIdentity,
        holder: str,
        now: datetime,
        lease_until: datetime,
        is_over: Callable[[str], bool],
    ) -> Generation:
        """Begin to fill the generation of a model, or go on with it.

        An unfinished generation of another model that nobody is at becomes unused.

        Raises:
            StoreBusyError: Another piece of work is at this or another generation.
            EmbeddingDimensionError: The store has vectors of this model of another size.
        """
        ...

    async def note(
        self,
        generation: Generation,
        holder: str,
        *,
        lease_until: datetime | None,
        done: int,
        total: int,
        problem: str | None = None,
    ) -> bool:
        """Write down how far it is; without a lease, that the holder stopped.

        Returns:
            False if another piece of work took its place; then nothing was written.
        """
        ...

    async def count(self, generation: Generation) -> tuple[int, int]:
        """How many records have a vector of a generation, and how many there are.

        Records are messages, facts, and derived records that have a text.
        """
        ...

    async def missing_messages(
        self, generation: Generation, limit: int, after: Place | None = None
    ) -> MissingPage[Pending]:
        """Messages without a vector of a generation, among the ``limit`` behind a place."""
        ...

    async def missing_facts(
        self, generation: Generation, limit: int, after: Place | None = None
    ) -> MissingPage[FactPending]:
        """Facts without a vector of a generation, among the ``limit`` behind a place."""
        ...

    async def missing_derived(
        self, generation: Generation, limit: int, after: Place | None = None
    ) -> MissingPage[DerivedPending]:
        """Current derived records with a text and no vector, among the ``limit`` behind a place."""
        ...

    async def save_messages(
        self, scope: Scope, generation: Generation, vectors: Sequence[MadeVector]
    ) -> int:
        """Store vectors of a generation that is not active; ones for outdated texts are dropped.

        Returns:
            How many were stored.
        """
        ...

    async def save_facts(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int:
        """Store vectors of facts of a generation that is not active; stale ones are dropped."""
        ...

    async def save_derived(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int:
        """Store vectors of derived records of a generation that is not active."""
        ...

    async def switch(
        self, generation: Generation, holder: str, now: datetime, *, keep_old: bool
    ) -> int | None:
        """Make a generation the active one, in one transaction.

        Whatever has no vector of it is pending afterwards. Caches of all processes are outdated.

        Args:
            generation: The one that ``holder`` filled.
            holder: Its piece of work.
            now: Since when it is active.
            keep_old: Whether the one before is kept for an undo; older ones are unused then.

        Returns:
            How many records are pending; None if another piece of work took the
            holder's place: then nothing was changed.
        """
        ...

    async def release(
        self, now: datetime, is_over: Callable[[str], bool], *, retired: bool = False
    ) -> int:
        """Give up unfinished generations; with ``retired`` the kept ones as well. They are unused.

        Returns:
            How many there were.

        Raises:
            StoreBusyError: A piece of work is at one of them.
        """
        ...

    async def drop_unused(self) -> int:
        """Remove unused generations with their vectors, in many small transactions.

        Returns:
            How many vectors were removed.
        """
        ...
