"""One store: an engine, the tables, and the repositories over them."""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from backstory.core.location import Location
from backstory.errors import StoreError
from backstory.storage.engines.base import Units
from backstory.storage.facts.contradictions import SqlCollisions, SqlContradictions
from backstory.storage.facts.store import SqlFacts
from backstory.storage.generations import SqlGenerations
from backstory.storage.messages import SqlMessages
from backstory.storage.numbers import UserNumbers
from backstory.storage.schema import HEAD, Upgrade, ensure_schema, read_version
from backstory.storage.sessions import SqlSessions
from backstory.storage.statements import POSTGRES
from backstory.storage.tables import build_tables

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from datetime import datetime

    from backstory.core.derived.book import DerivedPlan
    from backstory.core.model.message import Message
    from backstory.core.model.scope import Scope
    from backstory.ports.derived import DerivedPlanner
    from backstory.storage.archive.store import SqlArchive
    from backstory.storage.derived.store import SqlDerived
    from backstory.storage.documents.store import SqlDocuments
    from backstory.storage.erasure import SqlErasure
    from backstory.storage.large_building import LargeBuilder
    from backstory.storage.partitions import PartitionCache
    from backstory.storage.queue import SqlQueue
    from backstory.storage.reindexing import SqlReindexing
    from backstory.storage.runs import SqlRuns

_log = logging.getLogger(__name__)


def _load_upgrade() -> Upgrade:
    # Alembic loads only to migrate.
    from backstory.storage.migrate import upgrade  # noqa: PLC0415

    return upgrade


