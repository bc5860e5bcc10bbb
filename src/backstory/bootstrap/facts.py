"""The services of facts: reading, writing, searching and deciding."""

from functools import cached_property
from typing import TYPE_CHECKING

from backstory.bootstrap.base import Base

if TYPE_CHECKING:
    from collections.abc import Callable

    from backstory.core.model.scope import Scope
    from backstory.ports.reader import Reader
    from backstory.services.facts.collisions import Collisions
    from backstory.services.facts.contradictions import Contradictions
    from backstory.services.facts.curating import Facts
    from backstory.services.facts.index import FactIndex
    from backstory.services.facts.near import NearFacts
    from backstory.services.facts.search import FactSearch
    from backstory.services.facts.vectors import FactVectors
    from backstory.services.facts.writer import FactWriter
    from backstory.services.reading import ReadingService


class FactServices(Base):
    """What reads and keeps facts. A part is loaded when it is used first."""

    @cached_property
    def reading(self) -> "ReadingService":
        """Reads messages."""
        from backstory.services.reading import ReadingService

        return ReadingService(
            self.store,
            self._reader(),
            self.fact_writer,
            self.near_facts,
            self._clock,
            redaction=self._settings.redaction,
            inline=self._settings.inline_contradictions,
        )

    def _reader(self) -> "Reader | None":
        parts = self._settings.parts
        if self._model is not None:
            from backstory.reading.llm import LISTS, LLMReader

            return LLMReader(self._model, parts=parts) if parts & LISTS.keys() else None
        if "facts" not in parts:
            return None
        from backstory.reading.rules.reader import RuleReader

        return RuleReader()

    @cached_property
    def fact_writer(self) -> "FactWriter":
        """Writes facts; nothing else does."""
        from backstory.services.facts.writer import FactWriter

        judge = recorder = None
        if self._model is not None:
            from backstory.services.facts.recording import FoundRecorder

            recorder = FoundRecorder()
        if self._model is not None and self._settings.key_merge:
            from backstory.reading.judge import LLMJudge

            judge = LLMJudge(self._model)
        return FactWriter(
            self.store,
            self.fact_vectors,
            self.near_facts,
            self._clock,
            self._ids,
            redaction=self._settings.redaction,
            judge=judge,
            recorder=recorder,
            changed=self._on_facts,
        )

    @property
    def _on_facts(self) -> "Callable[[Scope], None] | None":
        """What is told that facts were written; nothing is, here."""
        return None

    @cached_property
    def fact_vectors(self) -> "FactVectors":
        """Makes the vectors of facts."""
        from backstory.services.facts.vectors import FactVectors

        return FactVectors(self.store, self.vectors)

    @cached_property
    def fact_index(self) -> "FactIndex":
        """The searchable form of users' facts."""
        from backstory.services.facts.index import FactIndex

        return FactIndex(self.store)

    @cached_property
    def fact_search(self) -> "FactSearch":
        """Searches facts."""
        from backstory.services.facts.search import FactSearch

        return FactSearch(self.store, self.fact_index, self.vectors)

    @cached_property
    def near_facts(self) -> "NearFacts":
        """Finds facts that are near to a text."""
        from backstory.services.facts.near import NearFacts

        return NearFacts(self.fact_index, self.vectors)

    @cached_property
    def facts(self) -> "Facts":
        """States, reads and corrects facts by hand."""
        from backstory.services.facts.curating import Facts

        return Facts(
            self.store,
            self.fact_writer,
            self.near_facts,
            self._clock,
            self._tenant,
            redaction=self._settings.redaction,
        )

    @cached_property
    def contradictions(self) -> "Contradictions":
        """Decides contradictions."""
        from backstory.services.facts.contradictions import Contradictions

        return Contradictions(self.store, self.fact_writer, self._clock, self._tenant)

    @cached_property
    def collisions(self) -> "Collisions":
        """Finds and settles collisions."""
        from backstory.services.facts.collisions import Collisions

        families = self._settings.exclusive_families
        return Collisions(self.store, self._clock, self._ids, families)
