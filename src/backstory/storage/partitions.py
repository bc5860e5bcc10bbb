"""The cache of partitions: one user's messages in memory, never older than the database.

Each user's row holds two numbers that every write changes in its own transaction: ``next_seq``
numbers the writes, ``epoch`` the removals. A cached partition knows both from when it was read;
a search reads the row again, and then only what has changed since. So the cache is right
whichever process wrote, with no message between processes.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.sql.elements import ColumnElement

from backstory.core.columns import NO_COLUMNS, PartitionColumns
from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.core.partition import Partition, build_partition, extend_partition
from backstory.core.times import to_micros
from backstory.storage.engines.base import Units
from backstory.storage.rows import AnyRow, of
from backstory.storage.tables import Tables

# Bytes of a cached metadata dict, assumed for the memory bound.
_METADATA_BYTES = 400


@dataclass(frozen=True, kw_only=True)
class _Entry:
    """A cached partition, the numbers that it is current for, and its metadata once asked for."""

    partition: Partition
    next_seq: int
    epoch: int
    metadata: dict[int, Mapping[str, Any]] | None = None
    metadata_seq: int = 0

    @property
    def nbytes(self) -> int:
        extra = len(self.metadata) * _METADATA_BYTES if self.metadata else 0
        return self.partition.nbytes + extra


_EMPTY = _Entry(partition=build_partition(NO_COLUMNS), next_seq=0, epoch=0)
_Key = tuple[Scope, int]


class PartitionCache:
    """Implements ``PartitionStore``: least recently used partitions go when memory is short.

    Args:
        units: The engine.
        tables: The store's tables.
        max_bytes: Bound of the cached arrays in bytes; the partition in use is always kept.
    """

    def __init__(self, units: Units, tables: Tables, max_bytes: int) -> None:
        self._units = units
        self._t = tables
        self._max_bytes = max_bytes
        self._entries: OrderedDict[_Key, _Entry] = OrderedDict()
        self._locks: dict[_Key, asyncio.Lock] = {}

    @property
    def nbytes(self) -> int:
        """Memory of what is cached, in bytes."""
        return sum(entry.nbytes for entry in self._entries.values())

    async def get(self, scope: Scope, generation: Generation | None) -> Partition:
        """The user's partition as of now, including every write that was acknowledged."""
        number = generation.id if generation else 0
        cache_key = (scope, number)
        # one load for one user at a time; the others find its result
        lock = self._locks.setdefault(cache_key, asyncio.Lock())
        async with lock:
            known = self._entries.get(cache_key, _EMPTY)
            entry = await self._units.read(
                lambda connection: _refresh(connection, self._t, scope, number, known)
            )
            self._keep(cache_key, entry)
        return entry.partition

    async def metadata(self, scope: Scope, partition: Partition) -> Sequence[Mapping[str, Any]]:
        """The metadata of each row of a partition, in its order (for filters)."""
        cache_key, entry = self._entry_of(scope, partition)
        since = entry.metadata_seq if entry.metadata is not None else 0
        if entry.metadata is None or since < entry.next_seq:
            fresh = await self._units.read(
                lambda connection: _metadata(connection, self._t, scope, since)
            )
            merged = {**(entry.metadata or {}), **fresh}
            entry = replace(entry, metadata=merged, metadata_seq=entry.next_seq)
            if cache_key is not None and self._entries.get(cache_key):
                self._keep(cache_key, entry)
        found = entry.metadata or {}
        return [found.get(seq, {}) for seq in partition.seqs.tolist()]

    def _entry_of(self, scope: Scope, partition: Partition) -> tuple[_Key | None, _Entry]:
        for cache_key, entry in self._entries.items():
            if cache_key[0] == scope and entry.partition is partition:
                return cache_key, entry
        return None, replace(_EMPTY, partition=partition, next_seq=1)

    def _keep(self, cache_key: _Key, entry: _Entry) -> None:
        self._entries.pop(cache_key, None)
        if len(entry.partition):
            self._entries[cache_key] = entry
        total = self.nbytes
        while total > self._max_bytes and len(self._entries) > 1:
            old_key, old = self._entries.popitem(last=False)
            total -= old.nbytes
            if not self._locks[old_key].locked():
                del self._locks[old_key]


def _refresh(
    connection: Connection, tables: Tables, scope: Scope, generation: int, known: _Entry
) -> _Entry:
    users = tables.users
    row = connection.execute(
        select(users.c.next_seq, users.c.epoch).where(of(users, scope))
    ).first()
    if row is None:
        return _EMPTY
    if (row.next_seq, row.epoch) == (known.next_seq, known.epoch):
        return known
    base = known if row.epoch == known.epoch else _EMPTY
    query = _changed(tables, scope, generation, base.next_seq)
    columns = _columns(connection.execute(query).all())
    return replace(
        base,
        partition=extend_partition(base.partition, columns),
        next_seq=row.next_seq,
        epoch=row.epoch,
    )


def _changed(tables: Tables, scope: Scope, generation: int, since: int) -> Select[Any]:
    """Everything that search needs of the messages written at or after a number."""
    messages, vectors = tables.messages, tables.message_vectors
    has_vector: ColumnElement[bool] = (
        (vectors.c.tenant_id == messages.c.tenant_id)
        & (vectors.c.user_id == messages.c.user_id)
        & (vectors.c.message_id == messages.c.id)
        & (vectors.c.generation_id == generation)
    )
    return (
        select(
            messages.c.seq,
            messages.c.id,
            messages.c.session_id,
            messages.c.timestamp,
            messages.c.recorded_at,
            messages.c.role,
            messages.c.speaker,
            messages.c.agent_id,
            func.length(messages.c.text).label("length"),
            messages.c.terms,
            vectors.c.vector,
        )
        .outerjoin_from(messages, vectors, has_vector)
        .where(of(messages, scope), messages.c.change_no >= since)
    )


def _columns(rows: Sequence[AnyRow]) -> PartitionColumns:
    if not rows:
        return NO_COLUMNS
    seqs, ids, sessions, said, recorded, roles, speakers, agents, lengths, terms, vectors = zip(
        *rows, strict=True
    )
    return PartitionColumns(
        seqs=seqs,
        message_ids=ids,
        sessions=sessions,
        timestamps=[to_micros(moment) for moment in said],
        recorded=[to_micros(moment) for moment in recorded],
        roles=roles,
        speakers=speakers,
        agents=agents,
        lengths=lengths,
        terms=terms,
        vectors=vectors,
    )


def _metadata(
    connection: Connection, tables: Tables, scope: Scope, since: int
) -> dict[int, Mapping[str, Any]]:
    messages = tables.messages
    query = select(messages.c.seq, messages.c.metadata).where(
        of(messages, scope), messages.c.change_no >= since
    )
    return {row.seq: row.metadata for row in connection.execute(query)}
