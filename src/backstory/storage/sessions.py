"""Sessions and users."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import (
    Connection,
    Integer,
    Select,
    bindparam,
    collate,
    exists,
    func,
    or_,
    select,
    update,
)

from backstory.core.model.message import Message
from backstory.core.model.schedule import SESSIONS_PERIOD, RunKind
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo, UserInfo
from backstory.storage.building import Instant
from backstory.storage.engines.base import Units
from backstory.storage.rows import (
    AnyRow,
    hash_name,
    newest_open,
    same_session,
    select_messages,
    to_message,
)
from backstory.storage.statements import POSTGRES, Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

if TYPE_CHECKING:
    from backstory.storage.queue import SqlQueue

CachedTail: TypeAlias = Callable[
    [Scope, str | None, int], Coroutine[Any, Any, list[Message] | None]
]


class _Statements(metaclass=Prepared):
    """What ``SqlSessions`` runs.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        lists = Lists(dialect)
        self.user_ids = _user_ids(tables, dialect)
        self.messages_of, self.sessions_of = _counts_of_users(tables, lists)
        sessions, messages = tables.sessions, tables.messages
        mine, is_open = owned(sessions), sessions.c.ended_at.is_(None)
        named = sessions.c.name_hash == bindparam("hash")
        newest = sessions.c.last_received_at.desc(), sessions.c.id.desc()
        self.of_name = select_sessions(tables).where(mine, named)
        opened = select_sessions(tables).where(mine, is_open).order_by(*newest).limit(1)
        self.newest = opened
        self.newest_of_agent = opened.where(sessions.c.agent_id == bindparam("agent"))
        # Not conditions on the join: without statistics PostgreSQL may go through all messages.
        tail = (
            select_messages(tables)
            .where(owned(messages))
            .order_by(messages.c.seq.desc())
            .limit(bindparam("most", type_=Integer))
        )
        session = select(sessions.c.id)
        of_named = session.where(mine, named).scalar_subquery()
        of_newest = newest_open(tables).scalar_subquery()
        self.tail = tail.where(messages.c.session_id == of_named)
        self.newest_tail = tail.where(messages.c.session_id == of_newest)
        known = func.coalesce(messages.c.known_from, messages.c.recorded_at) <= bindparam(
            "known_at", type_=Instant
        )
        of_latest = (
            select(messages.c.session_id)
            .where(owned(messages), known)
            .order_by(messages.c.seq.desc())
            .limit(1)
            .scalar_subquery()
        )
        self.known_tail = self.tail.where(known)
        self.newest_known_tail = tail.where(known, messages.c.session_id == of_latest)
        self.end = (
            update(sessions).where(mine, named, is_open).values(ended_at=sessions.c.last_message_at)
        )
        over = (
            (sessions.c.tenant_id == bindparam("tenant"))
            & is_open
            & (sessions.c.last_received_at < bindparam("before", type_=Instant))
            & ~lists.holds("held", sessions.c.name)
        )
        self.is_any_over = select(sessions.c.id).where(over).limit(1)
        ended = update(sessions).where(over).values(ended_at=sessions.c.last_message_at)
        self.end_over = ended.returning(sessions.c.user_id)


