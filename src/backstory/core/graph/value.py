"""A graph: entities and the relations between them, and what of it holds at a time."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final

from backstory.core.model.derived import Derived, GraphEntity, Relation, RelationStatus
from backstory.core.model.fact import USER

CURRENT: Final = frozenset({RelationStatus.ACTIVE, RelationStatus.DISPUTED})


@dataclass(frozen=True)
class Graph:
    """Entities and relations of one user.

    Attributes:
        entities: By id; the user is one of them.
        relations: In order of ``at``; their ends are among the entities.
    """

    entities: Mapping[str, GraphEntity] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()

    @cached_property
    def beside(self) -> Mapping[str, Sequence[Relation]]:
        """The relations of each entity, in order."""
        found: defaultdict[str, list[Relation]] = defaultdict(list)
        for relation in self.relations:
            for end in dict.fromkeys((relation.subject_id, relation.object_id)):
                found[end].append(relation)
        return found

    @cached_property
    def busiest(self) -> Sequence[str]:
        """The entities that have relations: the user, then those with most."""
        size = {name: len(beside) for name, beside in self.beside.items()}
        return sorted(size, key=lambda name: (name != USER, -size[name], name))

    def span(self, now: datetime) -> tuple[datetime | None, datetime | None]:
        """The times between which the same relations hold as now: nothing begins or ends there.

        The first is inclusive, the second exclusive; None = no such time.
        """
        times = [t for r in self.relations for t in (r.valid_from, r.valid_until) if t is not None]
        before = max((t for t in times if t <= now), default=None)
        return before, min((t for t in times if t > now), default=None)

    def where(self, chosen: Callable[[Relation], bool]) -> "Graph":
        """Only some relations, and the entities that they join."""
        return self.of(filter(chosen, self.relations))

    def of(self, relations: Iterable[Relation], also: Iterable[str] = ()) -> "Graph":
        """Some relations with the entities that they join, and some more entities."""
        kept = tuple(relations)
        ends = dict.fromkeys([*also, *(e for r in kept for e in (r.subject_id, r.object_id))])
        return Graph({i: self.entities[i] for i in ends if i in self.entities}, kept)

    def __bool__(self) -> bool:
        return bool(self.relations or self.entities)


def begun(relation: Relation, at: datetime) -> bool:
    """Whether a time lies within its valid time, whose end is exclusive."""
    if relation.valid_from is not None and relation.valid_from > at:
        return False
    return relation.valid_until is None or at < relation.valid_until


def holds(relation: Relation, now: datetime, valid_at: datetime | None = None) -> bool:
    """Whether a relation is true now, or was at a time: the rules are those of facts."""
    if valid_at is not None:
        return relation.status is not RelationStatus.RETRACTED and begun(relation, valid_at)
    return relation.status in CURRENT and begun(relation, now)


def record_mark(record: Derived) -> str:
    """The same for records of equal content only, whenever they were recorded."""
    told = record.to_dict()
    told.pop("recorded_at")
    told.pop("replaced_at")
    return hashlib.blake2b(repr(told).encode("utf-8", "replace"), digest_size=12).hexdigest()


def mark_of(graph: Graph) -> str:
    """The same for equal graphs only."""
    marks = sorted(map(record_mark, (*graph.entities.values(), *graph.relations)))
    return hashlib.blake2b("".join(marks).encode(), digest_size=16).hexdigest()
