"""The services of consolidation: what digests sessions, and what runs every day and every week."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from backstory.bootstrap.documents import DocumentServices
from backstory.core.model.derived.summary import SummaryKind
from backstory.core.model.schedule import RunKind
from backstory.errors import StoreError

if TYPE_CHECKING:
    from datetime import tzinfo

    from backstory.jobs.background import Background
    from backstory.jobs.queue_worker import QueueWorker
    from backstory.jobs.worker import Worker
    from backstory.ports.judge import Judge
    from backstory.services.consolidating.consolidation import Consolidation
    from backstory.services.consolidating.digest import Digester
    from backstory.services.consolidating.episodes import Episodes
    from backstory.services.consolidating.holding import Holds
    from backstory.services.consolidating.scheduling import Scheduling
    from backstory.services.consolidating.steps import Step


class ConsolidationServices(DocumentServices):
    """What consolidates. A part is loaded when there is something for it to do."""

    @cached_property
    def digesters(self) -> "tuple[Digester, ...]":
        """What makes records of a session that ended, in this order. Each part adds its own."""
        parts = self._settings.parts
        found: list[Digester] = []
        if "summaries" in parts:
            from backstory.services.summaries.digesting import SessionSummaries

            found.append(SessionSummaries())
        if "timeline" in parts:
            from backstory.reading.timeline import find_events
            from backstory.services.timeline.digesting import TimelineDigester

            found.append(TimelineDigester(find_events))
        if "quality" in parts:
            from backstory.services.quality.digesting import QualityDigester

            found.append(QualityDigester(self.store))
        if "textures" in parts:
            found.append(self.textures)
        return tuple(found)

    def steps(self, kind: RunKind) -> "tuple[Step, ...]":
        """What a daily or a weekly run does, in this order. Each part adds its own."""
        return self._daily if kind is RunKind.DAILY else self._weekly

    @cached_property
    def _daily(self) -> "tuple[Step, ...]":
        from backstory.services.consolidating.daily import (
            ExpireTemporary,
            MergeDoubles,
            RefreshCollisions,
            ReopenHolds,
        )

        found: list[Step] = []
        if "facts" in self._settings.parts:
            found += [
                MergeDoubles(self.store, self.fact_writer, self._judge()),
                ExpireTemporary(self.facts),
                ReopenHolds(self.contradictions),
                RefreshCollisions(self.collisions),
            ]
        if "quality" in self._settings.parts and self._model is not None:
            from backstory.services.quality.checking import CheckResponses

            found.append(CheckResponses(self.self_checks))
        if "summaries" in self._settings.parts:
            found.append(self._summarise(SummaryKind.DAY))
        return tuple(found)

    @cached_property
    def _weekly(self) -> "tuple[Step, ...]":
        from backstory.services.consolidating.weekly import Prune

        found: list[Step] = []
        if "observations" in self._settings.parts:
            from backstory.services.summaries.steps import Observe

            found.append(Observe(self.store, self.observing, self._zone()))
        if "summaries" in self._settings.parts:
            found.append(self._summarise(SummaryKind.WEEK))
        return (*found, Prune(self.store))

    def _summarise(self, kind: SummaryKind) -> "Step":
        from backstory.services.summaries.steps import SummarisePeriods

        return SummarisePeriods(self.store, self.period_summaries, kind, self._zone())

    def _zone(self) -> "tzinfo":
        """Where the days of summaries and observations begin and end."""
        from backstory.language.cron import zone_of

        schedule = self._settings.schedule
        return zone_of("UTC" if schedule is None else schedule.zone)

    def _judge(self) -> "Judge | None":
        if self._model is None or not self._settings.key_merge:
            return None
        from backstory.reading.judge import LLMJudge

        return LLMJudge(self._model)

    @cached_property
    def holds(self) -> "Holds":
        """Holds runs."""
        from backstory.models.processes import SystemProcesses
        from backstory.services.consolidating.holding import Holds

        return Holds(self.store, self._clock, SystemProcesses())

    @cached_property
    def episodes(self) -> "Episodes":
        """Digests sessions."""
        from backstory.services.consolidating.episodes import Episodes

        return Episodes(
            self.store,
            lambda: self.reading,
            lambda: self.digesters,
            self.holds,
            self._clock,
            self._tenant,
            redaction=self._settings.redaction,
        )

    @cached_property
    def scheduling(self) -> "Scheduling | None":
        """Says which runs are due; None where nothing runs by itself."""
        schedule = self._settings.schedule
        if schedule is None:
            return None
        from backstory.services.consolidating.scheduling import Scheduling

        return Scheduling(self.store, schedule, self._tenant)

    async def worker(
        self, background: "Background", say: Callable[[str], None], *, round_s: float | None
    ) -> "Worker":
        """What does all background work of the store in a process of its own."""
        from backstory.jobs.worker import ROUND_S, Worker

        queue = await self._queue(say)
        pause = ROUND_S if round_s is None else round_s
        consolidation = self.consolidation
        return Worker(self.store, background, consolidation, queue, say, round_s=pause)

    async def _queue(self, say: Callable[[str], None]) -> "QueueWorker | None":
        """The queue that wakes a worker up, on PostgreSQL and where procrastinate is installed."""
        if self._settings.location.kind != "postgres":
            say("runs are found in rounds, in this process")
            return None
        try:
            from backstory.jobs.queue_worker import QueueWorker
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in {"procrastinate", "psycopg_pool"}:
                raise
            say("procrastinate is not installed (backstory[worker]): runs are found in rounds")
            return None
        from backstory.storage.queue import QUEUE, TASK
        from backstory.storage.store import SqlStore

        if not isinstance(self.store, SqlStore):
            raise TypeError
        try:
            address, schema = await self.store.make_queue()
        except StoreError as error:
            # the role may not make a schema, or a worker of another version is up
            say(f"there is no queue ({error}): runs are found in rounds")
            return None
        say(f"called through procrastinate, whose tables are in the schema {schema}")
        return QueueWorker(address, schema, QUEUE, TASK, self.consolidation.answer)

    @cached_property
    def consolidation(self) -> "Consolidation":
        """Runs of consolidation."""
        from backstory.services.consolidating.consolidation import Consolidation

        return Consolidation(
            self.store,
            self.episodes,
            self.steps,
            self.scheduling,
            self.holds,
            self._clock,
            self._tenant,
        )
