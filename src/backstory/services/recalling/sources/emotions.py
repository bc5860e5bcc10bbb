"""Strong feelings: those that the query is about first, then the latest of the last weeks."""

from typing import Final

from backstory.core.feelings.lines import render_moment
from backstory.core.feelings.relevance import Chosen
from backstory.core.times import to_micros
from backstory.services.feeling.moments import MomentChoice
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources.base import Offer, SourceItem

MOST: Final = 6


class EmotionalMoments:
    """How the user felt, in their own words."""

    name = "emotions"
    heading = "How the user felt"
    share = 0.05
    priority = 3

    def __init__(self, moments: MomentChoice) -> None:
        self._moments = moments

    async def gather(self, question: Question) -> Offer:
        """Offer the moments that the query is about, then the latest; shown by date.

        What stands among the turns of this conversation is not said twice.
        """
        shown = await question.turns.ids() if question.turns is not None else frozenset[str]()
        chosen = await self._moments.of(
            question.scope,
            question.query,
            now=question.now,
            known_at=question.known_at,
            most=MOST,
            shown=shown,
            terms=question.terms,
        )
        return Offer(items=tuple(_item(one, question) for one in chosen))


def _item(chosen: Chosen, question: Question) -> SourceItem:
    moment = chosen.moment
    return SourceItem(
        text=render_moment(moment, zone=question.timezone),
        order=(to_micros(moment.at), moment.id),
        score=chosen.score if question.query else None,
        message_ids=tuple(evidence.message_id for evidence in moment.evidence),
    )
