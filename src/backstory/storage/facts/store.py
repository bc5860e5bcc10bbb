"""``FactStore`` on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import Connection

from backstory.core.facts.asof import as_of
from backstory.core.facts.book import FactPlan, FactsWanted
from backstory.core.model.embedding import Generation
from backstory.core.model.fact import Fact, FactHistory
from backstory.core.model.scope import Scope
from backstory.ports.facts import (
    FactFilter,
    FactPending,
    FactText,
    NewTexts,
    Planner,
    Unread,
)
from backstory.storage.engines.base import Units
from backstory.storage.facts.erasing import FactEraser
from backstory.storage.facts.listing import FactReader
from backstory.storage.facts.loading import BookLoader
from backstory.storage.facts.unread import UnreadMessages
from backstory.storage.facts.vectors import FactVectorRows
from backstory.storage.facts.writing import PlanWriter
from backstory.storage.numbers import UserNumbers
from backstory.storage.rows import UserRows
from backstory.storage.tables import Tables
from backstory.storage.vectors import check_sizes

if TYPE_CHECKING:
    from backstory.core.derived.book import DerivedPlan
    from backstory.ports.derived import DerivedPlanner
    from backstory.storage.facts.remembered import RememberedFacts

_ANY = FactFilter()
WriteDerived: TypeAlias = (
    "Callable[[Connection, Scope, DerivedPlanner, datetime], tuple[DerivedPlan, int]]"
)


class SqlFacts:
    """Implements ``FactStore``.

    Args:
        units: The engine.
        tables: The store's tables.
        numbers: Tells whether what is cached is current.
        derived: Writes a plan of derived records inside a transaction; None = never asked for.
    """

    def __init__(
        self,
        units: Units,
        tables: Tables,
        numbers: UserNumbers,
        derived: WriteDerived | None = None,
    ) -> None:
        self._units = units
        self._derived = derived
        self._numbers = numbers
        self._t = tables
        self._users = UserRows(tables)
        self._loader = BookLoader(tables, units.dialect)
        self._writer = PlanWriter(tables, units.dialect)
        self._reader = FactReader(tables, units.dialect)
        self._vectors = FactVectorRows(tables, units.dialect)
        self._eraser = FactEraser(tables, units.dialect)
        self._unread = UnreadMessages(tables, units.dialect)

    @cached_property
    def _remembered(self) -> RememberedFacts:
        # numpy loads with it, when a time is asked for
        from backstory.storage.facts.remembered import RememberedFacts  # noqa: PLC0415

        return RememberedFacts(self._units, self._t, self._numbers)

    async def forget_cached(self, scope: Scope) -> None:
        """Drop what is held of a user in memory."""
        # what was never asked for holds nothing
        if "_remembered" in self.__dict__:
            await self._remembered.forget(scope)

    async def change(
        self,
        scope: Scope,
        wanted: FactsWanted,
        announced: frozenset[tuple[str, str, str]],
        plan: Planner,
        texts: Callable[[Sequence[Fact]], NewTexts],
        now: datetime,
    ) -> FactPlan:
        """Load, decide, write: in one transaction that no other write of the user can cross."""

        def write(connection: Connection) -> tuple[FactPlan, int, bool]:
            is_known = self._users.lock(connection, scope)
            book = self._loader.load(connection, scope, wanted, announced)
            made = plan(book)
            if not is_known and _is_of_somebody(made):
                # Another writer may make the user at this moment: only now nobody can cross.
                self._users.take(connection, scope, 0, now)
                book = self._loader.load(connection, scope, wanted, announced)
                made = plan(book)
            count = self._writer.run(connection, scope, book, made, texts, now)
            if made.derived is None or self._derived is None:
                return made, count, bool(made.removed)
            beside, more = self._derived(connection, scope, made.derived, now)
            return made, count + more, bool(made.removed or beside.erase or beside.dropped)

        made, count, is_less = await self._units.write(write)
        if is_less:
            await self._units.scrub()
        await self._units.note_growth(count, (self._t.facts, self._t.fact_evidence))
        return made

    async def find(self, tenant_id: str, fact_id: str, user_id: str | None) -> Fact | None:
        """Find one fact by its id, across the tenant or within one user."""
        return await self._units.peek(
            lambda connection: self._reader.find(connection, tenant_id, fact_id, user_id)
        )

    async def many(self, scope: Scope, ids: Sequence[str]) -> dict[str, Fact]:
        """Fetch facts by id; unknown ids are left out."""
        return await self._units.peek(lambda connection: self._reader.many(connection, scope, ids))

    async def listed(
        self, scope: Scope, chosen: FactFilter, limit: int | None, after: int = -1
    ) -> list[tuple[int, Fact]]:
        """Facts with their sequence numbers, in order of recording, behind ``after``."""
        return await self._units.peek(
            lambda connection: self._reader.listed(connection, scope, chosen, limit, after)
        )

    async def latest(self, scope: Scope, chosen: FactFilter, limit: int) -> list[Fact]:
        """The facts recorded last, at most ``limit``, in order of recording."""
        return await self._units.peek(
            lambda connection: self._reader.latest(connection, scope, chosen, limit)
        )

    async def count(self, scope: Scope, chosen: FactFilter) -> int:
        """How many facts pass."""
        return await self._units.peek(
            lambda connection: self._reader.count(connection, scope, chosen)
        )

    async def as_of(
        self, scope: Scope, valid_at: datetime, known_at: datetime | None, chosen: FactFilter
    ) -> list[Fact]:
        """What was believed at ``known_at`` (None = now) to be true at ``valid_at``."""
        key = chosen.key
        if key is not None and not key.endswith("."):
            facts, states = await self._units.read(
                lambda connection: self._reader.of_key(connection, scope, key)
            )
            then = as_of(facts, states, valid_at, known_at)
        else:
            then = (await self._remembered.get(scope)).as_of(valid_at, known_at)
        return then if chosen == _ANY else [fact for fact in then if chosen.passes(fact)]

    async def history(self, scope: Scope, fact_id: str) -> FactHistory | None:
        """Rows, earlier states and log of the slot of a fact; None if there is no such fact."""
        return await self._units.read(
            lambda connection: self._reader.history(connection, scope, fact_id)
        )

    async def erase(self, scope: Scope, fact_id: str, *, erase_source: bool, now: datetime) -> bool:
        """Remove a row with all that it said; one keyed hash stays."""

        def write(connection: Connection) -> bool:
            return self._eraser.run(connection, scope, fact_id, now, erase_source=erase_source)

        gone = await self._units.write(write)
        if gone:
            await self.forget_cached(scope)
            await self._units.scrub()
        return gone

    async def texts(
        self, scope: Scope, generation: Generation | None, after: int
    ) -> list[FactText]:
        """What search reads, of the rows that changed behind ``after``."""
        return await self._units.read(
            lambda connection: self._vectors.texts(connection, scope, generation, after)
        )

    async def stamp(self, scope: Scope) -> tuple[int, int]:
        """(next number, epoch) of the user: they change with every write and every removal."""
        found = await self._numbers.get(scope)
        return (found.next_seq, found.facts_epoch) if found else (0, 0)

    async def pending(self, scope: Scope | None, tenant_id: str, limit: int) -> list[FactPending]:
        """Facts that need a vector."""
        return await self._units.peek(
            lambda connection: self._vectors.pending(connection, scope, tenant_id, limit)
        )

    async def save_vectors(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int | None:
        """Store vectors by fact id with the ``believed_at`` they were made of; stale ones drop."""
        check_sizes(generation, [vector for _, vector in vectors.values()])
        saved = await self._units.write(
            lambda connection: self._vectors.save(connection, scope, generation, vectors)
        )
        await self._units.note_growth(saved or 0, (self._t.facts, self._t.fact_vectors))
        return saved

    async def unread(
        self,
        scope: Scope | None,
        tenant_id: str,
        limit: int,
        session_id: str | None = None,
        after: Unread | None = None,
    ) -> list[Unread]:
        """Sessions with messages that no reader has read, at most ``limit`` messages in all."""
        return await self._units.read(
            lambda connection: self._unread.find(
                connection, scope, tenant_id, limit, session_id, after
            )
        )

    async def count_unread(self, scope: Scope | None, tenant_id: str) -> int:
        """How many messages no reader has read."""
        return await self._units.peek(
            lambda connection: self._unread.count(connection, scope, tenant_id)
        )

    async def note_unreadable(self, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Remember why a reading failed; the messages stay unread."""
        await self._units.write(
            lambda connection: self._unread.note(connection, scope, ids, reason)
        )


def _is_of_somebody(plan: FactPlan) -> bool:
    """Whether there must be a user for a plan."""
    return bool(plan.facts or plan.contradictions or plan.corrections or plan.derived)
