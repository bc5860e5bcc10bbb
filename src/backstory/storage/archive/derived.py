"""Derived records and runs of consolidation, out and in."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, exists, func, select

from backstory.core.archive.lines import record_in
from backstory.core.archive.taking import run_here
from backstory.core.derived.rows import moved, slot_hash
from backstory.core.model.archive import (
    Archived,
    ArchivedDerived,
    ArchivedRun,
    DerivedVersion,
    Restored,
)
from backstory.core.model.derived import Derived
from backstory.core.model.scope import Scope
from backstory.storage.archive.present import PRESENT, STORED, Taken, refused
from backstory.storage.derived.rows import DerivedRows, values_of
from backstory.storage.rows import AnyRow, UserRows, key
from backstory.storage.runs import run_values, to_run
from backstory.storage.statements import BulkInsert, Lists, Prepared, as_stored, owned, owner
from backstory.storage.tables import Tables

_TICK: Final = timedelta(microseconds=1)


class DerivedReader(metaclass=Prepared):
    """Reads whole records, on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        derived, vectors = tables.derived, tables.derived_vectors
        self._lists = lists = Lists(dialect)
        earlier = derived.alias("earlier")
        is_first = ~exists().where(
            earlier.c.tenant_id == derived.c.tenant_id,
            earlier.c.user_id == derived.c.user_id,
            earlier.c.id == derived.c.id,
            earlier.c.seq < derived.c.seq,
        )
        self.firsts = select(derived.c.id, derived.c.kind, derived.c.seq).where(is_first)
        self.count = select(func.count()).select_from(derived).where(owned(derived), is_first)
        mine = owned(derived) & lists.holds("ids", derived.c.id)
        self._versions = select(derived).where(mine).order_by(derived.c.seq)
        self._vectors = select(
            vectors.c.seq, vectors.c.generation_id, as_stored(vectors.c.vector)
        ).where(owned(vectors), vectors.c.seq.in_(select(derived.c.seq).where(mine)))

    def read(
        self, connection: Connection, scope: Scope, firsts: Sequence[AnyRow]
    ) -> list[Archived]:
        """Whole records, of the rows of ``firsts``."""
        given = {**owner(scope), "ids": self._lists.given([row.id for row in firsts])}
        vectors: dict[int, dict[int, bytes]] = {}
        for seq, generation, vector in connection.execute(self._vectors, given):
            vectors.setdefault(seq, {})[generation] = bytes(vector)
        versions: dict[str, list[DerivedVersion]] = {}
        for row in connection.execute(self._versions, given):
            version = DerivedVersion(
                at=row.at,
                recorded_at=row.recorded_at,
                known_from=row.known_from,
                replaced_at=row.replaced_at,
                body=row.body,
                vectors=vectors.get(row.seq, {}),
            )
            versions.setdefault(row.id, []).append(version)
        return [
            ArchivedDerived(id=row.id, type=row.kind, versions=tuple(versions[row.id]))
            for row in firsts
        ]


def read_runs(rows: Sequence[AnyRow]) -> list[Archived]:
    """Runs of their rows."""
    return [ArchivedRun(run=to_run(row)) for row in rows]


class DerivedRestorer(metaclass=Prepared):
    """Restores derived records and runs, in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        derived, runs = tables.derived, tables.consolidation_runs
        lists = Lists(dialect)
        self._users = UserRows(tables)
        self._rows = DerivedRows(tables, dialect)
        self._ids = Taken(derived, "id", lists)
        self._insert = BulkInsert(derived, dialect)
        self._insert_vectors = BulkInsert(tables.derived_vectors, dialect)
        self._runs = select(runs.c.kind, runs.c.period).where(owned(runs))
        self._insert_runs = BulkInsert(runs, dialect)

    def restore(
        self,
        connection: Connection,
        scope: Scope,
        items: Sequence[ArchivedDerived],
        numbers: Mapping[int, int],
        now: datetime,
    ) -> list[Restored]:
        """Store records with all their versions; what an id shows to be there is left."""
        ids = self._ids.among(connection, scope, [item.id for item in items])
        current = {item.id: _current(item) for item in items}
        hashes = {item.id: slot_hash(r) for item in items if (r := current[item.id]) is not None}
        asked = [hashed for hashed in hashes.values() if hashed is not None]
        held = self._rows.current(connection, scope, (), asked) if asked else {}
        taken = {(type(v.record), slot_hash(v.record)) for v in held.values()}
        stored = []
        outcomes = []
        for item in items:
            record = current[item.id]
            hashed = hashes.get(item.id)
            place = None if record is None or hashed is None else (type(record), hashed)
            if item.id in ids:
                outcomes.append(PRESENT)
            elif place in taken:
                outcomes.append(refused("its slot has another current record here"))
            else:
                ids[item.id] = item.id
                if place is not None:
                    taken.add(place)
                stored.append(item)
                outcomes.append(STORED)
        self._write(connection, scope, stored, numbers, now)
        return outcomes

    def _write(
        self,
        connection: Connection,
        scope: Scope,
        items: Sequence[ArchivedDerived],
        numbers: Mapping[int, int],
        now: datetime,
    ) -> None:
        if not items:
            return
        count = sum(len(item.versions) for item in items)
        seq = self._users.take(connection, scope, count, now)
        rows: list[dict[str, Any]] = []
        vectors: list[dict[str, Any]] = []
        for item in items:
            for back, version in reversed(list(enumerate(reversed(item.versions)))):
                # the versions of a record are told apart by the time of their commit
                record = moved(
                    record_in(item, version, scope.user_id), now - back * _TICK, version.replaced_at
                )
                kept = {numbers[n]: v for n, v in version.vectors.items() if n in numbers}
                has_text = record.replaced_at is None and record.indexed_text != ""
                rows.append(values_of(scope, record, seq, needs_vector=has_text and not kept))
                vectors += [
                    {**key(scope), "seq": seq, "generation_id": n, "vector": v}
                    for n, v in kept.items()
                ]
                seq += 1
        self._insert.run(connection, rows)
        if vectors:
            self._insert_vectors.run(connection, vectors)
        self._users.mark_derived(connection, scope, seq - 1, removed=False)

    def restore_runs(
        self, connection: Connection, scope: Scope, items: Sequence[ArchivedRun]
    ) -> list[Restored]:
        """Store runs; one that was going on elsewhere is queued here."""
        known = {(row.kind, row.period) for row in connection.execute(self._runs, owner(scope))}
        rows = []
        outcomes = []
        for item in items:
            place = (str(item.run.kind), item.run.period)
            outcomes.append(PRESENT if place in known else STORED)
            if place not in known:
                known.add(place)
                run = run_here(item.run, scope.user_id)
                rows.append({**key(scope), **run_values(run)})
        if rows:
            self._insert_runs.run(connection, rows)
        return outcomes


def _current(item: ArchivedDerived) -> Derived | None:
    last = item.versions[-1]
    return record_in(item, last, "") if last.replaced_at is None else None
