"""Writes a plan: whole rows as they are to be, what leaves a slot's current place first."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Connection,
    Integer,
    LargeBinary,
    bindparam,
    delete,
    func,
    insert,
    or_,
    update,
)

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.sentences import fact_text
from backstory.core.model.contradiction import Contradiction, ContradictionState
from backstory.core.model.fact import Fact, FactCorrection, FactKind, FactRevision, FactStatus
from backstory.core.model.scope import Scope
from backstory.ports.facts import NewTexts
from backstory.storage.engines.base import unheeded
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.removal import FactRemover
from backstory.storage.facts.rows import (
    contradiction_values,
    correction_values,
    fact_values,
    revision_values,
)
from backstory.storage.rows import UserRows, key
from backstory.storage.statements import BulkInsert, Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

Texts = Callable[[Sequence[Fact]], NewTexts]
_KEYS = frozenset({"tenant_id", "user_id", "id", "seq"})


def no_texts(_: Sequence[Fact]) -> NewTexts:
    """No new words: rows keep those they have."""
    return NewTexts()


class PlanWriter(metaclass=Prepared):
    """Writes plans, each in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        self._users = UserRows(tables)
        self._facts = _FactRows(tables, dialect)
        self._evidence = EvidenceRows(tables, dialect)
        self._log = _LogRows(tables, dialect)
        self._contradictions = _ContradictionRows(tables)
        self._revisions = _RevisionRows(tables, dialect)
        self._remover = FactRemover(tables, dialect)
        self._lists = lists = Lists(dialect)
        messages = tables.messages
        self._read = unheeded(
            update(messages)
            .where(owned(messages), lists.holds("ids", messages.c.id))
            .values(needs_reading=False, read_error=None, read_failures=0)
        )

    def run(
        self,
        connection: Connection,
        scope: Scope,
        book: FactBook,
        plan: FactPlan,
        texts: Texts,
        now: datetime,
    ) -> int:
        """Write a plan made of a book that was loaded in this transaction.

        Returns:
            How many rows were written.
        """
        facts = {i: f for i, f in plan.facts.items() if book.facts.get(i) != f}
        contradictions = {
            i: c for i, c in plan.contradictions.items() if book.contradictions.get(i) != c
        }
        known_lines = {line.id for line in book.corrections}
        new_lines = [line for line in plan.corrections if line.id not in known_lines]
        count = len(facts) + len(new_lines) + len(contradictions)
        if count or plan.removed or plan.revisions:
            first = self._users.take(connection, scope, count + 1, now)
            if plan.removed:
                self._remover.remove(connection, scope, sorted(plan.removed))
            self._facts.write(
                connection, scope, book.facts, facts, texts(list(facts.values())), first
            )
            self._quote(connection, scope, Of.FACT, facts, book.facts)
            self._revisions.write(connection, scope, book.revisions, plan.revisions)
            others = {state.fact_id for state in plan.revisions} - facts.keys()
            self._facts.touch(connection, scope, sorted(others), first + count)
            first += len(facts)
            self._log.add(connection, scope, new_lines, first)
            self._quote(connection, scope, Of.CORRECTION, {i.id: i for i in new_lines}, {})
            first += len(new_lines)
            self._contradictions.write(connection, scope, book, contradictions, first)
            self._quote(connection, scope, Of.CONTRADICTION, contradictions, book.contradictions)
        self._log.mark(connection, scope, [i for i in plan.corrections if i.id in known_lines])
        self.mark_read(connection, scope, book.unread)
        return count

    def mark_read(self, connection: Connection, scope: Scope, ids: frozenset[str]) -> None:
        """Note that messages were read."""
        if ids:
            given = {**owner(scope), "ids": self._lists.given(sorted(ids))}
            connection.execute(self._read, given)

    def _quote(
        self,
        connection: Connection,
        scope: Scope,
        kind: Of,
        wanted: Mapping[str, Fact] | Mapping[str, FactCorrection] | Mapping[str, Contradiction],
        known: Mapping[str, Fact] | Mapping[str, Contradiction],
    ) -> None:
        self._evidence.write(
            connection,
            scope,
            kind,
            {i: record.evidence for i, record in wanted.items()},
            {i: record.evidence for i, record in known.items() if i in wanted},
        )


class _FactRows:
    """Inserts and changes rows of facts."""

    def __init__(self, tables: Tables, dialect: str) -> None:
        facts, vectors = tables.facts, tables.fact_vectors
        self._lists = lists = Lists(dialect)
        self._insert = BulkInsert(facts, dialect)
        own = {"terms", "terms_version", "needs_vector"}
        plain = [c.name for c in facts.columns if c.name not in _KEYS | own]
        changes: dict[str, Any] = {
            name: bindparam(f"new_{name}", type_=facts.c[name].type) for name in plain
        }
        changes |= {
            "terms": func.coalesce(bindparam("new_terms", type_=LargeBinary), facts.c.terms),
            "terms_version": func.coalesce(
                bindparam("new_terms_version", type_=Integer), facts.c.terms_version
            ),
            "needs_vector": or_(facts.c.needs_vector.is_(True), bindparam("stale", type_=Boolean)),
        }
        self._update = unheeded(
            update(facts).where(owned(facts), facts.c.id == bindparam("row_id")).values(changes)
        )
        self._touch = unheeded(
            update(facts)
            .where(owned(facts), lists.holds("ids", facts.c.id))
            .values(change_no=bindparam("number"))
        )
        self._drop_vectors = unheeded(
            delete(vectors).where(owned(vectors), lists.holds("ids", vectors.c.fact_id))
        )

    def write(
        self,
        connection: Connection,
        scope: Scope,
        known: Mapping[str, Fact],
        facts: Mapping[str, Fact],
        texts: NewTexts,
        first: int,
    ) -> None:
        """Write rows, those that do not hold a slot's current place before those that do."""
        if not facts:
            return
        rows = [(fact, number) for number, fact in enumerate(facts.values(), first)]
        for holds in (False, True):
            some = [(fact, number) for fact, number in rows if _holds_place(fact) is holds]
            old = [pair for pair in some if pair[0].id in known]
            new = [pair for pair in some if pair[0].id not in known]
            if old:
                changes = [_changes(scope, known[f.id], f, n, texts) for f, n in old]
                connection.execute(self._update, changes)
            if new:
                self._insert.run(connection, [_new_row(scope, f, n, texts) for f, n in new])
        stale = [i for i, fact in facts.items() if i in known and _is_stale(known[i], fact)]
        if stale:
            connection.execute(self._drop_vectors, self._listed(scope, stale))

    def touch(self, connection: Connection, scope: Scope, ids: Sequence[str], number: int) -> None:
        """Tell caches that something about rows changed that is not in the rows."""
        if ids:
            given = {**self._listed(scope, ids), "number": number}
            connection.execute(self._touch, given)

    def _listed(self, scope: Scope, ids: Sequence[str]) -> dict[str, Any]:
        return {**owner(scope), "ids": self._lists.given(ids)}


