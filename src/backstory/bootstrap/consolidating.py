"""The services of consolidation: what digests sessions, and what runs every day and every week."""

from functools import cached_property
from typing import TYPE_CHECKING

from backstory.bootstrap.documents import DocumentServices
from backstory.core.model.schedule import RunKind

if TYPE_CHECKING:
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
        return tuple(found)

    @cached_property
    def _weekly(self) -> "tuple[Step, ...]":
        from backstory.services.consolidating.weekly import Prune

        return (Prune(self.store),)

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
