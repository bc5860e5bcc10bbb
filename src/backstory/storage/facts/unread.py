"""Which messages no reader has read yet."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    bindparam,
    func,
    select,
    tuple_,
    update,
)

from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.ports.facts import MOST_FAILURES, Unread
from backstory.storage.rows import AnyRow, hash_name, select_messages, to_message
from backstory.storage.statements import Lists, owned, owner
from backstory.storage.tables import Tables

_TURNS_BEFORE = 6


class UnreadMessages:
    """Finds messages that were not read, and notes when that failed.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        messages, sessions = tables.messages, tables.sessions
        self._t = tables
        self._lists = lists = Lists(dialect)
        self._unread = (
            select_messages(tables)
            .add_columns(
                messages.c.session_id,
                messages.c.seq,
                messages.c.revision,
                messages.c.read_failures,
                messages.c.known_from,
                sessions.c.speaker.label("session_speaker"),
                sessions.c.ended_at,
            )
            .where(messages.c.needs_reading.is_(True))
            .order_by(messages.c.user_id, messages.c.session_id, messages.c.seq)
        )
        self._before = (
            select_messages(tables)
            .where(owned(messages), messages.c.session_id == bindparam("session"))
            .where(messages.c.seq < bindparam("first"))
            .order_by(messages.c.seq.desc())
            .limit(bindparam("most", type_=Integer))
        )
        self._count = (
            select(func.count()).select_from(messages).where(messages.c.needs_reading.is_(True))
        )
        self._note = (
            update(messages)
            .where(owned(messages), lists.holds("ids", messages.c.id))
            .where(messages.c.needs_reading.is_(True))
            .values(read_error=bindparam("reason"), read_failures=messages.c.read_failures + 1)
        )

    def find(
        self,
        connection: Connection,
        scope: Scope | None,
        tenant_id: str,
        limit: int,
        session_id: str | None,
        after: Unread | None,
    ) -> list[Unread]:
        """Unread messages, by session."""
        messages, sessions = self._t.messages, self._t.sessions
        query = self._unread.where(self._whose(scope, tenant_id)).limit(limit)
        if session_id is not None:
            query = query.where(sessions.c.name_hash == hash_name(session_id))
        if after is not None:
            place = (after.scope.user_id, self._key_of(connection, after) or "")
            query = query.where(tuple_(messages.c.user_id, messages.c.session_id) > place)
        rows = connection.execute(query).all()
        groups = [list(some) for _, some in groupby(rows, key=_run)]
        return [self._group(connection, tenant_id, some) for some in groups]

    def count(self, connection: Connection, scope: Scope | None, tenant_id: str) -> int:
        """How many there are."""
        return connection.scalar(self._count.where(self._whose(scope, tenant_id))) or 0

    def note(self, connection: Connection, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Write down that messages could not be read, and why."""
        given = {**owner(scope), "ids": self._lists.given(ids), "reason": reason}
        connection.execute(self._note, given)

    def _group(self, connection: Connection, tenant_id: str, rows: list[AnyRow]) -> Unread:
        first = rows[0]
        scope = Scope(tenant_id, first.user_id)
        return Unread(
            scope=scope,
            session_id=first.session_name,
            messages=tuple((to_message(row), row.revision) for row in rows),
            before=self._turns_before(connection, scope, first),
            speaker=first.session_speaker,
            bulk=first.known_from is not None,
            ended=first.ended_at is not None,
            failures=first.read_failures,
        )

    def _turns_before(
        self, connection: Connection, scope: Scope, first: AnyRow
    ) -> tuple[Message, ...]:
        given = {
            **owner(scope),
            "session": first.session_id,
            "first": first.seq,
            "most": _TURNS_BEFORE,
        }
        rows = connection.execute(self._before, given).all()
        return tuple(to_message(row) for row in reversed(rows))

    def _key_of(self, connection: Connection, after: Unread) -> str | None:
        sessions = self._t.sessions
        query = select(sessions.c.id).where(
            owned(sessions), sessions.c.name_hash == hash_name(after.session_id)
        )
        found: str | None = connection.scalar(query, owner(after.scope))
        return found

    def _whose(self, scope: Scope | None, tenant_id: str) -> ColumnElement[bool]:
        messages = self._t.messages
        whose = messages.c.tenant_id == (scope.tenant_id if scope else tenant_id)
        if scope is not None:
            whose = whose & (messages.c.user_id == scope.user_id)
        return whose


def _run(row: AnyRow) -> tuple[Any, ...]:
    """What messages that are read together have in common."""
    is_given_up = row.read_failures >= MOST_FAILURES
    return (row.user_id, row.session_id, row.known_from is not None, is_given_up)
