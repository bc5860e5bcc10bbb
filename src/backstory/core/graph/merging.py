"""What facts imply and what a model found, as one graph: equal entities and equal edges once.

An entity is its kind and its name. Two people of one name whose roles differ stay two, unless one
quote says both of one name; animals stay apart by owner and species. Another name joins two
entities only where a message said so.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from backstory.core.graph.facts import Memo, Node, Stated, entity_of, project
from backstory.core.graph.naming import entity_id, normal_label
from backstory.core.graph.rules import ONE_AT_A_TIME
from backstory.core.graph.schema import (
    RULES,
    EntityKind,
    RelationType,
    refused_kind,
    refused_label,
    refused_relation,
)
from backstory.core.graph.value import Graph
from backstory.core.model.derived import GraphEntity, Relation, RelationStatus
from backstory.core.model.fact import USER, Evidence, Fact
from backstory.core.text import one_line

_MOST_EVIDENCE: Final = 8
_Edge = tuple[str, str, str]


def graph_of(
    facts: Iterable[Fact],
    entities: Sequence[GraphEntity] = (),
    relations: Sequence[Relation] = (),
    *,
    user_name: str | None = None,
    memo: Memo | None = None,
) -> Graph:
    """The graph of one user.

    Args:
        facts: As they were believed at one time; past ones too.
        entities: What a model found, as it was known at that time.
        relations: Likewise.
        user_name: The user's name, if it is known.
        memo: See ``project``.
    """
    stated = project(facts, memo).edges
    nodes = _Nodes(stated)
    places = nodes.with_found(entities)
    edges = [nodes.moved(edge.relation) for edge in stated]
    kept = _without_doubles(edges)
    kept += _of_model(relations, places, kept, nodes)
    kept.sort(key=lambda relation: (relation.at, relation.id))
    known = nodes.records(user_name)
    kept = [r for r in kept if r.subject_id in known and r.object_id in known]
    ends = {end for r in kept for end in (r.subject_id, r.object_id)}
    used = {name: e for name, e in known.items() if name in ends or name in nodes.found}
    return Graph(used, tuple(kept))


@dataclass
class _Group:
    """An entity while its names are gathered."""

    node: Node
    fact: Fact | None
    first: GraphEntity | None = None
    aliases: dict[str, str] = field(default_factory=dict)
    evidence: dict[Evidence, None] = field(default_factory=dict)


class _Nodes:
    """Entities by id, and which ids turned out to be the same."""

    def __init__(self, edges: Sequence[Stated]) -> None:
        self._groups: dict[str, _Group] = {}
        self._same: dict[str, str] = {}
        self._names: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self.found: set[str] = set()
        for edge in edges:
            for node in (edge.subject, edge.object):
                group = self._groups.setdefault(node.id, _Group(node, edge.fact))
                group.evidence.update(dict.fromkeys(edge.fact.evidence))
                if node.id != USER:
                    self._names[node.kind.value, normal_label(node.label)][node.id] = None
        self._join_namesakes()

    def place(self, name: str) -> str:
        """The id that stands for an id now."""
        while name in self._same:
            name = self._same[name]
        return name

    def moved(self, relation: Relation) -> Relation:
        """A relation between the entities as they are now."""
        ends = (self.place(relation.subject_id), self.place(relation.object_id))
        if ends == (relation.subject_id, relation.object_id):
            return relation
        return replace(relation, subject_id=ends[0], object_id=ends[1])

    def with_found(self, entities: Sequence[GraphEntity]) -> Mapping[str, str]:
        """Find the place of what a model found; gives it by the record's id."""
        places: dict[str, str] = {}
        for entity in entities:
            # an import may bring records of any kind
            if refused_kind(entity.kind) is None and refused_label(entity.label) is None:
                places[entity.id] = self._take(entity)
        return {record: self.place(name) for record, name in places.items()}

    def records(self, user_name: str | None) -> dict[str, GraphEntity]:
        """All entities."""
        made: dict[str, GraphEntity] = {}
        for name, group in self._groups.items():
            if name in self._same:
                continue
            evidence = tuple(group.evidence)[:_MOST_EVIDENCE]
            if group.fact is not None:
                record = entity_of(group.node, group.fact, evidence)
            else:
                assert group.first is not None  # noqa: S101 - one of the two made it
                record = replace(group.first, id=name, evidence=evidence)
            made[name] = replace(record, aliases=tuple(group.aliases.values()))
        if USER in made and user_name:
            made[USER] = replace(made[USER], label=one_line(user_name))
        return made

    def _join_namesakes(self) -> None:
        """Join people of one name and different roles whom one quote names once."""
        for (kind, label), names in list(self._names.items()):
            if kind != EntityKind.PERSON or len(names) < 2:
                continue
            known = list(names)
            for place, first in enumerate(known):
                for second in known[place + 1 :]:
                    if self._said_of_one(first, second, label):
                        self._join(first, second)

    def _said_of_one(self, first: str, second: str, label: str) -> bool:
        one, other = self._groups[first], self._groups[second]
        shared = one.evidence.keys() & other.evidence.keys()
        return any(normal_label(e.quote).count(label) == 1 for e in shared)

    def _join(self, first: str, second: str) -> None:
        first, second = self.place(first), self.place(second)
        if first == second:
            return
        self._same[second] = first
        kept, gone = self._groups[first], self._groups[second]
        kept.evidence.update(gone.evidence)
        for name in (gone.node.label, *gone.aliases.values()):
            self._also_called(first, name)
        if second in self.found:
            self.found.add(first)

    def _also_called(self, name: str, alias: str) -> None:
        group = self._groups[name]
        form = normal_label(alias)
        if form != normal_label(group.node.label):
            group.aliases.setdefault(form, alias)
        self._names[group.node.kind.value, form][name] = None

    def _candidates(self, kind: str, label: str) -> list[str]:
        found = self._names.get((kind, normal_label(label)), {})
        return list(dict.fromkeys(self.place(name) for name in found))

    def _take(self, entity: GraphEntity) -> str:
        known = self._candidates(entity.kind, entity.label)
        if entity.role:
            same = [n for n in known if self._groups[n].node.role == entity.role]
            known = same or [n for n in known if not self._groups[n].node.role]
        # of several that bear the name nobody said which: then it is one of its own
        name = known[0] if len(known) == 1 else self._new(entity)
        self.found.add(name)
        self._groups[name].evidence.update(dict.fromkeys(entity.evidence))
        for alias in entity.aliases:
            others = [n for n in self._candidates(entity.kind, alias) if n != name]
            self._also_called(name, alias)
            if len(others) == 1:
                self._join(others[0], name)
                name = self.place(name)
                self._also_called(name, alias)
        return name

    def _new(self, entity: GraphEntity) -> str:
        name = entity_id(entity.kind, entity.label, entity.role and f"found {entity.role}")
        if name not in self._groups:
            node = Node(name, EntityKind(entity.kind), one_line(entity.label), entity.role)
            self._groups[name] = _Group(node, None, entity)
            self._names[entity.kind, normal_label(entity.label)][name] = None
        return self.place(name)

    def user(self, relation: Relation) -> None:
        """See that the user is an entity."""
        if USER not in self._groups:
            entity = GraphEntity(
                id=USER,
                user_id=relation.user_id,
                at=relation.at,
                recorded_at=relation.recorded_at,
                known_from=relation.known_from,
                kind=EntityKind.PERSON,
                label=USER,
            )
            self._groups[USER] = _Group(Node(USER, EntityKind.PERSON, USER), None, entity)

    def kind_of(self, name: str) -> str:
        """The kind of an entity."""
        return self._groups[name].node.kind.value


