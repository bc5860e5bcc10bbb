"""Who and what the query names, and how they are tied; without such a name those who matter most.

A fact that the facts' own section shows is not told again: a line that only says the same facts is
left out. What stays is the line of somebody whom the query names and who is tied in several ways,
what a model found beside the facts, and facts that are too far from the query to be shown.
"""

from typing import Final

from backstory.core.graph.cards import Card, cards_of
from backstory.core.graph.matching import MOST_RELATIONS
from backstory.core.model.fact import USER
from backstory.ports.graph import When
from backstory.services.graph.asking import GraphService
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources.base import Offer, SourceItem

MOST_CARDS: Final = 8
_WHOLE_CARDS: Final = 3
_PREAMBLE: Final = 12


class RelatedEntities:
    """Entities and relations, a line for each entity."""

    name = "graph"
    heading = "How people and things are related"
    share = 0.06
    priority = 4

    def __init__(self, graph: GraphService) -> None:
        self._graph = graph

    async def gather(self, question: Question) -> Offer:
        """Offer those whom the query names first."""
        when = When(
            now=question.now,
            valid_at=question.valid_at,
            known_at=question.known_at,
            history=question.include_history and question.valid_at is None,
        )
        found = await self._graph.sight_or_preamble(
            question.scope, question.query, when, MOST_RELATIONS, _PREAMBLE
        )
        graph, matched = found.graph, found.matched
        names = list(matched or graph.entities)
        cards = cards_of(graph, names, zone=question.timezone)[:MOST_CARDS]
        whole = set(matched[:_WHOLE_CARDS])
        return Offer(items=tuple(_item(card, place, whole) for place, card in enumerate(cards)))


def _item(card: Card, place: int, whole: set[str]) -> SourceItem:
    facts = tuple(r.fact_id for r in card.relations if r.fact_id is not None)
    tells_more = len(facts) < len(card.relations) or not facts
    sums_up = card.entity.id in whole and len(card.relations) > 1
    evidence = (e.message_id for r in card.relations for e in r.evidence)
    return SourceItem(
        text=card.text,
        order=(card.entity.id == USER, card.entity.label.casefold(), card.entity.id, place),
        score=1.0 if card.entity.id in whole else None,
        message_ids=tuple(dict.fromkeys(evidence)),
        restates=() if tells_more or sums_up else facts,
    )
