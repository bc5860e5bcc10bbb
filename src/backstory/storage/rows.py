"""Small parts that all repositories share: the user's row, rows to values."""

import hashlib
import secrets
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, select, update

from backstory.core.model.message import Message, Role
from backstory.core.model.scope import Scope
from backstory.core.model.sentiment import Sentiment
from backstory.storage.engines.base import unheeded
from backstory.storage.statements import InsertMissing, Prepared, owned, owner
from backstory.storage.tables import Tables

_EPOCH_BITS = 48
AnyRow: TypeAlias = Row[*tuple[Any, ...]]


def key(scope: Scope) -> dict[str, str]:
    """The two columns that every row of a user starts with."""
    return {"tenant_id": scope.tenant_id, "user_id": scope.user_id}


def hash_name(name: str) -> str:
    """Names a session id in 64 characters, whatever its length."""
    return hashlib.sha256(name.encode()).hexdigest()


class UserRows(metaclass=Prepared):
    """The row of each user: the lock of its writers, and what caches compare.

    Args:
        tables: The store's tables.
    """

    def __init__(self, tables: Tables) -> None:
        users = tables.users
        mine = owned(users)
        self._take = (
            update(users)
            .where(mine)
            .values(next_seq=users.c.next_seq + bindparam("count"))
            .returning(users.c.next_seq, users.c.facts_epoch)
        )
        # not FOR UPDATE: rows that refer to the user may still be inserted
        self._lock = select(users.c.next_seq).where(mine).with_for_update(key_share=True)
        self._removed = update(users).where(mine).values(epoch=users.c.epoch + 1)
        self._facts_removed = update(users).where(mine).values(facts_epoch=users.c.facts_epoch + 1)
        self._derived_changed = unheeded(
            update(users)
            .where(mine)
            .values(
                derived_seq=bindparam("number"),
                derived_epoch=users.c.derived_epoch + bindparam("removals"),
            )
        )
        self._new_tenant = InsertMissing(tables.tenants).inline()
        self._new_user = InsertMissing(users).inline()

    def take(self, connection: Connection, scope: Scope, count: int, now: datetime) -> int:
        """Lock a user's row for the rest of the transaction, making it if it is not there.

        Returns:
            The first of ``count`` running numbers that the caller may use.
        """
        return self.take_stamped(connection, scope, count, now)[0]

    def take_stamped(
        self, connection: Connection, scope: Scope, count: int, now: datetime
    ) -> tuple[int, int]:
        """Do the same, and give what caches of facts compare.

        Returns:
            The first number, which was the next one until now, and the epoch of the facts.
        """
        taken = self._taken(connection, scope, count)
        # again, if the one that another writer made meanwhile was forgotten at once
        while taken is None:
            self._make(connection, scope, now)
            taken = self._taken(connection, scope, count)
        return taken

    def _make(self, connection: Connection, scope: Scope, now: datetime) -> None:
        """Make a user's row, if another writer does not."""
        connection.execute(self._new_tenant, {"id": scope.tenant_id, "created_at": now})
        # Not the numbers of a user of this name that was forgotten: a cache of another process
        # may still hold what it knew of that one.
        epoch = secrets.randbits(_EPOCH_BITS)
        numbers = {"next_seq": 1, "epoch": epoch, "facts_epoch": epoch, "derived_epoch": epoch}
        connection.execute(self._new_user, {**key(scope), "created_at": now, **numbers})

    def take_known(self, connection: Connection, scope: Scope, count: int) -> int | None:
        """Do the same if the user is known; else None."""
        taken = self._taken(connection, scope, count)
        return None if taken is None else taken[0]

    def _taken(self, connection: Connection, scope: Scope, count: int) -> tuple[int, int] | None:
        row = connection.execute(self._take, {**owner(scope), "count": count}).first()
        return None if row is None else (row[0] - count, row[1])

    def lock(self, connection: Connection, scope: Scope) -> bool:
        """Lock a user's row if there is one."""
        return connection.scalar(self._lock, owner(scope)) is not None

    def mark_removed(self, connection: Connection, scope: Scope) -> None:
        """Tell caches that rows of this user went away."""
        connection.execute(self._removed, owner(scope))

    def mark_facts_removed(self, connection: Connection, scope: Scope) -> None:
        """Tell caches that facts of this user went away."""
        connection.execute(self._facts_removed, owner(scope))

    def mark_derived(
        self, connection: Connection, scope: Scope, number: int, *, removed: bool
    ) -> None:
        """Tell caches that derived records of this user changed, or went away."""
        values = {"number": number, "removals": int(removed)}
        connection.execute(self._derived_changed, {**owner(scope), **values})


