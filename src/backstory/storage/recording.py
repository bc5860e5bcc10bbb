"""The transaction that stores messages: numbers, session, idempotency, rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select

from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.core.recording import content_hash, external_hash, plan_recording
from backstory.ports.store import NewMessage, Recorded, SessionRequest
from backstory.storage.choosing import SessionChooser
from backstory.storage.facts.unread import NewIn
from backstory.storage.rows import (
    AnyRow,
    UserRows,
    key,
    select_messages,
    sentiment_values,
    to_message,
)
from backstory.storage.statements import BulkInsert, Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

if TYPE_CHECKING:
    from backstory.core.model.derived import Derived
    from backstory.storage.derived.writing import DerivedWriter
    from backstory.storage.reading import Within


class Recorder(metaclass=Prepared):
    """Records batches of messages, each in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        messages = tables.messages
        self._made_of = tables, dialect
        self._users = UserRows(tables)
        self._chooser = SessionChooser(tables, dialect)
        self._lists = lists = Lists(dialect)
        self._insert = BulkInsert(messages, dialect)
        self._taken = select(
            messages.c.external_hash, messages.c.id, messages.c.content_hash
        ).where(owned(messages), lists.holds("hashes", messages.c.external_hash))
        self._many = select_messages(tables).where(
            owned(messages), lists.holds("ids", messages.c.id)
        )

    def many(self, connection: Connection, scope: Scope, ids: Sequence[str]) -> dict[str, Message]:
        """Fetch messages of one user by record id; unknown ids are left out."""
        if not ids:
            return {}
        parameters = {**owner(scope), "ids": self._lists.given(ids)}
        rows = connection.execute(self._many, parameters).all()
        return {row[0]: to_message(row) for row in rows}

    def known(
        self, connection: Connection, scope: Scope, names: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], str]:
        """Which (session id, message id of the caller) pairs are stored, with the content hash."""
        hashes = {external_hash(*name): name for name in names}
        stored = self._stored(connection, scope, list(hashes))
        return {hashes[found]: content for found, (_, content) in stored.items()}

    def run(
        self,
        connection: Connection,
        scope: Scope,
        request: SessionRequest,
        messages: Sequence[NewMessage],
        now: datetime,
        within: Within | None = None,
    ) -> Recorded:
        """Store what is new of a batch.

        Raises:
            ConflictError: A message id is taken by other content.
        """
        # This locks the user's row, so all that follows sees what other writers left.
        first, epoch = self._users.take_stamped(connection, scope, len(messages), now)
        found = self._chooser.choose(connection, scope, request, now)
        name = found.name if found else request.name or request.new_id
        hashes = [_external(name, message) for message in messages]
        drafts = [(message.id, message.draft) for message in messages]
        plan = plan_recording(drafts, name, self._stored(connection, scope, hashes))
        new = [
            (message, first + place, hashes[place])
            for place, (message, planned) in enumerate(zip(messages, plan, strict=True))
            if planned.is_new
        ]
        rows: dict[str, dict[str, Any]] = {}
        made: dict[str, Message] = {}
        read = None
        if new:
            drafted = [message.draft for message, _, _ in new]
            session_key = self._chooser.write(connection, scope, request, found, drafted, now)
            common = _common(scope, session_key, request, found, now)
            for message, seq, external in new:
                rows[message.id] = row = {**common, **_row(message, seq, external)}
                row["known_from"] = row["timestamp"] if request.label.bulk else None
                made[message.id] = _recorded(message, row, name)
            reading = None
            if within is not None:
                into = _into(name, session_key, request, found)
                fresh = [(one, rows[i]["needs_reading"]) for i, one in made.items()]
                reading = within.read(connection, scope, into, fresh, (first, epoch))
                for done in reading.ids if reading is not None else ():
                    rows[done]["needs_reading"] = False
            self._insert.run(connection, list(rows.values()))
            derived = [record for message, _, _ in new for record in message.derived]
            self.write_derived(connection, scope, derived, name, now)
            if within is not None and reading is not None:
                stamp = None if derived else (first + len(messages), epoch)
                read = within.write(connection, scope, reading, stamp, now)
        known = [p.record_id for p in plan if not p.is_new]
        stored = self.many(connection, scope, [i for i in known if i not in made])
        # a double within the call is what the first one became
        stored |= {i: replace(made[i], created=False) for i in known if i in made}
        result = [made[p.record_id] if p.is_new else stored[p.record_id] for p in plan]
        return Recorded(session_id=name, messages=tuple(result), read=read)

    def write_derived(
        self,
        connection: Connection,
        scope: Scope,
        records: Sequence[Derived],
        session_id: str,
        now: datetime,
    ) -> None:
        """Write what was read of messages of a session that this transaction stores."""
        if records:
            from backstory.core.derived.book import DerivedPlan, placed  # noqa: PLC0415

            plan = DerivedPlan(put=placed(records, session_id))
            self._derived.run(connection, scope, plan, now)

    @cached_property
    def _derived(self) -> DerivedWriter:
        # most messages have nothing for it
        from backstory.storage.derived.writing import DerivedWriter  # noqa: PLC0415

        return DerivedWriter(*self._made_of)

    def _stored(
        self, connection: Connection, scope: Scope, hashes: Sequence[str | None]
    ) -> dict[str, tuple[str, str]]:
        """For each message id of the batch that is taken: the record's id and content."""
        wanted = [value for value in hashes if value is not None]
        if not wanted:
            return {}
        parameters = {**owner(scope), "hashes": self._lists.given(wanted)}
        found = connection.execute(self._taken, parameters)
        return {row[0]: (row[1], row[2]) for row in found}


