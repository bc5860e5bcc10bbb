"""Dated events for questions about time: chosen by meaning first, then shown in order of date."""

from typing import Final

from backstory.core.routing import Profile
from backstory.core.timeline.ordering import place_of, without_doubles
from backstory.core.timeline.rendering import render_event
from backstory.core.times import time_in
from backstory.services.recalling.events import (
    MOST_NEAR,
    ChosenEvent,
    EventSearch,
    is_near,
)
from backstory.services.recalling.requests import Question, Request
from backstory.services.recalling.sources.base import Offer, SourceItem

MOST: Final = 20


class DatedEvents:
    """What happened when, for questions whose answer is a time, an order, or of a time.

    Args:
        search: Chooses events.
    """

    name = "timeline"
    heading = "Time line"
    share = 0.08
    priority = 2

    def __init__(self, search: EventSearch) -> None:
        self._search = search

    async def gather(self, question: Question) -> Offer:
        """Offer the event first that is nearest to the question; nothing for other questions."""
        if question.query is None or question.shape.profile is not Profile.TEMPORAL:
            return Offer()
        found = await self._search.choose(
            Request(
                scope=question.scope,
                query=question.query,
                shape=question.shape,
                keyword=question.recall.keyword,
                dense=question.recall.dense,
                filters=question.filters,
                exclude_session_id=question.session_id,
                known_at=question.known_at,
                now=time_in(question.now, question.timezone),
                terms=question.terms,
            ),
            MOST_NEAR,
        )
        if not found.events:
            return Offer(degraded=found.degraded)
        floors = question.floors or await self._search.floors()
        near = {one.event.id: one for one in found.events if is_near(one, floors)}
        kept = without_doubles([one.event for one in near.values()])
        best = [near[event.id] for event in kept][:MOST]
        return Offer(items=tuple(map(_item, best)), degraded=found.degraded)


def _item(one: ChosenEvent) -> SourceItem:
    return SourceItem(
        text=render_event(one.event),
        order=place_of(one.event),
        score=one.score,
        message_ids=tuple(evidence.message_id for evidence in one.event.evidence),
    )