class _RevisionRows:
    """Adds earlier states of rows. An import of old messages also changes those there are."""

    def __init__(self, tables: Tables, dialect: str) -> None:
        revisions = tables.fact_revisions
        self._insert = BulkInsert(revisions, dialect)
        self._delete = delete(revisions).where(
            owned(revisions),
            revisions.c.fact_id == bindparam("fact"),
            revisions.c.revision == bindparam("number"),
        )

    def write(
        self,
        connection: Connection,
        scope: Scope,
        known: Sequence[FactRevision],
        revisions: Sequence[FactRevision],
    ) -> None:
        """Write states; one with the number of a known one takes its place."""
        if not revisions:
            return
        places = {(state.fact_id, state.revision) for state in known}
        given = [(state.fact_id, state.revision) for state in revisions]
        gone = [
            {**owner(scope), "fact": fact, "number": number}
            for fact, number in given
            if (fact, number) in places
        ]
        if gone:
            connection.execute(self._delete, gone)
        self._insert.run(connection, [revision_values(scope, state) for state in revisions])


class _LogRows:
    """Adds lines to the log, and marks them as undone."""

    def __init__(self, tables: Tables, dialect: str) -> None:
        corrections = tables.fact_corrections
        self._lists = lists = Lists(dialect)
        self._insert = BulkInsert(corrections, dialect)
        self._undo = unheeded(
            update(corrections)
            .where(owned(corrections), lists.holds("ids", corrections.c.id))
            .values(undone=bindparam("is_undone"))
        )

    def add(
        self, connection: Connection, scope: Scope, lines: Sequence[FactCorrection], first: int
    ) -> None:
        """Add lines, in order."""
        if lines:
            rows = [correction_values(scope, line, n) for n, line in enumerate(lines, first)]
            self._insert.run(connection, rows)

    def mark(self, connection: Connection, scope: Scope, lines: Sequence[FactCorrection]) -> None:
        """Mark lines as undone or not; nothing else of them changes."""
        for is_undone in (True, False):
            ids = [line.id for line in lines if line.undone is is_undone]
            if ids:
                given = {**owner(scope), "ids": self._lists.given(ids), "is_undone": is_undone}
                connection.execute(self._undo, given)


class _ContradictionRows:
    """Inserts and changes contradictions."""

    def __init__(self, tables: Tables) -> None:
        self._table = table = tables.contradictions
        self._insert = insert(table)
        changes = {
            column.name: bindparam(f"new_{column.name}", type_=column.type)
            for column in table.columns
            if column.name not in _KEYS
        }
        self._update = unheeded(
            update(table).where(owned(table), table.c.id == bindparam("row_id")).values(changes)
        )

    def write(
        self,
        connection: Connection,
        scope: Scope,
        book: FactBook,
        items: Mapping[str, Contradiction],
        first: int,
    ) -> None:
        """Write contradictions, those that are open last: only one may be."""
        numbered = sorted(
            enumerate(items.values(), first),
            key=lambda pair: pair[1].state is ContradictionState.OPEN,
        )
        for number, item in numbered:
            values = contradiction_values(item)
            if item.id in book.contradictions:
                changes = {f"new_{name}": value for name, value in values.items()}
                connection.execute(self._update, {**owner(scope), "row_id": item.id, **changes})
            else:
                connection.execute(self._insert, {**key(scope), **values, "seq": number})


def _holds_place(fact: Fact) -> bool:
    return (
        fact.status is FactStatus.ACTIVE and fact.kind is FactKind.PERMANENT and not fact.scheduled
    )


def _is_stale(old: Fact, new: Fact) -> bool:
    return fact_text(old) != fact_text(new)


def _new_row(scope: Scope, fact: Fact, number: int, texts: NewTexts) -> dict[str, Any]:
    return {
        **key(scope),
        **fact_values(fact),
        "seq": number,
        "change_no": number,
        "terms": texts.terms.get(fact.id, b""),
        "terms_version": texts.terms_version,
        "needs_vector": True,
    }


def _changes(scope: Scope, old: Fact, fact: Fact, number: int, texts: NewTexts) -> dict[str, Any]:
    values = {f"new_{name}": value for name, value in fact_values(fact).items() if name != "id"}
    terms = texts.terms.get(fact.id)
    return {
        **owner(scope),
        **values,
        "row_id": fact.id,
        "new_change_no": number,
        "new_terms": terms,
        "new_terms_version": None if terms is None else texts.terms_version,
        "stale": _is_stale(old, fact),
    }
