"""The sub-services of a memory."""

from __future__ import annotations

from backstory.api.aio_contradictions import AsyncCollisions, AsyncContradictions
from backstory.api.aio_emotions import AsyncEmotions
from backstory.api.aio_facts import AsyncFacts
from backstory.api.aio_graph import AsyncGraph
from backstory.api.aio_intentions import AsyncIntentions
from backstory.api.aio_opened import _Opened
from backstory.api.aio_quality import AsyncQualityScores
from backstory.api.aio_summaries import AsyncObservations, AsyncSummaries
from backstory.api.aio_textures import AsyncTextures
from backstory.api.aio_timeline import AsyncTimeline


class _Parts(_Opened):
    """What belongs together has a name of its own."""

    @property
    def facts(self) -> AsyncFacts:
        """What is true, since when and until when."""
        return AsyncFacts(self)

    @property
    def contradictions(self) -> AsyncContradictions:
        """Statements that cannot both hold."""
        return AsyncContradictions(self)

    @property
    def collisions(self) -> AsyncCollisions:
        """Things filed under two kinds that exclude each other."""
        return AsyncCollisions(self)

    @property
    def emotions(self) -> AsyncEmotions:
        """How the user felt."""
        return AsyncEmotions(self)

    @property
    def summaries(self) -> AsyncSummaries:
        """Conversations, days and weeks in short."""
        return AsyncSummaries(self)

    @property
    def observations(self) -> AsyncObservations:
        """What the user does again and again."""
        return AsyncObservations(self)

    @property
    def timeline(self) -> AsyncTimeline:
        """What happened when."""
        return AsyncTimeline(self)

    @property
    def intentions(self) -> AsyncIntentions:
        """What the user means to do."""
        return AsyncIntentions(self)

    @property
    def quality(self) -> AsyncQualityScores:
        """How good responses are."""
        return AsyncQualityScores(self)

    @property
    def textures(self) -> AsyncTextures:
        """Where conversations were left off."""
        return AsyncTextures(self)

    @property
    def graph(self) -> AsyncGraph:
        """People, places and things, and how they are tied."""
        return AsyncGraph(self)
