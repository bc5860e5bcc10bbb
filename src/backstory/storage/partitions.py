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
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, func, select

from backstory.core.columns import ELSEWHERE, NO_COLUMNS, PartitionColumns
from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.core.near import NOTHING_NEAR, Near
from backstory.core.partition import Partition, build_partition, extend_partition
from backstory.storage.engines.base import Units
from backstory.storage.numbers import UserNumbers
from backstory.storage.statements import Lists, as_stored, micros, owned, owner
from backstory.storage.tables import Tables

if TYPE_CHECKING:
    from backstory.storage.large import LargeVectors, Part
    from backstory.storage.large_building import LargeBuilder

# Bytes of a cached metadata dict, assumed for the memory bound.
_METADATA_BYTES = 400
# What the objects of a partition take beside their arrays' contents, measured: it counts where
# many users of few messages are cached.
_ENTRY_BYTES = 4000


@dataclass(frozen=True, kw_only=True)
class _Entry:
    """A cached partition, the numbers that it is current for, and its metadata once asked for."""

    partition: Partition
    next_seq: int
    epoch: int
    part: "Part | None" = None
    metadata: dict[int, Mapping[str, Any]] | None = None
    metadata_seq: int = 0

    @property
    def nbytes(self) -> int:
        extra = len(self.metadata) * _METADATA_BYTES if self.metadata else 0
        return self.partition.nbytes + extra + _ENTRY_BYTES


_EMPTY = _Entry(partition=build_partition(NO_COLUMNS), next_seq=0, epoch=0)
_Key = tuple[Scope, int]


