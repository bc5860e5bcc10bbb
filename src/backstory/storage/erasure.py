"""``ErasureStore`` on SQLite and PostgreSQL: whatever table names a user, it forgets."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Delete, Select, Table, delete, select

from backstory.core.model.scope import Scope
from backstory.ports.erasure import Forgotten
from backstory.storage.engines.base import Units
from backstory.storage.rows import UserRows
from backstory.storage.statements import owned, owner
from backstory.storage.tables import Tables

if TYPE_CHECKING:
    from backstory.storage.queue import SqlQueue


class SqlErasure:
    """Implements ``ErasureStore``.

    The tables are found by their column ``user_id``, so that a new one cannot be left out.

    Args:
        units: The engine.
        tables: The store's tables.
        prefix: Goes before every table's name; the receipt leaves it out.
        drop: Drops what is cached of a user.
        queue: Holds calls that name the user, if there is a queue.
    """

    def __init__(
        self,
        units: Units,
        tables: Tables,
        prefix: str,
        drop: Callable[[Scope], Awaitable[None]],
        queue: SqlQueue | None = None,
    ) -> None:
        self._units = units
        self._queue = queue
        self._users = UserRows(tables)
        self._drop = drop
        # what refers to a row goes before it
        named = [t for t in reversed(tables.metadata.sorted_tables) if "user_id" in t.c]
        self._steps = [(t.name.removeprefix(prefix), _ids_of(t), _removal(t)) for t in named]

    async def forget(self, scope: Scope) -> Forgotten:
        """Remove every row of a user, and what is cached."""
        forgotten = await self._units.write(lambda connection: self._forget(connection, scope))
        await self._drop(scope)
        if any(forgotten.rows.values()):
            await self._units.scrub()
        return forgotten

    def _forget(self, connection: Connection, scope: Scope) -> Forgotten:
        # Writers wait here for each other. One that comes later finds no user, and makes it anew.
        self._users.lock(connection, scope)
        rows: dict[str, int] = {}
        lines: list[str] = []
        mine = owner(scope)
        for name, ids, removal in self._steps:
            if ids is not None:
                lines += [f"{name}/{found}\n" for found in connection.scalars(ids, mine)]
            rows[name] = connection.execute(removal, mine).rowcount
        if self._queue is not None and (calls := self._queue.forget(connection, scope)):
            rows["queued_calls"] = calls
        digest = hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
        return Forgotten(rows=dict(sorted(rows.items())), ids_hash=digest)


def _ids_of(table: Table) -> Select[tuple[str]] | None:
    return select(table.c.id).where(owned(table)) if "id" in table.c else None


def _removal(table: Table) -> Delete:
    return delete(table).where(owned(table))
