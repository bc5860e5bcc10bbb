"""``DerivedStore`` on SQLite and PostgreSQL."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.derived.unknown import for_unknown
from backstory.core.model.derived import Derived
from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.ports.derived import DerivedPending, DerivedPlanner, DueSession
from backstory.storage.derived.books import DerivedBooks
from backstory.storage.derived.due import DueSessions
from backstory.storage.derived.rows import to_record
from backstory.storage.derived.vectors import DerivedVectorRows
from backstory.storage.derived.writing import DerivedWriter
from backstory.storage.engines.base import Units
from backstory.storage.numbers import UserNumbers
from backstory.storage.rows import UserRows
from backstory.storage.tables import Tables
from backstory.storage.vectors import check_sizes


class SqlDerived:
    """Implements ``DerivedStore``.

    Args:
        units: The engine.
        tables: The store's tables.
        numbers: Tells whether what is cached is current.
    """

    def __init__(self, units: Units, tables: Tables, numbers: UserNumbers) -> None:
        self._units = units
        self._t = tables
        self._users = UserRows(tables)
        self._writer = DerivedWriter(tables, units.dialect)
        self._vectors = DerivedVectorRows(tables, units.dialect)
        self._due = DueSessions(tables)
        self.books = DerivedBooks(units, tables, numbers)
        derived = tables.derived
        self._find = select(derived).where(
            derived.c.tenant_id == bindparam("tenant"),
            derived.c.id == bindparam("record"),
            derived.c.replaced_at.is_(None),
        )

    async def forget_cached(self, scope: Scope) -> None:
        """Drop what is held of a user in memory."""
        await self.books.forget(scope)

    async def book(self, scope: Scope) -> DerivedBook:
        """All records of a user with every write that was acknowledged; kept in memory."""
        return await self.books.get(scope)

    async def change(self, scope: Scope, plan: DerivedPlanner, now: datetime) -> DerivedPlan:
        """Load, decide, write: in one transaction that no other write of the user can cross."""
        made, count = await self._units.write(
            lambda connection: self.change_in(connection, scope, plan, now)
        )
        if made.erase or made.dropped:
            await self._units.scrub()
        await self._units.note_growth(count, (self._t.derived,))
        return made

    def change_in(
        self, connection: Connection, scope: Scope, plan: DerivedPlanner, now: datetime
    ) -> tuple[DerivedPlan, int]:
        """The same inside the transaction of a connection; gives also how many rows it took."""
        is_known = self._users.lock(connection, scope)
        made = plan(self.books.load(connection, scope))
        if not is_known:
            made = for_unknown(made)
        if not is_known and made.put:
            # Another writer may make the user at this moment: only now nobody can cross.
            self._users.take(connection, scope, 0, now)
            made = for_unknown(plan(self.books.load(connection, scope)))
        return self._writer.run(connection, scope, made, now)

    async def find(self, tenant_id: str, record_id: str, user_id: str | None) -> Derived | None:
        """The current version of a record by id, across the tenant or within one user."""
        query = self._find
        if user_id is not None:
            query = query.where(self._t.derived.c.user_id == user_id)

        def read(connection: Connection) -> Derived | None:
            row = connection.execute(query, {"tenant": tenant_id, "record": record_id}).first()
            return to_record(row) if row else None

        return await self._units.peek(read)

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
        return await self._units.peek(
            lambda connection: self._due.find(
                connection, scope, tenant_id, limit, after, ended_before
            )
        )

    async def count_due(self, scope: Scope | None, tenant_id: str) -> int:
        """How many sessions must be digested."""
        return await self._units.peek(
            lambda connection: self._due.count(connection, scope, tenant_id)
        )

    async def pending(
        self, scope: Scope | None, tenant_id: str, limit: int
    ) -> list[DerivedPending]:
        """Current versions with a text and without a vector of the active generation."""
        return await self._units.peek(
            lambda connection: self._vectors.pending(connection, scope, tenant_id, limit)
        )

    async def save_vectors(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int | None:
        """Store vectors by id with the ``recorded_at`` they were made of; stale ones drop."""
        check_sizes(generation, [vector for _, vector in vectors.values()])
        saved = await self._units.write(
            lambda connection: self._vectors.save(connection, scope, generation, vectors)
        )
        await self._units.note_growth(saved or 0, (self._t.derived, self._t.derived_vectors))
        return saved

    async def vectors(
        self, scope: Scope, generation: Generation
    ) -> Mapping[tuple[str, datetime], bytes]:
        """The vectors of a user's records, by id and ``recorded_at``: float32, of length 1."""
        return await self.books.vectors(scope, generation.id)
