"""The services of what is derived from messages: time line, summaries, feelings and the rest."""

from functools import cached_property
from typing import TYPE_CHECKING

from backstory.bootstrap.facts import FactServices

if TYPE_CHECKING:
    from backstory.services.feeling.emotions import Emotions
    from backstory.services.feeling.moments import MomentChoice
    from backstory.services.feeling.sentiments import Sentiments
    from backstory.services.feeling.textures import Textures


class DerivedServices(FactServices):
    """What reads and keeps derived records. A part is loaded when it is used first."""

    @cached_property
    def sentiments(self) -> "Sentiments | None":
        """Reads the feeling of messages; None where that is off."""
        if "emotions" not in self._settings.parts:
            return None
        from backstory.services.feeling.sentiments import Sentiments

        moments = self.moments_by_lexicon
        return Sentiments(self._ids, moments=moments, redaction=self._settings.redaction)

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
