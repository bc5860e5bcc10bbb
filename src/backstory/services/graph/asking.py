"""Asking a graph: a preamble, what a query names, and lists; from the facts or from a mirror."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from backstory.core.derived.paging import page_of
from backstory.core.graph.cards import cards_of
from backstory.core.graph.matching import MOST_RELATIONS
from backstory.core.graph.schema import EntityKind, RelationType
from backstory.core.graph.value import Graph
from backstory.core.model.graph_view import GraphView
from backstory.errors import InvalidInputError
from backstory.ports.graph import EntitySearch, Sighted, When

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from backstory.core.model.derived import GraphEntity, Relation
    from backstory.core.model.results import Page
    from backstory.core.model.scope import Scope
    from backstory.ports.clock import Clock
    from backstory.services.graph.keeping import Keeper
    from backstory.services.graph.own import FactGraph

PREAMBLE_RELATIONS: Final = 24


class GraphService:
    """Answers about the graph of a user.

    What was known in the past is always computed from the facts, which keep their history.

    Args:
        own: The graph as facts and readings imply it.
        keeper: Keeps a mirror of it in step; None = there is none.
        clock: The time of asking.
    """

    def __init__(self, own: FactGraph, keeper: Keeper | None, clock: Clock) -> None:
        self._own = own
        self._keeper = keeper
        self._clock = clock

    def when(
        self,
        valid_at: datetime | None = None,
        known_at: datetime | None = None,
        *,
        history: bool = False,
    ) -> When:
        """Which relations count, asked now."""
        now = self._clock.now()
        return When(now=now, valid_at=valid_at, known_at=known_at, history=history)

    async def preamble(self, scope: Scope, when: When, limit: int = PREAMBLE_RELATIONS) -> Graph:
        """Who and what matters most, at most so many relations."""
        if self._keeper is None or when.known_at is not None:
            return await self._own.get_context(scope, when, limit)
        await self._keeper.catch_up(scope)
        return await self._keeper.store.get_context(scope, when, limit)

    async def sight(
        self, scope: Scope, query: str, when: When, limit: int = MOST_RELATIONS
    ) -> Sighted:
        """What a query names, one hop out."""
        if self._keeper is None or when.known_at is not None:
            return await self._own.search_entities(scope, query, when, limit)
        await self._keeper.catch_up(scope)
        store = self._keeper.store
        if isinstance(store, EntitySearch):
            return await store.search_entities(scope, query, when, limit)
        # the store cannot search: its preamble is what there is
        return Sighted(graph=await store.get_context(scope, when, limit))

    async def sight_or_preamble(
        self, scope: Scope, query: str | None, when: When, limit: int, otherwise: int
    ) -> Sighted:
        """What a query names, one hop out; if that is nothing, who and what matters most.

        Args:
            scope: Whose.
            query: What is asked, if anything is.
            when: Which relations count.
            limit: Most relations around what is named.
            otherwise: Most relations of what matters.
        """
        if query is not None:
            if self._keeper is None or when.known_at is not None:
                return await self._own.sight_or_preamble(scope, query, when, limit, otherwise)
            found = await self.sight(scope, query, when, limit)
            if found.matched:
                return found
        return Sighted(graph=await self.preamble(scope, when, otherwise))

    async def get_context(
        self, scope: Scope, when: When, limit: int, zone: tzinfo = UTC
    ) -> GraphView:
        """The preamble, in lines."""
        graph = await self.preamble(scope, when, limit)
        return _view(graph, (), list(graph.entities), zone)

    async def search_entities(
        self, scope: Scope, query: str, when: When, limit: int, zone: tzinfo = UTC
    ) -> GraphView:
        """What a query names, in lines."""
        found = await self.sight(scope, query, when, limit)
        return _view(found.graph, found.matched, list(found.matched), zone)

    async def entities(
        self, scope: Scope, when: When, kind: str | None, limit: int, cursor: str | None
    ) -> Page[GraphEntity]:
        """All entities that count, a page at a time."""
        if kind is not None and kind not in tuple(EntityKind):
            raise InvalidInputError(f"kind must be one of {', '.join(EntityKind)}, not {kind!r}")
        graph = (await self._own.whole(scope, when)).chosen(when)
        listed = (e for e in graph.entities.values() if kind in (None, e.kind))
        return page_of(listed, limit, cursor)

    async def relations(
        self,
        scope: Scope,
        when: When,
        type_: str | None,
        entity_id: str | None,
        limit: int,
        cursor: str | None,
    ) -> Page[Relation]:
        """All relations that count, a page at a time."""
        if type_ is not None and type_ not in tuple(RelationType):
            raise InvalidInputError(
                f"relation_type must be one of {', '.join(RelationType)}, not {type_!r}"
            )
        graph = (await self._own.whole(scope, when)).chosen(when)
        listed = graph.relations if entity_id is None else graph.beside.get(entity_id, ())
        return page_of((r for r in listed if type_ in (None, r.type)), limit, cursor)


def _view(graph: Graph, matched: tuple[str, ...], first: list[str], zone: tzinfo) -> GraphView:
    cards = cards_of(graph, first, zone=zone)
    return GraphView(
        entities=tuple(graph.entities.values()),
        relations=graph.relations,
        matched=matched,
        text="\n".join(card.text for card in cards),
    )
