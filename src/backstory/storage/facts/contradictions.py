"""``ContradictionStore`` and ``CollisionStore`` on SQLite and PostgreSQL."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from backstory.core.model.collision import Collision, CollisionState
from backstory.core.model.contradiction import (
    Contradiction,
    ContradictionCounts,
    ContradictionState,
)
from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter
from backstory.storage.engines.base import Units
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.hashes import hash_of
from backstory.storage.facts.listing import FactReader
from backstory.storage.facts.rows import to_contradiction
from backstory.storage.numbers import UNDECIDED, UserNumbers
from backstory.storage.rows import AnyRow, UserRows, key
from backstory.storage.statements import Lists, owned, owner
from backstory.storage.tables import Tables

CollisionPlan = Callable[[Sequence[Collision], Sequence[Fact]], Sequence[Collision]]


class SqlContradictions:
    """Implements ``ContradictionStore``.

    Args:
        units: The engine.
        tables: The store's tables.
        numbers: Tells whether there are any that are undecided.
    """

    def __init__(self, units: Units, tables: Tables, numbers: UserNumbers) -> None:
        self._units = units
        self._numbers = numbers
        self._table = table = tables.contradictions
        self._evidence = EvidenceRows(tables, units.dialect)
        self._lists = lists = Lists(units.dialect)
        self._in_states = (
            select(table)
            .where(owned(table), lists.holds("states", table.c.state))
            .order_by(table.c.opened_at, table.c.seq)
        )
        self._counts = (
            select(table.c.state, func.count()).where(owned(table)).group_by(table.c.state)
        )
        self._shown = (
            update(table)
            .where(owned(table), lists.holds("ids", table.c.id))
            .values(surfaced=table.c.surfaced + 1)
        )

    async def find(
        self, tenant_id: str, contradiction_id: str, user_id: str | None
    ) -> Contradiction | None:
        """Find one by id."""
        table = self._table
        query = select(table).where(table.c.tenant_id == tenant_id, table.c.id == contradiction_id)
        if user_id is not None:
            query = query.where(table.c.user_id == user_id)

        def read(connection: Connection) -> Contradiction | None:
            row = connection.execute(query).first()
            if row is None:
                return None
            return self._made(connection, Scope(tenant_id, row.user_id), [row])[0]

        return await self._units.read(read)

    async def listed(
        self,
        scope: Scope,
        states: frozenset[ContradictionState],
        session_id: str | None = None,
        limit: int | None = None,
    ) -> list[Contradiction]:
        """Those in these states, oldest first."""
        if states <= UNDECIDED:
            # mostly there are none, which is known from what others ask for as well
            numbers = await self._numbers.get(scope)
            if numbers is None or not numbers.is_undecided:
                return []
        query = self._in_states.limit(limit)
        if session_id is not None:
            query = query.where(self._table.c.session_id == session_id)
        given = {**owner(scope), "states": self._lists.given(sorted(states))}

        def read(connection: Connection) -> list[Contradiction]:
            return self._made(connection, scope, connection.execute(query, given).all())

        return await self._units.read(read)

    async def counts(self, scope: Scope) -> ContradictionCounts:
        """How many there are in each state."""

        def read(connection: Connection) -> dict[str, int]:
            return {row[0]: row[1] for row in connection.execute(self._counts, owner(scope))}

        return ContradictionCounts(**await self._units.peek(read))

    async def note_shown(self, scope: Scope, ids: Sequence[str]) -> None:
        """Count that these were shown."""
        if not ids:
            return
        given = {**owner(scope), "ids": self._lists.given(ids)}
        await self._units.write(lambda connection: connection.execute(self._shown, given))

    def _made(
        self, connection: Connection, scope: Scope, rows: Sequence[AnyRow]
    ) -> list[Contradiction]:
        ids = [row.id for row in rows]
        evidence = self._evidence.of(connection, scope, Of.CONTRADICTION, ids)
        return [to_contradiction(row, evidence.get(row.id, ())) for row in rows]


class SqlCollisions:
    """Implements ``CollisionStore``.

    Args:
        units: The engine.
        tables: The store's tables.
    """

    def __init__(self, units: Units, tables: Tables) -> None:
        self._units = units
        self._users = UserRows(tables)
        self._facts = FactReader(tables, units.dialect)
        table = tables.collisions
        self._all = select(table).where(owned(table)).order_by(table.c.opened_at, table.c.seq)
        self._insert = insert(table)
        fixed = {"tenant_id", "user_id", "id", "seq", "identity_hash"}
        self._update = (
            update(table)
            .where(owned(table), table.c.identity_hash == bindparam("identity"))
            .values(
                {
                    column.name: bindparam(f"new_{column.name}", type_=column.type)
                    for column in table.columns
                    if column.name not in fixed
                }
            )
        )

    async def listed(self, scope: Scope, *, include_closed: bool) -> list[Collision]:
        """Collisions, oldest first."""
        found = await self._units.peek(lambda connection: self._listed(connection, scope))
        return [c for c in found if include_closed or c.state is not CollisionState.CLOSED]

    async def replace(self, scope: Scope, plan: CollisionPlan, now: datetime) -> list[Collision]:
        """Give all collisions and current facts to a pure function, store what it returns."""

        def write(connection: Connection) -> list[Collision]:
            # not made if it is not there: a user who was forgotten meanwhile stays so
            is_known = self._users.lock(connection, scope)
            known, planned = self._planned(connection, scope, plan, now)
            if not is_known and planned:
                # Another writer may make the user at this moment: only now nobody can cross.
                self._users.take(connection, scope, 0, now)
                known, planned = self._planned(connection, scope, plan, now)
            return [self._written(connection, scope, item, known, now) for item in planned]

        return await self._units.write(write)

    def _planned(
        self, connection: Connection, scope: Scope, plan: CollisionPlan, now: datetime
    ) -> tuple[dict[str, Collision], Sequence[Collision]]:
        """What is there by identity, and what a plan makes of it."""
        known = self._listed(connection, scope)
        current = FactFilter(current_at=now)
        facts = [f for _, f in self._facts.listed(connection, scope, current, None, -1)]
        return {collision_identity(item): item for item in known}, plan(known, facts)

    def _written(
        self,
        connection: Connection,
        scope: Scope,
        item: Collision,
        known: dict[str, Collision],
        now: datetime,
    ) -> Collision:
        identity = collision_identity(item)
        values = collision_values(item)
        if identity in known:
            kept = replace(item, id=known[identity].id)
            changes = {f"new_{name}": value for name, value in values.items()}
            connection.execute(self._update, {**owner(scope), "identity": identity, **changes})
        else:
            kept = item
            seq = self._users.take(connection, scope, 1, now)
            row = {**key(scope), **values, "id": item.id, "seq": seq, "identity_hash": identity}
            connection.execute(self._insert, row)
        known[identity] = kept
        return kept

    def _listed(self, connection: Connection, scope: Scope) -> list[Collision]:
        return [to_collision(row) for row in connection.execute(self._all, owner(scope))]


def collision_identity(item: Collision) -> str:
    """Names a collision within its user."""
    return hash_of(item.subject, item.name, item.family)


def collision_values(item: Collision) -> Mapping[str, Any]:
    """The columns of a collision's row, without key, id, number and identity."""
    return {
        "subject": item.subject,
        "name": item.name,
        "family": item.family,
        "kinds": list(item.kinds),
        "fact_ids": list(item.fact_ids),
        "opened_at": item.opened_at,
        "state": str(item.state),
        "kept": item.kept,
        "note": item.note,
        "settled_at": item.settled_at,
    }


def to_collision(row: AnyRow) -> Collision:
    """A collision."""
    return Collision(
        id=row.id,
        user_id=row.user_id,
        subject=row.subject,
        name=row.name,
        family=row.family,
        kinds=tuple(row.kinds),
        fact_ids=tuple(row.fact_ids),
        opened_at=row.opened_at,
        state=CollisionState(row.state),
        kept=row.kept,
        note=row.note,
        settled_at=row.settled_at,
    )
