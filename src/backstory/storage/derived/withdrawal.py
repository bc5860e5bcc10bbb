"""Takes back what was derived from messages whose text goes away, in the same transaction."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, select

from backstory.core.derived.withdrawing import withdraw
from backstory.core.model.derived import Derived
from backstory.core.model.scope import Scope
from backstory.storage.derived.rows import DerivedRows, to_record
from backstory.storage.derived.writing import DerivedWriter
from backstory.storage.rows import same_session
from backstory.storage.statements import Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

_FEW_NAMES: Final = 20


class DerivedWithdrawal(metaclass=Prepared):
    """Withdraws derived records, in the transaction of the given connection.

    The user's row must be locked.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        messages, sessions = tables.messages, tables.sessions
        self._rows = DerivedRows(tables, dialect)
        self._writer = DerivedWriter(tables, dialect)
        self._lists = lists = Lists(dialect)
        self._sessions = (
            select(sessions.c.name)
            .join_from(messages, sessions, same_session(tables))
            .where(owned(messages), lists.holds("ids", messages.c.id))
            .distinct()
        )

    def run(
        self, connection: Connection, scope: Scope, message_ids: frozenset[str], now: datetime
    ) -> None:
        """Withdraw what rests on messages that are about to go, or to have another text."""
        given = {**owner(scope), "ids": self._lists.given(sorted(message_ids))}
        sessions = frozenset(connection.scalars(self._sessions, given))
        plan = None
        if len(message_ids) + len(sessions) <= _FEW_NAMES:
            rows = self._rows.naming(connection, scope, message_ids | sessions)
            plan = withdraw(map(to_record, rows), message_ids, sessions)
        if plan is None or any(_takes_a_slot(record) for record in plan.amended):
            rows = self._rows.all(connection, scope)
            plan = withdraw(map(to_record, rows), message_ids, sessions)
        if plan:
            self._writer.run(connection, scope, plan, now)


def _takes_a_slot(record: Derived) -> bool:
    """Whether it may come into a slot that another record, which names no message, has now."""
    return record.replaced_at is None and record.slot is not None
