"""Which messages no reader has read yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
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


@dataclass(frozen=True, kw_only=True)
class NewIn:
    """The session that messages are about to be stored in.

    Attributes:
        name: The caller's id.
        key: Its key in this store.
        is_new: It was made in this transaction: nothing is in it.
    """

    name: str
    key: str
    is_new: bool
    speaker: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


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
        self._last = _last_of(tables)
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

    def of_new(
        self,
        connection: Connection,
        scope: Scope,
        into: NewIn,
        fresh: Sequence[tuple[Message, bool]],
    ) -> Unread | None:
        """What ``find`` would give of messages that are about to be stored.

        Args:
            connection: In the transaction that stores them.
            scope: The user.
            into: Their session.
            fresh: They, in order, and whether each needs reading.

        Returns:
            None if none of them does, or if what is stored of the session is to be read first.
        """
        places = [place for place, (_, needs) in enumerate(fresh) if needs]
        if not places:
            return None
        before: list[Message] = []
        if not into.is_new:
            given = {**owner(scope), "session": into.key, "most": _TURNS_BEFORE}
            rows = connection.execute(self._last, given).all()
            if rows and rows[0].is_behind:
                return None
            before = [to_message(row) for row in reversed(rows)]
        as_stored = [_as_stored(message) for message, _ in fresh]
        before += as_stored[: places[0]]
        wanted = [as_stored[place] for place in places]
        speaker = into.speaker
        if speaker is None and any(message.speaker is not None for message in wanted):
            speaker = connection.scalar(self._first_named, owner(scope)) or _first_named(as_stored)
        return Unread(
            scope=scope,
            session_id=into.name,
            messages=tuple((message, 1) for message in wanted),
            before=tuple(before[-_TURNS_BEFORE:]),
            speaker=speaker,
            bulk=wanted[0].known_from is not None,
            metadata=into.metadata,
        )

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


def _last_of(tables: Tables) -> Select[Any]:
    """The last messages of a session, each with whether any of the session is unread."""
    messages = tables.messages
    own = messages.alias()
    is_behind = exists().where(
        own.c.tenant_id == bindparam("tenant"),
        own.c.user_id == bindparam("user"),
        own.c.session_id == bindparam("session"),
        own.c.needs_reading.is_(True),
    )
    return (
        select_messages(tables)
        .add_columns(is_behind.label("is_behind"))
        .where(owned(messages), messages.c.session_id == bindparam("session"))
        .order_by(messages.c.seq.desc())
        .limit(bindparam("most", type_=Integer))
    )


def _run(row: AnyRow) -> tuple[bool, bool]:
    """What messages that are read together have in common."""
    is_given_up = row.read_failures >= MOST_FAILURES
    return (row.known_from is not None, is_given_up)


def _as_stored(message: Message) -> Message:
    """A message as it is read back."""
    said, known = message.timestamp.astimezone(UTC), message.known_from
    return replace(
        message,
        timestamp=said,
        recorded_at=message.recorded_at.astimezone(UTC),
        known_from=None if known is None else known.astimezone(UTC),
        created=False,
    )


def _first_named(messages: Sequence[Message]) -> str | None:
    return next((m.speaker for m in messages if m.role is Role.USER and m.speaker), None)
