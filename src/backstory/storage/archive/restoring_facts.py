"""Restores facts, their log, contradictions, collisions and what was erased."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Connection, literal_column

from backstory.core.model.archive import Archived, ArchivedFact, ErasedClaim, Restored
from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import Contradiction, ContradictionState
from backstory.core.model.fact import Fact, FactCorrection, FactKind, FactStatus
from backstory.core.model.scope import Scope
from backstory.core.values import normal_value
from backstory.storage.archive.present import PRESENT, STORED, Taken, refused
from backstory.storage.fact_tables import ONE_CURRENT, OPEN
from backstory.storage.facts.contradictions import collision_identity, collision_values
from backstory.storage.facts.erased import ErasedClaims
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.hashes import contradiction_hashes, hashes_of
from backstory.storage.facts.rows import (
    contradiction_values,
    correction_values,
    fact_values,
    revision_values,
)
from backstory.storage.rows import UserRows, key
from backstory.storage.statements import BulkInsert, InsertMissing, Lists, Prepared
from backstory.storage.tables import Tables

_ERASED = "it was erased here and does not come back"
_NO_FACT = "a fact that it names is not there"


class FactRestorer(metaclass=Prepared):
    """Restores facts and what hangs on them, in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        lists = Lists(dialect)
        facts, log = tables.facts, tables.fact_corrections
        contradictions, collisions = tables.contradictions, tables.collisions
        self._users = UserRows(tables)
        self._evidence = EvidenceRows(tables, dialect)
        self._erased = ErasedClaims(tables, dialect)
        self._facts = Taken(facts, "id", lists)
        self._current = Taken(
            facts, "identity_hash", lists, where=literal_column(ONE_CURRENT, Boolean())
        )
        self._lines = Taken(log, "id", lists)
        self._contradictions = Taken(contradictions, "id", lists)
        self._open = Taken(
            contradictions, "identity_hash", lists, where=literal_column(OPEN, Boolean())
        )
        self._collisions = Taken(collisions, "id", lists)
        self._clashes = Taken(collisions, "identity_hash", lists)
        self._claims = Taken(tables.erased_claims, "claim_hash", lists)
        self._insert_claim = InsertMissing(tables.erased_claims).inline()
        self._insert = {
            table.name: BulkInsert(table, dialect)
            for table in (
                facts,
                tables.fact_revisions,
                tables.fact_vectors,
                log,
                contradictions,
                collisions,
            )
        }
        self._t = tables

    def restore(
        self,
        connection: Connection,
        scope: Scope,
        kind: type[Archived],
        items: Any,
        numbers: Mapping[int, int],
        now: datetime,
    ) -> list[Restored]:
        """Restore records of one kind; see ``Restorer.run``."""
        if kind is ArchivedFact:
            return self._restore_facts(connection, scope, items, numbers, now)
        if kind is FactCorrection:
            return self._restore_lines(connection, scope, items, now)
        if kind is Contradiction:
            return self._restore_contradictions(connection, scope, items, now)
        if kind is Collision:
            return self._restore_collisions(connection, scope, items, now)
        return self._restore_claims(connection, scope, items)

    def _restore_facts(
        self,
        connection: Connection,
        scope: Scope,
        items: Sequence[ArchivedFact],
        numbers: Mapping[int, int],
        now: datetime,
    ) -> list[Restored]:
        ids = self._facts.among(connection, scope, [item.fact.id for item in items])
        hashes = [hashes_of(item.fact)["identity_hash"] for item in items]
        current = self._current.among(connection, scope, hashes)
        erased = self._erased.among(connection, scope, {_claim(i.fact) for i in items})
        stored = []
        outcomes = []
        for item, hashed in zip(items, hashes, strict=True):
            is_current = _is_current(item.fact)
            if item.fact.id in ids:
                outcomes.append(PRESENT)
            elif _claim(item.fact) in erased:
                outcomes.append(refused(_ERASED))
            elif is_current and hashed in current:
                outcomes.append(refused("its slot has another current value here"))
            else:
                ids[item.fact.id] = item.fact.id
                if is_current:
                    current[hashed] = hashed
                stored.append(item)
                outcomes.append(STORED)
        self._write_facts(connection, scope, stored, numbers, now)
        return outcomes

    def _write_facts(
        self,
        connection: Connection,
        scope: Scope,
        items: Sequence[ArchivedFact],
        numbers: Mapping[int, int],
        now: datetime,
    ) -> None:
        if not items:
            return
        first = self._users.take(connection, scope, len(items), now)
        self._rows(
            connection,
            self._t.facts.name,
            [_fact_row(scope, item, n, numbers, now) for n, item in enumerate(items, first)],
        )
        states = [revision_values(scope, state) for item in items for state in item.revisions]
        self._rows(connection, self._t.fact_revisions.name, states)
        vectors = [
            {**key(scope), "fact_id": item.fact.id, "generation_id": numbers[n], "vector": vector}
            for item in items
            for n, vector in item.vectors.items()
            if n in numbers
        ]
        self._rows(connection, self._t.fact_vectors.name, vectors)
        evidence = {item.fact.id: item.fact.evidence for item in items}
        self._evidence.write(connection, scope, Of.FACT, evidence, {})

    def _restore_lines(
        self,
        connection: Connection,
        scope: Scope,
        items: Sequence[FactCorrection],
        now: datetime,
    ) -> list[Restored]:
        ids = self._lines.among(connection, scope, [item.id for item in items])
        named = {i for item in items for i in (item.fact_id, item.other_id)}
        facts = self._facts.among(connection, scope, named)
        stored = []
        outcomes = []
        for item in items:
            if item.id in ids:
                outcomes.append(PRESENT)
            elif any(i is not None and i not in facts for i in (item.fact_id, item.other_id)):
                outcomes.append(refused(_NO_FACT))
            else:
                ids[item.id] = item.id
                stored.append(item)
                outcomes.append(STORED)
        first = self._users.take(connection, scope, len(stored), now)
        rows = [correction_values(scope, item, n) for n, item in enumerate(stored, first)]
        self._rows(connection, self._t.fact_corrections.name, rows)
        evidence = {item.id: item.evidence for item in stored}
        self._evidence.write(connection, scope, Of.CORRECTION, evidence, {})
        return outcomes

    def _restore_contradictions(
        self,
        connection: Connection,
        scope: Scope,
        items: Sequence[Contradiction],
        now: datetime,
    ) -> list[Restored]:
        ids = self._contradictions.among(connection, scope, [item.id for item in items])
        hashes = [contradiction_hashes(item)["identity_hash"] for item in items]
        opened = self._open.among(connection, scope, hashes)
        named = {i for item in items for i in (item.stored_fact_id, item.stated_fact_id)}
        facts = self._facts.among(connection, scope, named)
        claims = {claim for item in items for claim in _sides(item)}
        erased = self._erased.among(connection, scope, claims)
        stored = []
        outcomes = []
        for item, hashed in zip(items, hashes, strict=True):
            is_open = item.state is ContradictionState.OPEN
            sides = (item.stored_fact_id, item.stated_fact_id)
            if item.id in ids:
                outcomes.append(PRESENT)
            elif not erased.isdisjoint(_sides(item)):
                outcomes.append(refused(_ERASED))
            elif any(i is not None and i not in facts for i in sides):
                outcomes.append(refused(_NO_FACT))
            elif is_open and hashed in opened:
                outcomes.append(refused("another contradiction of this value is open here"))
            else:
                ids[item.id] = item.id
                if is_open:
                    opened[hashed] = hashed
                stored.append(item)
                outcomes.append(STORED)
        first = self._users.take(connection, scope, len(stored), now)
        rows = [
            {**key(scope), **contradiction_values(item), "seq": n}
            for n, item in enumerate(stored, first)
        ]
        self._rows(connection, self._t.contradictions.name, rows)
        evidence = {item.id: item.evidence for item in stored}
        self._evidence.write(connection, scope, Of.CONTRADICTION, evidence, {})
        return outcomes

    def _restore_collisions(
        self, connection: Connection, scope: Scope, items: Sequence[Collision], now: datetime
    ) -> list[Restored]:
        hashes = [collision_identity(item) for item in items]
        ids = self._collisions.among(connection, scope, [item.id for item in items])
        known = self._clashes.among(connection, scope, hashes)
        rows = []
        outcomes = []
        for item, hashed in zip(items, hashes, strict=True):
            if item.id in ids or hashed in known:
                outcomes.append(PRESENT)
                continue
            ids[item.id] = known[hashed] = item.id
            values = {"id": item.id, "identity_hash": hashed}
            rows.append({**key(scope), **collision_values(item), **values})
            outcomes.append(STORED)
        first = self._users.take(connection, scope, len(rows), now)
        numbered = [row | {"seq": n} for n, row in enumerate(rows, first)]
        self._rows(connection, self._t.collisions.name, numbered)
        return outcomes

    def _restore_claims(
        self, connection: Connection, scope: Scope, items: Sequence[ErasedClaim]
    ) -> list[Restored]:
        known = self._claims.among(connection, scope, [item.claim_hash for item in items])
        outcomes = []
        for item in items:
            outcomes.append(PRESENT if item.claim_hash in known else STORED)
            known[item.claim_hash] = item.claim_hash
            values = {"claim_hash": item.claim_hash, "erased_at": item.erased_at}
            connection.execute(self._insert_claim, {**key(scope), **values})
        return outcomes

    def _rows(self, connection: Connection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            self._insert[table].run(connection, rows)


def _claim(fact: Fact) -> tuple[str, str, str]:
    return fact.subject, fact.key, normal_value(fact.value)


def _sides(item: Contradiction) -> list[tuple[str, str, str]]:
    values = (item.stored_value, item.stated_value)
    return [(item.subject, item.key, normal_value(value)) for value in values]


def _is_current(fact: Fact) -> bool:
    is_active = fact.status is FactStatus.ACTIVE and fact.kind is FactKind.PERMANENT
    return is_active and not fact.scheduled


def _fact_row(
    scope: Scope, item: ArchivedFact, number: int, numbers: Mapping[int, int], now: datetime
) -> dict[str, Any]:
    fact = item.fact
    kept = replace(fact, recorded_at=now, known_from=fact.known_from or fact.recorded_at)
    return {
        **key(scope),
        **fact_values(kept),
        "seq": number,
        "change_no": number,
        "terms": item.terms,
        "terms_version": item.terms_version,
        "needs_vector": not any(n in numbers for n in item.vectors),
    }
