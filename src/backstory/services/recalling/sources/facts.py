"""Facts that hold, nearest to the query first; past ones only when asked for, and marked."""

from backstory.core.facts.lines import render_fact
from backstory.core.model.fact import Fact
from backstory.core.times import to_micros
from backstory.services.facts.requests import FactRequest
from backstory.services.facts.search import FactSearch
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources.base import Offer, SourceItem


class KnownFacts:
    """What is true, one line each, with since when it is."""

    name = "facts"
    heading = "What is known"
    share = 0.3
    priority = 1

    def __init__(self, search: FactSearch) -> None:
        self._search = search

    async def gather(self, question: Question) -> Offer:
        """Offer the fact that is nearest to the query first; without one, what was said last."""
        if not question.max_facts:
            return Offer()
        request = FactRequest(
            scope=question.scope,
            query=question.query or "",
            top_k=question.max_facts,
            now=question.now,
            keyword=question.recall.keyword,
            dense=question.recall.dense,
            valid_at=question.valid_at,
            known_at=question.known_at,
            include_history=question.include_history,
            terms=question.terms,
        )
        hits = await self._search.best(request)
        items = tuple(_item(hit.fact, hit.score, question) for hit in hits if hit.fact is not None)
        return Offer(items=items, degraded=hits.degraded)


def _item(fact: Fact, score: float, question: Question) -> SourceItem:
    return SourceItem(
        text=render_fact(fact, zone=question.timezone, now=question.now),
        # by slot, so that the same facts make the same text whatever the query
        order=(fact.subject != "user", fact.subject, fact.key, _begin(fact), fact.id),
        score=score,
        message_ids=tuple(evidence.message_id for evidence in fact.evidence),
        fact=fact,
    )


def _begin(fact: Fact) -> int:
    return 0 if fact.valid_from is None else to_micros(fact.valid_from)
