"""Takes back what was read of messages whose text goes away, in the same transaction."""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, func, select

from backstory.core.facts.book import FactsWanted
from backstory.core.facts.withdrawing import withdraw
from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.storage.facts.evidence import EvidenceRows
from backstory.storage.facts.loading import BookLoader
from backstory.storage.facts.writing import PlanWriter, no_texts
from backstory.storage.rows import UserRows
from backstory.storage.statements import Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_ID_BYTES = 16


def id_of_write(scope: Scope, number: int) -> str:
    """An id that is not in use: of a user, and of a running number that only this write has."""
    parts = (scope.tenant_id, scope.user_id, str(number))
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=_ID_BYTES).hexdigest()


class Withdrawal(metaclass=Prepared):
    """Withdraws facts, in the transaction of the given connection.

    The user's row must be locked.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        sessions, messages = tables.sessions, tables.messages
        self._users = UserRows(tables)
        self._loader = BookLoader(tables, dialect)
        self._writer = PlanWriter(tables, dialect)
        self._evidence = EvidenceRows(tables, dialect)
        self._latest = select(func.max(sessions.c.last_received_at)).where(owned(sessions))
        self._lists = lists = Lists(dialect)
        self._delete = delete(messages).where(owned(messages), lists.holds("ids", messages.c.id))

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
