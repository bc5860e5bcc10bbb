"""Vectors of facts, what still needs one, and what search reads."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, update

from backstory.core.facts.phrases import indexed_text
from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactPending, FactText
from backstory.storage.engines.base import unheeded
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.rows import FactShape
from backstory.storage.generations import GenerationRows
from backstory.storage.rows import AnyRow, UserRows, key
from backstory.storage.statements import BulkInsert, Lists, Prepared, as_stored, owned, owner
from backstory.storage.tables import Tables

Made = Mapping[str, tuple[datetime, bytes]]


class FactVectorRows(metaclass=Prepared):
    """The words and vectors of facts, on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        facts, vectors = tables.facts, tables.fact_vectors
        self._facts = facts
        self._users = UserRows(tables)
        self._generations = GenerationRows(tables)
        self._evidence = EvidenceRows(tables, dialect)
        self._lists = lists = Lists(dialect)
        self._shape = FactShape(facts, dialect)
        columns = self._shape.columns
        self._changed = (
            select(*columns, as_stored(facts.c.terms).label("terms"), facts.c.change_no)
            .where(owned(facts), facts.c.change_no > bindparam("after"))
            .order_by(facts.c.seq)
        )
        in_generation = vectors.c.generation_id == bindparam("generation")
        listed = lists.holds("ids", vectors.c.fact_id)
        self._vectors = select(vectors.c.fact_id, as_stored(vectors.c.vector)).where(
            owned(vectors), in_generation
        )
        self._some_vectors = self._vectors.where(listed)
        self._pending = (
            select(*columns, facts.c.tenant_id)
            .where(facts.c.needs_vector.is_(True))
            .order_by(facts.c.user_id, facts.c.seq)
        )
        fitting = owned(facts) & lists.holds("ids", facts.c.id)
        self._believed = select(facts.c.id, facts.c.believed_at).where(fitting)
        self._drop = unheeded(delete(vectors).where(owned(vectors), in_generation, listed))
        self._insert = BulkInsert(vectors, dialect)
        self._done = unheeded(
            update(facts).where(fitting).values(needs_vector=False, change_no=bindparam("number"))
        )

    def texts(
        self, connection: Connection, scope: Scope, generation: Generation | None, after: int
    ) -> list[FactText]:
        """Facts that changed behind a number, with words and vectors."""
        rows = connection.execute(self._changed, {**owner(scope), "after": after}).all()
        ids = [row.id for row in rows]
        evidence = self._evidence.of(connection, scope, Of.FACT, ids)
        vectors = self._vectors_of(connection, scope, generation, ids, is_all=after < 0)
        return [
            FactText(
                fact=self._shape.fact(row, evidence.get(row.id, ())),
                terms=row.terms,
                vector=vectors.get(row.id),
                change_no=row.change_no,
            )
            for row in rows
        ]

    def pending(
        self, connection: Connection, scope: Scope | None, tenant_id: str, limit: int
    ) -> list[FactPending]:
        """Facts without a vector, of one user or of the whole tenant."""
        facts = self._facts
        query = self._pending.where(facts.c.tenant_id == tenant_id)
        if scope is not None:
            query = query.where(facts.c.user_id == scope.user_id)
        return [to_pending(row, self._shape) for row in connection.execute(query.limit(limit))]

    def save(
        self, connection: Connection, scope: Scope, generation: Generation, made: Made
    ) -> int | None:
        """Store the vectors that fit the present state; None if the generation is not active."""
        if not self._generations.role(connection, generation.id):
            return None
        number = self._users.take_known(connection, scope, 1)
        if number is None:
            return 0
        fitting = self._write(connection, scope, generation, made)
        if fitting:
            connection.execute(self._done, {**self._listed(scope, fitting), "number": number})
        return len(fitting)

    def add(self, connection: Connection, scope: Scope, generation: Generation, made: Made) -> int:
        """Store the vectors of a generation that is not active yet: no cache has to hear of it."""
        if self._generations.role(connection, generation.id) is None:
            return 0
        if not self._users.lock(connection, scope):
            return 0
        return len(self._write(connection, scope, generation, made))

    def _write(
        self, connection: Connection, scope: Scope, generation: Generation, made: Made
    ) -> list[str]:
        rows = connection.execute(self._believed, self._listed(scope, list(made)))
        fitting = [row.id for row in rows if made[row.id][0] == row.believed_at]
        if fitting:
            listed = self._listed(scope, fitting)
            connection.execute(self._drop, {**listed, "generation": generation.id})
            common = {**key(scope), "generation_id": generation.id}
            self._insert.run(
                connection,
                [{**common, "fact_id": fact_id, "vector": made[fact_id][1]} for fact_id in fitting],
            )
        return fitting

    def _vectors_of(
        self,
        connection: Connection,
        scope: Scope,
        generation: Generation | None,
        ids: list[str],
        *,
        is_all: bool,
    ) -> dict[str, bytes]:
        if generation is None or not ids:
            return {}
        given = {**self._listed(scope, ids), "generation": generation.id}
        query = self._vectors if is_all else self._some_vectors
        # a damaged row of another size counts as no vector
        size = (generation.identity.dimensions or 0) * 4
        return {row[0]: row[1] for row in connection.execute(query, given) if len(row[1]) == size}

    def _listed(self, scope: Scope, ids: list[str]) -> dict[str, Any]:
        return {**owner(scope), "ids": self._lists.given(ids)}


def to_pending(row: AnyRow, shape: FactShape) -> FactPending:
    """What is embedded, of a row of the shape's columns and the tenant."""
    fact = shape.fact(row)
    return FactPending(
        scope=Scope(row.tenant_id, fact.user_id),
        id=fact.id,
        text=indexed_text(fact),
        believed_at=fact.believed_at,
    )
