"""Runs of consolidation: what was done for which user, what is going on, and what failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from backstory.core.model.record import Record
from backstory.core.model.schedule import RunKind


class RunState(StrEnum):
    """QUEUED: due. RUNNING: somebody is at it. DONE. FAILED: it is tried again later, or not."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class ConsolidationRun(Record):
    """The run of one kind for one user and period.

    Attributes:
        period: Of a daily or weekly run: the time in UTC since when it is due; of an episodic one
            "sessions", or the name of a session of which a part failed.
        attempts: How often it was begun.
        queued_at, started_at, finished_at: When; None = not yet.
        holder: Which piece of work is at it, or was last.
        lease_until: Of a running one: until when the holder counts as alive without another word
            of it. Of a failed one: when it is tried again.
        problem: Why it failed, or what of it did, in words.
        receipt: What was done, by step.
    """

    user_id: str
    kind: RunKind
    period: str
    state: RunState = RunState.QUEUED
    attempts: int = 0
    queued_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    holder: str | None = None
    lease_until: datetime | None = None
    problem: str | None = None
    receipt: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RunCounts(Record):
    """How many runs of one kind are in each state, and since when the oldest of them waits.

    Attributes:
        retrying: Failed, and tried again by themselves.
        given_up: Failed too often: only a call of ``consolidate`` tries them again.
        oldest_at: Since when the oldest that is queued or tried again waits.
    """

    kind: RunKind
    queued: int = 0
    running: int = 0
    done: int = 0
    retrying: int = 0
    given_up: int = 0
    oldest_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ConsolidationStatus(Record):
    """What waits, since when, and what failed.

    Attributes:
        counts: By kind.
        sessions_due: Sessions that ended and are not digested.
        failures: The runs that failed, the last first, at most twenty.
        next_runs: When the next run of each kind begins by itself; empty = none does.
        oldest_age_s: The age of what waits longest, in seconds; None = nothing waits.
    """

    counts: tuple[RunCounts, ...]
    sessions_due: int
    failures: tuple[ConsolidationRun, ...]
    next_runs: Mapping[str, datetime] = field(default_factory=dict)
    oldest_age_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class UserReport(Record):
    """What a run did for one user.

    Attributes:
        done: For each step what it did, in numbers.
        failed: For each step that failed: why.
        skipped: Why nothing was tried, or None.
    """

    user_id: str
    done: Mapping[str, int] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    skipped: str | None = None


@dataclass(frozen=True, kw_only=True)
class ConsolidationReport(Record):
    """What ``consolidate`` did.

    Attributes:
        kind: "episodic", "daily" or "weekly".
        users: One report for each user that had anything to do, by id.
    """

    kind: RunKind
    users: tuple[UserReport, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing failed and nobody was left out."""
        return all(not user.failed and user.skipped is None for user in self.users)
