"""Derived records in memory."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.derived.changing import settle
from backstory.core.derived.rows import checked
from backstory.core.derived.unknown import for_unknown
from backstory.core.derived.withdrawing import restrict, withdraw
from backstory.core.model.derived import Derived
from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.ports.derived import DerivedPending, DerivedPlanner, DueSession
from backstory.testing.fake_store.sessions import counted
from backstory.testing.fake_store.sizes import check_sizes
from backstory.testing.fake_store.state import DerivedRow, MemoryDatabase, UserState

Made = Mapping[str, tuple[datetime, bytes]]


class MemoryDerived:
    """Implements ``DerivedStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def book(self, scope: Scope) -> DerivedBook:
        """All records of a user."""
        return derived_book(self._database.user(scope))

    async def change(self, scope: Scope, plan: DerivedPlanner, now: datetime) -> DerivedPlan:
        """Load, decide, write."""
        made = plan(derived_book(self._database.user(scope)))
        if not self._database.is_known(scope):
            made = for_unknown(made)
        if not made:
            return made
        with self._database.change(scope) as state:
            return apply_derived(state, scope, made, now)

    async def find(self, tenant_id: str, record_id: str, user_id: str | None) -> Derived | None:
        """The current version of a record by id."""
        for state in self._database.users(tenant_id, user_id).values():
            for row in state.derived.values():
                if row.record.id == record_id and row.record.replaced_at is None:
                    return row.record
        return None

    async def due(
        self,
        scope: Scope | None,
        tenant_id: str,
        limit: int,
        after: DueSession | None = None,
        *,
        ended_before: datetime | None = None,
    ) -> list[DueSession]:
        """Sessions that ended and must be digested, by user and then by end."""
        last = None if after is None else _place(after)
        found = [
            due
            for due in self._all_due(scope, tenant_id)
            if (last is None or _place(due) > last) and _is_before(due, ended_before)
        ]
        return found[:limit]

    async def count_due(self, scope: Scope | None, tenant_id: str) -> int:
        """How many sessions must be digested."""
        return len(self._all_due(scope, tenant_id))

    def _all_due(self, scope: Scope | None, tenant_id: str) -> list[DueSession]:
        tenant, user = (scope.tenant_id, scope.user_id) if scope else (tenant_id, None)
        found = [
            DueSession(scope=whose, session=counted(state, row), touched=row.touched, bulk=row.bulk)
            for whose, state in self._database.users(tenant, user).items()
            for row in state.sessions.values()
            if row.info.ended_at is not None and row.episode_seq < row.touched
        ]
        return sorted(found, key=_place)

    async def pending(
        self, scope: Scope | None, tenant_id: str, limit: int
    ) -> list[DerivedPending]:
        """Current versions with a text and without a vector of the active generation."""
        tenant, user = (scope.tenant_id, scope.user_id) if scope else (tenant_id, None)
        found = [
            to_pending(whose, row)
            for whose, state in self._database.users(tenant, user).items()
            for row in state.derived.values()
            if row.needs_vector
        ]
        return found[:limit]

    async def save_vectors(self, scope: Scope, generation: Generation, vectors: Made) -> int | None:
        """Store vectors by record id; stale ones drop."""
        check_sizes(generation, [vector for _, vector in vectors.values()])
        if not self._database.is_active(generation):
            return None
        fitting = fitting_derived(self._database.user(scope), vectors)
        if fitting:
            with self._database.change(scope) as state:
                for seq, vector in fitting.items():
                    row = state.derived[seq]
                    made = {**row.vectors, generation.id: vector}
                    state.derived[seq] = replace(row, vectors=made, needs_vector=False)
                state.take()
        return len(fitting)

    async def vectors(
        self, scope: Scope, generation: Generation
    ) -> Mapping[tuple[str, datetime], bytes]:
        """The vectors of a user's records, by id and ``recorded_at``."""
        return {
            (row.record.id, row.record.recorded_at): row.vectors[generation.id]
            for row in self._database.user(scope).derived.values()
            if generation.id in row.vectors
        }


