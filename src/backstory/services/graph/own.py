"""The default graph: facts and what readers found, both in the store, seen as entities."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from backstory.core.derived.book import DerivedPlan
from backstory.core.facts.asof import is_current
from backstory.core.graph.facts import Memo
from backstory.core.graph.matching import MOST_MATCHES, LabelIndex, around, preamble
from backstory.core.graph.merging import graph_of
from backstory.core.graph.value import Graph, holds, mark_of
from backstory.core.model.derived import GraphEntity, Relation, RelationStatus
from backstory.core.model.fact import USER
from backstory.language.lexicon import STOP_WORDS
from backstory.ports.facts import FactFilter
from backstory.ports.graph import Sighted, When

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from backstory.core.derived.book import DerivedBook
    from backstory.core.model.fact import Fact
    from backstory.core.model.scope import Scope
    from backstory.ports.clock import Clock
    from backstory.ports.store import Store
    from backstory.services.embedding.vectors import VectorMaker
    from backstory.services.facts.index import FactIndex

_MOST_USERS: Final = 256
_NAME: Final = "personal.name"


class Known:
    """A graph, what finds its entities by name, and what of it holds.

    Attributes:
        graph: All of it.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._current: tuple[datetime | None, datetime | None, Graph] | None = None

    @cached_property
    def labels(self) -> LabelIndex:
        """The names."""
        return LabelIndex(list(self.graph.entities.values()), STOP_WORDS)

    def chosen(self, when: When) -> Graph:
        """What counts; what holds now is kept until something begins or ends."""
        if when.history or when.valid_at is not None or when.known_at is not None:
            return chosen(self.graph, when)
        kept = self._current
        if kept is not None and _within(when.now, kept[0], kept[1]):
            return kept[2]
        found = chosen(self.graph, when)
        self._current = (*self.graph.span(when.now), found)
        return found

    @cached_property
    def mark(self) -> str:
        """The same for equal graphs only, in every process."""
        return mark_of(self.graph)


@dataclass(frozen=True)
class _Entry:
    """What is cached of one user, and what it was made of."""

    facts: Sequence[Fact]
    book: DerivedBook
    known: Known = field(repr=False)
    memo: Memo = field(repr=False)


class FactGraph:
    """Sees the facts of a user, and what a model found in messages, as a graph.

    It is computed from them, so it is never older than they are.

    Args:
        store: Where both are.
        index: The facts as they are searched; it keeps them in memory.
        vectors: Says which of its tables search uses, so that only one is kept.
        clock: The time of an erasure.
    """

    def __init__(self, store: Store, index: FactIndex, vectors: VectorMaker, clock: Clock) -> None:
        self._store = store
        self._index = index
        self._vectors = vectors
        self._clock = clock
        self._entries: OrderedDict[Scope, _Entry] = OrderedDict()

    async def whole(self, scope: Scope, when: When) -> Known:
        """All entities and relations, past ones too, as they are known now or were known then."""
        book = await self._store.derived.book(scope)
        if when.known_at is not None:
            valid = when.valid_at or when.known_at
            then = await self._store.facts.as_of(scope, valid, when.known_at, FactFilter())
            return Known(_graph(then, book, valid, when.known_at))
        table = await self._index.get(scope, await self._vectors.generation())
        entry = self._entries.get(scope)
        if entry is None or entry.facts is not table.facts or entry.book is not book:
            there = {fact.id for fact in table.facts}
            memo = {} if entry is None else {n: m for n, m in entry.memo.items() if n in there}
            known = Known(_graph(table.facts, book, when.now, None, memo))
            entry = _Entry(table.facts, book, known, memo)
        self._entries[scope] = entry
        self._entries.move_to_end(scope)
        while len(self._entries) > _MOST_USERS:
            self._entries.popitem(last=False)
        return entry.known

    async def put(
        self, scope: Scope, records: Sequence[GraphEntity | Relation], now: datetime
    ) -> None:
        """See ``GraphStore``."""
        await self._store.derived.change(scope, lambda _: DerivedPlan(put=tuple(records)), now)

    async def withdraw(self, scope: Scope, ids: Sequence[str], now: datetime) -> None:
        """See ``GraphStore``."""
        await self._store.derived.change(scope, lambda _: DerivedPlan(withdraw=tuple(ids)), now)

    async def get_context(self, scope: Scope, when: When, limit: int) -> Graph:
        """See ``GraphStore``."""
        known = await self.whole(scope, when)
        return preamble(known.chosen(when), limit)

    async def search_entities(self, scope: Scope, query: str, when: When, limit: int) -> Sighted:
        """See ``EntitySearch``."""
        return _named(await self.whole(scope, when), query, when, limit)

    async def sight_or_preamble(
        self, scope: Scope, query: str, when: When, limit: int, otherwise: int
    ) -> Sighted:
        """What a query names; if that is nothing, who and what matters most."""
        known = await self.whole(scope, when)
        found = _named(known, query, when, limit)
        return found if found.matched else Sighted(graph=preamble(known.chosen(when), otherwise))

    async def forget(self, scope: Scope) -> int:
        """Erase what readers found; facts are not the graph's to remove."""
        self._entries.pop(scope, None)

        def plan(book: DerivedBook) -> DerivedPlan:
            kinds = (GraphEntity, Relation)
            return DerivedPlan(erase=tuple({r.id: None for r in book if isinstance(r, kinds)}))

        return len((await self._store.derived.change(scope, plan, self._clock.now())).erase)

    def drop(self, scope: Scope) -> None:
        """Forget what is kept in memory of a user."""
        self._entries.pop(scope, None)

    async def aclose(self) -> None:
        """Nothing is held open."""


def _within(now: datetime, begin: datetime | None, end: datetime | None) -> bool:
    return (begin is None or begin <= now) and (end is None or now < end)


def chosen(graph: Graph, when: When) -> Graph:
    """The relations that count, and the entities that they join or that have none at all."""
    if when.history:
        return graph.where(lambda r: r.status is not RelationStatus.RETRACTED)
    now = when.known_at or when.now
    kept = [r for r in graph.relations if holds(r, now, when.valid_at)]
    alone = (name for name in graph.entities if name not in graph.beside)
    return graph.of(kept, also=alone)


def _named(known: Known, query: str, when: When, limit: int) -> Sighted:
    named = known.labels.find(query)
    return sighted(known, named, when, limit) if named else Sighted(graph=Graph())


def sighted(known: Known, named: Sequence[str], when: When, limit: int) -> Sighted:
    """What is around entities, of what counts; those that are only in other times are left out."""
    counted = known.chosen(when)
    names = [name for name in named if name in counted.entities][:MOST_MATCHES]
    return Sighted(graph=around(counted, names, limit), matched=tuple(names))


def _graph(
    facts: Iterable[Fact],
    book: DerivedBook,
    at: datetime,
    known_at: datetime | None,
    memo: Memo | None = None,
) -> Graph:
    facts = list(facts)
    names = (f for f in facts if f.key == _NAME and f.subject == USER and is_current(f, at))
    name = max(names, key=lambda f: f.recorded_at, default=None)
    return graph_of(
        facts,
        book.of(GraphEntity, known_at),
        book.of(Relation, known_at),
        user_name=None if name is None else name.value,
        memo=memo,
    )
