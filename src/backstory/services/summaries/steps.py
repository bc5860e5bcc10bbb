"""The steps of daily and weekly runs that make summaries and observations."""

from datetime import UTC, datetime, tzinfo

from backstory.core.model.derived import SummaryKind
from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.services.summaries.observing import Observing
from backstory.services.summaries.periods import PeriodSummaries


class SummarisePeriods:
    """Summarises the days or weeks that are over and have no summary of what was said in them.

    Args:
        store: Where they go.
        periods: Reads what was said.
        kind: ``DAY`` or ``WEEK``.
        zone: Where days begin and end.

    Attributes:
        name: What it does, for reports.
    """

    def __init__(
        self, store: Store, periods: PeriodSummaries, kind: SummaryKind, zone: tzinfo = UTC
    ) -> None:
        self._store = store
        self._periods = periods
        self._kind = kind
        self._zone = zone
        self.name = f"summaries of {kind}s"

    async def run(self, scope: Scope, now: datetime) -> int:
        """Summarise those of a user. Gives how many records were written or withdrawn."""
        count = 0
        for start in await self._periods.due(scope, self._kind, now, self._zone):
            plan = await self._periods.plan(scope, self._kind, start, now, self._zone)
            written = await self._store.derived.change(scope, plan, now)
            count += len(written.put) + len(written.withdraw)
        return count


class Observe:
    """Finds patterns over many conversations.

    Args:
        store: Where they go.
        observing: Reads what was said.
        zone: Where hours and days are read.
    """

    name = "observations"

    def __init__(self, store: Store, observing: Observing, zone: tzinfo = UTC) -> None:
        self._store = store
        self._observing = observing
        self._zone = zone

    async def run(self, scope: Scope, now: datetime) -> int:
        """Find those of a user. Gives how many records were written or withdrawn."""
        plan = await self._observing.plan(scope, now, self._zone)
        written = await self._store.derived.change(scope, plan, now)
        return len(written.put) + len(written.withdraw)
