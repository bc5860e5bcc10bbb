"""The part of the store that holds what is derived from messages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import Derived
from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo

DerivedPlanner = Callable[[DerivedBook], DerivedPlan]


@dataclass(frozen=True, kw_only=True)
class DueSession:
    """A session that ended and was not digested since it last changed.

    Attributes:
        touched: A number that every message raises that is added, deleted, or gets another text;
            ``DerivedPlan.episodes`` says which state a digest was made of. If it has changed since,
            the session is due again.
        bulk: It was imported.
    """

    scope: Scope
    session: SessionInfo
    touched: int
    bulk: bool = False


@dataclass(frozen=True, kw_only=True)
class DerivedPending:
    """A version of a record that needs a vector of the active generation."""

    scope: Scope
    id: str
    recorded_at: datetime
    text: str


class DerivedStore(Protocol):
    """Derived records with their versions and vectors, and which sessions are due."""

    async def book(self, scope: Scope) -> DerivedBook:
        """All records of a user with every write that was acknowledged; kept in memory."""
        ...

    async def change(self, scope: Scope, plan: DerivedPlanner, now: datetime) -> DerivedPlan:
        """Load, decide, write: in one transaction that no other write of the user can cross.

        ``recorded_at`` of what is put becomes ``now`` (a little later if another version of the
        record has that time). ``plan`` is a pure function; it may be called more than once.
        Evidence in messages that the store does not have is left out, and a record goes with the
        last of it, or with a session that it covers: what was deleted meanwhile does not come
        back. NUL and lone surrogates become
        U+FFFD.

        Returns:
            The plan that was written, its records as they are stored now.

        Raises:
            InvalidInputError: A record has an id of more than 64 characters, a time without a zone,
                or a number that is not finite; nothing was written.
        """
        ...

    async def find(self, tenant_id: str, record_id: str, user_id: str | None) -> Derived | None:
        """The current version of a record by id, across the tenant or within one user."""
        ...

    async def due(
        self,
        scope: Scope | None,
        tenant_id: str,
        limit: int,
        after: DueSession | None = None,
        *,
        ended_before: datetime | None = None,
    ) -> list[DueSession]:
        """Sessions that ended and must be digested, by user and then by end, in a fixed order."""
        ...

    async def count_due(self, scope: Scope | None, tenant_id: str) -> int:
        """How many sessions must be digested."""
        ...

    async def pending(
        self, scope: Scope | None, tenant_id: str, limit: int
    ) -> list[DerivedPending]:
        """Current versions with a text and without a vector of the active generation."""
        ...

    async def save_vectors(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int | None:
        """Store vectors by record id with the ``recorded_at`` they were made of; stale ones drop.

        Returns:
            How many were stored; None if the generation is not the active one (any more).
        """
        ...

    async def vectors(
        self, scope: Scope, generation: Generation
    ) -> Mapping[tuple[str, datetime], bytes]:
        """The vectors of a user's records, by id and ``recorded_at``: float32, of length 1."""
        ...
