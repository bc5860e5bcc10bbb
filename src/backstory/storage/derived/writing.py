"""Writes plans of derived records."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from backstory.core.derived.book import DerivedPlan
from backstory.core.derived.changing import Addition, settle
from backstory.core.derived.rows import body_of, checked, slot_hash
from backstory.core.derived.withdrawing import restrict, sessions_of
from backstory.core.model.derived import Derived
from backstory.core.model.scope import Scope
from backstory.storage.building import Instant
from backstory.storage.derived.rows import DerivedRows, Version, values_of
from backstory.storage.engines.base import unheeded
from backstory.storage.rows import UserRows, hash_name, key, same_session
from backstory.storage.statements import BulkInsert, Lists, Prepared, owned, owner
from backstory.storage.tables import Tables


class DerivedWriter(metaclass=Prepared):
    """Writes plans, each in the transaction of the given connection. The user's row is locked.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        derived, vectors = tables.derived, tables.derived_vectors
        messages, sessions = tables.messages, tables.sessions
        self._users = UserRows(tables)
        self._rows = DerivedRows(tables, dialect)
        self._lists = lists = Lists(dialect)
        mine = owned(derived)
        one = mine & (derived.c.seq == bindparam("row_seq"))
        self._insert = BulkInsert(derived, dialect)
        self._close = unheeded(
            update(derived)
            .where(one)
            .values(
                replaced_at=bindparam("ended", type_=Instant),
                needs_vector=False,
                change_no=bindparam("number"),
            )
        )
        self._amend = unheeded(
            update(derived)
            .where(one)
            .values(
                replaced_at=bindparam("ended", type_=Instant),
                needs_vector=bindparam("owed"),
                body=bindparam("new_body", type_=derived.c.body.type),
                change_no=bindparam("number"),
            )
        )
        self._erase = delete(derived).where(mine, lists.holds("ids", derived.c.id))
        self._drop = delete(derived).where(one)
        self._held = select(vectors.c.seq, vectors.c.generation_id, vectors.c.vector).where(
            owned(vectors), vectors.c.seq == bindparam("row_seq")
        )
        self._insert_vector = insert(vectors)
        self._sessions_of = (
            select(messages.c.id, sessions.c.name)
            .join_from(messages, sessions, same_session(tables))
            .where(owned(messages), lists.holds("ids", messages.c.id))
        )
        self._edited = select(messages.c.id, messages.c.updated_at).where(
            owned(messages), lists.holds("ids", messages.c.id)
        )
        named = lists.holds("hashes", sessions.c.name_hash)
        self._touched = select(sessions.c.name, sessions.c.touched).where(owned(sessions), named)
        self._digested = unheeded(
            update(sessions)
            .where(owned(sessions), sessions.c.name_hash == bindparam("hash"))
            .values(episode_seq=bindparam("seen"))
        )

    def run(
        self, connection: Connection, scope: Scope, plan: DerivedPlan, now: datetime
    ) -> tuple[DerivedPlan, int]:
        """Write a plan.

        Returns:
            The plan as it was written, and how many rows it took.
        """
        plan = replace(plan, put=tuple(checked(record, scope.user_id) for record in plan.put))
        plan = self._restricted(connection, scope, plan)
        if not plan:
            return plan, 0
        removed = self._remove(connection, scope, plan)
        ids = {record.id for record in plan.put} | set(plan.withdraw)
        slots = {found for record in plan.put if (found := slot_hash(record)) is not None}
        held = self._rows.current(connection, scope, ids, slots) if ids else {}
        past: list[Version] = []
        if any(record.known_from is not None for record in plan.put):
            past = self._rows.versions(connection, scope, {v.record.id for v in held.values()})
        changes = settle(
            plan,
            {seq: version.record for seq, version in held.items()},
            now,
            {v.seq: v.record for v in past if v.record.replaced_at is not None},
        )
        amended = self._to_amend(connection, scope, plan.amended)
        count = len(changes.added) + len(changes.closed) + len(amended)
        if count or removed:
            first = self._users.take(connection, scope, len(changes.added) + 1, now)
            last = first + len(changes.added)
            self._close_rows(connection, scope, changes.closed, last)
            self._add(connection, scope, changes.added, first, held)
            self._amend_rows(connection, scope, amended, last)
            self._users.mark_derived(connection, scope, last, removed=removed)
        for name, seen in plan.episodes.items():
            given = {**owner(scope), "hash": hash_name(name), "seen": seen}
            connection.execute(self._digested, given)
        return replace(plan, put=changes.stored), count

    def _restricted(self, connection: Connection, scope: Scope, plan: DerivedPlan) -> DerivedPlan:
        """Without what rests on messages and sessions that are not as the plan saw them."""
        touched: dict[str, int] = {}
        if names := sessions_of(plan):
            hashes = self._lists.given([hash_name(name) for name in sorted(names)])
            found = connection.execute(self._touched, {**owner(scope), "hashes": hashes})
            touched = {row.name: row.touched for row in found}
        named = sorted({one.message_id for record in plan.put for one in record.evidence})
        sessions: dict[str, str] = {}
        if named:
            given = {**owner(scope), "ids": self._lists.given(named)}
            rows = connection.execute(self._sessions_of, given)
            sessions = {row.id: row.name for row in rows}
        texts: dict[str, datetime | None] = {}
        if plan.seen and plan.put:
            seen = sorted(message.id for message in plan.seen)
            given = {**owner(scope), "ids": self._lists.given(seen)}
            texts = {row.id: row.updated_at for row in connection.execute(self._edited, given)}
        return restrict(plan, sessions, touched, texts)

    def _remove(self, connection: Connection, scope: Scope, plan: DerivedPlan) -> bool:
        gone = 0
        if plan.erase:
            given = {**owner(scope), "ids": self._lists.given(sorted(plan.erase))}
            gone += connection.execute(self._erase, given).rowcount
        if plan.dropped:
            wanted = set(plan.dropped)
            for version in self._rows.versions(connection, scope, {name for name, _ in wanted}):
                if (version.record.id, version.record.recorded_at) in wanted:
                    given = {**owner(scope), "row_seq": version.seq}
                    gone += connection.execute(self._drop, given).rowcount
        return gone > 0

    def _to_amend(
        self, connection: Connection, scope: Scope, amended: Iterable[Derived]
    ) -> dict[int, tuple[Version, Derived]]:
        wanted = {(record.id, record.recorded_at): record for record in amended}
        if not wanted:
            return {}
        found = self._rows.versions(connection, scope, {name for name, _ in wanted})
        return {
            version.seq: (version, new)
            for version in found
            if (new := wanted.get((version.record.id, version.record.recorded_at))) is not None
        }

    def _close_rows(
        self, connection: Connection, scope: Scope, closed: Mapping[int, datetime], number: int
    ) -> None:
        for seq, ended in closed.items():
            given = {**owner(scope), "row_seq": seq, "ended": ended, "number": number}
            connection.execute(self._close, given)

    def _add(
        self,
        connection: Connection,
        scope: Scope,
        added: Iterable[Addition],
        first: int,
        held: Mapping[int, Version],
    ) -> None:
        rows: list[dict[str, Any]] = []
        vectors: list[dict[str, Any]] = []
        for seq, addition in enumerate(added, first):
            owed = addition.record.indexed_text != ""
            if addition.takes is not None:
                taken = self._vectors_of(connection, scope, addition.takes)
                vectors += [{**key(scope), **vector, "seq": seq} for vector in taken]
                owed = held[addition.takes].owed
            rows.append(values_of(scope, addition.record, seq, needs_vector=owed))
        if rows:
            self._insert.run(connection, rows)
        if vectors:
            connection.execute(self._insert_vector, vectors)

    def _vectors_of(self, connection: Connection, scope: Scope, seq: int) -> list[dict[str, Any]]:
        found = connection.execute(self._held, {**owner(scope), "row_seq": seq})
        return [{"generation_id": row.generation_id, "vector": row.vector} for row in found]

    def _amend_rows(
        self,
        connection: Connection,
        scope: Scope,
        amended: Mapping[int, tuple[Version, Derived]],
        number: int,
    ) -> None:
        for seq, (version, record) in amended.items():
            is_back = record.replaced_at is None and version.record.replaced_at is not None
            owed = record.indexed_text != "" if is_back else version.owed
            connection.execute(
                self._amend,
                {
                    **owner(scope),
                    "row_seq": seq,
                    "ended": record.replaced_at,
                    "owed": owed,
                    "new_body": body_of(record),
                    "number": number,
                },
            )
