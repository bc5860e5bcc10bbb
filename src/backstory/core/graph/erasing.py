"""What a model found that says the same as a fact: it goes when the fact is deleted."""

from collections.abc import Iterator, Sequence

from backstory.core.graph.facts import Stated, project
from backstory.core.graph.naming import normal_label
from backstory.core.graph.schema import RULES, RelationType
from backstory.core.model.derived import Derived, GraphEntity, Relation
from backstory.core.model.fact import USER, Fact

_Said = tuple[str, str, str]


def said_by(fact: Fact, records: Sequence[Derived]) -> tuple[str, ...]:
    """Ids of the relations that say what a fact says, and of entities that nothing else names.

    Args:
        fact: The fact that goes.
        records: All derived records of its user, in all versions.
    """
    stated = (edge for edge in project([fact]).edges if not edge.implied)
    said = {form for edge in stated for form in _forms_of(edge)}
    if not said:
        return ()
    entities: dict[str, GraphEntity] = {r.id: r for r in records if isinstance(r, GraphEntity)}
    relations = [r for r in records if isinstance(r, Relation)]
    gone = [r for r in relations if said & set(_forms(r, entities))]
    kept = {end for r in relations if r not in gone for end in (r.subject_id, r.object_id)}
    ends = {end for r in gone for end in (r.subject_id, r.object_id)} - kept - {USER}
    return tuple(dict.fromkeys([*(r.id for r in gone), *sorted(ends)]))


def _forms_of(edge: Stated) -> Iterator[_Said]:
    names = [USER if n.id == USER else normal_label(n.label) for n in (edge.subject, edge.object)]
    yield (edge.type, names[0], names[1])
    if RULES[edge.type].symmetric:
        yield (edge.type, names[1], names[0])


def _forms(relation: Relation, entities: dict[str, GraphEntity]) -> Iterator[_Said]:
    """What a relation says, under each name of its ends."""
    if relation.type not in set(RelationType):
        return
    for subject in _names(relation.subject_id, entities):
        for object_ in _names(relation.object_id, entities):
            yield (relation.type, subject, object_)


def _names(end: str, entities: dict[str, GraphEntity]) -> list[str]:
    if end == USER:
        return [USER]
    entity = entities.get(end)
    return [] if entity is None else [normal_label(n) for n in (entity.label, *entity.aliases)]
