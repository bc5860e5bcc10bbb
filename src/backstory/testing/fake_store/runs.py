"""Runs of consolidation, in memory."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from backstory.core.model.run import ConsolidationRun, RunCounts, RunState
from backstory.core.model.schedule import SCHEDULED, RunKind
from backstory.core.model.scope import Scope
from backstory.core.runs.deciding import begun, counted, finished, is_waiting
from backstory.ports.runs import IsOver, RunClaim
from backstory.testing.fake_store.state import MemoryDatabase, UserState

_Key = tuple[RunKind, str]


class MemoryRuns:
    """Implements ``RunStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    def _of(self, scope: Scope) -> dict[_Key, ConsolidationRun]:
        return self._database.user(scope).runs

    def _all(self, tenant_id: str) -> list[ConsolidationRun]:
        return [
            run for state in self._database.users(tenant_id).values() for run in state.runs.values()
        ]

    async def queue(self, tenant_id: str, kind: RunKind, period: str, due_at: datetime) -> int:
        """Queue a run for each user of a tenant that was there when it became due."""
        count = 0
        for scope, user in self._database.users(tenant_id).items():
            if _came_after(user, due_at) or (kind, period) in user.runs:
                continue
            with self._database.change(scope) as state:
                _drop_unbegun(state.runs, kind, period)
                state.runs[kind, period] = ConsolidationRun(
                    user_id=scope.user_id, kind=kind, period=period, queued_at=due_at
                )
            count += 1
        return count

    async def waiting(
        self, tenant_id: str, now: datetime, is_over: IsOver, limit: int
    ) -> list[ConsolidationRun]:
        """Runs to begin: queued, left behind, or due again after a failure; the oldest first."""
        found = [run for run in self._all(tenant_id) if is_waiting(run, now, is_over)]
        return sorted(found, key=lambda r: (r.queued_at, r.user_id, r.kind, r.period))[:limit]

    async def begin(
        self, claim: RunClaim, now: datetime, is_over: IsOver
    ) -> ConsolidationRun | None:
        """Begin a run, in one transaction that no other process can cross."""
        if not self._database.is_known(claim.scope):
            return None
        wanted = ConsolidationRun(
            user_id=claim.scope.user_id,
            kind=claim.kind,
            period=claim.period,
            queued_at=now,
            holder=claim.holder,
            lease_until=claim.lease_until,
        )
        name = (claim.kind, claim.period)
        runs = self._of(claim.scope)
        others = [run for known, run in runs.items() if known != name]
        flags = {"again": claim.again, "force": claim.force}
        made = begun(runs.get(name), others, wanted, now=now, is_over=is_over, **flags)
        if made is not None:
            self._put(claim.scope, made)
        return made

    async def extend(self, scope: Scope, run: ConsolidationRun, lease_until: datetime) -> bool:
        """Say that the holder is alive. False if the run was taken over, or the user is gone."""
        known = self._of(scope).get((run.kind, run.period))
        if known is None or known.holder != run.holder or known.state is not RunState.RUNNING:
            return False
        self._put(scope, replace(known, lease_until=lease_until))
        return True

    async def finish(
        self,
        scope: Scope,
        run: ConsolidationRun,
        now: datetime,
        problem: str | None,
        receipt: Mapping[str, Any],
    ) -> bool:
        """Note how a run ended. False if it was taken over, or the user is gone."""
        known = self._of(scope).get((run.kind, run.period))
        if known is None or known.holder != run.holder:
            return False
        self._put(scope, finished(run, now=now, problem=problem, receipt=receipt))
        if problem is None and run.kind in SCHEDULED:
            with self._database.change(scope) as state:
                _drop_unbegun(state.runs, run.kind, run.period)
        return True

    async def note_failure(
        self, scope: Scope, period: str, now: datetime, problem: str, receipt: Mapping[str, Any]
    ) -> bool:
        """Note that a part of a session failed, as an episodic run that is tried again later."""
        if not self._database.is_known(scope):
            return False
        fresh = ConsolidationRun(
            user_id=scope.user_id, kind=RunKind.EPISODIC, period=period, queued_at=now
        )
        known = self._of(scope).get((RunKind.EPISODIC, period), fresh)
        tried = replace(known, attempts=known.attempts + 1, holder=None)
        self._put(scope, finished(tried, now=now, problem=problem, receipt=receipt))
        return True

    async def has_worker(self) -> bool:
        """There is no queue in memory."""
        return False

    async def last(self, scope: Scope, kind: RunKind) -> ConsolidationRun | None:
        """The run of a kind that was done last."""
        done = [run for run in self._of(scope).values() if run.kind is kind and _is_done(run)]
        return max(done, key=_finished_at, default=None)

    async def counts(self, tenant_id: str) -> tuple[RunCounts, ...]:
        """How many there are in each state."""
        return counted(self._all(tenant_id))

    async def failures(self, tenant_id: str, limit: int) -> list[ConsolidationRun]:
        """Those that failed, the last first."""
        failed = [run for run in self._all(tenant_id) if run.state is RunState.FAILED]
        ordered = sorted(failed, key=lambda run: (run.user_id, run.period))
        return sorted(ordered, key=_finished_at, reverse=True)[:limit]

    async def prune(self, scope: Scope, before: datetime) -> int:
        """Drop the rows of runs that were done before a time; the last of each kind stays."""
        kept = {
            run.kind: run for run in sorted(self._of(scope).values(), key=_order) if _is_done(run)
        }
        gone = [
            name
            for name, run in self._of(scope).items()
            if _is_done(run) and _finished_at(run) < before and kept[run.kind] != run
        ]
        if gone:
            with self._database.change(scope) as state:
                for name in gone:
                    del state.runs[name]
        return len(gone)

    def _put(self, scope: Scope, run: ConsolidationRun) -> None:
        with self._database.change(scope) as state:
            state.runs[run.kind, run.period] = run


def _drop_unbegun(runs: dict[_Key, ConsolidationRun], kind: RunKind, period: str) -> None:
    """Drop what is queued or failed of other periods."""
    for name, run in list(runs.items()):
        is_open = run.state in (RunState.QUEUED, RunState.FAILED)
        if name[0] is kind and name[1] != period and is_open:
            del runs[name]


def _came_after(user: UserState, due_at: datetime) -> bool:
    times = [row.message.recorded_at for row in user.messages.values()]
    times += [row.fact.recorded_at for row in user.facts.values()]
    return min(times, default=due_at) > due_at


def _is_done(run: ConsolidationRun) -> bool:
    return run.state is RunState.DONE


def _finished_at(run: ConsolidationRun) -> datetime:
    return run.finished_at or run.queued_at


def _order(run: ConsolidationRun) -> tuple[datetime, str]:
    return _finished_at(run), run.period
