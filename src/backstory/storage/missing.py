"""Which messages and facts have no vector of a generation."""

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    bindparam,
    exists,
    func,
    select,
    tuple_,
    update,
)

from backstory.core.model.scope import Scope
from backstory.ports.facts import FactPending
from backstory.ports.reindexing import MissingPage, Place
from backstory.ports.store import Pending
from backstory.storage.facts.rows import FactShape
from backstory.storage.facts.vectors import to_pending
from backstory.storage.rows import AnyRow
from backstory.storage.statements import Prepared
from backstory.storage.tables import Tables

T = TypeVar("T")


class MissingVectors(metaclass=Prepared):
    """Looks for what has no vector, across all tenants, on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        self._t = tables
        self._shape = FactShape(tables.facts, dialect)
        messages, facts = tables.messages, tables.facts
        self._message = select(
            messages.c.tenant_id,
            messages.c.user_id,
            messages.c.id,
            messages.c.seq,
            messages.c.revision,
            messages.c.text,
        )
        self._fact = select(*self._shape.columns, facts.c.tenant_id)
        self._pairs = (
            (messages, tables.message_vectors, "message_id"),
            (facts, tables.fact_vectors, "fact_id"),
        )

    def messages(
        self, connection: Connection, generation_id: int, limit: int, after: Place | None
    ) -> MissingPage[Pending]:
        """Messages without a vector, among the ``limit`` behind a place."""
        return self._page(connection, 0, self._message, _pending, generation_id, limit, after)

    def facts(
        self, connection: Connection, generation_id: int, limit: int, after: Place | None
    ) -> MissingPage[FactPending]:
        """Facts without a vector, among the ``limit`` behind a place."""

        def make(row: AnyRow) -> FactPending:
            return to_pending(row, self._shape)

        return self._page(connection, 1, self._fact, make, generation_id, limit, after)

    def _page(
        self,
        connection: Connection,
        kind: int,
        columns: Select[Any],
        make: Callable[[AnyRow], T],
        generation_id: int,
        limit: int,
        after: Place | None,
    ) -> MissingPage[T]:
        """A page has an end that does not depend on what is missing in it.

        So the work is bounded by the page, whatever plan the database chooses.
        """
        table, vectors, name = self._pairs[kind]
        place = (table.c.tenant_id, table.c.user_id, table.c.seq)
        behind: list[ColumnElement[bool]] = [] if after is None else [tuple_(*place) > after]
        last = select(*place).where(*behind).order_by(*place).offset(limit - 1).limit(1)
        row = connection.execute(last).first()
        end: Place | None = None if row is None else (row[0], row[1], row[2])
        if end is not None:
            behind.append(tuple_(*place) <= end)
        query = columns.where(*behind, ~_has(table, vectors, name)).order_by(*place)
        found = connection.execute(query, {"generation": generation_id})
        return MissingPage(items=tuple(make(item) for item in found), end=end)

    def count(self, connection: Connection, generation_id: int) -> tuple[int, int]:
        """How many records have a vector, and how many there are."""
        done = total = 0
        for table, vectors, _ in self._pairs:
            made = select(func.count()).where(vectors.c.generation_id == generation_id)
            done += connection.scalar(made) or 0
            total += connection.scalar(select(func.count()).select_from(table)) or 0
        return done, total

    def owe(self, connection: Connection, generation_id: int) -> int:
        """Let exactly what has no vector be pending, and caches begin anew. Gives how many."""
        given = {"generation": generation_id}
        pending = 0
        for table, vectors, name in self._pairs:
            has = _has(table, vectors, name)
            done: dict[str, Any] = {"needs_vector": False}
            if "embed_error" in table.c:
                done["embed_error"] = None
            owed = table.c.needs_vector.is_(True)
            connection.execute(update(table).where(owed, has).values(done), given)
            more = update(table).where(table.c.needs_vector.is_(False), ~has)
            connection.execute(more.values(needs_vector=True), given)
            count = select(func.count()).select_from(table).where(owed)
            pending += connection.scalar(count) or 0
        users = self._t.users
        raised = {"epoch": users.c.epoch + 1, "facts_epoch": users.c.facts_epoch + 1}
        connection.execute(update(users).values(raised))
        return pending


def _has(table: Table, vectors: Table, name: str) -> ColumnElement[bool]:
    return exists().where(
        vectors.c.tenant_id == table.c.tenant_id,
        vectors.c.user_id == table.c.user_id,
        vectors.c[name] == table.c.id,
        vectors.c.generation_id == bindparam("generation"),
    )


def _pending(row: AnyRow) -> Pending:
    return Pending(
        scope=Scope(row.tenant_id, row.user_id),
        id=row.id,
        seq=row.seq,
        revision=row.revision,
        text=row.text,
    )
