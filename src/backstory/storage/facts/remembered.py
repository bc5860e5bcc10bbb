"""All facts of a user with their earlier states, in memory: who asks for a time gets it at once.

Every change of a fact numbers its row anew, so that only what changed since is read again.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, bindparam, select

from backstory.core.facts.timetable import TimedFact, TimeTable, timed
from backstory.core.model.fact import Evidence
from backstory.core.model.scope import Scope
from backstory.storage.engines.base import Units
from backstory.storage.facts.evidence import EvidenceRows, Of
from backstory.storage.facts.rows import FactShape, StateShape
from backstory.storage.numbers import UserNumbers
from backstory.storage.rows import AnyRow
from backstory.storage.statements import Lists, owned, owner
from backstory.storage.tables import Tables
from backstory.threads import run_in_thread

# A row with its times and evidence takes about 2 kB.
_MOST_ROWS: Final = 50_000
# Making so many rows takes less time than a hop into another thread.
_FEW_ROWS: Final = 200


@dataclass(frozen=True)
class _Entry:
    """What is known of one user, and the numbers it is current for."""

    numbers: tuple[int, int] = (0, 0)
    items: dict[str, TimedFact] = field(default_factory=dict)
    table: TimeTable = field(default_factory=lambda: TimeTable(()))

    @property
    def rows(self) -> int:
        """What it counts for; also that a user has no facts is held."""
        return max(self.table.rows, 1)


@dataclass(frozen=True)
class _Fresh:
    """Rows that changed, as the driver gave them, and the numbers they are current for."""

    numbers: tuple[int, int]
    is_whole: bool
    facts: Sequence[AnyRow] = ()
    states: Sequence[AnyRow] = ()
    evidence: Mapping[str, Sequence[Evidence]] = field(default_factory=dict)


_NOTHING = _Entry()


class RememberedFacts:
    """Gives the states of all facts of a user, with every write that was acknowledged.

    Args:
        units: The engine.
        tables: The store's tables.
        now: Tells whether what is held is current.
        most_rows: How many facts and states of all users are kept; those of one user always are.
    """

    def __init__(
        self, units: Units, tables: Tables, now: UserNumbers, most_rows: int = _MOST_ROWS
    ) -> None:
        self._units = units
        self._now = now
        self._most_rows = most_rows
        self._entries: OrderedDict[Scope, _Entry] = OrderedDict()
        self._rows = 0
        self._locks: dict[Scope, asyncio.Lock] = {}
        facts, revisions, users = tables.facts, tables.fact_revisions, tables.users
        self._lists = lists = Lists(units.dialect)
        self._evidence = EvidenceRows(tables, units.dialect)
        self._facts = FactShape(facts, units.dialect)
        self._states = StateShape(revisions, units.dialect)
        self._numbers = select(users.c.next_seq, users.c.facts_epoch).where(owned(users))
        self._changed = select(*self._facts.columns).where(
            owned(facts), facts.c.change_no >= bindparam("since")
        )
        self._all_states = select(*self._states.columns).where(owned(revisions))
        self._some_states = self._all_states.where(lists.holds("ids", revisions.c.fact_id))

    async def get(self, scope: Scope) -> TimeTable:
        """The states of all facts of a user."""
        lock = self._locks.setdefault(scope, asyncio.Lock())
        async with lock:
            known = self._taken(scope)
            entry = await self._current(scope, known)
            self._keep(scope, entry)
        return entry.table

    async def forget(self, scope: Scope) -> None:
        """Drop what is held of a user, also what is being loaded now."""
        async with self._locks.get(scope, asyncio.Lock()):
            self._taken(scope)
            self._locks.pop(scope, None)

    async def _current(self, scope: Scope, known: _Entry) -> _Entry:
        if known is not _NOTHING:
            now = await self._now.get(scope)
            if now and (now.next_seq, now.facts_epoch) == known.numbers:
                return known
        fresh = await self._units.read(lambda connection: self._fresh(connection, scope, known))
        if len(fresh.facts) + len(fresh.states) <= _FEW_ROWS:
            return self._merged(known, fresh)
        return await run_in_thread(self._merged, known, fresh)

    def _read(self, connection: Connection, scope: Scope) -> tuple[int, int]:
        row = connection.execute(self._numbers, owner(scope)).first()
        return (row[0], row[1]) if row else (0, 0)

    def _fresh(self, connection: Connection, scope: Scope, known: _Entry) -> _Fresh:
        """What changed since, in a transaction that sees one snapshot."""
        numbers = self._read(connection, scope)
        is_whole = numbers[1] != known.numbers[1]
        since = 0 if is_whole else known.numbers[0]
        facts = connection.execute(self._changed, {**owner(scope), "since": since}).all()
        if not facts:
            return _Fresh(numbers, is_whole)
        ids = [row.id for row in facts]
        given = {**owner(scope), "ids": self._lists.given(ids)}
        states = connection.execute(self._some_states if since else self._all_states, given).all()
        evidence = self._evidence.of(connection, scope, Of.FACT, ids)
        return _Fresh(numbers, is_whole, facts, states, evidence)

    def _merged(self, known: _Entry, fresh: _Fresh) -> _Entry:
        if not fresh.facts and not fresh.is_whole:
            return _Entry(fresh.numbers, known.items, known.table)
        states: dict[str, list[AnyRow]] = {}
        for row in fresh.states:
            states.setdefault(row.fact_id, []).append(row)
        items = {} if fresh.is_whole else dict(known.items)
        for row in fresh.facts:
            fact = self._facts.fact(row, fresh.evidence.get(row.id, ()))
            earlier = [self._states.state(one) for one in states.get(row.id, ())]
            earlier.sort(key=lambda r: (r.replaced_at, r.believed_at, r.revision))
            items[row.id] = timed(row.seq, fact, earlier)
        ordered = sorted(items.values(), key=lambda item: item.seq)
        return _Entry(fresh.numbers, items, TimeTable(ordered))

    def _taken(self, scope: Scope) -> _Entry:
        """What is held of a user, which is held no more."""
        known = self._entries.pop(scope, _NOTHING)
        if known is not _NOTHING:
            self._rows -= known.rows
        return known

    def _keep(self, scope: Scope, entry: _Entry) -> None:
        if entry.numbers == _NOTHING.numbers:  # nobody is known by this name
            self._locks.pop(scope, None)
            return
        self._entries[scope] = entry
        self._rows += entry.rows
        while self._rows > self._most_rows and len(self._entries) > 1:
            old = next(iter(self._entries))
            self._taken(old)
            # a lock that is dropped while it is waited for costs loading twice, nothing else
            self._locks.pop(old, None)
