"""When daily and weekly runs are due. The store says which were done; nothing is counted here."""

from datetime import datetime

from backstory.core.model.schedule import SCHEDULED, RunKind, Schedule, period_of
from backstory.language.cron import last_fire, next_fire, zone_of
from backstory.ports.store import Store


class Scheduling:
    """Queues the runs that became due, once however many processes do.

    Runs that were missed while no process was up are caught up by one run, of the last time.

    Args:
        store: Where runs are.
        schedule: The times.
        tenant_id: Whose runs.
    """

    def __init__(self, store: Store, schedule: Schedule, tenant_id: str) -> None:
        self._store = store
        self._schedule = schedule
        self._tenant_id = tenant_id
        self._zone = zone_of(schedule.zone)
        self._queued: dict[RunKind, str] = {}

    async def queue_due(self, now: datetime) -> int:
        """Queue what became due since the last look. Gives how many runs were queued."""
        count = 0
        for kind in SCHEDULED:
            fire = self.fire(kind, now)
            if fire is None or self._queued.get(kind) == period_of(fire):
                continue
            period = period_of(fire)
            count += await self._store.runs.queue(self._tenant_id, kind, period, fire)
            self._queued[kind] = period
        return count

    def fire(self, kind: RunKind, now: datetime) -> datetime | None:
        """The last time that a kind of run became due."""
        return last_fire(self._schedule.cron_of(kind), self._zone, now)

    def next_runs(self, now: datetime) -> dict[str, datetime]:
        """When each kind becomes due next."""
        coming = {k: next_fire(self._schedule.cron_of(k), self._zone, now) for k in SCHEDULED}
        return {str(kind): at for kind, at in coming.items() if at is not None}
