"""``ReindexStore`` on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from sqlalchemy import Connection, delete, func, select

from backstory.core.model.embedding import EmbedderIdentity, Generation, find_model
from backstory.core.model.scope import Scope
from backstory.errors import StoreBusyError
from backstory.ports.derived import DerivedPending
from backstory.ports.facts import FactPending
from backstory.ports.reindexing import GenerationState, MissingPage, Place
from backstory.ports.store import MadeVector, Pending
from backstory.storage.derived.vectors import DerivedVectorRows
from backstory.storage.engines.base import Units
from backstory.storage.facts.vectors import FactVectorRows
from backstory.storage.generations import GenerationRows
from backstory.storage.missing import MissingVectors
from backstory.storage.statements import CopyVectors
from backstory.storage.tables import Tables
from backstory.storage.vectors import VectorRows, check_sizes

_USERS_AT_ONCE: Final = 20
_STOPPED: Final = {"building_since": None, "holder": None, "lease_until": None, "problem": None}


class SqlReindexing:
    """Implements ``ReindexStore``.

    Args:
        units: The engine.
        tables: The store's tables.
        copy: Is told of new vectors.
    """

    def __init__(self, units: Units, tables: Tables, copy: CopyVectors | None = None) -> None:
        self._units = units
        self._t = tables
        self._rows = GenerationRows(tables)
        self._missing = MissingVectors(tables, units.dialect)
        self._messages = VectorRows(tables, units.dialect, copy)
        self._facts = FactVectorRows(tables, units.dialect)
        self._derived = DerivedVectorRows(tables, units.dialect)
        self._vectors = (tables.message_vectors, tables.fact_vectors, tables.derived_vectors)

    async def states(self) -> list[GenerationState]:
        """All generations, oldest first."""
        return await self._units.peek(self._rows.states)

    async def begin(
        self,
        identity: EmbedderIdentity,
        holder: str,
        now: datetime,
        lease_until: datetime,
        is_over: Callable[[str], bool],
    ) -> Generation:
        """Begin to fill the generation of a model, or go on with it."""

        def write(connection: Connection) -> Generation:
            rows = self._rows
            rows.lock(connection)
            states = rows.states(connection)
            refuse_held(states, now, is_over)
            known = find_model([state.generation for state in states], identity)
            number = (
                rows.make(connection, identity, now, active=False) if known is None else known.id
            )
            for state in states:
                if state.build is not None and state.generation.id != number:
                    rows.change(connection, state.generation.id, **_STOPPED)
            since = next((s.build.since for s in states if s.build and s.generation == known), now)
            rows.change(
                connection,
                number,
                building_since=since,
                holder=holder,
                lease_until=lease_until,
                problem=None,
            )
            found = (state.generation for state in rows.states(connection))
            return next(generation for generation in found if generation.id == number)

        return await self._units.write(write)

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
        """Write down how far it is; False if another piece of work took its place."""

        def write(connection: Connection) -> bool:
            self._rows.lock(connection)
            if not self._is_mine(connection, generation, holder):
                return False
            self._rows.change(
                connection,
                generation.id,
                holder=None if lease_until is None else holder,
                lease_until=lease_until,
                done=done,
                total=total,
                problem=problem,
            )
            return True

        return await self._units.write(write)

    def _is_mine(self, connection: Connection, generation: Generation, holder: str) -> bool:
        builds = {s.generation.id: s.build for s in self._rows.states(connection)}
        build = builds.get(generation.id)
        return build is not None and build.holder == holder

    async def count(self, generation: Generation) -> tuple[int, int]:
        """How many records have a vector of a generation, and how many there are."""
        return await self._units.read(partial(self._missing.count, generation_id=generation.id))

    async def missing_messages(
        self, generation: Generation, limit: int, after: Place | None = None
    ) -> MissingPage[Pending]:
        """Messages without a vector of a generation, among the ``limit`` behind a place."""
        return await self._units.read(
            lambda connection: self._missing.messages(connection, generation.id, limit, after)
        )

    async def missing_facts(
        self, generation: Generation, limit: int, after: Place | None = None
    ) -> MissingPage[FactPending]:
        """Facts without a vector of a generation, among the ``limit`` behind a place."""
        return await self._units.read(
            lambda connection: self._missing.facts(connection, generation.id, limit, after)
        )

    async def missing_derived(
        self, generation: Generation, limit: int, after: Place | None = None
    ) -> MissingPage[DerivedPending]:
        """Derived records without a vector, among the ``limit`` behind a place."""
        return await self._units.read(
            lambda connection: self._missing.derived(connection, generation.id, limit, after)
        )

    async def save_messages(
        self, scope: Scope, generation: Generation, vectors: Sequence[MadeVector]
    ) -> int:
        """Store vectors of a generation that is not active."""
        check_sizes(generation, [made.vector for made in vectors])
        saved = await self._units.write(
            lambda connection: self._messages.add(connection, scope, generation.id, vectors)
        )
        await self._units.note_growth(saved, (self._t.message_vectors,))
        return saved

    async def save_facts(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int:
        """Store vectors of facts of a generation that is not active."""
        check_sizes(generation, [vector for _, vector in vectors.values()])
        saved = await self._units.write(
            lambda connection: self._facts.add(connection, scope, generation, vectors)
        )
        await self._units.note_growth(saved, (self._t.fact_vectors,))
        return saved

    async def save_derived(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int:
        """Store vectors of derived records of a generation that is not active."""
        check_sizes(generation, [vector for _, vector in vectors.values()])
        saved = await self._units.write(
            lambda connection: self._derived.add(connection, scope, generation, vectors)
        )
        await self._units.note_growth(saved, (self._t.derived_vectors,))
        return saved

    async def switch(
        self, generation: Generation, holder: str, now: datetime, *, keep_old: bool
    ) -> int | None:
        """Make a generation the active one, in one transaction."""

        def write(connection: Connection) -> int | None:
            rows = self._rows
            # a writer of vectors is waited for, so that its messages are seen here
            rows.lock(connection, waits_for_writers=True)
            if not self._is_mine(connection, generation, holder):
                return None
            for state in rows.states(connection):
                if state.generation.id != generation.id:
                    kept = now if state.active and keep_old else None
                    rows.change(connection, state.generation.id, active=False, retired_at=kept)
            rows.change(connection, generation.id, active=True, retired_at=None, **_STOPPED)
            return self._missing.owe(connection, generation.id)

        return await self._units.write(write)

    async def release(
        self, now: datetime, is_over: Callable[[str], bool], *, retired: bool = False
    ) -> int:
        """Give up unfinished generations; with ``retired`` the kept ones as well."""

        def write(connection: Connection) -> int:
            rows = self._rows
            rows.lock(connection)
            states = rows.states(connection)
            refuse_held(states, now, is_over)
            released = 0
            for state in states:
                kept = None if retired else state.retired_at
                if not state.active and (state.build or kept != state.retired_at):
                    rows.change(connection, state.generation.id, retired_at=kept, **_STOPPED)
                    released += 1
            return released

        return await self._units.write(write)

    async def drop_unused(self) -> int:
        """Remove unused generations with their vectors, in many small transactions."""
        dropped = 0
        for state in await self.states():
            if state.is_unused:
                dropped += await self._drop(state.generation.id)
        return dropped

    async def _drop(self, generation_id: int) -> int:
        dropped, after = 0, ("", "")
        while True:
            users = await self._units.peek(partial(self._users, after=after))
            if not users:
                break
            after = (users[-1].tenant_id, users[-1].user_id)
            gone = await self._units.write(
                partial(self._drop_of, generation_id=generation_id, users=users)
            )
            if gone is None:
                return dropped
            dropped += gone
        await self._units.write(partial(self._drop_row, generation_id=generation_id))
        return dropped

    def _users(self, connection: Connection, after: tuple[str, str]) -> list[Scope]:
        users = self._t.users
        tenant, user = after
        behind = (users.c.tenant_id > tenant) | (
            (users.c.tenant_id == tenant) & (users.c.user_id > user)
        )
        query = (
            select(users.c.tenant_id, users.c.user_id)
            .where(behind)
            .order_by(users.c.tenant_id, users.c.user_id)
            .limit(_USERS_AT_ONCE)
        )
        return [Scope(row.tenant_id, row.user_id) for row in connection.execute(query)]

    def _drop_of(
        self, connection: Connection, generation_id: int, users: Sequence[Scope]
    ) -> int | None:
        """Remove the vectors of some users; None if the generation came to use again."""
        self._rows.lock(connection)
        if not self._is_unused(connection, generation_id):
            return None
        gone = 0
        for table in self._vectors:
            for scope in users:
                mine = (
                    (table.c.tenant_id == scope.tenant_id)
                    & (table.c.user_id == scope.user_id)
                    & (table.c.generation_id == generation_id)
                )
                gone += connection.execute(delete(table).where(mine)).rowcount
        return gone

    def _drop_row(self, connection: Connection, generation_id: int) -> None:
        self._rows.lock(connection, waits_for_writers=True)
        if not self._is_unused(connection, generation_id):
            return
        for vectors in self._vectors:
            # of a user that was made meanwhile, or by an import
            query = select(func.count()).select_from(vectors)
            if connection.scalar(query.where(vectors.c.generation_id == generation_id)):
                return
        table = self._t.embedding_generations
        connection.execute(delete(table).where(table.c.id == generation_id))

    def _is_unused(self, connection: Connection, generation_id: int) -> bool:
        states = self._rows.states(connection)
        return any(s.is_unused for s in states if s.generation.id == generation_id)


def refuse_held(
    states: Sequence[GenerationState], now: datetime, is_over: Callable[[str], bool]
) -> None:
    """Let nobody cross a piece of work that is going on.

    Raises:
        StoreBusyError: There is one.
    """
    for state in states:
        build = state.build
        if build is not None and build.is_held(now, is_over):
            raise StoreBusyError(
                f"a reindex to {state.generation.identity} is running ({build.done} of "
                f"{build.total} done, by {build.holder}); wait for it, or stop that process"
            )
