"""A graph as a few lines: one for each entity that matters, each relation told once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from typing import Final

from backstory.core.graph.lines import namesakes, render_entity
from backstory.core.graph.schema import RelationType
from backstory.core.graph.value import Graph
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.fact import USER

MOST_ON_A_CARD: Final = 8
_TYPES: Final = {str(type_): place for place, type_ in enumerate(RelationType)}


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
        beside = graph.beside.get(name, ())
        left = sorted((r for r in beside if r.id not in told), key=partial(_place, graph, name))
        if not left and (name not in first or beside):
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
    rest.sort(key=lambda name: (-len(graph.beside.get(name, ())), *_name(graph, name)))
    return [*named, *rest, *([USER] if USER in graph.entities else [])]


def _place(graph: Graph, name: str, relation: Relation) -> tuple[object, ...]:
    """Ties to the user first, then by type: the same however the records are named."""
    ends = (relation.subject_id, relation.object_id)
    other = ends[1] if ends[0] == name else ends[0]
    begin = 0.0 if relation.valid_from is None else relation.valid_from.timestamp()
    return (USER not in ends, _TYPES[relation.type], begin, *_name(graph, other), relation.id)


def _name(graph: Graph, name: str) -> tuple[str, str]:
    return (graph.entities[name].label.casefold(), name)
