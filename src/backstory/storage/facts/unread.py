"""Which messages no reader has read yet."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    bindparam,
    exists,
    func,
    or_,
    select,
    update,
)

from backstory.core.model.message import Message, Role
from backstory.core.model.scope import Scope
from backstory.ports.facts import MOST_FAILURES, Unread
from backstory.storage.rows import AnyRow, hash_name, same_session, select_messages, to_message
from backstory.storage.statements import Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

_TURNS_BEFORE = 6


class UnreadMessages(metaclass=Prepared):
    """Finds messages that were not read, and notes when that failed.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        messages, sessions = tables.messages, tables.sessions
        self._t = tables
        self._lists = lists = Lists(dialect)
        rows = select_messages(tables).add_columns(
            messages.c.session_id,
            messages.c.seq,
            messages.c.revision,
            messages.c.read_failures,
            sessions.c.speaker.label("session_speaker"),
            sessions.c.ended_at,
            sessions.c.metadata.label("session_metadata"),
        )

        def unread(condition: ColumnElement[bool]) -> Select[Any]:
            return (
                rows.where(owned(messages), condition)
                .where(messages.c.needs_reading.is_(True))
                .order_by(messages.c.seq)
                .limit(bindparam("most", type_=Integer))
            )

        self._unread = unread(messages.c.session_id == bindparam("session"))
        # what every ``add`` asks for
        self._of_name = unread(sessions.c.name_hash == bindparam("name_hash"))
        self._waiting = (
            select(messages.c.user_id, messages.c.session_id)
            .where(messages.c.needs_reading.is_(True))
            .order_by(messages.c.user_id, messages.c.seq)
        )
        self._before = (
            select_messages(tables)
            .where(owned(messages), messages.c.session_id == bindparam("session"))
            .where(messages.c.seq < bindparam("first"))
            .order_by(messages.c.seq.desc())
            .limit(bindparam("most", type_=Integer))
        )
        self._first_named = (
            select(messages.c.speaker)
            .where(owned(messages), messages.c.role == str(Role.USER))
            .where(messages.c.speaker.is_not(None))
            .order_by(messages.c.seq)
            .limit(1)
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
        if scope is not None and session_id is not None and after is None:
            named = {**owner(scope), "name_hash": hash_name(session_id), "most": limit}
            return self._runs(connection, scope, connection.execute(self._of_name, named).all())
        found: list[Unread] = []
        for whose, session in self._sessions(
            connection, scope, tenant_id, limit, session_id, after
        ):
            if limit <= 0:
                break
            given = {**owner(whose), "session": session, "most": limit}
            rows = connection.execute(self._unread, given).all()
            limit -= len(rows)
            found += self._runs(connection, whose, rows)
        return found

    def _runs(self, connection: Connection, scope: Scope, rows: Sequence[AnyRow]) -> list[Unread]:
        """The rows of one session, in groups that are read together."""
        runs = [list(some) for _, some in groupby(rows, key=_run)]
        return [self._group(connection, scope, some) for some in runs]

    def _sessions(
        self,
        connection: Connection,
        scope: Scope | None,
        tenant_id: str,
        limit: int,
        session_id: str | None,
        after: Unread | None,
    ) -> dict[tuple[Scope, str], None]:
        """Users and keys of sessions with unread messages, whose first one is oldest first."""
        sessions = self._t.sessions
        query = self._waiting.where(self._whose(scope, tenant_id)).limit(limit)
        if session_id is not None:
            query = query.join(sessions, same_session(self._t)).where(
                sessions.c.name_hash == hash_name(session_id)
            )
        if after is not None:
            query = query.where(self._behind(after))
        rows = connection.execute(query).all()
        whose = {row.user_id: Scope(tenant_id, row.user_id) for row in rows}
        return dict.fromkeys((whose[row.user_id], row.session_id) for row in rows)

    def _behind(self, after: Unread) -> ColumnElement[bool]:
        messages = self._t.messages
        user, first = after.scope.user_id, after.messages[0][0].id
        own = messages.alias()
        place = (
            select(own.c.seq)
            .where(own.c.tenant_id == after.scope.tenant_id, own.c.user_id == user)
            .where(own.c.id == first)
            .scalar_subquery()
        )
        earlier = messages.alias()
        is_seen = exists().where(
            earlier.c.tenant_id == messages.c.tenant_id,
            earlier.c.user_id == messages.c.user_id,
            earlier.c.session_id == messages.c.session_id,
            earlier.c.needs_reading.is_(True),
            earlier.c.seq <= place,
        )
        later = (messages.c.user_id == user) & (messages.c.seq > place) & ~is_seen
        return or_(messages.c.user_id > user, later)

    def count(self, connection: Connection, scope: Scope | None, tenant_id: str) -> int:
        """How many there are."""
        return connection.scalar(self._count.where(self._whose(scope, tenant_id))) or 0

    def note(self, connection: Connection, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Write down that messages could not be read, and why."""
        given = {**owner(scope), "ids": self._lists.given(ids), "reason": reason}
        connection.execute(self._note, given)

    def _group(self, connection: Connection, scope: Scope, rows: list[AnyRow]) -> Unread:
        first = rows[0]
        return Unread(
            scope=scope,
            session_id=first.session_name,
            messages=tuple((to_message(row), row.revision) for row in rows),
            before=self._turns_before(connection, scope, first),
            speaker=first.session_speaker or self._first_speaker(connection, scope, rows),
            bulk=first.known_from is not None,
            ended=first.ended_at is not None,
            failures=first.read_failures,
            metadata=first.session_metadata or {},
        )

    def _first_speaker(
        self, connection: Connection, scope: Scope, rows: list[AnyRow]
    ) -> str | None:
        """The first name that spoke as the user. It is looked up only where somebody is named."""
        if all(row.speaker is None for row in rows):
            return None
        name: str | None = connection.scalar(self._first_named, owner(scope))
        return name

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

    def _whose(self, scope: Scope | None, tenant_id: str) -> ColumnElement[bool]:
        messages = self._t.messages
        whose = messages.c.tenant_id == (scope.tenant_id if scope else tenant_id)
        if scope is not None:
            whose = whose & (messages.c.user_id == scope.user_id)
        return whose


def _run(row: AnyRow) -> tuple[bool, bool]:
    """What messages that are read together have in common."""
    is_given_up = row.read_failures >= MOST_FAILURES
    return (row.known_from is not None, is_given_up)
