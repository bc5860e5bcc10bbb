"""Messages: recording, reading, editing and deleting."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, exists, func, select, update

from backstory.core.model.message import Message, MessageRevision
from backstory.core.model.results import DeleteResult
from backstory.core.model.scope import Scope
from backstory.core.recording import Planned, content_hash, external_hash, plan_recording
from backstory.ports.store import (
    Edited,
    MessageEdit,
    NewMessage,
    Pending,
    Recorded,
    SessionRequest,
)
from backstory.storage.engines.base import Units
from backstory.storage.rows import (
    AnyRow,
    chunks,
    hash_name,
    key,
    lock_known_user,
    lock_user,
    message_columns,
    of,
    set_next,
    to_message,
)
from backstory.storage.sessions import choose_session, write_session
from backstory.storage.tables import Tables
from backstory.storage.vectors import VectorRepository


class SqlMessages(VectorRepository):
    """Implements ``MessageStore``."""

    def __init__(self, units: Units, tables: Tables) -> None:
        super().__init__(units, tables)
        self._units = units
        self._t = tables

    async def record(
        self, scope: Scope, session: SessionRequest, messages: Sequence[NewMessage], now: datetime
    ) -> Recorded:
        """Store messages and their session in one transaction."""
        return await self._units.write(
            lambda connection: _Recording(connection, self._t, scope, now).run(session, messages)
        )

    async def find(self, tenant_id: str, message_id: str, user_id: str | None) -> Message | None:
        """Find one message by its record id, across the tenant or within one user."""
        messages = self._t.messages
        query = _messages(self._t).where(
            messages.c.tenant_id == tenant_id, messages.c.id == message_id
        )
        if user_id is not None:
            query = query.where(messages.c.user_id == user_id)

        def read(connection: Connection) -> Message | None:
            row = connection.execute(query).first()
            return to_message(row) if row else None

        return await self._units.read(read)

    async def many(self, scope: Scope, ids: Sequence[str]) -> dict[str, Message]:
        """Fetch messages of one user by record id; unknown ids are left out."""

        def read(connection: Connection) -> dict[str, Message]:
            return _many(connection, self._t, scope, ids)

        return await self._units.read(read)

    async def edit(
        self, scope: Scope, message_id: str, edit: MessageEdit, now: datetime
    ) -> Edited | None:
        """Replace text and metadata, keep the old version as history, drop a stale vector."""
        return await self._units.write(
            lambda connection: _edit(connection, self._t, scope, message_id, edit, now)
        )

    async def history(self, scope: Scope, message_id: str) -> list[MessageRevision]:
        """All versions of a message, oldest first, the current one last."""
        return await self._units.read(
            lambda connection: _history(connection, self._t, scope, message_id)
        )

    async def delete(self, scope: Scope, message_id: str) -> bool:
        """Remove a message with its vectors, words and history. False if there was none."""
        messages = self._t.messages

        def write(connection: Connection) -> bool:
            next_seq = lock_known_user(connection, self._t, scope)
            if next_seq is None:
                return False
            one = delete(messages).where(of(messages, scope), messages.c.id == message_id)
            gone = connection.execute(one).rowcount > 0
            if gone:
                set_next(connection, self._t.users, scope, next_seq, removed=True)
            return gone

        gone = await self._units.write(write)
        if gone:
            await self._units.scrub()
        return gone

    async def delete_all(self, scope: Scope, session_id: str | None) -> DeleteResult:
        """Remove all messages and sessions of a user, or those of one session."""
        result = await self._units.write(
            lambda connection: _delete_all(connection, self._t, scope, session_id)
        )
        if result.messages or result.sessions:
            await self._units.scrub()
        return result


class _Recording:
    """One transaction of ``record``."""

    def __init__(self, connection: Connection, tables: Tables, scope: Scope, now: datetime) -> None:
        self._connection = connection
        self._t = tables
        self._scope = scope
        self._now = now

    def run(self, request: SessionRequest, messages: Sequence[NewMessage]) -> Recorded:
        next_seq = lock_user(self._connection, self._t, self._scope, self._now)
        found = choose_session(self._connection, self._t, self._scope, request, self._now)
        name = found.name if found else request.name or request.new_id
        drafts = [(message.id, message.draft) for message in messages]
        plan = plan_recording(drafts, name, self._stored(name, messages))
        fresh = [m for m, p in zip(messages, plan, strict=True) if p.is_new]
        if not fresh:
            return self._result(name, messages, plan, [])
        session_key, name = write_session(
            self._connection,
            self._t,
            self._scope,
            request,
            found,
            [message.draft for message in fresh],
            self._now,
        )
        agent = request.label.agent_id or (found.agent_id if found else None)
        rows = [
            self._row(message, session_key, name, agent, next_seq + place)
            for place, message in enumerate(fresh)
        ]
        self._connection.execute(self._t.messages.insert(), rows)
        set_next(self._connection, self._t.users, self._scope, next_seq + len(rows))
        return self._result(name, messages, plan, rows)

    def _stored(self, session: str, messages: Sequence[NewMessage]) -> dict[str, tuple[str, str]]:
        """For each message id of the batch that is taken: the record's id and content."""
        table = self._t.messages
        wanted = [
            external_hash(session, message.draft.message_id)
            for message in messages
            if message.draft.message_id is not None
        ]
        found: dict[str, tuple[str, str]] = {}
        for some in chunks(wanted):
            query = select(table.c.external_hash, table.c.id, table.c.content_hash).where(
                of(table, self._scope), table.c.external_hash.in_(some)
            )
            found.update({row[0]: (row[1], row[2]) for row in self._connection.execute(query)})
        return found

    def _row(
        self, message: NewMessage, session_key: str, session: str, agent_id: str | None, seq: int
    ) -> dict[str, Any]:
        draft = message.draft
        external = draft.message_id
        return {
            **key(self._scope),
            "id": message.id,
            "session_id": session_key,
            "seq": seq,
            "change_no": seq,
            "revision": 1,
            "role": str(draft.role),
            "speaker": draft.speaker,
            "agent_id": agent_id,
            "text": draft.text,
            "content_hash": content_hash(draft),
            "external_id": external,
            "external_hash": None if external is None else external_hash(session, external),
            "timestamp": draft.timestamp or self._now,
            "recorded_at": self._now,
            "updated_at": None,
            "metadata": dict(draft.metadata),
            "notes": list(draft.notes),
            "terms": message.terms,
            "terms_version": message.terms_version,
            "needs_vector": True,
            "embed_error": None,
        }

    def _result(
        self,
        session: str,
        messages: Sequence[NewMessage],
        plan: Sequence[Planned],
        rows: Sequence[Mapping[str, Any]],
    ) -> Recorded:
        made = {row["id"]: row for row in rows}
        known = [p.record_id for p in plan if p.record_id not in made]
        stored = _many(self._connection, self._t, self._scope, known) if known else {}
        result = []
        for message, planned in zip(messages, plan, strict=True):
            row = made.get(planned.record_id)
            if row is None:
                result.append(stored[planned.record_id])
            else:
                result.append(_recorded(message, row, session, created=planned.is_new))
        return Recorded(session_id=session, messages=tuple(result))


