"""Reading in the transaction that stores the messages: one commit for both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Connection

from backstory.core.facts.book import FactPlan
from backstory.ports.at_once import AtOnce, NewerFacts, ReadDone, ReadNow
from backstory.storage.facts.loading import BookLoader
from backstory.storage.facts.unread import NewIn, UnreadMessages
from backstory.storage.facts.vectors import FactVectorRows
from backstory.storage.facts.writing import PlanWriter
from backstory.storage.statements import Prepared
from backstory.storage.tables import Tables

if TYPE_CHECKING:
    from datetime import datetime

    from backstory.core.model.message import Message
    from backstory.core.model.scope import Scope
    from backstory.ports.at_once import Stamp
    from backstory.ports.facts import Unread

T = TypeVar("T")
# Reading less than this takes no longer than a few hops into another thread.
_INLINE_CHARS = 400


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a reader made of messages that are about to be stored."""

    ids: frozenset[str]
    now: ReadNow
    newer: NewerFacts | None


class ReadingRows(metaclass=Prepared):
    """The parts that read and write facts, on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        self.unread = UnreadMessages(tables, dialect)
        self.facts = FactVectorRows(tables, dialect)
        self.loader = BookLoader(tables, dialect)
        self.writer = PlanWriter(tables, dialect)


class Within:
    """Reads the messages of one call, and writes what was read.

    Args:
        rows: The parts.
        at_once: What reads.
        compute: Runs what takes long; see ``Units``.
    """

    def __init__(
        self,
        rows: ReadingRows,
        at_once: AtOnce,
        compute: Callable[[Callable[[], ReadNow]], ReadNow],
    ) -> None:
        self._rows = rows
        self._at_once = at_once
        self._compute = compute

    def read(
        self,
        connection: Connection,
        scope: Scope,
        into: NewIn,
        fresh: Sequence[tuple[Message, bool]],
        stamp: Stamp,
    ) -> Reading | None:
        """Read messages before they are stored.

        Args:
            connection: In the transaction that stores them.
            scope: The user, whose row is locked.
            into: Their session.
            fresh: They, in order, and whether each needs reading.
            stamp: The user's, as it was before.

        Returns:
            None if nothing needs reading, or if something before it does.
        """
        unread = self._rows.unread.of_new(connection, scope, into, fresh)
        if unread is None:
            return None
        newer = self._newer(connection, scope, stamp)
        now = self._asked(unread, newer)
        return Reading(ids=frozenset(m.id for m, _ in unread.messages), now=now, newer=newer)

    def write(
        self,
        connection: Connection,
        scope: Scope,
        reading: Reading,
        stamp: Stamp | None,
        now: datetime,
    ) -> ReadDone:
        """Write what was read of messages that are stored now.

        Args:
            connection: In the same transaction.
            scope: The user.
            reading: What was read.
            stamp: The user's, as it is now; None = not known.
            now: The time of receipt.
        """
        plan, change = FactPlan(), reading.now.change
        if change is not None:
            rows = self._rows
            wanted = replace(change.wanted, unread=frozenset())
            book = rows.loader.load(connection, scope, wanted, change.announced)
            plan = change.plan(replace(book, unread=reading.ids))
            # they were stored as read: there is nothing to mark
            if rows.writer.run(connection, scope, book, plan, change.texts, now) or plan.removed:
                stamp = None
        return ReadDone(made=reading.now.made, plan=plan, newer=reading.newer, stamp=stamp)

    def _newer(self, connection: Connection, scope: Scope, stamp: Stamp) -> NewerFacts | None:
        known = self._at_once
        if known.stamp == stamp:
            return None
        is_whole = known.stamp[1] != stamp[1]
        after = -1 if is_whole else known.seen
        texts = self._rows.facts.texts(connection, scope, None, after)
        return NewerFacts(stamp=stamp, texts=texts, is_whole=is_whole)

    def _asked(self, unread: Unread, newer: NewerFacts | None) -> ReadNow:
        read = self._at_once.read
        if sum(len(message.text) for message, _ in unread.messages) < _INLINE_CHARS:
            return read(unread, newer)
        return self._compute(lambda: read(unread, newer))
