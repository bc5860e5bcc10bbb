"""Evidence: the messages and words that facts, lines of the log and contradictions rest on."""

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, select, type_coerce
from sqlalchemy.types import NullType

from backstory.core.model.fact import Evidence
from backstory.core.model.scope import Scope
from backstory.storage.engines.base import unheeded
from backstory.storage.rows import key
from backstory.storage.statements import POSTGRES, BulkInsert, Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

Given = tuple[Evidence, ...]


class Of(StrEnum):
    """What evidence belongs to."""

    FACT = "fact"
    CORRECTION = "correction"
    CONTRADICTION = "contradiction"


class EvidenceRows(metaclass=Prepared):
    """Reads and writes evidence, in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        evidence = tables.fact_evidence
        self._lists = lists = Lists(dialect)
        mine = owned(evidence) & (evidence.c.kind == bindparam("kind"))
        listed = mine & lists.holds("ids", evidence.c.record_id)
        self._of = (
            select(evidence.c.record_id, evidence.c.message_id, evidence.c.quote)
            .where(listed)
            .order_by(evidence.c.record_id, evidence.c.place)
        )
        said = owned(evidence) & lists.holds("messages", evidence.c.message_id)
        self._records_of = select(evidence.c.kind, evidence.c.record_id).where(said)
        self._last = (
            select(evidence.c.record_id, func.max(evidence.c.place))
            .where(listed)
            .group_by(evidence.c.record_id)
        )
        self._insert = BulkInsert(evidence, dialect)
        self._delete = unheeded(delete(evidence).where(listed))
        self._forget = unheeded(delete(evidence).where(said))

    def of(
        self, connection: Connection, scope: Scope, kind: Of, ids: Sequence[str]
    ) -> dict[str, list[Evidence]]:
        """The evidence of records, by their id; one without any is left out."""
        found: dict[str, list[Evidence]] = {}
        if not ids:
            return found
        parameters = self._listed(scope, kind, ids)
        for record_id, message_id, quote in connection.execute(self._of, parameters):
            found.setdefault(record_id, []).append(Evidence(message_id=message_id, quote=quote))
        return found

    def records_of(
        self, connection: Connection, scope: Scope, message_ids: Iterable[str]
    ) -> dict[Of, set[str]]:
        """The ids of what rests on any of these messages, by its kind."""
        found: dict[Of, set[str]] = {kind: set() for kind in Of}
        parameters = {**owner(scope), "messages": self._lists.given(sorted(message_ids))}
        for kind, record_id in connection.execute(self._records_of, parameters):
            found[Of(kind)].add(record_id)
        return found

    def write(
        self,
        connection: Connection,
        scope: Scope,
        kind: Of,
        wanted: Mapping[str, Given],
        known: Mapping[str, Given],
    ) -> None:
        """Bring the evidence of records to what is wanted.

        Args:
            connection: In a transaction.
            scope: Whose records.
            kind: What they are.
            wanted: The evidence that each is to have, by id.
            known: What each has; one that is left out has none.
        """
        grown = {i for i, old in known.items() if old and _goes_on(old, wanted.get(i, ()))}
        anew = [i for i, given in wanted.items() if known.get(i, ()) not in ((), given)]
        self.drop(connection, scope, kind, [i for i in anew if i not in grown])
        behind = self._ends(connection, scope, kind, sorted(grown))
        rows = []
        for record_id, given in wanted.items():
            old = known.get(record_id, ())
            first = len(old) if record_id in grown or given == old else 0
            start = behind.get(record_id, 0)
            rows += [
                _row(scope, kind, record_id, start + n, one) for n, one in enumerate(given[first:])
            ]
        if rows:
            self._insert.run(connection, rows)

    def drop(self, connection: Connection, scope: Scope, kind: Of, ids: Sequence[str]) -> None:
        """Remove all evidence of records."""
        if ids:
            connection.execute(self._delete, self._listed(scope, kind, ids))

    def forget(self, connection: Connection, scope: Scope, message_ids: Sequence[str]) -> None:
        """Remove what messages are evidence of, whatever it belongs to."""
        given = {**owner(scope), "messages": self._lists.given(message_ids)}
        connection.execute(self._forget, given)

    def _ends(
        self, connection: Connection, scope: Scope, kind: Of, ids: Sequence[str]
    ) -> dict[str, int]:
        """The first free place behind the evidence of records."""
        if not ids:
            return {}
        rows = connection.execute(self._last, self._listed(scope, kind, ids))
        return {row[0]: row[1] + 1 for row in rows}

    def _listed(self, scope: Scope, kind: Of, ids: Sequence[str]) -> dict[str, Any]:
        return {**owner(scope), "kind": str(kind), "ids": self._lists.given(ids)}


def quotes_of(tables: Tables, dialect: str) -> ColumnElement[Any]:
    """The evidence of each row of facts as a column, so that one statement reads both."""
    facts, evidence = tables.facts, tables.fact_evidence
    columns = (evidence.c.place, evidence.c.message_id, evidence.c.quote)
    if dialect == POSTGRES:
        whole: Any = func.json_agg(func.json_build_array(*columns))
    else:
        whole = func.json_group_array(func.json_array(*columns))
    found = select(type_coerce(whole, NullType())).where(
        evidence.c.tenant_id == facts.c.tenant_id,
        evidence.c.user_id == facts.c.user_id,
        evidence.c.kind == str(Of.FACT),
        evidence.c.record_id == facts.c.id,
    )
    return found.correlate(facts).scalar_subquery().label("quotes")


def read_quotes(value: Any) -> list[Evidence]:
    """The value of that column; PostgreSQL's driver has parsed it already."""
    if value is None or value == "[]":
        return []
    parts = json.loads(value) if isinstance(value, str) else value
    return [Evidence(message_id=message, quote=quote) for _, message, quote in sorted(parts)]


def _goes_on(old: Given, given: Given) -> bool:
    return len(given) > len(old) and given[: len(old)] == old


def _row(scope: Scope, kind: Of, record_id: str, place: int, given: Evidence) -> dict[str, Any]:
    return {
        **key(scope),
        "kind": str(kind),
        "record_id": record_id,
        "place": place,
        "message_id": given.message_id,
        "quote": given.quote,
    }