class SqlSessions:
    """Implements ``SessionStore``.

    Args:
        units: The engine.
        tables: The store's tables.
        cached_tail: Gives the last messages of a session, if it can be said from what is cached.
        queue: Gets a call for the digest of each session that ends, if there is a queue.
    """

    def __init__(
        self,
        units: Units,
        tables: Tables,
        cached_tail: CachedTail | None = None,
        queue: SqlQueue | None = None,
    ) -> None:
        self._units = units
        self._queue = queue
        self._cached_tail = cached_tail
        self._t = tables
        self._lists = Lists(units.dialect)
        self._s = _Statements(tables, units.dialect)

    async def sessions(self, scope: Scope) -> list[SessionInfo]:
        """All sessions of a user, oldest first."""
        sessions = self._t.sessions
        query = select_sessions(self._t).where(owned(sessions))
        ordered = query.order_by(sessions.c.started_at, sessions.c.id)

        def read(connection: Connection) -> list[SessionInfo]:
            return [to_session(row) for row in connection.execute(ordered, owner(scope))]

        return await self._units.read(read)

    async def find(self, scope: Scope, session_id: str) -> SessionInfo | None:
        """One session by its id, or None."""
        parameters = {**owner(scope), "hash": hash_name(session_id)}

        def read(connection: Connection) -> SessionInfo | None:
            row = connection.execute(self._s.of_name, parameters).first()
            return to_session(row) if row else None

        return await self._units.peek(read)

    async def newest_open(self, scope: Scope, agent_id: str | None) -> SessionInfo | None:
        """The open session that received a message last."""
        query = self._s.newest if agent_id is None else self._s.newest_of_agent
        parameters = owner(scope) | ({} if agent_id is None else {"agent": agent_id})

        def read(connection: Connection) -> SessionInfo | None:
            row = connection.execute(query, parameters).first()
            return to_session(row) if row else None

        return await self._units.peek(read)

    async def tail(
        self, scope: Scope, session_id: str | None, limit: int, known_at: datetime | None = None
    ) -> list[Message]:
        """The last messages of a session, in order; None = of ``newest_open``'s."""
        if known_at is None and self._cached_tail is not None:
            cached = await self._cached_tail(scope, session_id, limit)
            if cached is not None:
                return cached
        parameters: dict[str, Any] = {**owner(scope), "most": limit}
        if known_at is None:
            query = self._s.newest_tail if session_id is None else self._s.tail
        else:
            query = self._s.newest_known_tail if session_id is None else self._s.known_tail
            parameters["known_at"] = known_at
        if session_id is not None:
            parameters["hash"] = hash_name(session_id)

        def read(connection: Connection) -> list[Message]:
            rows = connection.execute(query, parameters).all()
            return [to_message(row) for row in reversed(rows)]

        return await self._units.peek(read)

    async def end(self, scope: Scope, session_id: str) -> bool:
        """End a session at the time of its last message. False if it is not open."""
        parameters = {**owner(scope), "hash": hash_name(session_id)}

        def write(connection: Connection) -> bool:
            ended = connection.execute(self._s.end, parameters).rowcount > 0
            if ended:
                self._call(connection, [scope])
            return ended

        return await self._units.write(write)

    async def end_timed_out(
        self, tenant_id: str, received_before: datetime, held: frozenset[str]
    ) -> int:
        """End every session that received nothing since then and is not held."""
        parameters = {
            "tenant": tenant_id,
            "before": received_before,
            "held": self._lists.given(sorted(held)),
        }

        def look(connection: Connection) -> bool:
            return connection.execute(self._s.is_any_over, parameters).first() is not None

        def write(connection: Connection) -> int:
            ended = [row[0] for row in connection.execute(self._s.end_over, parameters)]
            self._call(connection, [Scope(tenant_id, user) for user in dict.fromkeys(ended)])
            return len(ended)

        # Looking first spares the file a write lock every time there is nothing to do.
        return await self._units.write(write) if await self._units.peek(look) else 0

    def _call(self, connection: Connection, scopes: list[Scope]) -> None:
        """Call for the digests of sessions that end in this transaction."""
        if self._queue is not None:
            calls = [(scope, RunKind.EPISODIC, SESSIONS_PERIOD) for scope in scopes]
            self._queue.put(connection, calls)

    async def users(
        self, tenant_id: str, limit: int | None = None, after: str = ""
    ) -> list[UserInfo]:
        """Users of a tenant of whom something is known, by id: all, or so many after this id."""
        given = {"tenant": tenant_id, "after": after}

        def read(connection: Connection) -> list[UserInfo]:
            ids: list[str] = [
                row[0] for row in connection.execute(self._s.user_ids.limit(limit), given)
            ]
            listed = {"tenant": tenant_id, "ids": self._lists.given(ids)}
            counts = {row.user_id: row for row in connection.execute(self._s.messages_of, listed)}
            held = {row[0]: row[1] for row in connection.execute(self._s.sessions_of, listed)}
            return [_to_user(user, held.get(user, 0), counts.get(user)) for user in ids]

        return await self._units.read(read)


def _to_user(user_id: str, sessions: int, counts: AnyRow | None) -> UserInfo:
    return UserInfo(
        user_id=user_id,
        sessions=sessions,
        messages=counts.messages if counts else 0,
        first_at=counts.first_at if counts else None,
        last_at=counts.last_at if counts else None,
    )


def _user_ids(tables: Tables, dialect: str) -> Select[str]:
    """Users of whom something is known, in the order of Python: of code points."""
    users = tables.users
    column = collate(users.c.user_id, "C" if dialect == POSTGRES else "BINARY")
    known = or_(
        *(
            exists().where(
                table.c.tenant_id == users.c.tenant_id, table.c.user_id == users.c.user_id
            )
            for table in (tables.sessions, tables.facts, tables.derived)
        )
    )
    mine = users.c.tenant_id == bindparam("tenant")
    return select(users.c.user_id).where(mine, column > bindparam("after"), known).order_by(column)


def _counts_of_users(tables: Tables, lists: Lists) -> tuple[Select[Any], Select[Any]]:
    """The messages and the sessions of each user of a list."""
    messages, sessions = tables.messages, tables.sessions
    times = func.min(messages.c.timestamp), func.max(messages.c.timestamp)
    counts = func.count().label("messages"), times[0].label("first_at"), times[1].label("last_at")
    found = []
    for table, columns in ((messages, counts), (sessions, (func.count(),))):
        mine = table.c.tenant_id == bindparam("tenant"), lists.holds("ids", table.c.user_id)
        found.append(select(table.c.user_id, *columns).where(*mine).group_by(table.c.user_id))
    return found[0], found[1]


def select_sessions(tables: Tables) -> Select[Any]:
    """Sessions with their numbers of messages; for ``to_session``."""
    count = (
        select(func.count())
        .where(same_session(tables))
        .correlate(tables.sessions)
        .scalar_subquery()
        .label("messages")
    )
    return select(tables.sessions, count)


def to_session(row: AnyRow) -> SessionInfo:
    """Make a SessionInfo of a row."""
    return SessionInfo(
        id=row.name,
        user_id=row.user_id,
        started_at=row.started_at,
        last_received_at=row.last_received_at,
        ended_at=row.ended_at,
        agent_id=row.agent_id,
        mode=row.mode,
        speaker=row.speaker,
        channel=row.channel,
        metadata=row.metadata,
        messages=row.messages,
    )
