"""The services of what is derived from messages: time line, summaries, feelings and the rest."""

from functools import cached_property
from typing import TYPE_CHECKING

from backstory.bootstrap.facts import FactServices

if TYPE_CHECKING:
    from backstory.services.consolidating.vectors import DerivedVectors
    from backstory.services.feeling.emotions import Emotions
    from backstory.services.feeling.moments import MomentChoice
    from backstory.services.feeling.sentiments import Sentiments
    from backstory.services.feeling.textures import Textures
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

        redaction = self._settings.redaction
        return PeriodSummaries(self.store, self.vectors, redaction=redaction)

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