def derived_book(state: UserState) -> DerivedBook:
    """All versions of all records, in order of recording."""
    return DerivedBook(tuple(row.record for row in state.derived.values()))


def apply_derived(state: UserState, scope: Scope, plan: DerivedPlan, now: datetime) -> DerivedPlan:
    """Write a plan; gives it as it was written."""
    plan = replace(plan, put=tuple(checked(record, scope.user_id) for record in plan.put))
    sessions = {row.message.id: row.message.session_id for row in state.messages.values()}
    touched = {name: row.touched for name, row in state.sessions.items()}
    texts = {name: row.message.updated_at for name, row in state.messages.items()}
    plan = restrict(plan, sessions, touched, texts)
    _remove(state, plan)
    held = {n: r.record for n, r in state.derived.items() if r.record.replaced_at is None}
    past = {n: r.record for n, r in state.derived.items() if r.record.replaced_at is not None}
    changes = settle(plan, held, now, past)
    _amend(state, plan.amended)
    owed = {n: state.derived[n] for n in changes.closed}
    for seq, ended in changes.closed.items():
        row = state.derived[seq]
        closed = replace(row.record, replaced_at=ended)
        state.derived[seq] = replace(row, record=closed, needs_vector=False)
    for addition in changes.added:
        row = DerivedRow(record=addition.record, needs_vector=addition.record.indexed_text != "")
        if addition.takes is not None:
            old = owed[addition.takes]
            row = replace(row, vectors=old.vectors, needs_vector=old.needs_vector)
        state.derived[state.take()] = row
    for name, seen in plan.episodes.items():
        state.sessions[name] = replace(state.sessions[name], episode_seq=seen)
    return replace(plan, put=changes.stored)


def withdraw_derived(
    state: UserState, scope: Scope, message_ids: frozenset[str], now: datetime
) -> None:
    """Take back what was derived from messages, and note that their sessions changed."""
    rows = [row for name, row in state.messages.items() if name in message_ids]
    sessions = {row.message.session_id for row in rows}
    apply_derived(state, scope, withdraw(derived_book(state), message_ids, sessions), now)
    for name in sessions:
        row = state.sessions[name]
        state.sessions[name] = replace(row, touched=row.touched + 1)


def fitting_derived(state: UserState, vectors: Made) -> dict[int, bytes]:
    """The vectors that fit a current version, by its number."""
    return {
        seq: vectors[row.record.id][1]
        for seq, row in state.derived.items()
        if row.record.replaced_at is None
        and row.record.id in vectors
        and vectors[row.record.id][0] == row.record.recorded_at
    }


def to_pending(scope: Scope, row: DerivedRow) -> DerivedPending:
    """What is embedded of a version."""
    record = row.record
    return DerivedPending(
        scope=scope, id=record.id, recorded_at=record.recorded_at, text=record.indexed_text
    )


def _remove(state: UserState, plan: DerivedPlan) -> None:
    dropped = set(plan.dropped)
    for seq, row in list(state.derived.items()):
        record = row.record
        if record.id in plan.erase or (record.id, record.recorded_at) in dropped:
            del state.derived[seq]
            state.epoch += 1


def _amend(state: UserState, amended: tuple[Derived, ...]) -> None:
    wanted = {(record.id, record.recorded_at): record for record in amended}
    for seq, row in state.derived.items():
        old = row.record
        new = wanted.get((old.id, old.recorded_at))
        if new is not None:
            is_back = new.replaced_at is None and old.replaced_at is not None
            owed = new.indexed_text != "" if is_back else row.needs_vector
            state.derived[seq] = replace(row, record=new, needs_vector=owed)


def _place(due: DueSession) -> tuple[str, datetime, str]:
    if due.session.ended_at is None:
        raise AssertionError
    name = sha256(due.session.id.encode()).hexdigest()
    return due.scope.user_id, due.session.ended_at, name


def _is_before(due: DueSession, ended_before: datetime | None) -> bool:
    ended = due.session.ended_at
    return ended_before is None or (ended is not None and ended < ended_before)
