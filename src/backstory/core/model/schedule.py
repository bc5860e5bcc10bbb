"""When a memory is consolidated."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from backstory.core.model.record import Record


class RunKind(StrEnum):
    """EPISODIC: at the end of each session. DAILY and WEEKLY: at the times of the schedule."""

    EPISODIC = "episodic"
    DAILY = "daily"
    WEEKLY = "weekly"


SCHEDULED = (RunKind.DAILY, RunKind.WEEKLY)


@dataclass(frozen=True, kw_only=True)
class Schedule(Record):
    """The times of the runs.

    Attributes:
        daily: Cron expression of five fields.
        weekly: Likewise.
        zone: The name of the time zone that both are read in.
    """

    daily: str = "0 2 * * *"
    weekly: str = "0 3 * * 0"
    zone: str = "UTC"

    def cron_of(self, kind: RunKind) -> str:
        """The expression of a kind of run."""
        return self.daily if kind is RunKind.DAILY else self.weekly


def period_of(fire: datetime) -> str:
    """The name of the run that is due since a time: that time in UTC, to the minute.

    It is the same in all processes, and no two are alike when a clock is set back.

    Args:
        fire: Aware, in UTC.
    """
    return f"{fire:%Y-%m-%dT%H:%M}Z"


SESSIONS_PERIOD = "sessions"
"""The period of the run that digests the sessions of a user that ended."""
