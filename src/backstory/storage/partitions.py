"""The cache of partitions: one user's messages in memory, never older than the database.

Each user's row holds two numbers that every write changes in its own transaction: ``next_seq``
numbers the writes, ``epoch`` the removals. A cached partition knows both from when it was read;
a search reads the row again, and then only what has changed since. So the cache is right
whichever process wrote, with no message between processes.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from backstory.core.model.embedding import Generation
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.core.near import NOTHING_NEAR, Near
from backstory.core.partition import Partition
from backstory.storage.engines.base import Units
from backstory.storage.kept import Kept
from backstory.storage.numbers import UserNumbers
from backstory.storage.partition_loading import EMPTY, Entry, Loader
from backstory.storage.tables import Tables

if TYPE_CHECKING:
    from backstory.storage.large_building import LargeBuilder

# Of the memory bound, the part that messages may take.
_MESSAGES_PART = 4
_Key = tuple[Scope, int]
_NOBODY: _Key = (Scope("", ""), -1)


class PartitionCache:
    """Implements ``PartitionStore``: least recently used partitions go when memory is short.

    Args:
        units: The engine.
        tables: The store's tables.
        max_bytes: Bound of the cached arrays in bytes; the partition in use is always kept.
        numbers: Tells whether a partition is current.
        large: What is done for very large users; None on SQLite.

    Attributes:
        nbytes: Memory of the partitions, in bytes. Kept, not counted: there may be many users.
        message_bytes: Memory of the messages that were read and are kept beside them, about.
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
        self._loader = Loader(tables, units.dialect, large.vectors if large else None)
        self._max_bytes = max_bytes
        self._entries: OrderedDict[_Key, Entry] = OrderedDict()
        self._locks: dict[_Key, asyncio.Lock] = {}
        self._last: dict[Scope, _Key] = {}
        self.nbytes = 0
        self.message_bytes = 0

    async def get(self, scope: Scope, generation: Generation | None) -> Partition:
        """The user's partition as of now, including every write that was acknowledged."""
        number = generation.id if generation else 0
        cache_key = (scope, number)
        # one load for one user at a time; the others find its result
        lock = self._locks.setdefault(cache_key, asyncio.Lock())
        async with lock:
            known = self._entries.get(cache_key, EMPTY)
            entry = await self._current(scope, generation, known)
            self._keep(cache_key, entry)
        if self._large is not None and generation is not None and entry is not known:
            self._large.look_at(scope, generation, entry.partition)
        return entry.partition

    def last(self, scope: Scope, generation: Generation | None) -> Partition | None:
        """The partition as it was at the last ``get``, whatever has changed since; or None."""
        entry = self._entries.get((scope, generation.id if generation else 0))
        return None if entry is None else entry.partition

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

    async def _current(self, scope: Scope, generation: Generation | None, known: Entry) -> Entry:
        loader = self._loader
        if known is not EMPTY:
            numbers = await self._numbers.get(scope)
            if numbers and numbers[:2] == (known.next_seq, known.epoch):
                return known
        entry, changed = await self._units.read(
            lambda connection: loader.refreshed(connection, scope, generation, known)
        )
        if changed:
            self._note_changes((scope, generation.id if generation else 0), entry.kept, changed)
        return entry

    async def messages(
        self, scope: Scope, partition: Partition, rows: Sequence[int]
    ) -> dict[str, Message]:
        """The messages of some rows by id, as current as the partition; gone ones are left out."""
        ids = [partition.message_ids[row] for row in rows]
        _, entry = self._entry_of(scope, partition)
        found = entry.kept.get(ids)
        missing = [message_id for message_id in ids if message_id not in found]
        if missing:
            state = entry.kept.state
            fresh = await self._units.peek(
                lambda connection: self._loader.messages(connection, scope, missing)
            )
            self._keep_messages(scope, entry, fresh, state)
            found |= fresh
        return found

    async def session_keys(
        self, scope: Scope, partition: Partition, names: Sequence[str]
    ) -> Mapping[str, str]:
        """How a partition names sessions: for each name that exists, its key in this store."""
        known = self._entry_of(scope, partition)[1].kept.session_keys
        missing = [name for name in names if name not in known]
        fresh = {}
        if missing:
            fresh = await self._units.peek(
                lambda connection: self._loader.session_keys(connection, scope, missing)
            )
            known |= fresh
        return {name: known[name] for name in names if name in known}

    async def tail(self, scope: Scope, session_id: str | None, limit: int) -> list[Message] | None:
        """The last messages of a session, None = the open one that received a message last.

        Returns:
            None if it cannot be said from what is cached.
        """
        if scope not in self._last:
            return None
        numbers = await self._numbers.get(scope)
        entry = self._entries.get(self._last.get(scope, _NOBODY))
        if not entry or not numbers or numbers[:2] != (entry.next_seq, entry.epoch):
            return None
        key = numbers.open_session
        if session_id is not None:
            key = entry.kept.session_keys.get(session_id)
            if key is None:
                return None
        partition, sessions = entry.partition, entry.partition.sessions
        if key is None or key not in sessions.values:
            return []
        rows = np.flatnonzero(sessions.codes == sessions.values.index(key))[-limit:].tolist()
        found = await self.messages(scope, partition, rows)
        return [found[i] for i in (partition.message_ids[row] for row in rows) if i in found]

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

    def _entry_of(self, scope: Scope, partition: Partition) -> tuple[_Key | None, Entry]:
        last = self._last.get(scope, _NOBODY)
        entry = self._entries.get(last)
        if entry is not None and entry.partition is partition:
            return last, entry
        for cache_key, entry in self._entries.items():
            if cache_key[0] == scope and entry.partition is partition:
                return cache_key, entry
        return None, Entry(partition=partition, next_seq=1, epoch=0)

    def _keep_messages(
        self, scope: Scope, entry: Entry, messages: Mapping[str, Message], state: int
    ) -> None:
        """Keep messages beside their partition, if it is still cached and none was changed."""
        cache_key, now = self._entry_of(scope, entry.partition)
        if cache_key is None or now.kept is not entry.kept:
            return
        self.message_bytes -= now.kept.nbytes
        now.kept.put(messages, state)
        self.message_bytes += now.kept.nbytes
        self._make_room()

    def _note_changes(self, cache_key: _Key, kept: Kept, ids: Sequence[str]) -> None:
        """Drop what was kept of messages that have changed."""
        entry = self._entries.get(cache_key)
        before = kept.nbytes
        kept.changed(ids)
        if entry is not None and entry.kept is kept:
            self.message_bytes += kept.nbytes - before

    def _keep(self, cache_key: _Key, entry: Entry) -> None:
        if self._entries.get(cache_key) is entry:
            self._entries.move_to_end(cache_key)
            self._last[cache_key[0]] = cache_key
            return
        self._drop(cache_key)
        if len(entry.partition):
            self._last[cache_key[0]] = cache_key
            self._entries[cache_key] = entry
            self.nbytes += entry.nbytes
            self.message_bytes += entry.kept.nbytes
        else:
            self._forget_lock(cache_key)
        self._make_room()

    def _make_room(self) -> None:
        """Keep the bound: messages have a part of it, then partitions go that wait the longest."""
        over = self.message_bytes - self._max_bytes // _MESSAGES_PART
        for entry in self._entries.values() if over > 0 else ():
            kept, before = entry.kept, entry.kept.nbytes
            kept.shrink(before - over)
            self.message_bytes -= before - kept.nbytes
            over -= before - kept.nbytes
            if over <= 0:
                break
        while self.nbytes + self.message_bytes > self._max_bytes and len(self._entries) > 1:
            old_key = next(iter(self._entries))
            self._drop(old_key)
            self._forget_lock(old_key)

    def _drop(self, cache_key: _Key) -> None:
        entry = self._entries.pop(cache_key, None)
        if entry is not None:
            self.nbytes -= entry.nbytes
            self.message_bytes -= entry.kept.nbytes
        if self._last.get(cache_key[0]) == cache_key:
            del self._last[cache_key[0]]

    def _forget_lock(self, cache_key: _Key) -> None:
        """A lock that is dropped while it is waited for costs loading twice, nothing else."""
        self._locks.pop(cache_key, None)
