"""Messages recalled for the query, from all sessions."""

from collections.abc import Awaitable, Callable, Iterator

from backstory.core.model.message import Message
from backstory.core.model.recall import Hit
from backstory.core.shape import Floors, for_context
from backstory.core.times import to_micros
from backstory.services.recall import RecallService
from backstory.services.requests import Question, Request
from backstory.services.sources.base import Offer, SourceItem, rendered


class RecalledMessages:
    """The hits worth their tokens most, with their neighbours; each turn once, oldest first."""

    name = "recalled"
    heading = "From earlier conversations"
    share = 0.7
    priority = 1

    def __init__(
        self, recall: RecallService, floors: Callable[[], Awaitable[Floors | None]] | None = None
    ) -> None:
        self._recall = recall
        self._floors = floors

    async def gather(self, question: Question) -> Offer:
        """Offer first what is worth its tokens most, and behind each hit the turns around it."""
        if question.query is None:
            return Offer()
        shown = await _shown_anyway(question)
        floors = question.floors
        if floors is None and self._floors is not None:
            floors = await self._floors()
        found = await self._recall.recall(
            Request(
                scope=question.scope,
                query=question.query,
                shape=for_context(question.query, question.recall, question.max_tokens),
                threshold=question.recall.threshold,
                floors=floors,
                keyword=question.recall.keyword,
                dense=question.recall.dense,
                filters=question.filters,
                exclude_session_id=question.session_id,
                exclude_ids=shown,
                filters_windows=True,
                known_at=question.known_at,
            )
        )
        profile = str(found.report["profile"])
        items = tuple(
            _item(turn, hit, place, question, profile)
            for turn, hit, place in _once(found.hits, shown)
        )
        return Offer(items=items, degraded=found.hits.degraded, report=found.report)


async def _shown_anyway(question: Question) -> frozenset[str]:
    """The turns that the recent ones show: not twice in one context."""
    if question.turns is None or question.session_id is not None:
        return frozenset()
    return frozenset(turn.id for turn in await question.turns.get())


def _once(hits: list[Hit], shown: frozenset[str]) -> Iterator[tuple[Message, Hit, int]]:
    """Each turn once, the hits themselves before they could count as a neighbour.

    Args:
        hits: Best first.
        shown: Turns that another source shows.

    Yields:
        A turn, the hit that it belongs to, and that hit's place.
    """
    taken = {*shown, *(hit.id for hit in hits)}
    for place, hit in enumerate(hits):
        if hit.message is None:
            continue
        yield hit.message, hit, place
        for turn in hit.window:
            if turn.id not in taken:
                taken.add(turn.id)
                yield turn, hit, place


def _item(turn: Message, hit: Hit, place: int, question: Question, profile: str) -> SourceItem:
    is_hit = turn.id == hit.id
    best_first = question.recall.order == "best first"
    said = (float(to_micros(turn.timestamp)), turn.id)
    return SourceItem(
        text=rendered(turn, question, _clipped(turn, question.recall.clip_chars)),
        order=(float(place), *said) if best_first else said,
        score=hit.score if is_hit else None,
        message_ids=(turn.id,),
        profile=profile,
        neighbour_of=None if is_hit else hit.id,
    )


def _clipped(message: Message, most: int) -> str:
    if not most or len(message.text) <= most:
        return message.text
    return message.text[: most - 1].rstrip() + "…"
