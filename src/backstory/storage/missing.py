"""Which messages, facts and derived records have no vector of a generation."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    bindparam,
    exists,
    func,
    or_,
    select,
    true,
    tuple_,
    update,
)

from backstory.core.model.scope import Scope
from backstory.ports.derived import DerivedPending
from backstory.ports.facts import FactPending
from backstory.ports.reindexing import MissingPage, Place
from backstory.ports.store import Pending
from backstory.storage.derived.vectors import to_pending as to_derived_pending
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
        derived, vectors = tables.derived, tables.derived_vectors
        self._derived = select(derived)
        of_record = (
            vectors.c.tenant_id == derived.c.tenant_id,
            vectors.c.user_id == derived.c.user_id,
            vectors.c.seq == derived.c.seq,
        )
        # what has a text either needs a vector or has one of the generation that is active
        has_text = or_(derived.c.needs_vector.is_(True), exists().where(*of_record))
        self._kinds = (
            _Kind(messages, tables.message_vectors, "message_id", "id"),
            _Kind(facts, tables.fact_vectors, "fact_id", "id"),
            _Kind(derived, vectors, "seq", "seq", derived.c.replaced_at.is_(None) & has_text),
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

    def derived(
        self, connection: Connection, generation_id: int, limit: int, after: Place | None
    ) -> MissingPage[DerivedPending]:
        """Derived records without a vector, among the ``limit`` behind a place."""
        return self._page(
            connection, 2, self._derived, to_derived_pending, generation_id, limit, after
        )

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
        table = self._kinds[kind].table
        place = (table.c.tenant_id, table.c.user_id, table.c.seq)
        behind: list[ColumnElement[bool]] = [] if after is None else [tuple_(*place) > after]
        last = select(*place).where(*behind).order_by(*place).offset(limit - 1).limit(1)
        row = connection.execute(last).first()
        end: Place | None = None if row is None else (row[0], row[1], row[2])
        if end is not None:
            behind.append(tuple_(*place) <= end)
        query = columns.where(*behind, self._kinds[kind].lacks()).order_by(*place)
        found = connection.execute(query, {"generation": generation_id})
        return MissingPage(items=tuple(make(item) for item in found), end=end)

    def count(self, connection: Connection, generation_id: int) -> tuple[int, int]:
        """How many records have a vector, and how many there are."""
        done = total = 0
        given = {"generation": generation_id}
        for kind in self._kinds:
            whole = select(func.count()).select_from(kind.table).where(kind.counts)
            done += connection.scalar(whole.where(kind.has()), given) or 0
            total += connection.scalar(whole) or 0
        return done, total

    def owe(self, connection: Connection, generation_id: int) -> int:
        """Let exactly what has no vector be pending, and caches begin anew. Gives how many."""
        given = {"generation": generation_id}
        pending = 0
        for kind in self._kinds:
            table, has = kind.table, kind.has()
            done: dict[str, Any] = {"needs_vector": False}
            if "embed_error" in table.c:
                done["embed_error"] = None
            owed = table.c.needs_vector.is_(True)
            connection.execute(update(table).where(owed, has).values(done), given)
            more = update(table).where(table.c.needs_vector.is_(False), kind.lacks())
            connection.execute(more.values(needs_vector=True), given)
            count = select(func.count()).select_from(table).where(owed)
            pending += connection.scalar(count) or 0
        users = self._t.users
        epochs = ("epoch", "facts_epoch", "derived_epoch")
        raised = {name: users.c[name] + 1 for name in epochs}
        connection.execute(update(users).values(raised))
        return pending


@dataclass(frozen=True, eq=False)
class _Kind:
    """A table, that of its vectors, and which columns name a row in both.

    Attributes:
        counts: Which rows have a vector or need one.
    """

    table: Table
    vectors: Table
    name: str
    own_name: str
    counts: ColumnElement[bool] = field(default_factory=true)

    def has(self) -> ColumnElement[bool]:
        """The condition that a row has a vector of the generation."""
        table, vectors = self.table, self.vectors
        return exists().where(
            vectors.c.tenant_id == table.c.tenant_id,
            vectors.c.user_id == table.c.user_id,
            vectors.c[self.name] == table.c[self.own_name],
            vectors.c.generation_id == bindparam("generation"),
        )

    def lacks(self) -> ColumnElement[bool]:
        """The condition that a row needs one."""
        return self.counts & ~self.has()


def _pending(row: AnyRow) -> Pending:
    return Pending(
        scope=Scope(row.tenant_id, row.user_id),
        id=row.id,
        seq=row.seq,
        revision=row.revision,
        text=row.text,
    )