class SqlStore:
    """Implements ``Store`` on SQLite and PostgreSQL.

    Args:
        units: The engine.
        location: Where it is, for ``check``.
        prefix: Goes before every table's name.
        schema: The PostgreSQL schema, or None.
        cache_bytes: Bound of the partition cache.
        large_from: A user with so many vectors is very large (PostgreSQL); None = the default.
    """

    def __init__(
        self,
        units: Units,
        location: Location,
        *,
        prefix: str = "",
        schema: str | None = None,
        cache_bytes: int = 256 * 2**20,
        large_from: int | None = None,
    ) -> None:
        tables = build_tables(prefix, schema, (units.dialect,))
        self._units = units
        self._location = location
        self._prefix = prefix
        self._schema = schema
        self._copy = self._copy_vectors if units.dialect == POSTGRES else None
        self._large_from = large_from
        self.messages = SqlMessages(units, tables, self._copy)
        self._queue = _queue(units, prefix, schema)
        self.sessions = SqlSessions(units, tables, self._cached_tail, self._queue)
        self.generations = SqlGenerations(units, tables)
        self._numbers = UserNumbers(units, tables)
        self._tables = tables
        self._cache_bytes = cache_bytes

    @cached_property
    def partitions(self) -> PartitionCache:
        """What search reads. numpy loads with it, not when the store is opened."""
        from backstory.storage.partitions import PartitionCache  # noqa: PLC0415

        large = self.large if self._units.dialect == POSTGRES else None
        return PartitionCache(self._units, self._tables, self._cache_bytes, self._numbers, large)

    @cached_property
    def large(self) -> LargeBuilder:
        """Indexes very large users, on PostgreSQL."""
        from backstory.storage.large_building import LargeBuilder  # noqa: PLC0415

        return LargeBuilder(self._units, self._tables, self._large_from)

    def _copy_vectors(
        self, connection: Connection, scope: Scope, generation_id: int, made: Mapping[str, bytes]
    ) -> None:
        self.large.vectors.copy(connection, scope, generation_id, made)

    @cached_property
    def facts(self) -> SqlFacts:
        """Facts, and the readings that they come from."""

        def write(
            connection: Connection, scope: Scope, plan: DerivedPlanner, now: datetime
        ) -> tuple[DerivedPlan, int]:
            return self.derived.change_in(connection, scope, plan, now)

        return SqlFacts(self._units, self._tables, self._numbers, write)

    @cached_property
    def contradictions(self) -> SqlContradictions:
        """Contradictions."""
        return SqlContradictions(self._units, self._tables, self._numbers)

    @cached_property
    def collisions(self) -> SqlCollisions:
        """Collisions."""
        return SqlCollisions(self._units, self._tables)

    @cached_property
    def derived(self) -> SqlDerived:
        """What is derived from messages. Its statements are made when it is used."""
        from backstory.storage.derived.store import SqlDerived  # noqa: PLC0415

        return SqlDerived(self._units, self._tables, self._numbers)

    @cached_property
    def erasure(self) -> SqlErasure:
        """Forgetting."""
        from backstory.storage.erasure import SqlErasure  # noqa: PLC0415

        return SqlErasure(self._units, self._tables, self._prefix, self._forget_cached, self._queue)

    @cached_property
    def archive(self) -> SqlArchive:
        """Whole records, out and in."""
        from backstory.storage.archive.store import SqlArchive  # noqa: PLC0415

        return SqlArchive(self._units, self._tables, self._copy)

    @cached_property
    def reindexing(self) -> SqlReindexing:
        """The move to the vectors of another embedder."""
        from backstory.storage.reindexing import SqlReindexing  # noqa: PLC0415

        return SqlReindexing(self._units, self._tables, self._copy)

    @cached_property
    def runs(self) -> SqlRuns:
        """Runs of consolidation."""
        from backstory.storage.runs import SqlRuns  # noqa: PLC0415

        return SqlRuns(self._units, self._tables, self._queue)

    async def make_queue(self) -> tuple[str, str]:
        """Make the queue of wake-up calls, if it is not there; only PostgreSQL has one.

        Returns:
            The address of the database, as libpq reads it, and the schema of the queue.
        """
        from backstory.storage.engines.postgres import libpq_url  # noqa: PLC0415
        from backstory.storage.queue import queue_schema  # noqa: PLC0415
        from backstory.storage.queue_install import install_queue  # noqa: PLC0415

        schema = queue_schema(self._prefix, self._schema)
        await install_queue(self._units, schema)
        return libpq_url(self._location.target), schema

    async def _cached_tail(
        self, scope: Scope, session_id: str | None, limit: int
    ) -> list[Message] | None:
        # before the first search nothing is cached, and numpy may not have loaded
        if "partitions" not in self.__dict__:
            return None
        return await self.partitions.tail(scope, session_id, limit)

    @cached_property
    def documents(self) -> SqlDocuments:
        """Documents. Their statements are made when one is used."""
        from backstory.storage.documents.store import SqlDocuments  # noqa: PLC0415

        return SqlDocuments(self._units, self._tables)

    async def _forget_cached(self, scope: Scope) -> None:
        # what was never asked for holds nothing
        if "partitions" in self.__dict__:
            await self.partitions.forget(scope)
        if "facts" in self.__dict__:
            await self.facts.forget_cached(scope)
        if "derived" in self.__dict__:
            await self.derived.forget_cached(scope)

    def one_look(self, scope: Scope) -> AbstractContextManager[None]:
        """Ask once what has changed of a user, for all that one call reads of it."""
        return self._numbers.one_look(scope)

    @property
    def units(self) -> Units:
        """The engine, for tests that look at its connections."""
        return self._units

    async def open(self, *, may_upgrade: bool) -> None:
        """Check the schema, and upgrade it if allowed.

        What an earlier call had to put off may fail (a full disk): it is tried again later.
        """
        await ensure_schema(
            self._units,
            self._prefix,
            self._schema,
            may_upgrade=may_upgrade,
            load_upgrade=_load_upgrade,
        )
        try:
            await self._units.tend()
        except StoreError as error:
            _log.warning("what an earlier call put off could not be done yet: %s", error)

    async def tend(self) -> None:
        """Do what an earlier call had to put off."""
        await self._units.tend()
        if "large" in self.__dict__:
            self.large.start()

    async def check(self) -> dict[str, Any]:
        """Facts about the database for ``doctor``."""

        def read(connection: Connection) -> dict[str, Any]:
            facts = {
                "schema": read_version(connection, self._prefix, self._schema),
                "schema_wanted": HEAD,
            }
            if connection.dialect.name == "postgresql":
                return facts | _postgres_facts(connection)
            return facts | _sqlite_facts(connection, self._location)

        return await self._units.read(read)

    async def close(self) -> None:
        """Give every connection back."""
        if "large" in self.__dict__:
            await self.large.close()
        await self._units.close()


def _queue(units: Units, prefix: str, schema: str | None) -> SqlQueue | None:
    """The queue of wake-up calls; only PostgreSQL has one."""
    if units.dialect != POSTGRES:
        return None
    from backstory.storage.queue import SqlQueue, queue_schema  # noqa: PLC0415

    return SqlQueue(units, queue_schema(prefix, schema))


def _postgres_facts(connection: Connection) -> dict[str, Any]:
    def setting(name: str) -> Any:
        return connection.scalar(text("SELECT current_setting(:name)"), {"name": name})

    vector = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    return {
        "database": "postgresql",
        "version": setting("server_version"),
        "fsync": setting("fsync"),
        "synchronous_commit": setting("synchronous_commit"),
        "pgvector": connection.scalar(text(vector)),
    }


def _sqlite_facts(connection: Connection, location: Location) -> dict[str, Any]:
    def pragma(name: str) -> Any:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()

    path = Path(location.target) if location.target else None
    return {
        "database": "sqlite",
        "version": connection.scalar(text("SELECT sqlite_version()")),
        "place": str(path) if path else ":memory:",
        "bytes": path.stat().st_size if path and path.exists() else 0,
        "journal_mode": pragma("journal_mode"),
        "synchronous": pragma("synchronous"),
    }
