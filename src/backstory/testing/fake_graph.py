"""A graph in memory, for tests: it keeps the contract of a graph store and of a mirror."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from backstory.core.derived.book import was_known
from backstory.core.graph.matching import MOST_MATCHES, LabelIndex, around, preamble
from backstory.core.graph.schema import EntityKind
from backstory.core.graph.value import Graph, holds, record_mark
from backstory.core.model.derived import GraphEntity, Relation, RelationStatus
from backstory.core.model.fact import USER
from backstory.core.model.scope import Scope
from backstory.language.lexicon import STOP_WORDS
from backstory.ports.graph import Sighted, When

_Record = GraphEntity | Relation


@dataclass
class _Held:
    """What is held of one user."""

    records: list[_Record] = field(default_factory=list)
    stamp: str | None = None


class MemoryGraph:
    """A graph store and mirror in memory."""

    def __init__(self) -> None:
        self._users: dict[Scope, _Held] = {}
        self.replaced = 0

    async def put(self, scope: Scope, records: Sequence[_Record], now: datetime) -> None:
        held = self._users.setdefault(scope, _Held())
        for record in records:
            known = [r for r in held.records if r.id == record.id and r.replaced_at is None]
            if known and record_mark(known[0]) == record_mark(record):
                continue
            await self.withdraw(scope, [record.id], now)
            held.records.append(replace(record, recorded_at=now))

    async def withdraw(self, scope: Scope, ids: Sequence[str], now: datetime) -> None:
        held = self._users.setdefault(scope, _Held())
        held.records = [
            replace(r, replaced_at=now) if r.id in ids and r.replaced_at is None else r
            for r in held.records
        ]

    async def get_context(self, scope: Scope, when: When, limit: int) -> Graph:
        return preamble(self._chosen(scope, when), limit)

    async def search_entities(self, scope: Scope, query: str, when: When, limit: int) -> Sighted:
        graph = self._chosen(scope, when)
        index = LabelIndex(list(graph.entities.values()), STOP_WORDS)
        names = index.find(query)[:MOST_MATCHES]
        return Sighted(graph=around(graph, names, limit), matched=tuple(names))

    async def forget(self, scope: Scope) -> int:
        held = self._users.pop(scope, _Held())
        return len(held.records)

    async def stamp(self, scope: Scope) -> str | None:
        return self._users.get(scope, _Held()).stamp

    async def replace(self, scope: Scope, graph: Graph, stamp: str) -> int:
        self._users[scope] = _Held([*graph.entities.values(), *graph.relations], stamp)
        self.replaced += 1
        return len(self._users[scope].records)

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _chosen(self, scope: Scope, when: When) -> Graph:
        held = self._users.get(scope, _Held())
        known = [r for r in held.records if was_known(r, when.known_at)]
        entities = {r.id: r for r in known if isinstance(r, GraphEntity)}
        relations = [r for r in known if isinstance(r, Relation)]
        for relation in relations:
            if USER in (relation.subject_id, relation.object_id):
                entities.setdefault(USER, _user(scope, relation))
        graph = Graph(entities, tuple(relations))
        now = when.known_at or when.now
        kept = [
            r
            for r in relations
            if r.subject_id in entities
            and r.object_id in entities
            and (
                r.status is not RelationStatus.RETRACTED
                if when.history
                else holds(r, now, when.valid_at)
            )
        ]
        alone = (name for name in entities if name not in graph.beside)
        return graph.of(kept, also=alone)


def _user(scope: Scope, relation: Relation) -> GraphEntity:
    return GraphEntity(
        id=USER,
        user_id=scope.user_id,
        at=relation.at,
        recorded_at=relation.recorded_at,
        kind=EntityKind.PERSON,
        label=USER,
    )
