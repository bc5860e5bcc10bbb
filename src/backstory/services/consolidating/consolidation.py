"""Runs of consolidation: asked for by a caller, or due by themselves."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from datetime import datetime
from typing import Final

from backstory.core.model.run import (
    ConsolidationReport,
    ConsolidationRun,
    ConsolidationStatus,
    UserReport,
)
from backstory.core.model.schedule import SESSIONS_PERIOD, RunKind, period_of
from backstory.core.model.scope import Scope
from backstory.errors import BackstoryError
from backstory.ports.clock import Clock
from backstory.ports.store import Store
from backstory.services.consolidating.episodes import Digested, Episodes
from backstory.services.consolidating.holding import Holds, said_of
from backstory.services.consolidating.scheduling import Scheduling
from backstory.services.consolidating.steps import Step

# A step that takes longer is left out, and tried again later.
STEP_S: Final = 300.0
_AT_ONCE: Final = 50
_USERS: Final = 200
_SHOWN: Final = 20
BUSY: Final = "another process is at it, or there is no such user"


def _always() -> bool:
    return True


class Consolidation:
    """Consolidates: sessions when they end, days and weeks as the schedule says.

    Args:
        store: Where everything is.
        episodes: Digests sessions.
        steps: Gives the steps of daily and of weekly runs; asked for when there is a run.
        scheduling: Says what is due; None = nothing runs by itself.
        holds: Holds runs.
        clock: The time.
        tenant_id: Whose data it works on.
    """

    def __init__(
        self,
        store: Store,
        episodes: Episodes,
        steps: Callable[[RunKind], Sequence[Step]],
        scheduling: Scheduling | None,
        holds: Holds,
        clock: Clock,
        tenant_id: str,
    ) -> None:
        self._store = store
        self._episodes = episodes
        self._steps = steps
        self._scheduling = scheduling
        self._holds = holds
        self._clock = clock
        self._tenant_id = tenant_id

    async def run(self, kind: RunKind, scope: Scope | None) -> ConsolidationReport:
        """Do a run now, for one user or for all, whether it is due or not."""
        if kind is RunKind.EPISODIC:
            return await self.digest(scope, force=True)
        reports = []
        async for one in self._scopes(scope):
            period = self._period(kind)
            report, _ = await self._run_user(one, kind, period, again=True, force=True)
            reports.append(report or UserReport(user_id=one.user_id, skipped=BUSY))
        return ConsolidationReport(kind=kind, users=tuple(reports))

    async def digest(
        self,
        scope: Scope | None,
        *,
        found: dict[str, Digested] | None = None,
        force: bool = False,
        go_on: Callable[[], bool] = _always,
    ) -> ConsolidationReport:
        """Digest the sessions that are due.

        Args:
            scope: Whose; None = everybody's.
            found: What was done is added to it, also when the call is cancelled.
            force: Whether to try again at once what failed.
            go_on: Asked between two users.
        """
        done = {} if found is None else found
        begun = self._clock.now()
        await self._episodes.digest(scope, done, force=force, go_on=go_on)
        if force:
            await self._retry_failed(scope, done, begun)
        return ConsolidationReport(kind=RunKind.EPISODIC, users=tuple(_reported(done)))

    async def queue_due(self) -> int:
        """Queue the daily and weekly runs that became due."""
        if self._scheduling is None:
            return 0
        return await self._scheduling.queue_due(self._clock.now())

    async def run_waiting(self, go_on: Callable[[], bool] = _always) -> int:
        """Do the runs that wait, one after the other. Gives how many were begun.

        Args:
            go_on: Asked between two runs.
        """
        count = 0
        tried: set[tuple[str, RunKind, str]] = set()
        while True:
            some = await self._store.runs.waiting(
                self._tenant_id, self._clock.now(), self._holds.is_over, _AT_ONCE
            )
            fresh = [run for run in some if _name(run) not in tried]
            if not fresh:
                return count
            for run in fresh:
                if not go_on():
                    return count
                tried.add(_name(run))
                count += await self.do(run)

    async def do(self, run: ConsolidationRun) -> bool:
        """Do one run that waits. False if somebody else is at it, or did it."""
        scope = Scope(self._tenant_id, run.user_id)
        if run.kind is RunKind.EPISODIC:
            done = Digested()
            await self._retry(scope, run, done, force=False)
            return not done.is_refused
        report, _ = await self._run_user(scope, run.kind, run.period)
        return report is not None

    async def answer(self, scope: Scope, kind: RunKind, period: str) -> datetime | None:
        """Answer a call for a run. Gives when it is to be tried again, if it failed.

        What is done already, or what somebody else is at, is left to them.
        """
        if scope.tenant_id != self._tenant_id:
            return None
        if kind is RunKind.EPISODIC:
            await self.digest(scope)
            return None
        _, again = await self._run_user(scope, kind, period)
        return again

    async def status(self, *, due: int | None = None) -> ConsolidationStatus:
        """What waits, since when, and what failed."""
        now = self._clock.now()
        counts = await self._store.runs.counts(self._tenant_id)
        oldest = min((one.oldest_at for one in counts if one.oldest_at), default=None)
        if due is None:
            due = await self._store.derived.count_due(None, self._tenant_id)
        return ConsolidationStatus(
            counts=counts,
            sessions_due=due,
            failures=tuple(await self._store.runs.failures(self._tenant_id, _SHOWN)),
            next_runs={} if self._scheduling is None else self._scheduling.next_runs(now),
            oldest_age_s=None if oldest is None else max((now - oldest).total_seconds(), 0.0),
        )

    def _period(self, kind: RunKind) -> str:
        """The run of the schedule that a call anticipates; without one, one of its own."""
        now = self._clock.now()
        fire = None if self._scheduling is None else self._scheduling.fire(kind, now)
        return period_of(fire or now)

    async def _scopes(self, scope: Scope | None) -> AsyncIterator[Scope]:
        """One user, or all of the tenant, a page at a time."""
        if scope is not None:
            yield scope
            return
        last = ""
        while some := await self._store.sessions.users(self._tenant_id, _USERS, last):
            for user in some:
                yield Scope(self._tenant_id, user.user_id)
            last = some[-1].user_id

    async def _run_user(
        self,
        scope: Scope,
        kind: RunKind,
        period: str,
        *,
        again: bool = False,
        force: bool = False,
    ) -> tuple[UserReport | None, datetime | None]:
        """Do a run for one user; None if it must not be begun now. Then when it is tried again."""
        async with self._holds.hold(scope, kind, period, again=again, force=force) as held:
            if held is None:
                return None, None
            done: dict[str, int] = {}
            failed: dict[str, str] = {}
            for step in self._steps(kind):
                if held.is_lost:
                    break
                await self._do_step(step, scope, done, failed)
            held.receipt = dict(done)
            held.problem = "; ".join(f"{name}: {why}" for name, why in failed.items()) or None
        return UserReport(user_id=scope.user_id, done=done, failed=failed), held.again

    async def _do_step(
        self, step: Step, scope: Scope, done: dict[str, int], failed: dict[str, str]
    ) -> None:
        try:
            async with asyncio.timeout(STEP_S):
                done[step.name] = await step.run(scope, self._clock.now())
        except Exception as error:  # noqa: BLE001 - one step must not cost the others
            failed[step.name] = said_of(error)

    async def _retry_failed(
        self, scope: Scope | None, done: dict[str, Digested], before: datetime
    ) -> None:
        """Try again what failed of sessions before a time: not what failed just now."""
        for run in await self._store.runs.failures(self._tenant_id, _USERS):
            whose = Scope(self._tenant_id, run.user_id)
            is_part = run.kind is RunKind.EPISODIC and run.period != SESSIONS_PERIOD
            is_older = run.finished_at is None or run.finished_at < before
            if is_part and is_older and scope in (None, whose):
                await self._retry(whose, run, done.setdefault(run.user_id, Digested()), force=True)

    async def _retry(
        self, scope: Scope, run: ConsolidationRun, done: Digested, *, force: bool
    ) -> None:
        try:
            await self._episodes.retry(scope, run, done, force=force)
        except BackstoryError as error:
            # it is noted, and tried again later
            done.failed["sessions"] = str(error)


def _name(run: ConsolidationRun) -> tuple[str, RunKind, str]:
    return run.user_id, run.kind, run.period


def _reported(done: dict[str, Digested]) -> Iterable[UserReport]:
    for user_id, one in sorted(done.items()):
        counts = {"sessions": one.sessions, "records": one.records}
        yield UserReport(
            user_id=user_id,
            done=counts,
            failed=dict(one.failed),
            skipped=BUSY if one.is_refused and not one.sessions else None,
        )
