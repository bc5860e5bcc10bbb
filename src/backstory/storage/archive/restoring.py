"""Stores records of an archive that are not there yet, in the given transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from backstory.core.model.archive import (
    NAMES,
    Archived,
    ArchivedDerived,
    ArchivedMessage,
    ArchivedRun,
    ArchivedSession,
    Restored,
)
from backstory.core.model.message import MessageDraft
from backstory.core.model.scope import Scope
from backstory.core.recording import content_hash, external_hash
from backstory.storage.archive.derived import DerivedRestorer
from backstory.storage.archive.present import PRESENT, STORED, Taken, refused
from backstory.storage.archive.restoring_facts import FactRestorer
from backstory.storage.rows import UserRows, hash_name, key, sentiment_values
from backstory.storage.statements import BulkInsert, CopyVectors, Lists, owned, owner
from backstory.storage.tables import Tables

_LABELS = ("agent_id", "mode", "speaker", "channel")
_TIMES = ("started_at", "last_message_at", "last_received_at", "ended_at")


class Restorer:
    """Restores batches of records.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
        copy: Is told of new vectors.
    """

    def __init__(self, tables: Tables, dialect: str, copy: CopyVectors | None = None) -> None:
        self._users = UserRows(tables)
        self._sessions = _Sessions(tables, dialect)
        self._messages = _Messages(tables, dialect, copy)
        self._facts = FactRestorer(tables, dialect)
        self._derived = DerivedRestorer(tables, dialect)

    def run(
        self,
        connection: Connection,
        scope: Scope,
        items: Sequence[Archived],
        numbers: Mapping[int, int],
        now: datetime,
    ) -> list[Restored]:
        """Restore a batch.

        Args:
            connection: In a transaction.
            scope: Whose.
            items: The records.
            numbers: For generations of the archive that the store has: their number in it.
            now: The time of the commit.

        Returns:
            One outcome for each record, in order.
        """
        if not items:
            return []
        # locks the user's row, so all that follows sees what other writers left
        self._users.take(connection, scope, 0, now)
        places: dict[type[Archived], list[int]] = {}
        for place, item in enumerate(items):
            places.setdefault(type(item), []).append(place)
        outcomes: dict[int, Restored] = {}
        for kind in NAMES:
            chosen = places.get(kind, [])
            if chosen:
                some: Any = [items[place] for place in chosen]
                done = self._some(connection, scope, kind, some, numbers, now)
                outcomes.update(zip(chosen, done, strict=True))
        return [outcomes[place] for place in range(len(items))]

    def _some(
        self,
        connection: Connection,
        scope: Scope,
        kind: type[Archived],
        items: Any,
        numbers: Mapping[int, int],
        now: datetime,
    ) -> list[Restored]:
        if kind is ArchivedSession:
            return self._sessions.restore(connection, scope, items)
        if kind is ArchivedMessage:
            return self._messages.restore(connection, scope, items, numbers, now)
        if kind is ArchivedDerived:
            return self._derived.restore(connection, scope, items, numbers, now)
        if kind is ArchivedRun:
            return self._derived.restore_runs(connection, scope, items)
        return self._facts.restore(connection, scope, kind, items, numbers, now)


class _Sessions:
    """Restores sessions."""

    def __init__(self, tables: Tables, dialect: str) -> None:
        self._table = sessions = tables.sessions
        self._lists = lists = Lists(dialect)
        self._insert = BulkInsert(sessions, dialect)
        self._ids = Taken(sessions, "id", lists)
        self._named = select(sessions).where(
            owned(sessions), lists.holds("hashes", sessions.c.name_hash)
        )
        self._widen = (
            update(sessions)
            .where(owned(sessions), sessions.c.id == bindparam("key"))
            .values(
                {
                    name: bindparam(f"new_{name}", type_=sessions.c[name].type)
                    for name in (*_TIMES, "episode_seq")
                }
            )
        )

    def restore(
        self, connection: Connection, scope: Scope, items: Sequence[ArchivedSession]
    ) -> list[Restored]:
        """Store sessions; one whose name is there keeps its labels and spans both."""
        hashes = [hash_name(item.name) for item in items]
        ids = self._ids.among(connection, scope, [item.id for item in items])
        given = {**owner(scope), "hashes": self._lists.given(hashes)}
        known: dict[str, Any] = {
            row.name_hash: row for row in connection.execute(self._named, given)
        }
        rows: dict[str, dict[str, Any]] = {}
        outcomes = []
        for item, hashed in zip(items, hashes, strict=True):
            if hashed in known:
                self._span(connection, scope, known[hashed], item)
                outcomes.append(PRESENT)
            elif hashed in rows:
                outcomes.append(PRESENT)
            elif item.id in ids:
                outcomes.append(refused("its id is that of another session"))
            else:
                ids[item.id] = item.id
                rows[hashed] = _session_row(scope, item, hashed)
                outcomes.append(STORED)
        if rows:
            self._insert.run(connection, list(rows.values()))
        return outcomes

    def _span(self, connection: Connection, scope: Scope, row: Any, item: ArchivedSession) -> None:
        last = max(row.last_message_at, item.last_message_at)
        values = {
            "new_started_at": min(row.started_at, item.started_at),
            "new_last_message_at": last,
            "new_last_received_at": max(row.last_received_at, item.last_received_at),
            "new_ended_at": None if row.ended_at is None else last,
            # what was derived of one of the two is not of both: it is digested again
            "new_episode_seq": row.episode_seq if row.touched == item.touched else 0,
        }
        names = (*_TIMES, "episode_seq")
        if any(getattr(row, name) != values[f"new_{name}"] for name in names):
            connection.execute(self._widen, {**owner(scope), "key": row.id, **values})


class _Messages:
    """Restores messages with their versions and vectors."""

    def __init__(self, tables: Tables, dialect: str, copy: CopyVectors | None) -> None:
        self._copy = copy
        messages, sessions = tables.messages, tables.sessions
        lists = Lists(dialect)
        self._users = UserRows(tables)
        self._sessions = Taken(sessions, "name_hash", lists, also="id")
        self._ids = Taken(messages, "id", lists)
        self._external = Taken(messages, "external_hash", lists, also="content_hash")
        self._insert = BulkInsert(messages, dialect)
        self._insert_versions = BulkInsert(tables.message_revisions, dialect)
        self._insert_vectors = BulkInsert(tables.message_vectors, dialect)

    def restore(
        self,
        connection: Connection,
        scope: Scope,
        items: Sequence[ArchivedMessage],
        numbers: Mapping[int, int],
        now: datetime,
    ) -> list[Restored]:
        """Store messages in the sessions that they name."""
        externals = [_external(item) for item in items]
        names = [hash_name(item.message.session_id) for item in items]
        ids = self._ids.among(connection, scope, [item.message.id for item in items])
        taken = self._external.among(connection, scope, externals)
        keys = self._sessions.among(connection, scope, names)
        rows = []
        stored = []
        outcomes = []
        for item, external, name in zip(items, externals, names, strict=True):
            content = _content_hash(item)
            problem = None
            if item.message.id in ids or (external and taken.get(external) == content):
                outcomes.append(PRESENT)
                continue
            if external is not None and external in taken:
                problem = "its message_id is taken by other content"
            elif name not in keys:
                problem = "its session is not there"
            if problem is not None:
                outcomes.append(refused(problem))
                continue
            ids[item.message.id] = item.message.id
            if external is not None:
                taken[external] = content
            hashes = {"content_hash": content, "external_hash": external}
            rows.append(_message_row(scope, item, keys[name], numbers, now) | hashes)
            stored.append(item)
            outcomes.append(STORED)
        self._write(connection, scope, stored, rows, numbers, now)
        return outcomes

    def _write(
        self,
        connection: Connection,
        scope: Scope,
        items: Sequence[ArchivedMessage],
        rows: list[dict[str, Any]],
        numbers: Mapping[int, int],
        now: datetime,
    ) -> None:
        if not rows:
            return
        first = self._users.take(connection, scope, len(rows), now)
        numbered = [row | {"seq": n, "change_no": n} for n, row in enumerate(rows, first)]
        self._insert.run(connection, numbered)
        versions = [
            _version_row(scope, item, version) for item in items for version in item.versions
        ]
        if versions:
            self._insert_versions.run(connection, versions)
        vectors = [
            {**key(scope), "message_id": item.message.id, "generation_id": n, "vector": vector}
            for item in items
            for n, vector in kept(item.vectors, numbers).items()
        ]
        if vectors:
            self._insert_vectors.run(connection, vectors)
            self._note(connection, scope, vectors)

    def _note(
        self, connection: Connection, scope: Scope, vectors: Sequence[Mapping[str, Any]]
    ) -> None:
        """Tell of new vectors, generation by generation."""
        if self._copy is None:
            return
        for generation_id in sorted({row["generation_id"] for row in vectors}):
            some = [row for row in vectors if row["generation_id"] == generation_id]
            new = {row["message_id"]: row["vector"] for row in some}
            self._copy(connection, scope, generation_id, new)


def kept(vectors: Mapping[int, bytes], numbers: Mapping[int, int]) -> dict[int, bytes]:
    """The vectors of generations that the store has, by their number in it."""
    return {numbers[n]: vector for n, vector in vectors.items() if n in numbers}


def _external(item: ArchivedMessage) -> str | None:
    given = item.message.message_id
    return None if given is None else external_hash(item.message.session_id, given)


def _content_hash(item: ArchivedMessage) -> str:
    """Of the text as it was first added."""
    message = item.message
    text = item.versions[0].text if item.versions else message.text
    return content_hash(MessageDraft(role=message.role, text=text, speaker=message.speaker))


def _session_row(scope: Scope, item: ArchivedSession, hashed: str) -> dict[str, Any]:
    return {
        **key(scope),
        "id": item.id,
        "name": item.name,
        "name_hash": hashed,
        **{name: getattr(item, name) for name in (*_LABELS, *_TIMES)},
        "metadata": dict(item.metadata),
        "bulk_import": item.bulk_import,
        "touched": item.touched,
        "episode_seq": item.episode_seq,
    }


def _message_row(
    scope: Scope,
    item: ArchivedMessage,
    session: str,
    numbers: Mapping[int, int],
    now: datetime,
) -> dict[str, Any]:
    message = item.message
    return {
        **key(scope),
        "id": message.id,
        "session_id": session,
        "revision": item.revision,
        "role": str(message.role),
        "speaker": message.speaker,
        "agent_id": message.agent_id,
        "text": message.text,
        "external_id": message.message_id,
        "timestamp": message.timestamp,
        "recorded_at": now,
        "updated_at": message.updated_at,
        "metadata": dict(message.metadata),
        "notes": list(message.notes),
        "terms": item.terms,
        "terms_version": item.terms_version,
        "needs_vector": not kept(item.vectors, numbers),
        "embed_error": None,
        "needs_reading": item.needs_reading,
        "read_error": item.read_error,
        "read_failures": item.read_failures,
        "known_from": message.known_from or message.recorded_at,
        **sentiment_values(message.sentiment),
    }


def _version_row(scope: Scope, item: ArchivedMessage, version: Any) -> dict[str, Any]:
    return {
        **key(scope),
        "message_id": item.message.id,
        "revision": version.revision,
        "text": version.text,
        "metadata": dict(version.metadata),
        "recorded_at": version.recorded_at,
        "replaced_at": version.replaced_at,
    }