def _without_doubles(edges: Iterable[Relation]) -> list[Relation]:
    """Equal edges of one period once, the one with the earliest fact first."""
    kept: dict[tuple[object, ...], Relation] = {}
    for edge in edges:
        key = (*_ends(edge), edge.valid_from, edge.valid_until, edge.status)
        known = kept.get(key)
        kept[key] = edge if known is None else _joined(known, edge)
    return [edge for edge in kept.values() if edge.subject_id != edge.object_id]


def _of_model(
    relations: Sequence[Relation],
    places: Mapping[str, str],
    stated: list[Relation],
    nodes: _Nodes,
) -> list[Relation]:
    """The relations that no fact states, and those that one states joined to it in ``stated``."""
    by_ends: defaultdict[_Edge, list[int]] = defaultdict(list)
    for place, edge in enumerate(stated):
        by_ends[_ends(edge)].append(place)
    answers = _answers(stated)
    new: dict[tuple[object, ...], Relation] = {}
    for relation in _placed(relations, places, nodes):
        like = [n for n in by_ends.get(_ends(relation), ()) if _same_time(stated[n], relation)]
        if like:
            stated[like[-1]] = _joined(stated[like[-1]], relation)
            continue
        edge = _closed_by_facts(relation, answers)
        key = (*_ends(edge), edge.valid_from, edge.valid_until)
        twin = next((k for k, e in new.items() if k[:3] == key[:3] and _meet(e, edge)), None)
        if twin is None:
            new[key] = edge
        else:
            new[twin] = _joined(new[twin], edge)
    return list(new.values())


