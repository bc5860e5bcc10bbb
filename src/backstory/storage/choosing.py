"""Which session messages go to, and how it changes by them."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Connection, Text, bindparam, func, insert, or_, select, update

from backstory.core.model.message import MessageDraft
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.errors import InvalidInputError
from backstory.ports.store import SessionRequest
from backstory.storage.building import Instant
from backstory.storage.engines.base import unheeded
from backstory.storage.rows import AnyRow, hash_name, key
from backstory.storage.statements import Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

_TOUCHED_BITS = 30
_LABELS = ("agent_id", "mode", "speaker", "channel")


class SessionChooser(metaclass=Prepared):
    """The part of recording that deals with the session.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        sessions = tables.sessions
        mine = owned(sessions)
        is_open = sessions.c.ended_at.is_(None)
        self._lists = lists = Lists(dialect)
        self._end_others = unheeded(
            update(sessions)
            .where(mine, is_open, sessions.c.last_received_at < bindparam("before", type_=Instant))
            .where(~lists.holds("spared", sessions.c.name))
            .values(ended_at=sessions.c.last_message_at)
        )
        self._named = select(sessions).where(mine, sessions.c.name_hash == bindparam("hash"))
        self._newest = (
            select(sessions)
            .where(mine, is_open)
            .where(sessions.c.agent_id.is_not_distinct_from(bindparam("agent", type_=Text)))
            .order_by(sessions.c.last_received_at.desc(), sessions.c.id.desc())
            .limit(1)
        )
        self._insert = insert(sessions)
        self._update = unheeded(
            update(sessions)
            .where(mine, sessions.c.id == bindparam("key"))
            .values(
                {
                    **{
                        name: func.coalesce(bindparam(f"new_{name}", type_=Text), sessions.c[name])
                        for name in _LABELS
                    },
                    "started_at": bindparam("new_start"),
                    "last_message_at": bindparam("new_last"),
                    "last_received_at": bindparam("new_receipt"),
                    "metadata": bindparam("new_metadata"),
                    "ended_at": None,
                    "touched": sessions.c.touched + 1,
                    "bulk_import": or_(
                        sessions.c.bulk_import.is_(True), bindparam("is_bulk", type_=Boolean)
                    ),
                }
            )
        )

    def choose(
        self, connection: Connection, scope: Scope, request: SessionRequest, now: datetime
    ) -> AnyRow | None:
        """End the user's sessions that are over, and find the one that messages go to.

        Returns:
            The session's row; None if it must be made.
        """
        spared = set(request.held) | ({request.name} if request.name is not None else set())
        over = {"before": now - request.timeout, "spared": self._lists.given(sorted(spared))}
        connection.execute(self._end_others, {**owner(scope), **over})
        if request.name is not None:
            named = {**owner(scope), "hash": hash_name(request.name)}
            return connection.execute(self._named, named).first()
        wanted = {**owner(scope), "agent": request.label.agent_id}
        return connection.execute(self._newest, wanted).first()

    def write(
        self,
        connection: Connection,
        scope: Scope,
        request: SessionRequest,
        found: AnyRow | None,
        drafts: Sequence[MessageDraft],
        now: datetime,
    ) -> str:
        """Make the session, or bring the found one up to date; an ended one is open again.

        Returns:
            The session's key in this store.
        """
        times = _times(drafts)
        if found is None:
            name = request.name or request.new_id
            values = {
                **key(scope),
                "id": request.new_id,
                "name": name,
                "name_hash": hash_name(name),
                **_labels(request.label, ""),
                "metadata": dict(request.label.metadata),
                "started_at": min(times),
                "last_message_at": max(times),
                "last_received_at": now,
                "ended_at": None,
                "bulk_import": request.label.bulk,
                # what was made of a session of this name that was deleted is not of this one
                "touched": secrets.randbits(_TOUCHED_BITS) + 1,
            }
            connection.execute(self._insert, values)
            return request.new_id
        changes = {
            "key": found.id,
            **_labels(request.label, "new_"),
            "new_start": min(found.started_at, *times),
            "new_last": max(found.last_message_at, *times),
            "new_receipt": now,
            "is_bulk": request.label.bulk,
            "new_metadata": {**found.metadata, **request.label.metadata},
        }
        connection.execute(self._update, {**owner(scope), **changes})
        key_found: str = found.id
        return key_found


def _times(drafts: Sequence[MessageDraft]) -> list[datetime]:
    times = [draft.timestamp for draft in drafts if draft.timestamp is not None]
    if len(times) < len(drafts):
        raise InvalidInputError("a message without a time cannot be recorded")
    return times


def _labels(label: SessionLabel, prefix: str) -> dict[str, Any]:
    return {prefix + name: getattr(label, name) for name in _LABELS}
