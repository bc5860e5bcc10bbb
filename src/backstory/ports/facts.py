"""The part of the store that holds facts, contradictions and collisions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import (
    Contradiction,
    ContradictionCounts,
    ContradictionState,
)
from backstory.core.model.embedding import Generation
from backstory.core.model.fact import Category, Fact, FactHistory, FactStatus
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope

MOST_FAILURES = 5
Planner = Callable[[FactBook], FactPlan]


@dataclass(frozen=True, kw_only=True)
class FactFilter:
    """Which facts a list holds.

    Attributes:
        current_at: Only what is current then: active or disputed, begun, not over. None = any.
        statuses: Only these; empty = any.
        key: A slot, or with a trailing "." all slots under a prefix.
    """

    subject: str | None = None
    category: Category | None = None
    key: str | None = None
    intent_id: str | None = None
    statuses: frozenset[FactStatus] = frozenset()
    current_at: datetime | None = None

    def passes(self, fact: Fact) -> bool:
        """Whether a fact passes, as it was believed at some time; ``current_at`` does not count."""
        key = self.key
        return (
            self.subject in (None, fact.subject)
            and self.category in (None, fact.category)
            and self.intent_id in (None, fact.intent_id)
            and (not self.statuses or fact.status in self.statuses)
            and (key is None or fact.key == key or (key.endswith(".") and fact.key.startswith(key)))
        )


@dataclass(frozen=True, kw_only=True)
class FactText:
    """What search reads of one fact: the words of its sentence, and its vector if it has one.

    Attributes:
        terms: Hashed words of ``indexed_text``, little-endian uint32.
        vector: Little-endian float32 of length 1 in the generation asked for, or None.
        change_no: Rises with every write of the user.
    """

    fact: Fact
    terms: bytes
    vector: bytes | None
    change_no: int


@dataclass(frozen=True, kw_only=True)
class FactPending:
    """A fact that needs a vector; ``text`` is what is embedded."""

    scope: Scope
    id: str
    text: str
    believed_at: datetime


@dataclass(frozen=True, kw_only=True)
class Unread:
    """Messages of one session that no reader has read yet, oldest first.

    Attributes:
        messages: With their revision.
        before: Up to six turns of the session that come before the first of them.
        speaker: The user's name: of the session, else the first name that ever spoke in the role
            of the user, if one of the messages names who speaks.
        bulk: They were recorded by a bulk import.
        ended: The session is over.
        failures: How often reading the first of them failed.
        metadata: Of the session.
    """

    scope: Scope
    session_id: str
    messages: tuple[tuple[Message, int], ...]
    before: tuple[Message, ...] = ()
    speaker: str | None = None
    bulk: bool = False
    ended: bool = False
    failures: int = 0
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_given_up(self) -> bool:
        """Whether the background leaves them alone: only an explicit flush reads them again."""
        return self.failures >= MOST_FAILURES


@dataclass(frozen=True, kw_only=True)
class NewTexts:
    """What search needs of the rows of a plan, by fact id: hashed words, and their version."""

    terms: Mapping[str, bytes] = field(default_factory=dict)
    terms_version: int = 0


class FactStore(Protocol):
    """Facts with their states, evidence, log and vectors; readings of messages."""

    async def change(
        self,
        scope: Scope,
        wanted: FactsWanted,
        announced: frozenset[tuple[str, str, str]],
        plan: Planner,
        texts: Callable[[Sequence[Fact]], NewTexts],
        now: datetime,
    ) -> FactPlan:
        """Load, decide, write: in one transaction that no other write of the user can cross.

        Args:
            scope: Whose facts.
            wanted: What to load.
            announced: (subject, key, normal value) triples that the plan may store; the book says
                which of them were erased.
            plan: A pure function; it may be called more than once.
            texts: Gives the words of new and changed rows.
            now: The time of the commit.

        Returns:
            The plan that was written.
        """
        ...

    async def find(self, tenant_id: str, fact_id: str, user_id: str | None) -> Fact | None:
        """Find one fact by its id, across the tenant or within one user."""
        ...

    async def many(self, scope: Scope, ids: Sequence[str]) -> dict[str, Fact]:
        """Fetch facts by id; unknown ids are left out."""
        ...

    async def listed(
        self, scope: Scope, chosen: FactFilter, limit: int | None, after: int = -1
    ) -> list[tuple[int, Fact]]:
        """Facts with their sequence numbers, in order of recording, behind ``after``."""
        ...

    async def latest(self, scope: Scope, chosen: FactFilter, limit: int) -> list[Fact]:
        """The facts recorded last, at most ``limit``, in order of recording."""
        ...

    async def count(self, scope: Scope, chosen: FactFilter) -> int:
        """How many facts pass."""
        ...

    async def as_of(
        self, scope: Scope, valid_at: datetime, known_at: datetime | None, chosen: FactFilter
    ) -> list[Fact]:
        """What was believed at ``known_at`` (None = now) to be true at ``valid_at``.

        Each fact is given as it was believed then.
        """
        ...

    async def history(self, scope: Scope, fact_id: str) -> FactHistory | None:
        """Rows, earlier states and log of the slot of a fact; None if there is no such fact."""
        ...

    async def erase(self, scope: Scope, fact_id: str, *, erase_source: bool, now: datetime) -> bool:
        """Remove a row with its evidence, states, vector, words and the values in its log.

        One keyed hash stays, so that it does not come back. ``erase_source`` also removes the
        messages it came from. False if there was none.
        """
        ...

    async def texts(
        self, scope: Scope, generation: Generation | None, after: int
    ) -> list[FactText]:
        """What search reads, of the rows that changed behind ``after``."""
        ...

    async def stamp(self, scope: Scope) -> tuple[int, int]:
        """(next number, epoch) of the user: they change with every write and every removal."""
        ...

    async def pending(self, scope: Scope | None, tenant_id: str, limit: int) -> list[FactPending]:
        """Facts that need a vector."""
        ...

    async def save_vectors(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int | None:
        """Store vectors by fact id with the ``believed_at`` they were made of; stale ones drop.

        Returns:
            How many were stored; None if the generation is not the active one (any more): then
            nothing was stored.
        """
        ...

    async def unread(
        self,
        scope: Scope | None,
        tenant_id: str,
        limit: int,
        session_id: str | None = None,
        after: Unread | None = None,
    ) -> list[Unread]:
        """Sessions with messages that no reader has read, at most ``limit`` messages in all.

        In a fixed order of users and sessions; ``after`` goes on behind the last one of an earlier
        call. What is given up, and what was imported in bulk, is apart from the rest of its
        session.
        """
        ...

    async def count_unread(self, scope: Scope | None, tenant_id: str) -> int:
        """How many messages no reader has read."""
        ...

    async def note_unreadable(self, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Remember why a reading failed; the messages stay unread."""
        ...


