"""Messages recalled for the query, from all sessions."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from backstory.core.model.message import Message
from backstory.core.shape import Floors
from backstory.core.times import time_in
from backstory.services.recalling.recall import Recalled, RecallService
from backstory.services.recalling.requests import Question, Request
from backstory.services.recalling.sources.base import Offer, SourceItem
from backstory.services.recalling.sources.lines import Lines


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
        self._lines = Lines()
        self._floors = floors

    async def gather(self, question: Question) -> Offer:
        """Offer first what is worth its tokens most, and behind each hit the turns around it."""
        if question.query is None:
            return Offer()
        # with a session named, nothing of it is recalled in any case
        shown = None if question.session_id is not None else question.turns
        floors = question.floors
        if floors is None and self._floors is not None:
            floors = await self._floors()
        found = await self._recall.recall(
            Request(
                scope=question.scope,
                query=question.query,
                shape=question.shape,
                threshold=question.recall.threshold,
                floors=floors,
                keyword=question.recall.keyword,
                dense=question.recall.dense,
                filters=question.filters,
                exclude_session_id=question.session_id,
                shown=shown,
                filters_windows=True,
                known_at=question.known_at,
                now=time_in(question.now, question.timezone),
                terms=question.terms,
            )
        )
        profile = str(found.report["profile"])
        turns = _once(found, await shown.ids() if shown else ())
        items = tuple(self._items(turns, question, profile))
        return Offer(items=items, degraded=found.degraded, report=found.report)

    def _items(
        self, turns: "Iterable[_Turn]", question: Question, profile: str
    ) -> Iterator[SourceItem]:
        zone, clip = question.timezone, question.recall.clip_chars
        is_best_first = question.recall.order == "best first"
        line_of = self._lines.of
        for message, place, score, hit in turns:
            line = line_of(message, zone, clip)
            said = (line.said, message.id)
            order = (float(place), *said) if is_best_first else said
            yield SourceItem(line.text, order, score, (message.id,), profile, hit)


class _Turn(NamedTuple):
    """A turn to offer.

    Attributes:
        message: What was said.
        place: The place of the hit that it belongs to, from 0.
        score: Of a hit.
        hit: The id of the hit, if it is only a neighbour of one.
    """

    message: Message
    place: int
    score: float | None
    hit: str | None


def _once(found: Recalled, shown: Collection[str]) -> Iterator[_Turn]:
    """Each turn once, the hits themselves before they could count as a neighbour.

    Args:
        found: Hits, best first.
        shown: Turns that another source shows: not twice in one context.
    """
    chosen, messages = found.chosen, found.messages
    if chosen is None:
        return
    ids = chosen.partition.message_ids
    hits = [at for at, row in enumerate(chosen.rows) if ids[row] in messages]
    taken = {*shown, *(ids[chosen.rows[at]] for at in hits)}
    for place, at in enumerate(hits):
        hit = ids[chosen.rows[at]]
        yield _Turn(messages[hit], place, chosen.scores[at], None)
        for row in chain(*chosen.windows[at]):
            turn = messages.get(ids[row])
            if turn is not None and turn.id not in taken:
                taken.add(turn.id)
                yield _Turn(turn, place, None, hit)
