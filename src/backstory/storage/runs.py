"""``RunStore`` on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    Connection,
    Delete,
    Integer,
    Table,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)

from backstory.core.model.run import ConsolidationRun, RunCounts, RunState
from backstory.core.model.schedule import SCHEDULED, RunKind
from backstory.core.model.scope import Scope
from backstory.core.runs.deciding import begun, counted, finished, is_waiting
from backstory.ports.runs import IsOver, RunClaim
from backstory.storage.building import Instant
from backstory.storage.derived_tables import WAITING
from backstory.storage.engines.base import Units
from backstory.storage.rows import AnyRow, UserRows, key
from backstory.storage.statements import InsertMissing, owned, owner
from backstory.storage.tables import Tables

if TYPE_CHECKING:
    from backstory.storage.queue import SqlQueue

_PAGE: Final = 200
_STATE: Final = ("state", "attempts", "queued_at", "started_at", "finished_at")
_REST: Final = ("holder", "lease_until", "problem", "receipt")


class SqlRuns:
    """Implements ``RunStore``.

    Args:
        units: The engine.
        tables: The store's tables.
        queue: Gets a call for each run that became due, if there is a queue.
    """

    def __init__(self, units: Units, tables: Tables, queue: SqlQueue | None = None) -> None:
        self._units = units
        self._queue_of = queue
        self._users = UserRows(tables)
        self._t = tables
        runs = tables.consolidation_runs
        mine = owned(runs)
        this = (runs.c.kind == bindparam("of_kind")) & (runs.c.period == bindparam("of_period"))
        of_tenant = runs.c.tenant_id == bindparam("tenant")
        self._one = select(runs).where(mine, this)
        # a run of another period or kind matters only while somebody is at it
        self._held = select(runs).where(mine, runs.c.state == str(RunState.RUNNING), text(WAITING))
        self._waiting = (
            select(runs)
            .where(of_tenant, text(WAITING))
            .order_by(runs.c.queued_at, runs.c.user_id, runs.c.kind, runs.c.period)
            .limit(bindparam("most", type_=Integer))
            .offset(bindparam("skip", type_=Integer))
        )
        fields = {name: bindparam(f"new_{name}", type_=runs.c[name].type) for name in _fields()}
        self._update = update(runs).where(mine, this).values(fields)
        self._update_held = self._update.where(runs.c.holder == bindparam("held_by"))
        self._insert = insert(runs)
        not_begun = runs.c.state.in_([str(RunState.QUEUED), str(RunState.FAILED)])
        self._outdated = delete(runs).where(
            mine,
            runs.c.kind == bindparam("of_kind"),
            runs.c.period != bindparam("of_period"),
            not_begun & text(WAITING),
        )
        self._extend = (
            update(runs)
            .where(mine, this, runs.c.holder == bindparam("held_by"))
            .where(runs.c.state == str(RunState.RUNNING), text(WAITING))
            .values(lease_until=bindparam("until", type_=Instant))
        )
        self._last = (
            select(runs)
            .where(mine, runs.c.kind == bindparam("of_kind"), runs.c.state == str(RunState.DONE))
            .order_by(runs.c.finished_at.desc())
            .limit(1)
        )
        self._failures = (
            select(runs)
            .where(of_tenant, runs.c.state == str(RunState.FAILED), text(WAITING))
            .order_by(runs.c.finished_at.desc(), runs.c.user_id, runs.c.period)
            .limit(bindparam("most", type_=Integer))
        )
        self._done = (
            select(runs.c.kind, func.count().label("done"))
            .where(of_tenant, runs.c.state == str(RunState.DONE))
            .group_by(runs.c.kind)
        )
        self._all_waiting = select(runs).where(of_tenant, text(WAITING))
        self._prune = _pruning(runs)
        self._forget_older, self._queue, self._owed = self._queueing()

    def _queueing(self) -> tuple[Any, Any, Any]:
        """The statements that queue a run for each user that needs one."""
        users, runs = self._t.users, self._t.consolidation_runs
        kind: Any = bindparam("of_kind")
        period: Any = bindparam("of_period")
        older = delete(runs).where(
            runs.c.tenant_id == bindparam("tenant"),
            runs.c.kind == kind,
            runs.c.period != period,
            runs.c.state.in_([str(RunState.QUEUED), str(RunState.FAILED)]),
            text(WAITING),
        )
        has_run = exists().where(
            runs.c.tenant_id == users.c.tenant_id,
            runs.c.user_id == users.c.user_id,
            runs.c.kind == kind,
            runs.c.period == period,
        )
        owed = (
            users.c.tenant_id == bindparam("tenant"),
            users.c.created_at < bindparam("due_at", type_=Instant),
            ~has_run,
        )
        source = select(
            users.c.tenant_id,
            users.c.user_id,
            kind,
            period,
            literal(str(RunState.QUEUED)),
            literal(0, type_=Integer),
            bindparam("due_at", type_=Instant),
        ).where(*owed)
        names = ["tenant_id", "user_id", "kind", "period", "state", "attempts", "queued_at"]
        queue = InsertMissing(runs).from_select(names, source).returning(runs.c.user_id)
        return older, queue, select(users.c.user_id).where(*owed)

    async def queue(self, tenant_id: str, kind: RunKind, period: str, due_at: datetime) -> int:
        """Queue a run for each user of a tenant that was there when it became due."""
        given = {
            "tenant": tenant_id,
            "of_kind": str(kind),
            "of_period": period,
            "due_at": due_at,
        }

        def write(connection: Connection) -> int:
            connection.execute(self._forget_older, given)
            users = connection.scalars(self._queue, given).all()
            if self._queue_of is not None:
                calls = [(Scope(tenant_id, user), kind, period) for user in users]
                self._queue_of.put(connection, calls)
            return len(users)

        # Looking first spares the file a write lock every time there is nothing to do.
        owed = await self._units.peek(lambda c: c.execute(self._owed.limit(1), given).first())
        return 0 if owed is None else await self._units.write(write)

    async def waiting(
        self, tenant_id: str, now: datetime, is_over: IsOver, limit: int
    ) -> list[ConsolidationRun]:
        """Runs to begin: queued, left behind, or due again after a failure; the oldest first."""
        found: list[ConsolidationRun] = []
        for skip in range(0, 10**9, _PAGE):
            rows = await self._units.peek(partial(self._page, skip=skip, tenant_id=tenant_id))
            found += (run for run in map(to_run, rows) if is_waiting(run, now, is_over))
            if len(rows) < _PAGE or len(found) >= limit:
                break
        return found[:limit]

    def _page(self, connection: Connection, skip: int, tenant_id: str) -> Sequence[AnyRow]:
        given = {"tenant": tenant_id, "most": _PAGE, "skip": skip}
        return connection.execute(self._waiting, given).all()

    async def begin(
        self, claim: RunClaim, now: datetime, is_over: IsOver
    ) -> ConsolidationRun | None:
        """Begin a run, in one transaction that no other process can cross."""
        scope = claim.scope
        wanted = ConsolidationRun(
            user_id=scope.user_id,
            kind=claim.kind,
            period=claim.period,
            queued_at=now,
            holder=claim.holder,
            lease_until=claim.lease_until,
        )
        this = {**owner(scope), "of_kind": str(claim.kind), "of_period": claim.period}

        def write(connection: Connection) -> ConsolidationRun | None:
            if not self._users.lock(connection, scope):
                return None  # forgotten: nothing of this user is made again
            row = connection.execute(self._one, this).first()
            held = [to_run(other) for other in connection.execute(self._held, owner(scope))]
            others = [run for run in held if (run.kind, run.period) != (wanted.kind, wanted.period)]
            known = None if row is None else to_run(row)
            flags = {"again": claim.again, "force": claim.force}
            made = begun(known, others, wanted, now=now, is_over=is_over, **flags)
            if made is None:
                return None
            if known is None:
                connection.execute(self._insert, {**key(scope), **run_values(made)})
            else:
                connection.execute(self._update, {**this, **_changes(made)})
            return made

        return await self._units.write(write)

    async def extend(self, scope: Scope, run: ConsolidationRun, lease_until: datetime) -> bool:
        """Say that the holder is alive. False if the run was taken over, or the user is gone."""
        given = {**_this(scope, run), "held_by": run.holder, "until": lease_until}
        return await self._units.write(lambda c: c.execute(self._extend, given).rowcount > 0)

    async def finish(
        self,
        scope: Scope,
        run: ConsolidationRun,
        now: datetime,
        problem: str | None,
        receipt: Mapping[str, Any],
    ) -> bool:
        """Note how a run ended. False if it was taken over, or the user is gone."""
        ended = finished(run, now=now, problem=problem, receipt=receipt)
        given = {**_this(scope, run), **_changes(ended), "held_by": run.holder}

        def write(connection: Connection) -> bool:
            if not connection.execute(self._update_held, given).rowcount:
                return False
            if problem is None and run.kind in SCHEDULED:
                connection.execute(self._outdated, _this(scope, run))
            return True

        return await self._units.write(write)

    async def note_failure(
        self, scope: Scope, period: str, now: datetime, problem: str, receipt: Mapping[str, Any]
    ) -> bool:
        """Note that a part of a session failed, as an episodic run that is tried again later."""
        this = {**owner(scope), "of_kind": str(RunKind.EPISODIC), "of_period": period}

        def write(connection: Connection) -> bool:
            if not self._users.lock(connection, scope):
                return False
            row = connection.execute(self._one, this).first()
            fresh = ConsolidationRun(
                user_id=scope.user_id, kind=RunKind.EPISODIC, period=period, queued_at=now
            )
            known = fresh if row is None else to_run(row)
            tried = replace(known, attempts=known.attempts + 1, holder=None)
            noted = finished(tried, now=now, problem=problem, receipt=receipt)
            if row is None:
                connection.execute(self._insert, {**key(scope), **run_values(noted)})
            else:
                connection.execute(self._update, {**this, **_changes(noted)})
            return True

        return await self._units.write(write)

    async def has_worker(self) -> bool:
        """Whether a worker that is fed by a queue is at work for this store."""
        return self._queue_of is not None and await self._queue_of.has_worker()

    async def last(self, scope: Scope, kind: RunKind) -> ConsolidationRun | None:
        """The run of a kind that was done last."""
        given = {**owner(scope), "of_kind": str(kind)}
        row = await self._units.peek(lambda c: c.execute(self._last, given).first())
        return None if row is None else to_run(row)

    async def counts(self, tenant_id: str) -> tuple[RunCounts, ...]:
        """How many there are in each state."""
        given = {"tenant": tenant_id}

        def read(connection: Connection) -> tuple[RunCounts, ...]:
            open_runs = counted(map(to_run, connection.execute(self._all_waiting, given)))
            done = {row.kind: row.done for row in connection.execute(self._done, given)}
            return tuple(replace(one, done=done.get(str(one.kind), 0)) for one in open_runs)

        return await self._units.read(read)

    async def failures(self, tenant_id: str, limit: int) -> list[ConsolidationRun]:
        """Those that failed, the last first."""
        given = {"tenant": tenant_id, "most": limit}
        rows = await self._units.peek(lambda c: c.execute(self._failures, given).all())
        return [to_run(row) for row in rows]

    async def prune(self, scope: Scope, before: datetime) -> int:
        """Drop the rows of runs that were done before a time; the last of each kind stays."""
        given = {**owner(scope), "before": before}
        return await self._units.write(lambda c: c.execute(self._prune, given).rowcount)


def _pruning(runs: Table) -> Delete:
    """Drops runs that were done before a time, but the last of each kind."""
    later = runs.alias("later")
    newer = exists().where(
        later.c.tenant_id == runs.c.tenant_id,
        later.c.user_id == runs.c.user_id,
        later.c.kind == runs.c.kind,
        later.c.state == str(RunState.DONE),
        or_(
            later.c.finished_at > runs.c.finished_at,
            (later.c.finished_at == runs.c.finished_at) & (later.c.period > runs.c.period),
        ),
    )
    return delete(runs).where(
        owned(runs),
        runs.c.state == str(RunState.DONE),
        runs.c.finished_at < bindparam("before", type_=Instant),
        newer,
    )


def _fields() -> tuple[str, ...]:
    return (*_STATE, *_REST)


def _this(scope: Scope, run: ConsolidationRun) -> dict[str, Any]:
    return {**owner(scope), "of_kind": str(run.kind), "of_period": run.period}


def run_values(run: ConsolidationRun) -> dict[str, Any]:
    """The row of a run, without the user."""
    values = {name: getattr(run, name) for name in _fields()}
    values |= {"state": str(run.state), "receipt": dict(run.receipt)}
    return {"kind": str(run.kind), "period": run.period, **values}


def _changes(run: ConsolidationRun) -> dict[str, Any]:
    values = run_values(run)
    return {f"new_{name}": values[name] for name in _fields()}


def to_run(row: AnyRow) -> ConsolidationRun:
    """The run of a row."""
    return ConsolidationRun(
        user_id=row.user_id,
        kind=RunKind(row.kind),
        period=row.period,
        state=RunState(row.state),
        attempts=row.attempts,
        queued_at=row.queued_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        holder=row.holder,
        lease_until=row.lease_until,
        problem=row.problem,
        receipt=row.receipt or {},
    )
