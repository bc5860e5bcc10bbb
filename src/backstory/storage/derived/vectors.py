"""Vectors of derived records, and what still needs one."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, update

from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.ports.derived import DerivedPending
from backstory.storage.derived.rows import to_record
from backstory.storage.engines.base import unheeded
from backstory.storage.generations import GenerationRows
from backstory.storage.rows import UserRows, key
from backstory.storage.statements import BulkInsert, Lists, Prepared, as_stored, owned, owner
from backstory.storage.tables import Tables

Made = Mapping[str, tuple[datetime, bytes]]


class DerivedVectorRows(metaclass=Prepared):
    """The vectors of versions, on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        derived, vectors = tables.derived, tables.derived_vectors
        self._derived = derived
        self._users = UserRows(tables)
        self._generations = GenerationRows(tables)
        self._lists = lists = Lists(dialect)
        self._pending = (
            select(derived)
            .where(derived.c.needs_vector.is_(True))
            .order_by(derived.c.user_id, derived.c.seq)
        )
        current = owned(derived) & derived.c.replaced_at.is_(None)
        self._fitting = select(derived.c.id, derived.c.seq, derived.c.recorded_at).where(
            current, lists.holds("ids", derived.c.id)
        )
        self._done = unheeded(
            update(derived)
            .where(current, lists.holds("ids", derived.c.id))
            .values(needs_vector=False, change_no=bindparam("number"))
        )
        one = owned(vectors) & (vectors.c.seq == bindparam("row_seq"))
        in_generation = vectors.c.generation_id == bindparam("generation")
        self._drop = unheeded(delete(vectors).where(one, in_generation))
        self._insert = BulkInsert(vectors, dialect)
        same = (
            (vectors.c.tenant_id == derived.c.tenant_id)
            & (vectors.c.user_id == derived.c.user_id)
            & (vectors.c.seq == derived.c.seq)
        )
        self._vectors = (
            select(derived.c.seq, as_stored(vectors.c.vector))
            .join_from(derived, vectors, same)
            .where(owned(derived), in_generation, derived.c.change_no > bindparam("after"))
        )

    def pending(
        self, connection: Connection, scope: Scope | None, tenant_id: str, limit: int
    ) -> list[DerivedPending]:
        """Current versions without a vector, of one user or of the whole tenant."""
        derived = self._derived
        whose = scope.tenant_id if scope else tenant_id
        query = self._pending.where(derived.c.tenant_id == whose)
        if scope is not None:
            query = query.where(derived.c.user_id == scope.user_id)
        return [to_pending(row) for row in connection.execute(query.limit(limit))]

    def save(
        self, connection: Connection, scope: Scope, generation: Generation, made: Made
    ) -> int | None:
        """Store the vectors that fit current versions; None if the generation is not active."""
        if not self._generations.role(connection, generation.id):
            return None
        number = self._users.take_known(connection, scope, 1)
        if number is None:
            return 0
        fitting = self._write(connection, scope, generation, made)
        if fitting:
            given = {**owner(scope), "ids": self._lists.given(fitting), "number": number}
            connection.execute(self._done, given)
            self._users.mark_derived(connection, scope, number, removed=False)
        return len(fitting)

    def add(self, connection: Connection, scope: Scope, generation: Generation, made: Made) -> int:
        """Store the vectors of a generation that is not active yet: no cache has to hear of it."""
        if self._generations.role(connection, generation.id) is None:
            return 0
        if not self._users.lock(connection, scope):
            return 0
        return len(self._write(connection, scope, generation, made))

    def of(
        self, connection: Connection, scope: Scope, generation_id: int, after: int
    ) -> dict[int, bytes]:
        """The vectors of versions that changed behind a number, by the number of the version."""
        given = {**owner(scope), "generation": generation_id, "after": after}
        return {row[0]: bytes(row[1]) for row in connection.execute(self._vectors, given)}

    def _write(
        self, connection: Connection, scope: Scope, generation: Generation, made: Made
    ) -> list[str]:
        given = {**owner(scope), "ids": self._lists.given(list(made))}
        found = connection.execute(self._fitting, given).all()
        fitting = {row.id: row.seq for row in found if made[row.id][0] == row.recorded_at}
        common: dict[str, Any] = {**key(scope), "generation_id": generation.id}
        for seq in fitting.values():
            dropped = {**owner(scope), "row_seq": seq, "generation": generation.id}
            connection.execute(self._drop, dropped)
        if fitting:
            rows = [{**common, "seq": seq, "vector": made[i][1]} for i, seq in fitting.items()]
            self._insert.run(connection, rows)
        return list(fitting)


def to_pending(row: Any) -> DerivedPending:
    """What is embedded, of a row."""
    record = to_record(row)
    return DerivedPending(
        scope=Scope(row.tenant_id, row.user_id),
        id=record.id,
        recorded_at=record.recorded_at,
        text=record.indexed_text,
    )
