"""A search of all kinds searches messages and facts at once, so that they share their trips."""

import asyncio
from datetime import UTC, datetime
from typing import cast

from backstory.core.model.recall import Hit, Hits, Recall
from backstory.core.model.scope import Scope
from backstory.core.shape import for_search
from backstory.services.embedding.calibrating import Calibrating
from backstory.services.facts.requests import FactRequest
from backstory.services.facts.search import FactSearch
from backstory.services.recalling.conversations import ConversationSearch
from backstory.services.recalling.events import EventSearch
from backstory.services.recalling.recall import RecallService
from backstory.services.recalling.requests import Request
from backstory.services.recalling.search import SearchService

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Meeting:
    """A search that is not answered before another one is asked too."""

    def __init__(self, barrier: asyncio.Barrier, hit: Hit) -> None:
        self._barrier = barrier
        self._hit = hit

    async def search(self, _: Request | FactRequest) -> Hits:
        await asyncio.wait_for(self._barrier.wait(), 5)
        return Hits([self._hit])


class Unmeasured:
    async def current(self) -> None:
        """There is no calibration."""


def test_messages_and_facts_are_searched_at_once() -> None:
    async def run() -> Hits:
        barrier = asyncio.Barrier(2)
        messages = Meeting(barrier, Hit(kind="message", id="m", text="", score=0.4, created_at=NOW))
        facts = Meeting(barrier, Hit(kind="fact", id="f", text="", score=0.6, created_at=NOW))
        service = SearchService(
            cast("RecallService", messages),
            cast("FactSearch", facts),
            cast("Calibrating", Unmeasured()),
            lambda: cast("ConversationSearch", messages),
            lambda: cast("EventSearch", messages),
        )
        request = Request(scope=Scope("t", "u"), query="q", shape=for_search("q", Recall()))
        return await service.search("all", request, NOW)

    assert [hit.id for hit in asyncio.run(run())] == ["f", "m"]
