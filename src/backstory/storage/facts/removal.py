"""Removes facts with everything that hangs on them, and every value of theirs elsewhere."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, or_, select, update

from backstory.core.model.scope import Scope
from backstory.core.values import normal_value
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.hashes import hash_of
from backstory.storage.rows import UserRows
from backstory.storage.statements import Lists, Prepared, owned, owner
from backstory.storage.tables import Tables


class FactRemover(metaclass=Prepared):
    """Removes facts, in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        facts, log, contradictions = tables.facts, tables.fact_corrections, tables.contradictions
        self._users = UserRows(tables)
        self._evidence = EvidenceRows(tables, dialect)
        self._lists = lists = Lists(dialect)
        self._delete = delete(facts).where(owned(facts), lists.holds("ids", facts.c.id))
        lines = owned(log) & lists.holds("ids", log.c.fact_id)
        self._lines = select(log.c.id).where(lines)
        self._delete_lines = delete(log).where(lines)
        others = owned(log) & lists.holds("ids", log.c.other_id)
        self._other_lines = select(log.c.id).where(others)
        self._blank_lines = (
            update(log).where(others).values(other_id=None, new_value=None, reason="")
        )
        self._of_facts = select(contradictions.c.id).where(
            owned(contradictions),
            or_(
                lists.holds("ids", contradictions.c.id),
                lists.holds("ids", contradictions.c.stored_fact_id),
                lists.holds("ids", contradictions.c.stated_fact_id),
            ),
        )
        self._of_slot = select(
            contradictions.c.id,
            contradictions.c.stored_value,
            contradictions.c.stated_value,
            contradictions.c.held_value,
        ).where(owned(contradictions), contradictions.c.slot_hash == bindparam("slot"))
        self._delete_contradictions = delete(contradictions).where(
            owned(contradictions), lists.holds("ids", contradictions.c.id)
        )

    def remove(self, connection: Connection, scope: Scope, ids: Sequence[str]) -> None:
        """Remove facts, their states, vectors and evidence, their log, and what contradicts them.

        Lines of other facts that name one of them stay, without its value. An id may also be that
        of a contradiction.
        """
        listed = self._listed(scope, ids)
        own = list(connection.scalars(self._lines, listed))
        others = list(connection.scalars(self._other_lines, listed))
        self._evidence.drop(connection, scope, Of.CORRECTION, [*own, *others])
        connection.execute(self._delete_lines, listed)
        connection.execute(self._blank_lines, listed)
        self._drop_contradictions(
            connection, scope, list(connection.scalars(self._of_facts, listed))
        )
        self._evidence.drop(connection, scope, Of.FACT, ids)
        connection.execute(self._delete, listed)
        self._users.mark_facts_removed(connection, scope)

    def remove_claims(
        self, connection: Connection, scope: Scope, slot: tuple[str, str], normal: frozenset[str]
    ) -> None:
        """Remove the contradictions of a slot that hold one of these normal values."""
        given = {**owner(scope), "slot": hash_of(*slot)}
        named = [
            row.id
            for row in connection.execute(self._of_slot, given)
            if not normal.isdisjoint(normal_value(value) for value in row[1:] if value is not None)
        ]
        self._drop_contradictions(connection, scope, named)

    def _drop_contradictions(
        self, connection: Connection, scope: Scope, ids: Sequence[str]
    ) -> None:
        if ids:
            self._evidence.drop(connection, scope, Of.CONTRADICTION, ids)
            connection.execute(self._delete_contradictions, self._listed(scope, ids))

    def _listed(self, scope: Scope, ids: Sequence[str]) -> dict[str, Any]:
        return {**owner(scope), "ids": self._lists.given(ids)}
