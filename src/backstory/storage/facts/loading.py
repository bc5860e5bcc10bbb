"""Loads the rows that a decision reads, inside the transaction that will write it."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Executable, select, text

from backstory.core.facts.book import FactBook, FactsWanted
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.fact import Fact, FactCorrection, FactRevision
from backstory.core.model.scope import Scope
from backstory.storage.fact_tables import held
from backstory.storage.facts.erased import Claimed, ErasedClaims
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.hashes import hash_of
from backstory.storage.facts.rows import (
    FactShape,
    to_contradiction,
    to_correction,
    to_revision,
)
from backstory.storage.rows import AnyRow
from backstory.storage.statements import Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

_UNDECIDED = "state IN ('open', 'held')"


class BookLoader(metaclass=Prepared):
    """Loads facts with what hangs on them.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        facts, revisions = tables.facts, tables.fact_revisions
        corrections, contradictions = tables.fact_corrections, tables.contradictions
        messages = tables.messages
        self._lists = lists = Lists(dialect)
        self._evidence = EvidenceRows(tables, dialect)
        self._erased = ErasedClaims(tables, dialect)
        mine = owned(facts)
        slots: ColumnElement[bool] = lists.holds("slots", facts.c.slot_hash)
        self._shape = FactShape(facts, dialect)
        self._all = select(*self._shape.columns).where(mine)
        self._in_slots = self._all.where(slots)
        self._of_values = self._all.add_columns(facts.c.slot_hash, facts.c.value_hash).where(
            lists.holds("values", facts.c.value_hash)
        )
        slot = select(facts.c.slot_hash).where(mine)
        self._slots_of_values = slot.where(lists.holds("values", facts.c.value_hash), held())
        self._slots_of_facts = slot.where(lists.holds("ids", facts.c.id))
        self._slots_of_others = {
            Of.CORRECTION: select(corrections.c.slot_hash).where(
                owned(corrections), lists.holds("ids", corrections.c.id)
            ),
            Of.CONTRADICTION: select(contradictions.c.slot_hash).where(
                owned(contradictions), lists.holds("ids", contradictions.c.id)
            ),
        }
        of_contradictions = select(contradictions).where(owned(contradictions))
        self._contradictions = of_contradictions.where(lists.holds("ids", contradictions.c.id))
        self._undecided = of_contradictions.where(
            lists.holds("slots", contradictions.c.slot_hash), text(_UNDECIDED)
        )
        self._all_undecided = of_contradictions.where(text(_UNDECIDED))
        log = select(corrections).where(owned(corrections))
        self._log = log.where(lists.holds("slots", corrections.c.slot_hash))
        self._whole_log = log
        self._log_of_facts = log.where(lists.holds("ids", corrections.c.fact_id))
        # Lists are sorted in Python: for the order alone SQLite would look through all of a user's.
        self._revisions = select(revisions).where(
            owned(revisions), lists.holds("ids", revisions.c.fact_id)
        )
        self._unread = select(messages.c.id, messages.c.revision).where(
            owned(messages),
            lists.holds("ids", messages.c.id),
            messages.c.needs_reading.is_(True),
        )

    def load(
        self,
        connection: Connection,
        scope: Scope,
        wanted: FactsWanted,
        announced: Iterable[Claimed] = (),
    ) -> FactBook:
        """Everything that a decision asked for."""
        asked = self.contradictions(connection, scope, sorted(wanted.contradiction_ids))
        slots = None
        if not wanted.everything:
            slots = self._slots(connection, scope, wanted, asked.values())
        members: list[AnyRow] = []
        if wanted.members and slots is not None:
            slots |= self._undecided_slots(connection, scope, wanted)
            members = self._members(connection, scope, wanted, slots)
        rows = self._in(connection, scope, slots, self._in_slots, self._all)
        facts = self._as_facts(connection, scope, [*rows, *members])
        undecided = self._open_in(connection, scope, slots)
        lines = self._lines(connection, scope, slots, [row.id for row in members])
        return FactBook(
            facts=facts,
            revisions=self.revisions(connection, scope, facts),
            corrections=tuple(line for line in lines if line.fact_id in facts),
            contradictions={**undecided, **asked},
            unread=self._still_unread(connection, scope, wanted.unread),
            erased=self._erased.among(connection, scope, sorted(announced)),
        )

    def slots_of(self, connection: Connection, scope: Scope, ids: Iterable[str]) -> set[str]:
        """The hashes of the slots that facts are in."""
        given = self._listed(scope, ids=sorted(ids))
        return set(connection.scalars(self._slots_of_facts, given))

    def facts(
        self, connection: Connection, scope: Scope, slots: set[str] | None
    ) -> dict[str, Fact]:
        """All rows of slots, given by hash; None = all rows of the user."""
        rows = self._in(connection, scope, slots, self._in_slots, self._all)
        return self._as_facts(connection, scope, rows)

    def _as_facts(
        self, connection: Connection, scope: Scope, rows: list[AnyRow]
    ) -> dict[str, Fact]:
        rows.sort(key=lambda row: row.seq)
        evidence = self._evidence.of(connection, scope, Of.FACT, [row.id for row in rows])
        return {row.id: self._shape.fact(row, evidence.get(row.id, ())) for row in rows}

    def _members(
        self, connection: Connection, scope: Scope, wanted: FactsWanted, slots: set[str]
    ) -> list[AnyRow]:
        """The rows that hold one of the values asked for, of slots that are not loaded whole."""
        asked = {
            (slot, hash_of(subject, value))
            for subject, key, value in wanted.members
            if (slot := hash_of(subject, key)) not in slots
        }
        if not asked:
            return []
        given = self._listed(scope, values=sorted({value for _, value in asked}))
        rows = connection.execute(self._of_values, given)
        return [row for row in rows if (row.slot_hash, row.value_hash) in asked]

    def _undecided_slots(
        self, connection: Connection, scope: Scope, wanted: FactsWanted
    ) -> set[str]:
        """Of the slots of members, those whose rows may be tied to one another."""
        slots = {hash_of(subject, key) for subject, key, _ in wanted.members}
        rows = connection.execute(self._undecided, self._listed(scope, slots=sorted(slots)))
        return {row.slot_hash for row in rows}

    def revisions(
        self, connection: Connection, scope: Scope, ids: Iterable[str]
    ) -> tuple[FactRevision, ...]:
        """Earlier states of facts, oldest first."""
        named = list(ids)
        if not named:
            return ()
        rows = connection.execute(self._revisions, self._listed(scope, ids=named))
        found = [to_revision(row) for row in rows]
        return tuple(sorted(found, key=lambda r: (r.replaced_at, r.believed_at, r.revision)))

    def log(
        self, connection: Connection, scope: Scope, slots: set[str] | None
    ) -> list[FactCorrection]:
        """The log of slots, oldest first."""
        return self._lines(connection, scope, slots, [])

    def _lines(
        self, connection: Connection, scope: Scope, slots: set[str] | None, fact_ids: list[str]
    ) -> list[FactCorrection]:
        rows = self._in(connection, scope, slots, self._log, self._whole_log)
        if fact_ids:
            rows += connection.execute(self._log_of_facts, self._listed(scope, ids=fact_ids)).all()
        rows.sort(key=lambda row: row.seq)
        ids = [row.id for row in rows]
        evidence = self._evidence.of(connection, scope, Of.CORRECTION, ids)
        return [to_correction(row, evidence.get(row.id, ())) for row in rows]

    def contradictions(
        self, connection: Connection, scope: Scope, ids: list[str]
    ) -> dict[str, Contradiction]:
        """Contradictions by id."""
        if not ids:
            return {}
        rows = connection.execute(self._contradictions, self._listed(scope, ids=ids)).all()
        return self._as_contradictions(connection, scope, rows)

    def _open_in(
        self, connection: Connection, scope: Scope, slots: set[str] | None
    ) -> dict[str, Contradiction]:
        rows = self._in(connection, scope, slots, self._undecided, self._all_undecided)
        return self._as_contradictions(connection, scope, rows)

    def _as_contradictions(
        self, connection: Connection, scope: Scope, rows: Sequence[AnyRow]
    ) -> dict[str, Contradiction]:
        ids = [row.id for row in rows]
        evidence = self._evidence.of(connection, scope, Of.CONTRADICTION, ids)
        return {row.id: to_contradiction(row, evidence.get(row.id, ())) for row in rows}

    def _slots(
        self,
        connection: Connection,
        scope: Scope,
        wanted: FactsWanted,
        asked: Iterable[Contradiction],
    ) -> set[str]:
        slots = {hash_of(*slot) for slot in wanted.slots}
        ids = set(wanted.fact_ids)
        for item in asked:
            slots.add(hash_of(item.subject, item.key))
            ids |= {i for i in (item.stored_fact_id, item.stated_fact_id) if i is not None}
        if wanted.message_ids:
            resting = self._evidence.records_of(connection, scope, wanted.message_ids)
            ids |= resting[Of.FACT]
            for kind, query in self._slots_of_others.items():
                if resting[kind]:
                    given = self._listed(scope, ids=sorted(resting[kind]))
                    slots |= set(connection.scalars(query, given))
        if ids:
            slots |= self.slots_of(connection, scope, ids)
        if wanted.values:
            hashes = sorted(hash_of(*value) for value in wanted.values)
            given = self._listed(scope, values=hashes)
            slots |= set(connection.scalars(self._slots_of_values, given))
        return slots

    def _still_unread(
        self, connection: Connection, scope: Scope, asked: frozenset[tuple[str, int]]
    ) -> frozenset[str]:
        if not asked:
            return frozenset()
        given = self._listed(scope, ids=sorted(message_id for message_id, _ in asked))
        rows = connection.execute(self._unread, given)
        return frozenset(row[0] for row in rows if (row[0], row[1]) in asked)

    def _in(
        self,
        connection: Connection,
        scope: Scope,
        slots: set[str] | None,
        listed: Executable,
        everything: Executable,
    ) -> list[AnyRow]:
        if slots is None:
            return list(connection.execute(everything, owner(scope)).all())
        if not slots:
            return []
        return list(connection.execute(listed, self._listed(scope, slots=sorted(slots))).all())

    def _listed(self, scope: Scope, **lists: list[str]) -> dict[str, Any]:
        return {**owner(scope), **{name: self._lists.given(v) for name, v in lists.items()}}
