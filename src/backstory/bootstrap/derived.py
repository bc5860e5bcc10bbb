"""The services of what is derived from messages: time line, summaries, feelings and the rest."""

from functools import cached_property
from typing import TYPE_CHECKING

from backstory.bootstrap.facts import FactServices
from backstory.errors import MissingDependencyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from backstory.core.model.scope import Scope
    from backstory.services.consolidating.vectors import DerivedVectors
    from backstory.services.feeling.emotions import Emotions
    from backstory.services.feeling.moments import MomentChoice
    from backstory.services.feeling.sentiments import Sentiments
    from backstory.services.feeling.textures import Textures
    from backstory.services.graph.asking import GraphService
    from backstory.services.graph.keeping import Keeper, MirrorStore
    from backstory.services.graph.own import FactGraph
    from backstory.services.intentions import Intentions
    from backstory.services.quality.checking import SelfChecks
    from backstory.services.quality.scoring import QualityService
    from backstory.services.recalling.conversations import ConversationSearch
    from backstory.services.summaries.observing import Observing
    from backstory.services.summaries.periods import PeriodSummaries
    from backstory.services.summaries.reading import Summaries


class DerivedServices(FactServices):
    """What reads and keeps derived records. A part is loaded when it is used first."""

    @cached_property
    def sentiments(self) -> "Sentiments | None":
        """Reads the feeling of messages; None where that is off."""
        if "emotions" not in self._settings.parts:
            return None
        from backstory.services.feeling.sentiments import Sentiments

        return Sentiments(
            self.store,
            self.vectors,
            self._ids,
            moments=self.moments_by_lexicon,
            redaction=self._settings.redaction,
        )

    @property
    def moments_by_lexicon(self) -> bool:
        """Who finds emotional moments: the lexicon as messages come in, else the model's call."""
        return self._model is None

    @cached_property
    def emotions(self) -> "Emotions":
        """Reads moments and the course of feelings."""
        from backstory.services.feeling.emotions import Emotions

        return Emotions(self.store, self.vectors)

    @cached_property
    def moment_choice(self) -> "MomentChoice":
        """Chooses the moments that a context shows."""
        from backstory.services.feeling.moments import MomentChoice

        return MomentChoice(self.store)

    @cached_property
    def textures(self) -> "Textures":
        """Captures and shows where conversations were left off."""
        from backstory.services.feeling.textures import Textures

        return Textures(self.store, self._clock, redaction=self._settings.redaction)

    @cached_property
    def intentions(self) -> "Intentions":
        """Works on intentions."""
        from backstory.services.intentions import Intentions

        redaction = self._settings.redaction
        return Intentions(self.store, self._clock, self._ids, self._tenant, redaction=redaction)

    @cached_property
    def quality(self) -> "QualityService":
        """Scores responses and replies."""
        from backstory.services.quality.scoring import QualityService

        return QualityService(self.store, self._clock, self._ids)

    @cached_property
    def self_checks(self) -> "SelfChecks":
        """Lets a model look at responses."""
        from backstory.services.quality.checking import SelfChecks

        checker = None
        if self._model is not None:
            from backstory.reading.self_check import LLMSelfChecker

            checker = LLMSelfChecker(self._model)
        redaction = self._settings.redaction
        return SelfChecks(self.store, checker, self._clock, redaction=redaction)

    @cached_property
    def derived_vectors(self) -> "DerivedVectors":
        """Makes the vectors of derived records."""
        from backstory.services.consolidating.vectors import DerivedVectors

        return DerivedVectors(self.store, self.vectors)

    @cached_property
    def summaries(self) -> "Summaries":
        """Reads summaries."""
        from backstory.services.summaries.reading import Summaries

        return Summaries(self.store)

    @cached_property
    def period_summaries(self) -> "PeriodSummaries":
        """Plans the summaries of days and weeks."""
        from backstory.services.summaries.periods import PeriodSummaries

        summariser = None
        if self._model is not None:
            from backstory.reading.summarising import LLMSummariser

            summariser = LLMSummariser(self._model)
        return PeriodSummaries(
            self.store,
            self.vectors,
            redaction=self._settings.redaction,
            summariser=summariser,
        )

    @cached_property
    def observing(self) -> "Observing":
        """Plans and reads observations."""
        from backstory.services.summaries.observing import Observing

        return Observing(self.store, self.vectors, redaction=self._settings.redaction)

    @cached_property
    def conversation_search(self) -> "ConversationSearch":
        """Searches whole conversations."""
        from backstory.services.recalling.conversations import ConversationSearch
        from backstory.services.summaries.table import SummaryTables

        return ConversationSearch(self.store, self.vectors, SummaryTables(self.store))

    @cached_property
    def fact_graph(self) -> "FactGraph":
        """Sees facts and readings as a graph."""
        from backstory.services.graph.own import FactGraph

        return FactGraph(self.store, self.fact_index, self.vectors, self._clock)

    @cached_property
    def graph_keeper(self) -> "Keeper | None":
        """Keeps a graph database in step, where one is set."""
        if self._settings.graph in {"tables", "none"}:
            return None
        from backstory.services.graph.keeping import Keeper

        store = _graph_store(self._settings.graph, self._settings.graph_password)
        return Keeper(store, self.fact_graph, self._clock)

    @property
    def _on_facts(self) -> "Callable[[Scope], None] | None":
        """Brings a graph database up to date beside the calls, where one is set."""
        keeper = self.graph_keeper
        return None if keeper is None or not self._settings.background else keeper.note

    async def _forget_graph(self, scope: "Scope") -> int | None:
        """Remove a user from what is kept of the graph; how much a graph database had, if any."""
        if "fact_graph" in self.__dict__:
            self.fact_graph.drop(scope)
        return None if self.graph_keeper is None else await self.graph_keeper.forget(scope)

    async def _close_graph(self) -> None:
        keeper = self.__dict__.get("graph_keeper")
        if keeper is not None:
            await keeper.close()

    @cached_property
    def graph(self) -> "GraphService":
        """Answers about entities and relations."""
        from backstory.services.graph.asking import GraphService

        return GraphService(self.fact_graph, self.graph_keeper, self._clock)


def _graph_store(address: str, password: str | None) -> "MirrorStore":
    try:
        from backstory.storage.graph.neo4j import Neo4jGraph
    except ModuleNotFoundError as error:
        if error.name != "neo4j":
            raise
        raise MissingDependencyError(
            "a graph in Neo4j needs its driver; install backstory[neo4j]"
        ) from error
    return Neo4jGraph(address, password)
