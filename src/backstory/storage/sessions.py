"""Sessions and users."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, select, update

from backstory.core.model.message import Message, MessageDraft
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo, SessionLabel, UserInfo
from backstory.ports.store import SessionRequest
from backstory.storage.engines.base import Units
from backstory.storage.rows import AnyRow, chunks, hash_name, key, message_columns, of, to_message
from backstory.storage.tables import Tables


class SqlSessions:
    """Implements ``SessionStore``."""

    def __init__(self, units: Units, tables: Tables) -> None:
        self._units = units
        self._t = tables

    async def sessions(self, scope: Scope) -> list[SessionInfo]:
        """All sessions of a user, oldest first."""

        def read(connection: Connection) -> list[SessionInfo]:
            query = _sessions(self._t).where(of(self._t.sessions, scope))
            order = (self._t.sessions.c.started_at, self._t.sessions.c.id)
            return [_to_session(row) for row in connection.execute(query.order_by(*order))]

        return await self._units.read(read)

    async def keys(self, scope: Scope, session_ids: Sequence[str]) -> dict[str, str]:
        """How a partition names sessions: for each id that exists, its key in this store."""
        sessions = self._t.sessions

        def read(connection: Connection) -> dict[str, str]:
            found: dict[str, str] = {}
            for some in chunks(session_ids):
                query = select(sessions.c.name, sessions.c.id).where(
                    of(sessions, scope),
                    sessions.c.name_hash.in_([hash_name(name) for name in some]),
                )
                found.update({row.name: row.id for row in connection.execute(query)})
            return found

        return await self._units.read(read)

    async def newest_open(self, scope: Scope, agent_id: str | None) -> SessionInfo | None:
        """The open session that received a message last."""

        def read(connection: Connection) -> SessionInfo | None:
            sessions = self._t.sessions
            query = _sessions(self._t).where(of(sessions, scope), sessions.c.ended_at.is_(None))
            if agent_id is not None:
                query = query.where(sessions.c.agent_id == agent_id)
            newest = sessions.c.last_received_at.desc(), sessions.c.id.desc()
            row = connection.execute(query.order_by(*newest).limit(1)).first()
            return _to_session(row) if row else None

        return await self._units.read(read)

    async def tail(self, scope: Scope, session_id: str, limit: int) -> list[Message]:
        """The last messages of a session, in order."""
        messages, sessions = self._t.messages, self._t.sessions

        def read(connection: Connection) -> list[Message]:
            query = (
                select(*message_columns(self._t))
                .join_from(messages, sessions, _same_session(self._t))
                .where(of(messages, scope), of(sessions, scope))
                .where(sessions.c.name_hash == hash_name(session_id))
                .order_by(messages.c.seq.desc())
                .limit(limit)
            )
            return [to_message(row) for row in connection.execute(query)][::-1]

        return await self._units.read(read)

    async def end(self, scope: Scope, session_id: str) -> bool:
        """End a session at the time of its last message. False if it is not open."""
        sessions = self._t.sessions

        def write(connection: Connection) -> bool:
            statement = (
                update(sessions)
                .where(of(sessions, scope), sessions.c.name_hash == hash_name(session_id))
                .where(sessions.c.ended_at.is_(None))
                .values(ended_at=sessions.c.last_message_at)
            )
            return connection.execute(statement).rowcount > 0

        return await self._units.write(write)

    async def end_timed_out(
        self, tenant_id: str, received_before: datetime, held: frozenset[str]
    ) -> int:
        """End every session that received nothing since then and is not held."""
        sessions = self._t.sessions
        over = (
            (sessions.c.tenant_id == tenant_id)
            & sessions.c.ended_at.is_(None)
            & (sessions.c.last_received_at < received_before)
            & sessions.c.name.not_in(held)
        )

        def look(connection: Connection) -> bool:
            return (
                connection.execute(select(sessions.c.id).where(over).limit(1)).first() is not None
            )

        def write(connection: Connection) -> int:
            statement = update(sessions).where(over).values(ended_at=sessions.c.last_message_at)
            return connection.execute(statement).rowcount

        return await self._units.write(write) if await self._units.read(look) else 0

    async def users(self, tenant_id: str) -> list[UserInfo]:
        """All users of a tenant, by id."""
        users, sessions, messages = self._t.users, self._t.sessions, self._t.messages

        def read(connection: Connection) -> list[UserInfo]:
            counts = {
                row.user_id: row
                for row in connection.execute(
                    select(
                        messages.c.user_id,
                        func.count().label("messages"),
                        func.min(messages.c.timestamp).label("first_at"),
                        func.max(messages.c.timestamp).label("last_at"),
                    )
                    .where(messages.c.tenant_id == tenant_id)
                    .group_by(messages.c.user_id)
                )
            }
            query = (
                select(users.c.user_id, func.count(sessions.c.id).label("sessions"))
                .outerjoin(
                    sessions,
                    (sessions.c.tenant_id == users.c.tenant_id)
                    & (sessions.c.user_id == users.c.user_id),
                )
                .where(users.c.tenant_id == tenant_id)
                .group_by(users.c.user_id)
            )
            found = [_to_user(row, counts.get(row.user_id)) for row in connection.execute(query)]
            # in Python: a database sorts text by its own collation
            return sorted(found, key=lambda user: user.user_id)

        return await self._units.read(read)


def _to_user(row: AnyRow, counts: AnyRow | None) -> UserInfo:
    return UserInfo(
        user_id=row.user_id,
        sessions=row.sessions,
        messages=counts.messages if counts else 0,
        first_at=counts.first_at if counts else None,
        last_at=counts.last_at if counts else None,
    )


def _same_session(tables: Tables) -> Any:
    messages, sessions = tables.messages, tables.sessions
    return (
        (messages.c.tenant_id == sessions.c.tenant_id)
        & (messages.c.user_id == sessions.c.user_id)
        & (messages.c.session_id == sessions.c.id)
    )


def _sessions(tables: Tables) -> Select[Any]:
    count = (
        select(func.count())
        .where(_same_session(tables))
        .correlate(tables.sessions)
        .scalar_subquery()
        .label("messages")
    )
    return select(tables.sessions, count)


def _to_session(row: AnyRow) -> SessionInfo:
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


def choose_session(
    connection: Connection, tables: Tables, scope: Scope, request: SessionRequest, now: datetime
) -> AnyRow | None:
    """End the user's sessions that are over, and find the one that messages go to.

    Returns:
        The session's row; None if it must be made.
    """
    sessions = tables.sessions
    query = select(sessions).where(of(sessions, scope))
    if request.name is not None:
        named = query.where(sessions.c.name_hash == hash_name(request.name))
        found = connection.execute(named).first()
    still_open = connection.execute(query.where(sessions.c.ended_at.is_(None))).all()
    over = [row for row in still_open if _timed_out(row, request, now)]
    for row in over:
        ended = {"ended_at": row.last_message_at}
        connection.execute(_one(tables, scope, row.id).values(**ended))
    if request.name is not None:
        return found
    agent = request.label.agent_id
    usable = [row for row in still_open if row not in over and row.agent_id == agent]
    return max(usable, key=lambda row: (row.last_received_at, row.id), default=None)


def _timed_out(row: AnyRow, request: SessionRequest, now: datetime) -> bool:
    if row.name in request.held or row.name == request.name:
        return False
    return bool(row.last_received_at + request.timeout < now)


def _one(tables: Tables, scope: Scope, session_key: str) -> Any:
    sessions = tables.sessions
    return update(sessions).where(of(sessions, scope), sessions.c.id == session_key)


def write_session(
    connection: Connection,
    tables: Tables,
    scope: Scope,
    request: SessionRequest,
    found: AnyRow | None,
    drafts: Sequence[MessageDraft],
    now: datetime,
) -> tuple[str, str]:
    """Make the session, or bring the found one up to date; adding to an ended one reopens it.

    Returns:
        The session's key in this store, and the caller's id of it.
    """
    times = [draft.timestamp for draft in drafts if draft.timestamp] or [now]
    label = _label(request.label)
    if found is None:
        name = request.name or request.new_id
        values = {
            **key(scope),
            "id": request.new_id,
            "name": name,
            "name_hash": hash_name(name),
            **label,
            "metadata": dict(request.label.metadata),
            "started_at": min(times),
            "last_message_at": max(times),
            "last_received_at": now,
        }
        connection.execute(tables.sessions.insert(), values)
        return request.new_id, name
    changes = {
        **{name: value for name, value in label.items() if value is not None},
        "started_at": min(found.started_at, *times),
        "last_message_at": max(found.last_message_at, *times),
        "last_received_at": now,
        "ended_at": None,
    }
    if request.label.metadata:
        changes["metadata"] = {**found.metadata, **request.label.metadata}
    connection.execute(_one(tables, scope, found.id).values(**changes))
    return found.id, found.name


def _label(label: SessionLabel) -> dict[str, str | None]:
    return {
        "agent_id": label.agent_id,
        "mode": label.mode,
        "speaker": label.speaker,
        "channel": label.channel,
    }
