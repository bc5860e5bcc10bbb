"""Makes the index of a very large user, while everything else goes on."""

import asyncio
import logging
from typing import Any, Final

from sqlalchemy import Connection, bindparam, func, insert, select, text, update

from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.core.partition import Partition
from backstory.errors import StoreError
from backstory.storage.engines.base import Units
from backstory.storage.large import LARGE_FROM, LargeVectors
from backstory.storage.rows import UserRows, key
from backstory.storage.statements import owned, owner
from backstory.storage.tables import Tables
from backstory.tasks import end

_BATCH: Final = 1000
# pgvector's own limit of an index on halfvec
_MOST_DIMENSIONS: Final = 4000
# with iterative scans
_LEAST_VERSION: Final = (0, 8)
_LOCK: Final = text("SELECT pg_advisory_xact_lock(hashtext(:name))")
_IS_VALID: Final = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
_SETTINGS: Final = {
    # it takes minutes; the limits are for calls that somebody waits for
    "statement_timeout": "0",
    "lock_timeout": "0",
    # the graph is built in memory as long as it fits
    "maintenance_work_mem": "512MB",
    # several processes would need shared memory, of which containers have little
    "max_parallel_maintenance_workers": "0",
}
_log = logging.getLogger(__name__)


class LargeBuilder:
    """Copies users' vectors and indexes them, one user after the other.

    What is begun and not finished (the process ended) is taken up by whoever is asked next.

    Args:
        units: The engine, of PostgreSQL.
        tables: The store's tables.
        large_from: A user with so many vectors is very large; None = LARGE_FROM.

    Attributes:
        vectors: The copies.
    """

    def __init__(self, units: Units, tables: Tables, large_from: int | None = None) -> None:
        self._units = units
        self._from = LARGE_FROM if large_from is None else large_from
        self.vectors = self._large = LargeVectors(tables)
        self._parts = parts = tables.large_parts
        self._users = UserRows(tables)
        self._wanted: dict[tuple[Scope, int], Generation] = {}
        self._task: asyncio.Task[None] | None = None
        self._refused = False
        self._mine = owned(parts) & (parts.c.generation_id == bindparam("generation"))

    def look_at(self, scope: Scope, generation: Generation, partition: Partition) -> None:
        """Note a user who is very large, for ``start``."""
        if self._refused or (generation.identity.dimensions or 0) > _MOST_DIMENSIONS:
            return
        if partition.dimensions is not None and partition.has_vector.sum() >= self._from:
            self._wanted[(scope, generation.id)] = generation

    def start(self) -> None:
        """Begin with the users who were noted; everything else goes on."""
        if self._wanted and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def finish(self) -> None:
        """Wait until what was started is made."""
        if self._task is not None:
            await self._task

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            await end(self._task)

    async def _run(self) -> None:
        while self._wanted:
            (scope, _), generation = self._wanted.popitem()
            try:
                await self.build(scope, generation)
            except StoreError as error:
                _log.warning("a large user is searched in memory: %s", error)

    async def build(self, scope: Scope, generation: Generation) -> bool:
        """Copy and index one user's vectors. False if it is not made by this call."""
        if not await self._units.write(self._prepare):
            self._refused = True
            _log.info("a large user is searched in memory: this server has no pgvector 0.8")
            return False
        number = await self._units.write(lambda c: self._claim(c, scope, generation.id))
        if number is None:
            return True
        after: str | None = ""
        while after is not None:
            last = after
            after = await self._units.write(
                lambda c, last=last: self._copy(c, scope, generation.id, number, last)  # type: ignore[misc]
            )
        size = generation.identity.dimensions or 0
        if not await self._units.peek(lambda c: self._index(c, number, size)):
            return False
        # What came meanwhile: first without holding up the user's writers, then the rest.
        await self._units.write(lambda c: self._rest(c, scope, generation.id, number))
        return await self._units.write(lambda c: self._end(c, scope, generation.id, number))

    def _prepare(self, connection: Connection) -> bool:
        """Make the extension and the table if they are not there and can be had."""
        connection.execute(_LOCK, {"name": self._large.table})
        found = connection.scalar(
            text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        )
        if found is None:
            offered = "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
            found = connection.scalar(text(offered))
            if found is None or _version(found) < _LEAST_VERSION:
                return False
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
        if _version(found) < _LEAST_VERSION:
            return False
        if connection.scalar(select(func.to_regclass(self._large.table))) is None:
            for statement in self._large.definition():
                connection.execute(text(statement))
        return True

    def _claim(self, connection: Connection, scope: Scope, generation_id: int) -> int | None:
        """The number of the user's part, a new one if there is none; None if all is done."""
        if not self._users.lock(connection, scope):
            return None
        mine = {**owner(scope), "generation": generation_id}
        parts = self._parts
        found = connection.execute(select(parts.c.part, parts.c.ready).where(self._mine), mine)
        row = found.first()
        if row is not None:
            return None if row.ready else int(row.part)
        connection.execute(_LOCK, {"name": self._large.table})
        number = (connection.scalar(select(func.max(parts.c.part))) or 0) + 1
        values = {"generation_id": generation_id, "part": number, "ready": False}
        connection.execute(insert(parts), {**key(scope), **values})
        return int(number)

    def _copy(
        self, connection: Connection, scope: Scope, generation_id: int, number: int, after: str
    ) -> str | None:
        """Copy the next vectors in the order of message ids; the last id, None at the end."""
        query = text(
            f"SELECT v.message_id, v.vector FROM {self._large.vectors} v"  # noqa: S608
            " WHERE v.tenant_id = :tenant AND v.user_id = :user AND v.generation_id = :generation"
            " AND v.message_id > :after"
            # a writer that replaces one of them waits, so that the copy is of what is there
            " ORDER BY v.message_id LIMIT :count FOR SHARE"
        )
        given = {"generation": generation_id, "after": after, "count": _BATCH}
        rows = connection.execute(query, {**owner(scope), **given}).all()
        if not rows:
            return None
        self._large.insert(connection, scope, generation_id, number, dict(map(tuple, rows)))
        return str(rows[-1][0])

    def _index(self, connection: Connection, number: int, dimensions: int) -> bool:
        """Index a part while others write to the table, outside of a transaction.

        Returns:
            False if another process is making it.
        """
        name = self._large.index(number)
        lock = {"name": name}
        if not connection.scalar(text("SELECT pg_try_advisory_lock(hashtext(:name))"), lock):
            return False
        try:
            if not connection.scalar(_IS_VALID, lock):
                self._make_index(connection, number, dimensions)
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(hashtext(:name))"), lock)
        return True

    def _make_index(self, connection: Connection, number: int, dimensions: int) -> None:
        for setting, value in _SETTINGS.items():
            connection.execute(text(f"SET {setting} = '{value}'"))
        try:
            # what an attempt left that did not come to its end
            name = self._large.index(number)
            connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {name}"))
            connection.execute(text(self._large.index_definition(number, dimensions)))
        finally:
            for setting in _SETTINGS:
                connection.execute(text(f"RESET {setting}"))

    def _rest(self, connection: Connection, scope: Scope, generation_id: int, number: int) -> None:
        """Copy the vectors that have no copy.

        A set difference, as it is no join: what was just copied the planner has not counted, and
        where it knows of another user's copies only, it compared each vector with each copy.
        """
        mine = " WHERE tenant_id = :tenant AND user_id = :user AND generation_id = :generation"
        query = text(
            f"SELECT message_id, vector FROM {self._large.vectors} v{mine} AND message_id IN"  # noqa: S608
            f" (SELECT message_id FROM {self._large.vectors}{mine} EXCEPT"
            f" SELECT message_id FROM {self._large.table}{mine}) FOR SHARE OF v"
        )
        given = {**owner(scope), "generation": generation_id}
        rows = connection.execute(query, given).all()
        if rows:
            self._large.insert(connection, scope, generation_id, number, dict(map(tuple, rows)))

    def _end(self, connection: Connection, scope: Scope, generation_id: int, number: int) -> bool:
        """From now on new vectors are copied by who writes them, and searches use the index."""
        if not self._users.lock(connection, scope):
            return False
        self._rest(connection, scope, generation_id, number)
        mine = {**owner(scope), "generation": generation_id}
        connection.execute(update(self._parts).where(self._mine).values(ready=True), mine)
        # caches read the user anew, without vectors
        self._users.mark_removed(connection, scope)
        return True


def _version(text_of_it: Any) -> tuple[int, ...]:
    return tuple(int(piece) for piece in str(text_of_it).split(".")[:2])