class PartitionCache:
    """Implements ``PartitionStore``: least recently used partitions go when memory is short.

    Args:
        units: The engine.
        tables: The store's tables.
        max_bytes: Bound of the cached arrays in bytes; the partition in use is always kept.
        numbers: Tells whether a partition is current.
        large: What is done for very large users; None on SQLite.

    Attributes:
        nbytes: Memory of what is cached, in bytes. Kept, not counted: there may be many users.
    """

    def __init__(
        self,
        units: Units,
        tables: Tables,
        max_bytes: int,
        numbers: UserNumbers,
        large: "LargeBuilder | None" = None,
    ) -> None:
        self._units = units
        self._numbers = numbers
        self._large = large
        self._loader = _Loader(tables, units.dialect, large.vectors if large else None)
        self._max_bytes = max_bytes
        self._entries: OrderedDict[_Key, _Entry] = OrderedDict()
        self._locks: dict[_Key, asyncio.Lock] = {}
        self.nbytes = 0

    async def get(self, scope: Scope, generation: Generation | None) -> Partition:
        """The user's partition as of now, including every write that was acknowledged."""
        number = generation.id if generation else 0
        cache_key = (scope, number)
        # one load for one user at a time; the others find its result
        lock = self._locks.setdefault(cache_key, asyncio.Lock())
        async with lock:
            known = self._entries.get(cache_key, _EMPTY)
            entry = await self._current(scope, generation, known)
            self._keep(cache_key, entry)
        if self._large is not None and generation is not None and entry is not known:
            self._large.look_at(scope, generation, entry.partition)
        return entry.partition

    async def nearest(
        self,
        scope: Scope,
        generation: Generation,
        vector: NDArray[np.float32],
        count: int,
        among: NDArray[np.int64] | None,
    ) -> Near:
        """The messages nearest to a vector, for a partition that holds no vectors."""
        large = self._loader.large
        if large is None:
            return NOTHING_NEAR

        def read(connection: Connection) -> Near:
            part = large.part(connection, scope, generation)
            if part is None:
                return NOTHING_NEAR
            return large.nearest(connection, part, vector, count, among)

        return await self._units.read(read)

    async def cosines(
        self,
        scope: Scope,
        generation: Generation,
        vector: NDArray[np.float32],
        seqs: NDArray[np.int64],
    ) -> Near:
        """The cosines of messages by number, for a partition that holds no vectors."""
        large = self._loader.large
        if large is None:
            return NOTHING_NEAR

        def read(connection: Connection) -> Near:
            part = large.part(connection, scope, generation)
            return large.cosines(connection, part, vector, seqs) if part else NOTHING_NEAR

        return await self._units.read(read)

    async def forget(self, scope: Scope) -> None:
        """Drop what is cached of a user, also what is being loaded now."""
        for cache_key in [known for known in self._locks if known[0] == scope]:
            async with self._locks.get(cache_key, asyncio.Lock()):
                self._drop(cache_key)

    async def _current(self, scope: Scope, generation: Generation | None, known: _Entry) -> _Entry:
        loader = self._loader
        if known is not _EMPTY:
            numbers = await self._numbers.get(scope)
            if numbers and numbers[:2] == (known.next_seq, known.epoch):
                return known
        return await self._units.read(
            lambda connection: loader.refreshed(connection, scope, generation, known)
        )

    async def metadata(self, scope: Scope, partition: Partition) -> Sequence[Mapping[str, Any]]:
        """The metadata of each row of a partition, in its order (for filters)."""
        cache_key, entry = self._entry_of(scope, partition)
        since = entry.metadata_seq if entry.metadata is not None else 0
        if entry.metadata is None or since < entry.next_seq:
            fresh = await self._units.read(
                lambda connection: self._loader.metadata(connection, scope, since)
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
        if self._entries.get(cache_key) is entry:
            self._entries.move_to_end(cache_key)
            return
        self._drop(cache_key)
        if len(entry.partition):
            self._entries[cache_key] = entry
            self.nbytes += entry.nbytes
        else:
            self._forget_lock(cache_key)
        while self.nbytes > self._max_bytes and len(self._entries) > 1:
            old_key = next(iter(self._entries))
            self._drop(old_key)
            self._forget_lock(old_key)

    def _drop(self, cache_key: _Key) -> None:
        entry = self._entries.pop(cache_key, None)
        if entry is not None:
            self.nbytes -= entry.nbytes

    def _forget_lock(self, cache_key: _Key) -> None:
        """A lock that is dropped while it is waited for costs loading twice, nothing else."""
        self._locks.pop(cache_key, None)


class _Loader:
    """Reads what a partition is made of.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
        large: Where the vectors of very large users are; None on SQLite.
    """

    def __init__(self, tables: Tables, dialect: str, large: "LargeVectors | None") -> None:
        users, messages, vectors = tables.users, tables.messages, tables.message_vectors
        self.large = large
        self._lists = lists = Lists(dialect)
        self._numbers = select(users.c.next_seq, users.c.epoch).where(owned(users))
        changed = owned(messages) & (messages.c.change_no >= bindparam("since"))
        self._changed = select(
            messages.c.seq,
            messages.c.id,
            messages.c.session_id,
            micros(messages.c.timestamp, dialect),
            micros(messages.c.recorded_at, dialect),
            micros(func.coalesce(messages.c.known_from, messages.c.recorded_at), dialect),
            messages.c.role,
            messages.c.speaker,
            messages.c.agent_id,
            func.length(messages.c.text),
            as_stored(messages.c.terms),
        ).where(changed)
        # Not a join with the messages: without statistics of a new table, PostgreSQL may choose
        # a nested loop over all pairs.
        self._vectors = select(vectors.c.message_id, as_stored(vectors.c.vector)).where(
            owned(vectors), vectors.c.generation_id == bindparam("generation")
        )
        self._some_vectors = self._vectors.where(lists.holds("ids", vectors.c.message_id))
        self._metadata = select(messages.c.seq, messages.c.metadata).where(changed)

    def numbers(self, connection: Connection, scope: Scope) -> tuple[int, int] | None:
        """The user's ``next_seq`` and ``epoch``, or None if the user is unknown."""
        row = connection.execute(self._numbers, owner(scope)).first()
        return (row[0], row[1]) if row else None

    def refreshed(
        self, connection: Connection, scope: Scope, generation: Generation | None, known: _Entry
    ) -> _Entry:
        """Bring an entry up to date, in a transaction that sees one snapshot."""
        numbers = self.numbers(connection, scope)
        if numbers is None:
            return _EMPTY
        next_seq, epoch = numbers
        part = None
        if self.large is not None and generation is not None:
            part = self.large.part(connection, scope, generation)
        base = known if epoch == known.epoch and part == known.part else _EMPTY
        columns = self._columns(connection, scope, generation, base.next_seq, part)
        partition = extend_partition(base.partition, columns)
        return replace(base, partition=partition, next_seq=next_seq, epoch=epoch, part=part)

    def metadata(
        self, connection: Connection, scope: Scope, since: int
    ) -> dict[int, Mapping[str, Any]]:
        """The metadata of the messages written at or after a number."""
        parameters = {**owner(scope), "since": since}
        return {row[0]: row[1] for row in connection.execute(self._metadata, parameters)}

    def _columns(
        self,
        connection: Connection,
        scope: Scope,
        generation: Generation | None,
        since: int,
        part: "Part | None",
    ) -> PartitionColumns:
        mine = owner(scope)
        rows = connection.execute(self._changed, {**mine, "since": since}).all()
        if not rows:
            return NO_COLUMNS
        seqs, ids, sessions, said, recorded, known, roles, speakers, agents, lengths, terms = zip(
            *rows, strict=True
        )
        vectors: dict[str, bytes] = {}
        if part and self.large:
            copied = set(
                self.large.seqs(connection, part, np.array(seqs) if since else None).tolist()
            )
            vectors = {i: ELSEWHERE for i, seq in zip(ids, seqs, strict=True) if seq in copied}
        elif generation:
            vectors = self._stored(connection, scope, generation, ids if since else None)
        return PartitionColumns(
            seqs=seqs,
            message_ids=ids,
            sessions=sessions,
            timestamps=said,
            recorded=recorded,
            known=known,
            roles=roles,
            speakers=speakers,
            agents=agents,
            lengths=lengths,
            terms=terms,
            vectors=[vectors.get(message_id) for message_id in ids],
        )

    def _stored(
        self,
        connection: Connection,
        scope: Scope,
        generation: Generation,
        ids: Sequence[str] | None,
    ) -> dict[str, bytes]:
        """The vectors by message id, of all messages or of some."""
        wanted: dict[str, Any] = {**owner(scope), "generation": generation.id}
        query = self._vectors
        if ids is not None:
            query = self._some_vectors
            wanted["ids"] = self._lists.given(ids)
        # a damaged row of another size counts as no vector
        size = (generation.identity.dimensions or 0) * 4
        found = connection.execute(query, wanted).all()
        return {row[0]: row[1] for row in found if len(row[1]) == size}
