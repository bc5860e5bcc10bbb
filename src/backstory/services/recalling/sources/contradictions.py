"""Open contradictions: both answers, so that the model asks instead of guessing."""

from backstory.core.facts.lines import render_contradiction
from backstory.core.model.contradiction import Contradiction
from backstory.core.times import to_micros
from backstory.services.facts.contradictions import Contradictions
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources.base import Offer, SourceItem

MOST = 5


class OpenContradictions:
    """What cannot both be true, the latest sighting first."""

    name = "contradictions"
    heading = "Not settled"
    share = 0.05
    priority = 3

    def __init__(self, contradictions: Contradictions) -> None:
        self._contradictions = contradictions

    async def gather(self, question: Question) -> Offer:
        """Offer what was seen last first. That they are shown is counted by the context."""
        known = await self._contradictions.open_as_of(question.scope, question.known_at, MOST)
        return Offer(items=tuple(_item(contradiction, question) for contradiction in known))


def _item(contradiction: Contradiction, question: Question) -> SourceItem:
    return SourceItem(
        text=render_contradiction(contradiction, zone=question.timezone),
        order=(to_micros(contradiction.opened_at), contradiction.id),
        message_ids=tuple(evidence.message_id for evidence in contradiction.evidence),
        contradiction_id=contradiction.id,
    )