def _external(session: str, message: NewMessage) -> str | None:
    given = message.draft.message_id
    return None if given is None else external_hash(session, given)


def _common(
    scope: Scope, session: str, request: SessionRequest, found: AnyRow | None, now: datetime
) -> dict[str, Any]:
    """What the rows of one call share."""
    return {
        **key(scope),
        "session_id": session,
        "agent_id": request.label.agent_id or (found.agent_id if found else None),
        "revision": 1,
        "recorded_at": now,
        "updated_at": None,
        "needs_vector": True,
        "embed_error": None,
        "read_error": None,
        "read_failures": 0,
    }


def _into(name: str, session: str, request: SessionRequest, found: AnyRow | None) -> NewIn:
    """The session as it is once it has the messages."""
    label = request.label
    return NewIn(
        name=name,
        key=session,
        is_new=found is None,
        speaker=label.speaker or (found.speaker if found else None),
        metadata={**(found.metadata if found else {}), **label.metadata},
    )


def _row(message: NewMessage, seq: int, external: str | None) -> dict[str, Any]:
    draft = message.draft
    return {
        "id": message.id,
        "seq": seq,
        "change_no": seq,
        "role": str(draft.role),
        "speaker": draft.speaker,
        "text": draft.text,
        "content_hash": content_hash(draft),
        "external_id": draft.message_id,
        "external_hash": external,
        "timestamp": draft.timestamp,
        "metadata": dict(draft.metadata),
        "notes": list(draft.notes),
        "terms": message.terms,
        "terms_version": message.terms_version,
        "needs_reading": message.needs_reading,
        **sentiment_values(message.sentiment),
    }


def _recorded(message: NewMessage, row: Mapping[str, Any], session: str) -> Message:
    return Message(
        id=row["id"],
        user_id=row["user_id"],
        session_id=session,
        role=message.draft.role,
        text=row["text"],
        timestamp=row["timestamp"],
        recorded_at=row["recorded_at"],
        known_from=row["known_from"],
        speaker=row["speaker"],
        agent_id=row["agent_id"],
        message_id=row["external_id"],
        metadata=row["metadata"],
        notes=tuple(row["notes"]),
        created=True,
        sentiment=message.sentiment,
    )
