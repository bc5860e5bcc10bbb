"""Reads facts: one, some, lists by filter, what was believed when, the history of a slot."""

from collections.abc import Sequence

from sqlalchemy import BigInteger, Connection, bindparam, func, select

from backstory.core.facts.book import FactBook
from backstory.core.model.fact import Fact, FactHistory, FactRevision
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter
from backstory.storage.facts.evidence import quotes_of, read_quotes
from backstory.storage.facts.filters import FilterConditions
from backstory.storage.facts.loading import BookLoader
from backstory.storage.facts.rows import FactShape
from backstory.storage.rows import AnyRow
from backstory.storage.statements import Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

# More than there can be: SQLite and PostgreSQL share no other word for "all".
_ALL = 2**62


class FactReader(metaclass=Prepared):
    """Reads facts of one user, each call on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        self._facts = facts = tables.facts
        self._lists = lists = Lists(dialect)
        self._loader = BookLoader(tables, dialect)
        self._shape = FactShape(facts, dialect)
        columns = (*self._shape.columns, quotes_of(tables, dialect))
        self._of_user = select(*columns).where(owned(facts))
        self._by_ids = self._of_user.where(lists.holds("ids", facts.c.id))
        self._by_id = select(*columns).where(
            facts.c.tenant_id == bindparam("tenant"), facts.c.id == bindparam("id")
        )
        self._filters = FilterConditions(facts, lists)
        most = bindparam("most", type_=BigInteger)
        in_order = self._of_user.where(facts.c.seq > bindparam("after"))
        self._page = in_order.order_by(facts.c.seq).limit(most)
        self._latest = self._of_user.order_by(facts.c.seq.desc()).limit(most)
        self._count = select(func.count()).select_from(facts).where(owned(facts))

    def find(
        self, connection: Connection, tenant_id: str, fact_id: str, user_id: str | None
    ) -> Fact | None:
        """One fact by its id, of one user or of any user of the tenant."""
        query = self._by_id
        if user_id is not None:
            query = query.where(self._facts.c.user_id == user_id)
        row = connection.execute(query, {"tenant": tenant_id, "id": fact_id}).first()
        if row is None:
            return None
        return self._fact(row)

    def many(self, connection: Connection, scope: Scope, ids: Sequence[str]) -> dict[str, Fact]:
        """Facts by id; unknown ids are left out."""
        if not ids:
            return {}
        given = {**owner(scope), "ids": self._lists.given(ids)}
        rows = connection.execute(self._by_ids, given).all()
        return {row.id: self._fact(row) for row in rows}

    def listed(
        self,
        connection: Connection,
        scope: Scope,
        chosen: FactFilter,
        limit: int | None,
        after: int,
    ) -> list[tuple[int, Fact]]:
        """Facts that pass, by sequence number."""
        passing = self._filters.given(chosen)
        query = self._filters.built("listed", passing, lambda: self._page)
        most = _ALL if limit is None else limit
        given = {**owner(scope), **passing, "after": after, "most": most}
        rows = connection.execute(query, given).all()
        return [(row.seq, self._fact(row)) for row in rows]

    def latest(
        self, connection: Connection, scope: Scope, chosen: FactFilter, limit: int
    ) -> list[Fact]:
        """The last ones that pass, by sequence number."""
        passing = self._filters.given(chosen)
        query = self._filters.built("latest", passing, lambda: self._latest)
        rows = connection.execute(query, {**owner(scope), **passing, "most": limit}).all()
        return [self._fact(row) for row in reversed(rows)]

    def count(self, connection: Connection, scope: Scope, chosen: FactFilter) -> int:
        """How many pass."""
        passing = self._filters.given(chosen)
        query = self._filters.built("count", passing, lambda: self._count)
        return connection.scalar(query, {**owner(scope), **passing}) or 0

    def of_key(
        self, connection: Connection, scope: Scope, key: str
    ) -> tuple[list[Fact], tuple[FactRevision, ...]]:
        """All facts of a key, in order of recording, and their earlier states."""
        passing = self._filters.given(FactFilter(key=key))
        query = self._filters.built("all", passing, lambda: self._of_user)
        rows = connection.execute(query, {**owner(scope), **passing})
        ordered = sorted(rows, key=lambda row: row.seq)
        facts = [self._fact(row) for row in ordered]
        return facts, self._loader.revisions(connection, scope, [fact.id for fact in facts])

    def history(self, connection: Connection, scope: Scope, fact_id: str) -> FactHistory | None:
        """Everything about the slot of a fact."""
        slots = self._loader.slots_of(connection, scope, [fact_id])
        if not slots:
            return None
        facts = self._loader.facts(connection, scope, slots)
        own = facts[fact_id]
        return FactHistory(
            facts=tuple(FactBook(facts=facts).slot(own.subject, own.key)),
            revisions=self._loader.revisions(connection, scope, facts),
            corrections=tuple(self._loader.log(connection, scope, slots)),
        )

    def _fact(self, row: AnyRow) -> Fact:
        return self._shape.fact(row, read_quotes(row.quotes))
