"""One search over all kinds of records."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from backstory.core.model.recall import Hit, Hits
from backstory.services.embedding.calibrating import Calibrating
from backstory.services.facts.requests import FactRequest
from backstory.services.facts.search import FactSearch
from backstory.services.recalling.recall import RecallService
from backstory.services.recalling.requests import Request
from backstory.services.recalling.words import terms_of

if TYPE_CHECKING:
    from backstory.services.recalling.conversations import ConversationSearch
    from backstory.services.recalling.events import EventSearch

# Where it was not measured what similarities mean: about what it is for the built-in embedder.
UNMEASURED: Final = 0.35


class SearchService:
    """Searches messages, facts, or both.

    Args:
        messages: Searches messages.
        facts: Searches facts.
        calibrating: Says from which similarity on a fact has to do with a query.
        conversations: Gives what searches conversations; asked for when they are.
        events: The same for events.
    """

    def __init__(
        self,
        messages: RecallService,
        facts: FactSearch,
        calibrating: Calibrating,
        conversations: "Callable[[], ConversationSearch]",
        events: "Callable[[], EventSearch]",
    ) -> None:
        self._messages = messages
        self._facts = facts
        self._calibrating = calibrating
        self._conversations = conversations
        self._events = events

    async def search(self, kind: str, request: Request, now: datetime) -> Hits:
        """Search one kind; "all" are messages and facts, in the order of their scores."""
        if kind == "conversations":
            return await self._conversations().search(request)
        if kind == "events":
            return await self._events().search(request)
        if kind == "messages" or (kind == "all" and request.filters):
            return await self._messages.search(request)
        threshold = request.threshold
        if kind == "all" and threshold is None:
            # among all kinds, a fact counts if it shares a word with the query or is near to it
            known = await self._calibrating.current()
            threshold = UNMEASURED if known is None else known.low
        if kind == "all":
            request = replace(request, terms=terms_of(request.query))
        facts = self._facts.search(_of_facts(request, threshold, now))
        if kind == "facts":
            return await facts
        # at once: they ask the store together and share the query's vector
        both = await asyncio.gather(self._messages.search(request), facts)
        return _merged(*both, request.shape.top_k)


def _of_facts(request: Request, threshold: float | None, now: datetime) -> FactRequest:
    return FactRequest(
        scope=request.scope,
        query=request.query,
        top_k=request.shape.top_k,
        now=now,
        threshold=threshold,
        keyword=request.keyword,
        dense=request.dense,
        valid_at=request.valid_at,
        known_at=request.known_at,
        include_history=request.include_history,
        explain=request.explain,
        terms=request.terms,
    )


def _merged(messages: Hits, facts: Hits, top_k: int) -> Hits:
    """Both lists by score; at equal scores the fact, which is what the message came to."""
    both: list[Hit] = sorted([*facts, *messages], key=lambda hit: -hit.score)
    return Hits(
        both[:top_k],
        degraded=messages.degraded or facts.degraded,
        explanation=messages.explanation,
    )
