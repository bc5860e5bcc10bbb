"""Messages: recording, reading, editing and deleting."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from backstory.core.model.message import Message, MessageRevision
from backstory.core.model.results import DeleteResult
from backstory.core.model.scope import Scope
from backstory.ports.at_once import AtOnce
from backstory.ports.store import (
    Edited,
    MessageEdit,
    NewMessage,
    Pending,
    Recorded,
    SessionRequest,
)
from backstory.storage.engines.base import Units
from backstory.storage.facts.withdrawal import Withdrawal
from backstory.storage.reading import ReadingRows, Within
from backstory.storage.recording import Recorder
from backstory.storage.rows import (
    AnyRow,
    UserRows,
    hash_name,
    key,
    select_messages,
    sentiment_values,
    to_message,
)
from backstory.storage.statements import CopyVectors, Prepared, owned, owner
from backstory.storage.tables import Tables
from backstory.storage.vectors import VectorRepository


class SqlMessages(VectorRepository):
    """Implements ``MessageStore``.

    Args:
        units: The engine.
        tables: The store's tables.
        copy: Is told of new vectors.
    """

    def __init__(self, units: Units, tables: Tables, copy: CopyVectors | None = None) -> None:
        super().__init__(units, tables, copy)
        self._users = UserRows(tables)
        self._recorder = Recorder(tables, units.dialect)
        self._withdrawal = Withdrawal(tables, units.dialect)
        self._editor = _Editor(tables, self._users, self._recorder, self._withdrawal)

    async def record(
        self,
        scope: Scope,
        session: SessionRequest,
        messages: Sequence[NewMessage],
        now: datetime,
        at_once: AtOnce | None = None,
    ) -> Recorded:
        """Store messages and their session in one transaction; read them in it."""
        within = None
        if at_once is not None:
            rows = ReadingRows(self._t, self._units.dialect)
            within = Within(rows, at_once, self._units.compute)
        recorded = await self._units.write(
            lambda connection: self._recorder.run(connection, scope, session, messages, now, within)
        )
        if recorded.read is not None and recorded.read.plan.removed:
            await self._units.scrub()
        await self._units.note_growth(len(messages), (self._t.messages, self._t.sessions))
        return recorded

    async def find(self, tenant_id: str, message_id: str, user_id: str | None) -> Message | None:
        """Find one message by its record id, across the tenant or within one user."""
        messages = self._t.messages
        query = select_messages(self._t).where(
            messages.c.tenant_id == tenant_id, messages.c.id == message_id
        )
        if user_id is not None:
            query = query.where(messages.c.user_id == user_id)

        def read(connection: Connection) -> Message | None:
            row = connection.execute(query).first()
            return to_message(row) if row else None

        return await self._units.peek(read)

    async def many(self, scope: Scope, ids: Sequence[str]) -> dict[str, Message]:
        """Fetch messages of one user by record id; unknown ids are left out."""
        return await self._units.peek(
            lambda connection: self._recorder.many(connection, scope, ids)
        )

    async def known(
        self, scope: Scope, names: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], str]:
        """Which (session id, message id of the caller) pairs are stored, with the content hash."""
        return await self._units.peek(
            lambda connection: self._recorder.known(connection, scope, names)
        )

    async def edit(
        self, scope: Scope, message_id: str, edit: MessageEdit, now: datetime
    ) -> Edited | None:
        """Replace text and metadata, keep the old version as history, drop a stale vector."""
        return await self._units.write(
            lambda connection: self._editor.run(connection, scope, message_id, edit, now)
        )

    async def history(self, scope: Scope, message_id: str) -> list[MessageRevision]:
        """All versions of a message, oldest first, the current one last."""
        return await self._units.read(
            lambda connection: self._editor.history(connection, scope, message_id)
        )

    async def delete(self, scope: Scope, message_id: str) -> bool:
        """Remove a message with its vectors, words and history. False if there was none."""

        def write(connection: Connection) -> bool:
            if not self._users.lock(connection, scope):
                return False
            if message_id not in self._recorder.many(connection, scope, [message_id]):
                return False
            return self._withdrawal.delete(connection, scope, [message_id]) > 0

        gone = await self._units.write(write)
        if gone:
            await self._units.scrub()
        return gone

    async def delete_all(self, scope: Scope, session_id: str | None) -> DeleteResult:
        """Remove all messages and sessions of a user, or those of one session."""

        def write(connection: Connection) -> DeleteResult:
            if not self._users.lock(connection, scope):
                return DeleteResult(messages=0, sessions=0)
            within = _within(self._t, session_id)
            named = select(self._t.messages.c.id).where(within)
            self._withdrawal.run(connection, scope, connection.scalars(named, owner(scope)))
            result = _delete_sessions(connection, self._t, scope, session_id)
            self._users.mark_removed(connection, scope)
            return result

        result = await self._units.write(write)
        if result.messages or result.sessions:
            await self._units.scrub()
        return result


class _Editor(metaclass=Prepared):
    """One message's versions.

    Args:
        tables: The store's tables.
        users: The users' rows.
        recorder: Reads whole messages.
        withdrawal: Takes back what was read of an old text.
    """

    def __init__(
        self, tables: Tables, users: UserRows, recorder: Recorder, withdrawal: Withdrawal
    ) -> None:
        messages, vectors = tables.messages, tables.message_vectors
        self._t = tables
        self._users = users
        self._recorder = recorder
        self._withdrawal = withdrawal
        self._mine = owned(messages) & (messages.c.id == bindparam("message"))
        self._drop_vectors = delete(vectors).where(
            owned(vectors), vectors.c.message_id == bindparam("message")
        )

    def run(
        self,
        connection: Connection,
        scope: Scope,
        message_id: str,
        edit: MessageEdit,
        now: datetime,
    ) -> Edited | None:
        """Change one message; None if there is none."""
        if not self._users.lock(connection, scope):
            return None
        old = self._current(connection, scope, message_id)
        if old is None:
            return None
        change_no = self._users.take(connection, scope, 1, now)
        revision = old.revision + 1
        self._keep(connection, scope, message_id, old, now)
        changes: dict[str, Any] = {
            "metadata": dict(edit.metadata),
            "revision": revision,
            "change_no": change_no,
            "updated_at": now,
        }
        pending = None
        if edit.text != old.text:
            changes |= {
                "text": edit.text,
                "terms": edit.terms,
                "terms_version": edit.terms_version,
                "needs_vector": True,
                "embed_error": None,
                "needs_reading": edit.needs_reading,
                "read_error": None,
                "read_failures": 0,
                **sentiment_values(edit.sentiment),
            }
            mine = {**owner(scope), "message": message_id}
            connection.execute(self._drop_vectors, mine)
            self._withdrawal.run(connection, scope, [message_id], now)
            pending = Pending(
                scope=scope, id=message_id, seq=old.seq, revision=revision, text=edit.text
            )
        connection.execute(
            update(self._t.messages).where(self._mine).values(**changes),
            {**owner(scope), "message": message_id},
        )
        message = self._recorder.many(connection, scope, [message_id])[message_id]
        if pending is not None:
            derived = edit.derived
            self._recorder.write_derived(connection, scope, derived, message.session_id, now)
        return Edited(message=message, pending=pending)

    def history(
        self, connection: Connection, scope: Scope, message_id: str
    ) -> list[MessageRevision]:
        """All versions, the current one last; none if there is no such message."""
        current = self._current(connection, scope, message_id)
        if current is None:
            return []
        revisions = self._t.message_revisions
        query = (
            select(revisions)
            .where(owned(revisions), revisions.c.message_id == message_id)
            .order_by(revisions.c.revision)
        )
        versions = [
            _version(message_id, row, row.recorded_at, row.replaced_at)
            for row in connection.execute(query, owner(scope))
        ]
        since = current.updated_at or current.recorded_at
        return [*versions, _version(message_id, current, since, None)]

    def _current(self, connection: Connection, scope: Scope, message_id: str) -> AnyRow | None:
        messages = self._t.messages
        query = select(
            messages.c.seq,
            messages.c.text,
            messages.c.metadata,
            messages.c.revision,
            messages.c.recorded_at,
            messages.c.updated_at,
        ).where(self._mine)
        return connection.execute(query, {**owner(scope), "message": message_id}).first()

    def _keep(
        self, connection: Connection, scope: Scope, message_id: str, old: AnyRow, now: datetime
    ) -> None:
        version = {
            **key(scope),
            "message_id": message_id,
            "revision": old.revision,
            "text": old.text,
            "metadata": old.metadata,
            "recorded_at": old.updated_at or old.recorded_at,
            "replaced_at": now,
        }
        connection.execute(insert(self._t.message_revisions), version)


def _version(
    message_id: str, row: AnyRow, recorded_at: datetime, replaced_at: datetime | None
) -> MessageRevision:
    return MessageRevision(
        message_id=message_id,
        text=row.text,
        metadata=row.metadata,
        recorded_at=recorded_at,
        replaced_at=replaced_at,
    )


def _delete_sessions(
    connection: Connection, tables: Tables, scope: Scope, session_id: str | None
) -> DeleteResult:
    count = connection.scalar(
        select(func.count()).select_from(tables.messages).where(_within(tables, session_id)),
        owner(scope),
    )
    # the rows that hang on a session go with it, by the foreign keys
    one_or_all = delete(tables.sessions).where(_chosen(tables, session_id))
    gone = connection.execute(one_or_all, owner(scope)).rowcount
    return DeleteResult(messages=count or 0, sessions=gone)


def _chosen(tables: Tables, session_id: str | None) -> ColumnElement[bool]:
    """One session, or all sessions of a user."""
    chosen = owned(tables.sessions)
    if session_id is not None:
        chosen = chosen & (tables.sessions.c.name_hash == hash_name(session_id))
    return chosen


def _within(tables: Tables, session_id: str | None) -> ColumnElement[bool]:
    """The messages of one session, or of all."""
    keys = select(tables.sessions.c.id).where(_chosen(tables, session_id))
    return owned(tables.messages) & tables.messages.c.session_id.in_(keys)