def _placed(
    relations: Sequence[Relation], places: Mapping[str, str], nodes: _Nodes
) -> Iterator[Relation]:
    """The relations between the entities of the graph; one whose entity is gone is left out."""
    for relation in relations:
        ends = [
            USER if end == USER else places.get(end)
            for end in (relation.subject_id, relation.object_id)
        ]
        if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
            continue
        if USER in ends:
            nodes.user(relation)
        if refused_relation(relation.type, nodes.kind_of(ends[0]), nodes.kind_of(ends[1])):
            continue
        yield replace(relation, subject_id=ends[0], object_id=ends[1])


def _ends(edge: Relation) -> _Edge:
    first, second = edge.subject_id, edge.object_id
    if RULES[RelationType(edge.type)].symmetric and second < first:
        first, second = second, first
    return (edge.type, first, second)


def _same_time(stated: Relation, found: Relation) -> bool:
    """Whether a fact's edge says what became of a found one: it was not said after its end."""
    if stated.status is RelationStatus.RETRACTED:
        return found.at <= stated.at or _meet(stated, found)
    return _meet(stated, found)


def _meet(first: Relation, second: Relation) -> bool:
    """Whether the valid times of two edges overlap or touch."""
    for one, other in ((first, second), (second, first)):
        end, begin = one.valid_until, other.valid_from
        if end is not None and begin is not None and begin >= end:
            return False
    return True


def _answers(stated: Sequence[Relation]) -> Mapping[tuple[str, str], list[datetime]]:
    """When facts gave an answer to a slot of one value, by type and subject."""
    found: defaultdict[tuple[str, str], list[datetime]] = defaultdict(list)
    for edge in stated:
        counts = edge.type in ONE_AT_A_TIME and edge.status is not RelationStatus.RETRACTED
        if counts and edge.valid_from is not None:
            found[edge.type, edge.subject_id].append(edge.valid_from)
    return found


def _closed_by_facts(
    relation: Relation, answers: Mapping[tuple[str, str], list[datetime]]
) -> Relation:
    """A found edge ends where a later fact gives another answer to the same slot."""
    since = relation.valid_from or relation.at
    later = [at for at in answers.get((relation.type, relation.subject_id), ()) if at > since]
    if not later or (relation.valid_until is not None and relation.valid_until <= min(later)):
        return relation
    return replace(relation, valid_until=min(later), status=RelationStatus.SUPERSEDED)


def _joined(kept: Relation, other: Relation) -> Relation:
    evidence = tuple(dict.fromkeys((*kept.evidence, *other.evidence)))[:_MOST_EVIDENCE]
    return replace(kept, evidence=evidence, confidence=max(kept.confidence, other.confidence))