def _recorded(
    message: NewMessage, row: Mapping[str, Any], session: str, *, created: bool
) -> Message:
    return Message(
        id=row["id"],
        user_id=row["user_id"],
        session_id=session,
        role=message.draft.role,
        text=row["text"],
        timestamp=row["timestamp"],
        recorded_at=row["recorded_at"],
        speaker=row["speaker"],
        agent_id=row["agent_id"],
        message_id=row["external_id"],
        metadata=row["metadata"],
        notes=message.draft.notes,
        created=created,
    )


def _messages(tables: Tables) -> Select[Any]:
    messages, sessions = tables.messages, tables.sessions
    same = (
        (messages.c.tenant_id == sessions.c.tenant_id)
        & (messages.c.user_id == sessions.c.user_id)
        & (messages.c.session_id == sessions.c.id)
    )
    return select(*message_columns(tables)).join_from(messages, sessions, same)


def _many(
    connection: Connection, tables: Tables, scope: Scope, ids: Sequence[str]
) -> dict[str, Message]:
    found = {}
    for some in chunks(list(dict.fromkeys(ids))):
        query = _messages(tables).where(of(tables.messages, scope), tables.messages.c.id.in_(some))
        found.update({row.id: to_message(row) for row in connection.execute(query)})
    return found


def _current(
    connection: Connection, tables: Tables, scope: Scope, message_id: str
) -> AnyRow | None:
    messages = tables.messages
    query = select(
        messages.c.text,
        messages.c.metadata,
        messages.c.revision,
        messages.c.recorded_at,
        messages.c.updated_at,
    )
    return connection.execute(query.where(of(messages, scope), messages.c.id == message_id)).first()


