"""All derived records of some users in memory, current with every write.

Every change numbers its rows anew, so that only what changed since is read again, and nothing
at all while the user's numbers say that nothing did.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Final, TypeAlias

from sqlalchemy import Connection

from backstory.core.derived.book import DerivedBook
from backstory.core.model.scope import Scope
from backstory.storage.derived.rows import DerivedRows, Version, to_version
from backstory.storage.derived.vectors import DerivedVectorRows
from backstory.storage.engines.base import Units
from backstory.storage.numbers import UserNumbers
from backstory.storage.rows import AnyRow
from backstory.storage.tables import Tables
from backstory.threads import run_in_thread

_MOST_BYTES: Final = 64 * 2**20
_MOST_USERS: Final = 200
# What a version takes beside its text, measured: the object, its ids and its times.
_VERSION_BYTES: Final = 2000
# From so many rows on, reading them takes so long that a thread does it.
_FEW_ROWS: Final = 200
Vectors: TypeAlias = Mapping[tuple[str, datetime], bytes]


@dataclass(frozen=True)
class Entry:
    """What is known of one user.

    Attributes:
        numbers: What it is current for.
        generation: That of the vectors; None = they were not asked for.
    """

    numbers: tuple[int, int] = (0, 0)
    versions: Mapping[int, Version] = field(default_factory=dict)
    book: DerivedBook = field(default_factory=DerivedBook)
    generation: int | None = None
    vectors: Mapping[int, bytes] = field(default_factory=dict)
    by_version: Vectors = field(default_factory=dict)
    nbytes: int = 0


@dataclass(frozen=True)
class _Fresh:
    """Rows that changed, as the driver gave them."""

    numbers: tuple[int, int]
    is_whole: bool
    rows: Sequence[AnyRow] = ()
    generation: int | None = None
    vectors: Mapping[int, bytes] | None = None


_NOTHING: Final = Entry()


class DerivedBooks:
    """Gives the books of users, with every write that was acknowledged.

    Args:
        units: The engine.
        tables: The store's tables.
        now: Tells whether what is held is current.
        most_bytes: Bound of what is kept of all users; one user is always kept.
    """

    def __init__(
        self, units: Units, tables: Tables, now: UserNumbers, most_bytes: int = _MOST_BYTES
    ) -> None:
        self._units = units
        self._now = now
        self._most_bytes = most_bytes
        self._rows = DerivedRows(tables, units.dialect)
        self._vectors = DerivedVectorRows(tables, units.dialect)
        self._entries: OrderedDict[Scope, Entry] = OrderedDict()
        self._locks: dict[Scope, asyncio.Lock] = {}
        # transactions run in threads
        self._keeping = Lock()

    async def get(self, scope: Scope) -> DerivedBook:
        """All records of a user."""
        return (await self._get(scope, None)).book

    async def vectors(self, scope: Scope, generation: int) -> Vectors:
        """The vectors of a user's versions, by id and ``recorded_at``."""
        return (await self._get(scope, generation)).by_version

    def load(self, connection: Connection, scope: Scope) -> DerivedBook:
        """The same inside a transaction that holds the user's row; what is known is used.

        It is kept: a user who is only written to would be read whole by every write. So the
        transaction must not have written derived records before; it may be rolled back.
        """
        known = self._entries.get(scope, _NOTHING)
        entry = _merged(known, self._fresh(connection, scope, known, None))
        if entry.numbers[0]:
            self._keep(scope, entry)
        return entry.book

    async def forget(self, scope: Scope) -> None:
        """Drop what is held of a user, also what is being loaded now."""
        async with self._locks.get(scope, asyncio.Lock()):
            with self._keeping:
                self._entries.pop(scope, None)
                self._locks.pop(scope, None)

    async def _get(self, scope: Scope, generation: int | None) -> Entry:
        # not inside the lock: those who ask at once share one statement
        now = await self._now.get(scope)
        numbers = (now.derived_seq, now.derived_epoch) if now else (0, 0)
        async with self._locks.setdefault(scope, asyncio.Lock()):
            known = self._entries.get(scope, _NOTHING)
            entry = await self._current(scope, known, numbers, generation)
            self._keep(scope, entry)
        return entry

    async def _current(
        self, scope: Scope, known: Entry, numbers: tuple[int, int], generation: int | None
    ) -> Entry:
        if numbers[0] == 0:
            return _NOTHING
        if numbers == known.numbers and generation in (None, known.generation):
            return known
        fresh = await self._units.read(
            lambda connection: self._fresh(connection, scope, known, generation)
        )
        if len(fresh.rows) <= _FEW_ROWS:
            return _merged(known, fresh)
        return await run_in_thread(_merged, known, fresh)

    def _fresh(
        self, connection: Connection, scope: Scope, known: Entry, generation: int | None
    ) -> _Fresh:
        """What changed since, in a transaction that sees one snapshot."""
        numbers = self._rows.numbers(connection, scope)
        is_whole = known is _NOTHING or numbers[1] != known.numbers[1]
        wanted = known.generation if generation is None else generation
        if numbers == known.numbers and wanted == known.generation:
            return _Fresh(numbers, is_whole=False)
        since = known.numbers[0]
        rows: Sequence[AnyRow] = ()
        if is_whole:
            rows = self._rows.all(connection, scope)
        elif numbers != known.numbers:
            rows = self._rows.changed(connection, scope, since)
        vectors = None
        if wanted is not None:
            is_new = is_whole or wanted != known.generation
            vectors = self._vectors.of(connection, scope, wanted, -1 if is_new else since)
        return _Fresh(numbers, is_whole, rows, wanted, vectors)

    def _keep(self, scope: Scope, entry: Entry) -> None:
        with self._keeping:
            self._entries.pop(scope, None)
            if entry is _NOTHING:
                self._locks.pop(scope, None)
                return
            self._entries[scope] = entry
            total = sum(one.nbytes for one in self._entries.values())
            while len(self._entries) > 1 and (
                total > self._most_bytes or len(self._entries) > _MOST_USERS
            ):
                old, dropped = self._entries.popitem(last=False)
                total -= dropped.nbytes
                # a lock that is dropped while it is waited for costs loading twice, nothing else
                self._locks.pop(old, None)


def _merged(known: Entry, fresh: _Fresh) -> Entry:
    if not fresh.is_whole and not fresh.rows and fresh.vectors is None:
        return replace(known, numbers=fresh.numbers)
    versions = {} if fresh.is_whole else dict(known.versions)
    versions |= {row.seq: to_version(row) for row in fresh.rows}
    book = known.book
    if fresh.is_whole or fresh.rows:
        ordered = dict(sorted(versions.items()))
        versions = ordered
        book = DerivedBook(tuple(version.record for version in ordered.values()))
    is_same = not fresh.is_whole and fresh.generation == known.generation
    vectors = {**(known.vectors if is_same else {}), **(fresh.vectors or {})}
    found = {seq: vector for seq, vector in vectors.items() if seq in versions}
    nbytes = sum(version.size + _VERSION_BYTES for version in versions.values())
    return Entry(
        numbers=fresh.numbers,
        versions=versions,
        book=book,
        generation=fresh.generation,
        vectors=found,
        by_version={
            (versions[seq].record.id, versions[seq].record.recorded_at): vector
            for seq, vector in found.items()
        },
        nbytes=nbytes + sum(map(len, found.values())),
    )