_MESSAGE_COLUMNS = (
    "id",
    "user_id",
    "role",
    "text",
    "timestamp",
    "recorded_at",
    "known_from",
    "speaker",
    "agent_id",
    "external_id",
    "updated_at",
    "metadata",
    "notes",
    "valence",
    "arousal",
    "dominance",
)
_MESSAGE_WIDTH = len(_MESSAGE_COLUMNS) + 1
_ROLES = {str(role): role for role in Role}


def same_session(tables: Tables) -> ColumnElement[bool]:
    """Joins messages to their session."""
    messages, sessions = tables.messages, tables.sessions
    return (
        (messages.c.tenant_id == sessions.c.tenant_id)
        & (messages.c.user_id == sessions.c.user_id)
        & (messages.c.session_id == sessions.c.id)
    )


def newest_open(tables: Tables) -> Select[Any]:
    """The key of the user's open session that received a message last."""
    sessions = tables.sessions
    return (
        select(sessions.c.id)
        .where(owned(sessions), sessions.c.ended_at.is_(None))
        .order_by(sessions.c.last_received_at.desc(), sessions.c.id.desc())
        .limit(1)
    )


def select_messages(tables: Tables) -> Select[Any]:
    """Whole messages, the caller's session id included; for ``to_message``."""
    columns: list[ColumnElement[Any]] = [tables.messages.c[name] for name in _MESSAGE_COLUMNS]
    columns.append(tables.sessions.c.name.label("session_name"))
    return select(*columns).join_from(tables.messages, tables.sessions, same_session(tables))


def to_message(row: AnyRow, *, created: bool = False) -> Message:
    """Make a Message of a row that begins with the columns of ``select_messages``."""
    # by place: reading columns by name takes longer than making the message
    (
        message_id,
        user_id,
        role,
        text,
        timestamp,
        recorded_at,
        known_from,
        speaker,
        agent_id,
        external_id,
        updated_at,
        metadata,
        notes,
        valence,
        arousal,
        dominance,
        session_id,
    ) = row[:_MESSAGE_WIDTH]
    return Message(
        id=message_id,
        user_id=user_id,
        session_id=session_id,
        role=_ROLES[role],
        text=text,
        timestamp=timestamp,
        recorded_at=recorded_at,
        known_from=known_from,
        speaker=speaker,
        agent_id=agent_id,
        message_id=external_id,
        updated_at=updated_at,
        metadata=metadata,
        notes=tuple(notes),
        created=created,
        sentiment=felt(valence, arousal, dominance),
    )


def felt(valence: float | None, arousal: float | None, dominance: float | None) -> Sentiment | None:
    """The sentiment of a message; without valence there is none."""
    if valence is None:
        return None
    return Sentiment(valence=valence, arousal=arousal, dominance=dominance)


def sentiment_values(sentiment: Sentiment | None) -> dict[str, float | None]:
    """The three columns of a sentiment."""
    if sentiment is None:
        return {"valence": None, "arousal": None, "dominance": None}
    return {
        "valence": sentiment.valence,
        "arousal": sentiment.arousal,
        "dominance": sentiment.dominance,
    }
