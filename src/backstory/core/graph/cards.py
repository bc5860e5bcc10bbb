"""A graph as a few lines: one for each entity that matters, each relation told once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from backstory.core.graph.lines import namesakes, render_entity
from backstory.core.graph.value import Graph
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.fact import USER

MOST_ON_A_CARD: Final = 8


@dataclass(frozen=True)
class Card:
    """One line.

    Attributes:
        entity: Whose line it is.
        relations: Those that it tells.
        text: As it is rendered.
    """

    entity: GraphEntity
    relations: tuple[Relation, ...]
    text: str


def cards_of(
    graph: Graph,
    first: Sequence[str],
    *,
    zone: tzinfo,
    known: Collection[str] = (),
) -> list[Card]:
    """The lines of a graph.

    Those who are first get the first lines; then whoever has relations that no line tells yet. Of
    the two ends of a relation, the one that is not the user tells it.

    Args:
        graph: What to tell.
        first: Ids of entities, in this order.
        zone: Dates are shown in it.
        known: Ids of entities of a larger graph that share a name with another of it.
    """
    shared = frozenset(known) | namesakes(graph.entities.values())
    told: set[str] = set()
    cards: list[Card] = []
    for name in _order(graph, first):
        left = [r for r in graph.beside.get(name, ()) if r.id not in told]
        if not left and (name not in first or graph.beside.get(name)):
            continue
        told.update(r.id for r in left)
        entity = graph.entities[name]
        for start in range(0, max(1, len(left)), MOST_ON_A_CARD):
            part = left[start : start + MOST_ON_A_CARD]
            text = render_entity(graph, entity, part, zone=zone, shared=shared)
            cards.append(Card(entity, tuple(part), text))
    return cards


def _order(graph: Graph, first: Sequence[str]) -> list[str]:
    named = [name for name in first if name != USER and name in graph.entities]
    rest = [name for name in graph.entities if name not in first and name != USER]
    rest.sort(key=lambda name: -len(graph.beside.get(name, ())))
    return [*named, *rest, *([USER] if USER in graph.entities else [])]
