"""Takes back what was read of messages whose text goes away, in the same transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, func, select, update

from backstory.core.facts.book import FactsWanted
from backstory.core.facts.withdrawing import withdraw
from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.storage.engines.base import unheeded
from backstory.storage.facts.evidence import EvidenceRows
from backstory.storage.facts.loading import BookLoader
from backstory.storage.facts.writing import PlanWriter, no_texts
from backstory.storage.rows import UserRows
from backstory.storage.statements import Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

if TYPE_CHECKING:
    from backstory.storage.derived.withdrawal import DerivedWithdrawal

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_ID_BYTES = 16


def id_of_write(scope: Scope, number: int) -> str:
    """An id that is not in use: of a user, and of a running number that only this write has."""
    parts = (scope.tenant_id, scope.user_id, str(number))
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=_ID_BYTES).hexdigest()


class Withdrawal(metaclass=Prepared):
    """Withdraws facts and derived records, in the transaction of the given connection.

    The user's row must be locked.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        sessions, messages = tables.sessions, tables.messages
        self._made_of = tables, dialect
        self._users = UserRows(tables)
        self._loader = BookLoader(tables, dialect)
        self._writer = PlanWriter(tables, dialect)
        self._evidence = EvidenceRows(tables, dialect)
        self._latest = select(func.max(sessions.c.last_received_at)).where(owned(sessions))
        self._lists = lists = Lists(dialect)
        named = owned(messages), lists.holds("ids", messages.c.id)
        self._delete = delete(messages).where(*named)
        self._touch = unheeded(
            update(sessions)
            .where(owned(sessions), sessions.c.id.in_(select(messages.c.session_id).where(*named)))
            .values(touched=sessions.c.touched + 1)
        )
        users = tables.users
        self._has_derived = select(users.c.derived_seq > 0).where(owned(users))

    @cached_property
    def _derived(self) -> DerivedWithdrawal:
        from backstory.storage.derived.withdrawal import DerivedWithdrawal  # noqa: PLC0415

        return DerivedWithdrawal(*self._made_of)

    def run(
        self,
        connection: Connection,
        scope: Scope,
        message_ids: Iterable[str],
        now: datetime | None = None,
    ) -> None:
        """Withdraw what these messages alone said, and remove their words from all evidence.

        Args:
            connection: In a transaction.
            scope: Whose messages.
            message_ids: Messages of this user that are about to go, or to have another text.
            now: The time of the change; None = the latest that is known of the user's rows.
        """
        ids = frozenset(message_ids)
        if not ids:
            return
        given = {**owner(scope), "ids": self._lists.given(sorted(ids))}
        connection.execute(self._touch, given)
        if connection.scalar(self._has_derived, owner(scope)):
            self._derived.run(connection, scope, ids, now or _NEVER)
        book = self._loader.load(connection, scope, FactsWanted(message_ids=ids))
        if book.facts:
            at = now or self._latest_of(connection, scope, book.facts.values())
            number = self._users.take(connection, scope, 1, at)
            plan = withdraw(book, ids, at, new_ids=[id_of_write(scope, number)])
            self._writer.run(connection, scope, book, plan, no_texts, at)
        self._evidence.forget(connection, scope, sorted(ids))

    def delete(
        self,
        connection: Connection,
        scope: Scope,
        message_ids: Iterable[str],
        now: datetime | None = None,
    ) -> int:
        """Remove messages with all that hangs on them, and withdraw what they alone said.

        Returns:
            How many there were.
        """
        ids = sorted(message_ids)
        self.run(connection, scope, ids, now)
        given = {**owner(scope), "ids": self._lists.given(ids)}
        gone = connection.execute(self._delete, given).rowcount
        if gone:
            self._users.mark_removed(connection, scope)
        return gone

    def _latest_of(self, connection: Connection, scope: Scope, facts: Iterable[Fact]) -> datetime:
        received: datetime | None = connection.scalar(self._latest, owner(scope))
        return max([received or _NEVER, *(fact.believed_at for fact in facts)])
