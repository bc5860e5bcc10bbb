"""The part of the store that says which runs of consolidation are due, going on, or done.

A run is a row of one user. It is begun under a lease: whoever holds it says now and then that it
is still at work, and a run whose holder has ended is begun by somebody else. What wakes a process
up is not kept here: losing it loses nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from backstory.core.model.run import ConsolidationRun, RunCounts
from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope

IsOver = Callable[[str], bool]


@dataclass(frozen=True, kw_only=True)
class RunClaim:
    """A run that somebody wants to begin.

    Attributes:
        holder: Names the piece of work.
        lease_until: Until when it counts as alive without another word of it.
        again: Whether one that is done is begun as well.
        force: Whether one that waits after a failure, or was given up, is begun as well.
    """

    scope: Scope
    kind: RunKind
    period: str
    holder: str
    lease_until: datetime
    again: bool = False
    force: bool = False


class RunStore(Protocol):
    """Runs of consolidation."""

    async def queue(self, tenant_id: str, kind: RunKind, period: str, due_at: datetime) -> int:
        """Queue a run for each user of a tenant that was there when it became due.

        A user that has a run of this period, in whatever state, gets no other; what is still
        queued of earlier periods goes: the new run does its work.

        Returns:
            How many were queued.
        """
        ...

    async def waiting(
        self, tenant_id: str, now: datetime, is_over: IsOver, limit: int
    ) -> list[ConsolidationRun]:
        """Runs to begin: queued, left behind, or due again after a failure; the oldest first."""
        ...

    async def begin(
        self, claim: RunClaim, now: datetime, is_over: IsOver
    ) -> ConsolidationRun | None:
        """Begin a run, in one transaction that no other process can cross.

        Returns:
            None if it is done, somebody is at it or at another one of the user, it waits after a
            failure, or the user is not there (any more).
        """
        ...

    async def extend(self, scope: Scope, run: ConsolidationRun, lease_until: datetime) -> bool:
        """Say that the holder is alive. False if the run was taken over, or the user is gone."""
        ...

    async def finish(
        self,
        scope: Scope,
        run: ConsolidationRun,
        now: datetime,
        problem: str | None,
        receipt: Mapping[str, Any],
    ) -> bool:
        """Note how a run ended. False if it was taken over, or the user is gone.

        A daily or weekly run that is done does the work of earlier ones that failed: they go.
        """
        ...

    async def note_failure(
        self, scope: Scope, period: str, now: datetime, problem: str, receipt: Mapping[str, Any]
    ) -> bool:
        """Note that a part of a session failed, as an episodic run that is tried again later.

        Returns:
            False if the user is not there (any more).
        """
        ...

    async def has_worker(self) -> bool:
        """Whether a worker that is fed by a queue is at work for this store."""
        ...

    async def last(self, scope: Scope, kind: RunKind) -> ConsolidationRun | None:
        """The run of a kind that was done last."""
        ...

    async def counts(self, tenant_id: str) -> tuple[RunCounts, ...]:
        """How many there are in each state."""
        ...

    async def failures(self, tenant_id: str, limit: int) -> list[ConsolidationRun]:
        """Those that failed, the last first."""
        ...

    async def prune(self, scope: Scope, before: datetime) -> int:
        """Drop the rows of runs that were done before a time; the last of each kind stays."""
        ...
