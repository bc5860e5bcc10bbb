"""A graph as lines of a context: one for each entity, its name quoted, our words around it."""

from collections.abc import Iterable, Mapping
from datetime import tzinfo
from typing import Final

from backstory.core.graph.naming import normal_label
from backstory.core.graph.schema import RULES, EntityKind, RelationType
from backstory.core.graph.value import Graph
from backstory.core.model.derived import GraphEntity, Relation, RelationStatus
from backstory.core.model.fact import USER
from backstory.core.rendering import quote, render_name, render_time
from backstory.core.times import date_in

THE_USER: Final = "the user"
_NAMELESS: Final = "the user's"


def name_of(entity: GraphEntity) -> str:
    """An entity in a sentence: "Sam", "the user", "the user's boss" where it has no name."""
    if entity.id == USER:
        return THE_USER
    if entity.kind == EntityKind.PERSON and entity.label == entity.role:
        return f"{_NAMELESS} {entity.role}"
    return quote(render_name(entity.label))


def namesakes(entities: Iterable[GraphEntity]) -> frozenset[str]:
    """The ids of those that share their name with another entity."""
    seen: dict[str, list[str]] = {}
    for entity in entities:
        seen.setdefault(normal_label(entity.label), []).append(entity.id)
    return frozenset(i for ids in seen.values() if len(ids) > 1 for i in ids)


def titled(entity: GraphEntity, shared: frozenset[str]) -> str:
    """A name with what tells it from another: "Sam (cat)", "Alex Kim (neighbour)"."""
    name = name_of(entity)
    if entity.id not in shared or entity.id == USER:
        return name
    return f"{name} ({entity.role or entity.kind})"


def render_entity(
    graph: Graph,
    entity: GraphEntity,
    relations: Iterable[Relation],
    *,
    zone: tzinfo,
    shared: frozenset[str] = frozenset(),
) -> str:
    """An entity with relations of it: ``- Sam: friend of the user; works at Acme``.

    Args:
        graph: Holds the other ends.
        entity: Whose line it is.
        relations: Those to show, in this order.
        zone: Dates are shown in it.
        shared: Ids of entities whose names others have too.
    """
    parts = [
        phrase(relation, entity.id, graph.entities, zone=zone, shared=shared)
        for relation in relations
    ]
    return f"- {titled(entity, shared)}: {'; '.join(parts) or entity.kind}"


def phrase(
    relation: Relation,
    seen_from: str,
    entities: Mapping[str, GraphEntity],
    *,
    zone: tzinfo,
    shared: frozenset[str] = frozenset(),
) -> str:
    """A relation behind the name of one of its ends: "works at Acme (since 2023-05-01)"."""
    rule = RULES[RelationType(relation.type)]
    leads = relation.subject_id == seen_from
    other = entities[relation.object_id if leads else relation.subject_id]
    words = rule.forward if leads else rule.inverse
    return f"{words} {titled(other, shared)}{_times(relation, zone)}"


def sentence(
    relation: Relation,
    entities: Mapping[str, GraphEntity],
    *,
    zone: tzinfo,
    shared: frozenset[str] = frozenset(),
) -> str:
    """A relation as one item: ``- Sam: works at Acme``."""
    subject = entities[relation.subject_id]
    told = phrase(relation, relation.subject_id, entities, zone=zone, shared=shared)
    return f"- {titled(subject, shared)}: {told}"


def _times(relation: Relation, zone: tzinfo) -> str:
    notes = []
    if relation.status is RelationStatus.DISPUTED:
        notes.append("not settled")
    if relation.valid_from is not None:
        notes.append(f"since {render_time(date_in(relation.valid_from, zone))}")
    if relation.valid_until is not None:
        notes.append(f"until {render_time(date_in(relation.valid_until, zone))}")
    return f" ({', '.join(notes)})" if notes else ""
