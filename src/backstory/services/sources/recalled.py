"""Messages recalled for the query, from all sessions."""

from backstory.core.model.message import Message
from backstory.core.model.recall import Hit
from backstory.core.ranking.worth import by_worth
from backstory.core.times import to_micros
from backstory.services.recall import RecallService
from backstory.services.requests import Question, Request
from backstory.services.sources.base import Offer, SourceItem, rendered

CANDIDATES = 100


class RecalledMessages:
    """The best hits of a search for their length, each whole, shown oldest first with its date."""

    name = "recalled"
    heading = "From earlier conversations"
    share = 0.7
    priority = 1

    def __init__(self, recall: RecallService) -> None:
        self._recall = recall

    async def gather(self, question: Question) -> Offer:
        """Offer first what is worth its tokens most."""
        if question.query is None:
            return Offer()
        hits = await self._recall.search(
            Request(
                scope=question.scope,
                query=question.query,
                top_k=question.recall.top_k or CANDIDATES,
                threshold=question.recall.threshold,
                keyword=question.recall.keyword,
                dense=question.recall.dense,
                filters=question.filters,
                exclude_session_id=question.session_id,
                exclude_ids=await _shown_anyway(question),
                known_at=question.known_at,
            )
        )
        items = tuple(
            _item(hit, hit.message, place, question)
            for place, hit in enumerate(hits)
            if hit.message is not None
        )
        order = by_worth([item.score or 0.0 for item in items], [len(item.text) for item in items])
        return Offer(items=tuple(items[place] for place in order), degraded=hits.degraded)


async def _shown_anyway(question: Question) -> frozenset[str]:
    """The turns that the recent ones show: not twice in one context."""
    if question.turns is None or question.session_id is not None:
        return frozenset()
    return frozenset(turn.id for turn in await question.turns.get())


def _item(hit: Hit, message: Message, place: int, question: Question) -> SourceItem:
    best_first = question.recall.order == "best first"
    said = (float(to_micros(hit.created_at)), float(place))
    return SourceItem(
        text=rendered(message, question, _clipped(message, question.recall.clip_chars)),
        order=(float(place),) if best_first else said,
        score=hit.score,
        message_ids=(hit.id,),
    )


def _clipped(message: Message, most: int) -> str:
    if not most or len(message.text) <= most:
        return message.text
    return message.text[: most - 1].rstrip() + "…"