def _edit(
    connection: Connection,
    tables: Tables,
    scope: Scope,
    message_id: str,
    edit: MessageEdit,
    now: datetime,
) -> Edited | None:
    next_seq = lock_known_user(connection, tables, scope)
    old = _current(connection, tables, scope, message_id) if next_seq else None
    if old is None or next_seq is None:
        return None
    version = {
        **key(scope),
        "message_id": message_id,
        "revision": old.revision,
        "text": old.text,
        "metadata": old.metadata,
        "recorded_at": old.updated_at or old.recorded_at,
        "replaced_at": now,
    }
    connection.execute(tables.message_revisions.insert(), version)
    changes: dict[str, Any] = {
        "metadata": dict(edit.metadata),
        "revision": old.revision + 1,
        "change_no": next_seq,
        "updated_at": now,
    }
    if edit.text != old.text:
        changes |= {
            "text": edit.text,
            "terms": edit.terms,
            "terms_version": edit.terms_version,
            "needs_vector": True,
            "embed_error": None,
        }
        vectors = tables.message_vectors
        connection.execute(
            delete(vectors).where(of(vectors, scope), vectors.c.message_id == message_id)
        )
    messages = tables.messages
    connection.execute(
        update(messages).where(of(messages, scope), messages.c.id == message_id).values(**changes)
    )
    set_next(connection, tables.users, scope, next_seq + 1)
    pending = None
    if edit.text != old.text:
        pending = Pending(
            scope=scope, id=message_id, seq=next_seq, revision=old.revision + 1, text=edit.text
        )
    message = _many(connection, tables, scope, [message_id])[message_id]
    return Edited(message=message, pending=pending)


def _history(
    connection: Connection, tables: Tables, scope: Scope, message_id: str
) -> list[MessageRevision]:
    current = _current(connection, tables, scope, message_id)
    if current is None:
        return []
    revisions = tables.message_revisions
    old = connection.execute(
        select(revisions)
        .where(of(revisions, scope), revisions.c.message_id == message_id)
        .order_by(revisions.c.revision)
    )
    versions = [
        MessageRevision(
            message_id=message_id,
            text=row.text,
            metadata=row.metadata,
            recorded_at=row.recorded_at,
            replaced_at=row.replaced_at,
        )
        for row in old
    ]
    return [
        *versions,
        MessageRevision(
            message_id=message_id,
            text=current.text,
            metadata=current.metadata,
            recorded_at=current.updated_at or current.recorded_at,
            replaced_at=None,
        ),
    ]


def _delete_all(
    connection: Connection, tables: Tables, scope: Scope, session_id: str | None
) -> DeleteResult:
    next_seq = lock_known_user(connection, tables, scope)
    if next_seq is None:
        return DeleteResult(messages=0, sessions=0)
    messages, sessions = tables.messages, tables.sessions
    chosen = of(sessions, scope)
    if session_id is not None:
        chosen = chosen & (sessions.c.name_hash == hash_name(session_id))
    within = exists().where(chosen, sessions.c.id == messages.c.session_id).correlate(messages)
    count = connection.scalar(
        select(func.count()).select_from(messages).where(of(messages, scope), within)
    )
    # the rows that hang on a session go with it, by the foreign keys
    gone = connection.execute(delete(sessions).where(chosen)).rowcount
    set_next(connection, tables.users, scope, next_seq, removed=True)
    return DeleteResult(messages=count or 0, sessions=gone)