class ContradictionStore(Protocol):
    """Contradictions (they are written by ``FactStore.change``)."""

    async def find(
        self, tenant_id: str, contradiction_id: str, user_id: str | None
    ) -> Contradiction | None:
        """Find one by id."""
        ...

    async def listed(
        self,
        scope: Scope,
        states: frozenset[ContradictionState],
        session_id: str | None = None,
        limit: int | None = None,
    ) -> list[Contradiction]:
        """Those in these states, oldest first."""
        ...

    async def counts(self, scope: Scope) -> ContradictionCounts:
        """How many there are in each state."""
        ...

    async def note_shown(self, scope: Scope, ids: Sequence[str]) -> None:
        """Count that these were shown."""
        ...


class CollisionStore(Protocol):
    """Collisions and what was decided about them."""

    async def listed(self, scope: Scope, *, include_closed: bool) -> list[Collision]:
        """Collisions, oldest first."""
        ...

    async def replace(
        self,
        scope: Scope,
        plan: Callable[[Sequence[Collision], Sequence[Fact]], Sequence[Collision]],
        now: datetime,
    ) -> Sequence[Collision]:
        """Give all collisions and current facts to a pure function, store what it returns.

        It returns new and changed ones; a collision of the same user, subject, name and family is
        the same one.
        """
        ...
