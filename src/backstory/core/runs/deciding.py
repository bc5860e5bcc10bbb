"""Who may begin a run, and when a failed one is tried again: pure decisions on its row."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from backstory.core.model.run import ConsolidationRun, RunCounts, RunState
from backstory.core.model.schedule import RunKind

MOST_ATTEMPTS: Final = 5
# A process that is killed says nothing about the run; one that ends so many may be what kills.
MOST_LEFT_BEHIND: Final = 25
_FIRST_WAIT: Final = timedelta(minutes=1)
_GROWTH: Final = 4


def retry_at(run: ConsolidationRun, now: datetime) -> datetime | None:
    """When a run that fails now is tried again: 1, 4, 16, 64 minutes later. None = never."""
    if run.attempts >= MOST_ATTEMPTS:
        return None
    wait: timedelta = _FIRST_WAIT * _GROWTH ** (max(run.attempts, 1) - 1)
    return now + wait


def is_held(run: ConsolidationRun, now: datetime, is_over: Callable[[str], bool]) -> bool:
    """Whether a living piece of work is at it, as far as anyone can know."""
    if run.state is not RunState.RUNNING or run.holder is None or run.lease_until is None:
        return False
    return run.lease_until > now and not is_over(run.holder)


def is_waiting(run: ConsolidationRun, now: datetime, is_over: Callable[[str], bool]) -> bool:
    """Whether a run is to be begun by itself: due, left behind, or due again after a failure."""
    if run.state is RunState.QUEUED:
        return True
    if run.state is RunState.RUNNING:
        return run.attempts < MOST_LEFT_BEHIND and not is_held(run, now, is_over)
    if run.state is RunState.FAILED:
        return run.lease_until is not None and run.lease_until <= now
    return False


def begun(
    known: ConsolidationRun | None,
    others: Iterable[ConsolidationRun],
    wanted: ConsolidationRun,
    *,
    now: datetime,
    is_over: Callable[[str], bool],
    again: bool,
    force: bool,
) -> ConsolidationRun | None:
    """The row of a run as it is begun, or None if it must not be.

    Args:
        known: The row that is there.
        others: The user's other runs: one at a time is at work for a user.
        wanted: Kind, period, holder and lease.
        now: The time.
        is_over: Whether a holder has certainly ended.
        again: Whether one that is done is begun as well.
        force: Whether one that waits after a failure, or was given up, is begun as well.
    """
    if any(is_held(other, now, is_over) for other in others):
        return None
    if known is None:
        return replace(wanted, state=RunState.RUNNING, attempts=1, queued_at=now, started_at=now)
    done = known.state is RunState.DONE
    if is_held(known, now, is_over):
        return None
    if not (again if done else force or is_waiting(known, now, is_over)):
        return None
    fresh = done or force
    return replace(
        known,
        state=RunState.RUNNING,
        attempts=1 if fresh else known.attempts + 1,
        queued_at=now if done else known.queued_at,
        started_at=now,
        finished_at=None,
        holder=wanted.holder,
        lease_until=wanted.lease_until,
    )


def finished(
    run: ConsolidationRun, *, now: datetime, problem: str | None, receipt: Mapping[str, object]
) -> ConsolidationRun:
    """The row of a run that ended, well or with a problem."""
    if problem is None:
        state, again = RunState.DONE, None
    else:
        state, again = RunState.FAILED, retry_at(run, now)
    return replace(
        run,
        state=state,
        finished_at=now,
        lease_until=again,
        problem=problem,
        receipt=dict(receipt),
    )


def counted(runs: Iterable[ConsolidationRun]) -> tuple[RunCounts, ...]:
    """How many runs of each kind are in which state."""
    found = {kind: RunCounts(kind=kind) for kind in RunKind}
    for run in runs:
        known = found[run.kind]
        field = _field_of(run)
        waits = field in {"queued", "retrying"}
        oldest = [at for at in (known.oldest_at, run.queued_at if waits else None) if at]
        found[run.kind] = replace(
            known, **{field: getattr(known, field) + 1}, oldest_at=min(oldest, default=None)
        )
    return tuple(found.values())


def _field_of(run: ConsolidationRun) -> str:
    if run.state is RunState.FAILED:
        return "given_up" if run.lease_until is None else "retrying"
    if run.state is RunState.RUNNING and run.attempts >= MOST_LEFT_BEHIND:
        return "given_up"
    return str(run.state)
