"""All services of an open memory."""

from functools import cached_property
from typing import TYPE_CHECKING

from backstory.bootstrap.consolidating import ConsolidationServices
from backstory.jobs.background import Background
from backstory.ports.clock import Clock
from backstory.ports.ids import Ids
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from backstory.core.model.scope import Scope
    from backstory.ports.chat_model import ChatModel
    from backstory.services.consolidating.consolidation import Consolidation
    from backstory.services.curation import Curation
    from backstory.services.doctor import Doctor
    from backstory.services.embedding.reindexing import Reindexing
    from backstory.services.flushing import Flushing
    from backstory.services.forgetting import Forgetting
    from backstory.services.ingest import Ingest
    from backstory.services.moving.exporting import Exporting
    from backstory.services.moving.foreign_import import ForeignImport
    from backstory.services.moving.importing import Importing
    from backstory.services.recalling.context import ContextService
    from backstory.services.recalling.events import EventSearch
    from backstory.services.recalling.recall import RecallService
    from backstory.services.recalling.search import SearchService
    from backstory.services.recalling.timeline import Timeline
    from backstory.services.timeline.arriving import ArrivingEvents


class Services(ConsolidationServices):
    """An open memory, without a face. A part is loaded when it is used first.

    Attributes:
        background: What runs beside the calls.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        vectors: VectorMaker,
        clock: Clock,
        ids: Ids,
        model: "ChatModel | None",
        *,
        owns_model: bool = True,
    ) -> None:
        super().__init__(settings, store, vectors, clock, ids, model, owns_model=owns_model)
        self.background = Background(
            store,
            vectors,
            lambda: self.reading,
            lambda: self.fact_vectors,
            self.held,
            clock,
            self._tenant,
            self._timeout,
            self._wakeup,
            self.make_document_vectors,
            self._consolidates(),
            self.make_derived_vectors,
        )

    async def make_derived_vectors(self) -> None:
        """Make the vectors of derived records that are pending."""
        if await self.store.derived.pending(None, self._tenant, 1):
            await self.derived_vectors.flush(None, self._tenant)

    def _consolidates(self) -> "Callable[[], Consolidation] | None":
        """What consolidates by itself, where that is on."""
        if self._settings.schedule is None or not self._settings.parts:
            return None
        return lambda: self.consolidation

    @cached_property
    def ingest(self) -> "Ingest":
        """Adds messages."""
        from backstory.services.ingest import Ingest

        wake = self._wakeup.set
        return Ingest(
            self.store,
            self.vectors,
            self._clock,
            self._ids,
            self._timeout,
            wake,
            self.held,
            self.reading,
            self._tenant,
            self.sentiments,
            self._arriving(),
        )

    def _arriving(self) -> "ArrivingEvents | None":
        if "timeline" not in self._settings.parts or self._model is not None:
            return None
        from backstory.reading.timeline import find_events
        from backstory.services.timeline.arriving import ArrivingEvents

        return ArrivingEvents(find_events, redaction=self._settings.redaction)

    @cached_property
    def flushing(self) -> "Flushing":
        """Finishes what is pending."""
        from backstory.services.flushing import Flushing

        return Flushing(
            self.store,
            self.reading,
            self.vectors,
            self.fact_vectors,
            self._consolidates(),
            lambda: self.derived_vectors,
        )

    @cached_property
    def recall(self) -> "RecallService":
        """Searches."""
        from backstory.services.recalling.recall import RecallService

        temporal = "timeline" in self._settings.parts
        return RecallService(self.store, self.vectors, temporal=temporal)

    @cached_property
    def search(self) -> "SearchService":
        """Searches all kinds of records."""
        from backstory.services.recalling.search import SearchService

        return SearchService(
            self.recall,
            self.fact_search,
            self.calibrating,
            lambda: self.conversation_search,
            lambda: self.event_search,
        )

    @cached_property
    def event_search(self) -> "EventSearch":
        """Searches the time line."""
        from backstory.services.recalling.events import EventSearch
        from backstory.services.timeline.table import EventTables

        floors = self.calibrating.current
        return EventSearch(self.store, self.vectors, EventTables(self.store), floors)

    @cached_property
    def timeline(self) -> "Timeline":
        """Answers from the time line."""
        from backstory.services.recalling.timeline import Timeline

        return Timeline(self.store, self.event_search)

    @cached_property
    def context(self) -> "ContextService":
        """Builds contexts."""
        from backstory.services.recalling.context import ContextService
        from backstory.services.recalling.sources import (
            ActiveObservations,
            DatedEvents,
            EmotionalMoments,
            IntentionOfToday,
            KnownFacts,
            LeftOff,
            OpenContradictions,
            RecalledMessages,
            RecentTurns,
            RelatedEntities,
            SessionSummaries,
            Source,
        )

        parts = self._settings.parts
        sources: list[Source] = [
            KnownFacts(self.fact_search),
            OpenContradictions(self.contradictions),
        ]
        if "intentions" in parts:
            sources.append(IntentionOfToday(self.intentions))
        if "textures" in parts:
            sources.append(LeftOff(self.store))
        if "observations" in parts:
            sources.append(ActiveObservations(self.store))
        if "emotions" in parts:
            sources.append(EmotionalMoments(self.moment_choice))
        if "summaries" in parts:
            sources.append(SessionSummaries(self.store, self.conversation_search))
        if "timeline" in parts:
            sources.append(DatedEvents(self.event_search))
        if "graph" in parts:
            sources.append(RelatedEntities(self.graph))
        sources += [RecalledMessages(self.recall, self.calibrating.current), RecentTurns()]
        return ContextService(self.store, sources)

    @cached_property
    def curation(self) -> "Curation":
        """Reads and corrects single records."""
        from backstory.services.curation import Curation

        wake = self._wakeup.set
        return Curation(
            self.store,
            self.vectors,
            self._clock,
            self._tenant,
            wake,
            self.reading,
            self.sentiments,
        )

    @cached_property
    def exporting(self) -> "Exporting":
        """Writes exports."""
        from backstory.services.moving.exporting import Exporting

        return Exporting(self.store, self._clock)

    @cached_property
    def importing(self) -> "Importing":
        """Reads exports."""
        from backstory.services.moving.importing import Importing

        return Importing(
            self.store,
            self.vectors,
            self.fact_vectors,
            self._clock,
            self._tenant,
            self._wakeup.set,
        )

    @cached_property
    def foreign(self) -> "ForeignImport":
        """Reads exports of other memories."""
        from backstory.services.moving.foreign_import import ForeignImport

        return ForeignImport(
            self.store,
            self.fact_writer,
            self.ingest,
            self.reading,
            self.vectors,
            self.fact_vectors,
            self._clock,
            self._tenant,
            redaction=self._settings.redaction,
        )

    @cached_property
    def reindexing(self) -> "Reindexing":
        """Changes the embedder."""
        from backstory.models.processes import SystemProcesses
        from backstory.services.embedding.reindexing import Reindexing

        return Reindexing(self.store, self.vectors, self._clock, SystemProcesses())

    @cached_property
    def forgetting(self) -> "Forgetting":
        """Forgets users."""
        from backstory.services.forgetting import Forgetting

        return Forgetting(self.store, self.fact_index, self._clock, self._forget_kept)

    async def _forget_kept(self, scope: "Scope") -> int | None:
        """Remove a user from what is kept in memory, and from the graph."""
        if "event_search" in self.__dict__:
            self.event_search.forget(scope)
        return await self._forget_graph(scope)

    @cached_property
    def doctor(self) -> "Doctor":
        """Says what works."""
        from backstory.services.doctor import Doctor

        return Doctor(
            self.store,
            self.vectors,
            self.calibrating,
            self.reindexing,
            self._tenant,
            lambda: self.consolidation,
        )

    async def close(self) -> None:
        """End background work, then give everything back."""
        await self.background.stop()
        await self._close_graph()
        await self.vectors.aclose()
        if self._model is not None and self._owns_model:
            await self._model.aclose()
        await self.store.close()
