"""Reads facts: one, some, lists by filter, what was believed when, the history of a slot."""

from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, or_, select

from backstory.core.facts.asof import believed_at
from backstory.core.facts.book import FactBook
from backstory.core.model.fact import Fact, FactHistory, FactRevision, FactStatus
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter
from backstory.storage.building import Instant
from backstory.storage.fact_tables import held
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.hashes import hash_of
from backstory.storage.facts.loading import BookLoader
from backstory.storage.facts.rows import FactShape, to_revision
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
        self._shape = FactShape(facts, dialect)
        columns = self._shape.columns
        self._of_user = select(*columns).where(owned(facts))
        self._listed = lists.holds("ids", facts.c.id)
        self._by_ids = self._of_user.where(self._listed)
        self._by_id = select(*columns).where(
            facts.c.tenant_id == bindparam("tenant"), facts.c.id == bindparam("id")
        )
        self._count = select(func.count()).select_from(facts).where(owned(facts))
        then = bindparam("valid_at", type_=Instant)
        known = bindparam("known_at", type_=Instant)
        believed = self._of_user.where(facts.c.status != _RETRACTED, _begun(facts.c, then))
        # Two searches of one index, each of a range of ends, not a look at every row.
        self._now = (
            believed.where(facts.c.valid_until.is_(None)),
            believed.where(facts.c.valid_until > then),
        )
        self._unchanged = tuple(part.where(facts.c.believed_at <= known) for part in self._now)
        self._states = (
            select(revisions)
            .where(owned(revisions))
            .where(revisions.c.replaced_at > known, revisions.c.believed_at <= known)
            .where(*_holds_at(revisions.c, then), revisions.c.status != _RETRACTED)
        )
        self._states_of = self._states.where(lists.holds("ids", revisions.c.fact_id))
        self._since_changed = self._of_user.where(facts.c.believed_at > known)

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
        given: dict[str, Any] = {**owner(scope), "valid_at": valid_at}
        passes = self._filters(chosen)
        parts: Sequence[Select[Any]] = self._now
        states: dict[str, FactRevision] = {}
        if known_at is not None:
            given["known_at"] = known_at
            parts = self._unchanged
        found = (connection.execute(part.where(*passes), given).all() for part in parts)
        rows = list(chain.from_iterable(found))
        if known_at is not None:
            changed, states = self._changed(connection, given, passes)
            rows += changed
        rows.sort(key=lambda row: row.seq)
        facts = self._with_evidence(connection, scope, rows)
        if states and known_at is not None:
            facts = [_as_it_was(fact, states.get(fact.id), known_at) for fact in facts]
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

    def _changed(
        self, connection: Connection, given: dict[str, Any], passes: list[ColumnElement[bool]]
    ) -> tuple[list[AnyRow], dict[str, FactRevision]]:
        """Rows that have changed since, and the states of them that held then."""
        query, states = self._since_changed.where(*passes), self._states
        if passes:
            # few rows pass: their states are looked up
            rows = connection.execute(query, given).all()
            listed = {**given, "ids": self._lists.given([row.id for row in rows])}
            states = self._states_of
        found = connection.execute(states, listed if passes else given)
        held = {row.fact_id: to_revision(row) for row in found}
        if not passes:
            listed = {**given, "ids": self._lists.given(list(held))}
            rows = connection.execute(query.where(self._listed), listed).all()
        return [row for row in rows if row.id in held], held

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
        return [self._shape.fact(row, evidence.get(row.id, ())) for row in rows]


def _holds_at(columns: Any, instant: Any) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return (
        _begun(columns, instant),
        or_(columns.valid_until.is_(None), columns.valid_until > instant),
    )


def _begun(columns: Any, instant: Any) -> ColumnElement[bool]:
    return or_(columns.valid_from.is_(None), columns.valid_from <= instant)


def _as_it_was(fact: Fact, state: FactRevision | None, known_at: datetime) -> Fact:
    return fact if state is None else believed_at(fact, [state], known_at) or fact
