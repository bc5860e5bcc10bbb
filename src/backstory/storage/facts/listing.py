"""Reads facts: one, some, lists by filter, what was believed when, the history of a slot."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, func, or_, select

from backstory.core.facts.book import FactBook
from backstory.core.model.fact import Fact, FactHistory, FactStatus
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter
from backstory.storage.building import Instant
from backstory.storage.fact_tables import held
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.hashes import hash_of
from backstory.storage.facts.loading import BookLoader
from backstory.storage.facts.rows import as_believed, fact_columns, to_fact, to_revision
from backstory.storage.rows import AnyRow
from backstory.storage.statements import Lists, owned, owner
from backstory.storage.tables import Tables

_RETRACTED = str(FactStatus.RETRACTED)


class FactReader:
    """Reads facts of one user, each call on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        facts, revisions = tables.facts, tables.fact_revisions
        self._facts = facts
        self._lists = lists = Lists(dialect)
        self._evidence = EvidenceRows(tables, dialect)
        self._loader = BookLoader(tables, dialect)
        columns = fact_columns(facts)
        self._of_user = select(*columns).where(owned(facts))
        self._by_ids = self._of_user.where(lists.holds("ids", facts.c.id))
        self._by_id = select(*columns).where(
            facts.c.tenant_id == bindparam("tenant"), facts.c.id == bindparam("id")
        )
        self._count = select(func.count()).select_from(facts).where(owned(facts))
        then = bindparam("valid_at", type_=Instant)
        known = bindparam("known_at", type_=Instant)
        self._now = self._of_user.where(
            *_holds_at(facts.c, then), facts.c.status != _RETRACTED
        ).order_by(facts.c.seq)
        self._unchanged = self._now.where(facts.c.believed_at <= known)
        self._states = (
            select(revisions)
            .where(owned(revisions))
            .where(revisions.c.replaced_at > known, revisions.c.believed_at <= known)
            .where(*_holds_at(revisions.c, then), revisions.c.status != _RETRACTED)
            .order_by(revisions.c.revision)
        )

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
        scope = Scope(tenant_id, row.user_id)
        return self._with_evidence(connection, scope, [row])[0]

    def many(self, connection: Connection, scope: Scope, ids: Sequence[str]) -> dict[str, Fact]:
        """Facts by id; unknown ids are left out."""
        if not ids:
            return {}
        given = {**owner(scope), "ids": self._lists.given(ids)}
        rows = connection.execute(self._by_ids, given).all()
        return {fact.id: fact for fact in self._with_evidence(connection, scope, rows)}

    def listed(
        self,
        connection: Connection,
        scope: Scope,
        chosen: FactFilter,
        limit: int | None,
        after: int,
    ) -> list[tuple[int, Fact]]:
        """Facts that pass, by sequence number."""
        query = self._of_user.where(*self._passes(chosen), self._facts.c.seq > after)
        rows = connection.execute(
            query.order_by(self._facts.c.seq).limit(limit), owner(scope)
        ).all()
        facts = self._with_evidence(connection, scope, rows)
        return [(row.seq, fact) for row, fact in zip(rows, facts, strict=True)]

    def latest(
        self, connection: Connection, scope: Scope, chosen: FactFilter, limit: int
    ) -> list[Fact]:
        """The last ones that pass, by sequence number."""
        query = self._of_user.where(*self._passes(chosen)).order_by(self._facts.c.seq.desc())
        rows = connection.execute(query.limit(limit), owner(scope)).all()
        return self._with_evidence(connection, scope, rows[::-1])

    def count(self, connection: Connection, scope: Scope, chosen: FactFilter) -> int:
        """How many pass."""
        query = self._count.where(*self._passes(chosen))
        return connection.scalar(query, owner(scope)) or 0

    def as_of(
        self,
        connection: Connection,
        scope: Scope,
        valid_at: datetime,
        known_at: datetime | None,
        chosen: FactFilter,
    ) -> list[Fact]:
        """What was believed then to be true then, in order of recording."""
        given = {**owner(scope), "valid_at": valid_at}
        query = self._now
        if known_at is not None:
            given["known_at"] = known_at
            query = self._unchanged
        passes = self._filters(chosen)
        rows = connection.execute(query.where(*passes), given).all()
        facts = self._with_evidence(connection, scope, rows)
        if known_at is not None:
            facts += self._as_they_were(connection, scope, given, passes)
        if chosen.statuses:
            facts = [fact for fact in facts if fact.status in chosen.statuses]
        return facts

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

    def _as_they_were(
        self,
        connection: Connection,
        scope: Scope,
        given: dict[str, Any],
        passes: list[ColumnElement[bool]],
    ) -> list[Fact]:
        states = {row.fact_id: row for row in connection.execute(self._states, given)}
        if not states:
            return []
        known_at = given["known_at"]
        listed = {**owner(scope), "ids": self._lists.given(list(states))}
        rows = connection.execute(
            self._by_ids.where(self._facts.c.believed_at > known_at, *passes), listed
        ).all()
        facts = self._with_evidence(connection, scope, rows)
        return [as_believed(fact, to_revision(states[fact.id]), known_at) for fact in facts]

    def _passes(self, chosen: FactFilter) -> list[ColumnElement[bool]]:
        columns = self._facts.c
        conditions = self._filters(chosen)
        if chosen.statuses:
            conditions.append(columns.status.in_(sorted(chosen.statuses)))
        if chosen.current_at is not None:
            conditions += [held(), *_holds_at(columns, chosen.current_at)]
        return conditions

    def _filters(self, chosen: FactFilter) -> list[ColumnElement[bool]]:
        columns = self._facts.c
        conditions: list[ColumnElement[bool]] = []
        for name in ("subject", "category", "intent_id"):
            value = getattr(chosen, name)
            if value is not None:
                conditions.append(columns[name] == str(value))
        if chosen.key is not None and chosen.key.endswith("."):
            conditions.append(func.substr(columns.key, 1, len(chosen.key)) == chosen.key)
        elif chosen.key is not None:
            conditions.append(columns.key_hash == hash_of(chosen.key))
        return conditions

    def _with_evidence(
        self, connection: Connection, scope: Scope, rows: Sequence[AnyRow]
    ) -> list[Fact]:
        evidence = self._evidence.of(connection, scope, Of.FACT, [row.id for row in rows])
        return [to_fact(row, evidence.get(row.id, ())) for row in rows]


def _holds_at(columns: Any, instant: Any) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return (
        or_(columns.valid_from.is_(None), columns.valid_from <= instant),
        or_(columns.valid_until.is_(None), columns.valid_until > instant),
    )
