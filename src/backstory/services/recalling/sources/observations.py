"""Patterns of the user's behaviour over many conversations."""

from typing import Final

from backstory.core.summaries.choosing import active_observations
from backstory.core.summaries.lines import render_observation
from backstory.ports.store import Store
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources.base import Offer, SourceItem

MOST: Final = 5


class ActiveObservations:
    """The surest of the patterns that are still seen."""

    name = "observations"
    heading = "Patterns over several conversations"
    share = 0.03
    priority = 4

    def __init__(self, store: Store) -> None:
        self._store = store

    async def gather(self, question: Question) -> Offer:
        """Offer the surest first; shown by name."""
        book = await self._store.derived.book(question.scope)
        found = active_observations(book, question.known_at)[:MOST]
        items = tuple(
            SourceItem(
                text=render_observation(one, zone=question.timezone),
                order=(one.pattern,),
                score=one.confidence,
                message_ids=tuple(evidence.message_id for evidence in one.evidence),
            )
            for one in found
        )
        return Offer(items=items)
