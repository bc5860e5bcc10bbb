"""The cached searchable form of each user's facts, never older than the store."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from backstory.core.facts.index import FactTable, IndexedFact, build_fact_table
from backstory.core.terms import QueryTerms
from backstory.language.terms import query_terms

if TYPE_CHECKING:
    from backstory.core.model.embedding import Generation
    from backstory.core.model.fact import Fact
    from backstory.core.model.scope import Scope
    from backstory.ports.at_once import NewerFacts
    from backstory.ports.facts import FactText
    from backstory.ports.store import Store

_MOST_USERS: Final = 256


@dataclass(frozen=True)
class _Entry:
    """What is cached of one user, and what it is current for."""

    stamp: tuple[int, int]
    table: FactTable
    seen: int


@dataclass(frozen=True)
class WordTable:
    """The facts of a user with their words, without vectors; others may have changed them since.

    Attributes:
        stamp: What it is current for.
        seen: The highest ``change_no`` in it.
    """

    stamp: tuple[int, int]
    table: FactTable
    seen: int

    def newer(self, found: NewerFacts | None) -> WordTable:
        """This with what changed; the table shares nothing that another one writes to."""
        if found is None:
            return self
        table = build_fact_table(()) if found.is_whole else self.table
        seen = -1 if found.is_whole else self.seen
        seen = max((text.change_no for text in found.texts), default=seen)
        return WordTable(found.stamp, table.changed([_indexed(t) for t in found.texts]), seen)


class FactIndex:
    """Gives the fact table of a user as of now.

    Args:
        store: Where facts are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: OrderedDict[tuple[Scope, int], _Entry] = OrderedDict()
        self._locks: dict[Scope, asyncio.Lock] = {}
        self._words: OrderedDict[Scope, WordTable] = OrderedDict()

    async def get(self, scope: Scope, generation: Generation | None) -> FactTable:
        """All facts of a user, past ones too, with every write that was acknowledged."""
        key = (scope, generation.id if generation else 0)
        lock = self._locks.setdefault(scope, asyncio.Lock())
        async with lock:
            entry = await self._current(scope, generation, self._entries.get(key))
            self._entries.pop(key, None)
            self._entries[key] = entry
            while len(self._entries) > _MOST_USERS:
                old, _ = self._entries.popitem(last=False)
                self._locks.pop(old[0], None)
        return entry.table

    async def forget(self, scope: Scope) -> None:
        """Drop what is cached of a user, also what is being loaded now."""
        async with self._locks.get(scope, asyncio.Lock()):
            self._words.pop(scope, None)
            for key in [known for known in self._entries if known[0] == scope]:
                self._entries.pop(key, None)

    async def words(self, scope: Scope, generation: Generation | None) -> WordTable:
        """The words of a user's facts as they were known last: whoever uses them asks what changed.

        Args:
            scope: The user.
            generation: Whose table is read if nothing is known yet.
        """
        known = self._words.get(scope)
        if known is None:
            await self.get(scope, generation)
            entry = self._entries.get((scope, generation.id if generation else 0))
            if entry is None:  # forgotten meanwhile
                return WordTable((0, 0), build_fact_table(()), -1)
            known = WordTable(entry.stamp, entry.table.without_vectors(), entry.seen)
        self.keep_words(scope, self._words.get(scope), known)
        return known

    def keep_words(self, scope: Scope, before: WordTable | None, now: WordTable) -> None:
        """Keep newer words of a user in the place of those that they were made of.

        Those that another call has replaced meanwhile, or that were forgotten, are left alone.
        """
        if self._words.get(scope) is not before:
            return
        self._words[scope] = now
        self._words.move_to_end(scope)
        while len(self._words) > _MOST_USERS:
            self._words.popitem(last=False)

    async def _current(
        self, scope: Scope, generation: Generation | None, known: _Entry | None
    ) -> _Entry:
        stamp = await self._store.facts.stamp(scope)
        if known is not None and known.stamp == stamp:
            return known
        same_epoch = known is not None and known.stamp[1] == stamp[1]
        table = known.table if known is not None and same_epoch else build_fact_table(())
        seen = known.seen if known is not None and same_epoch else -1
        fresh = await self._store.facts.texts(scope, generation, seen)
        table = table.changed([_indexed(text) for text in fresh])
        return _Entry(stamp, table, max((text.change_no for text in fresh), default=seen))


def _indexed(text: FactText) -> IndexedFact:
    return IndexedFact(
        fact=text.fact,
        terms=np.frombuffer(text.terms, dtype="<u4"),
        vector=None if text.vector is None else np.frombuffer(text.vector, dtype="<f4"),
    )


def near_by_words(table: FactTable, text: str, now: datetime, most: int) -> list[Fact]:
    """Current facts that share words with a text, best first; then the latest others."""
    if not len(table):
        return []
    scores = table.score(query_terms(text) if text.strip() else QueryTerms(), None).keyword
    current = np.flatnonzero(table.current(now))[::-1]
    # few facts share a word with a text: only those are sorted
    sharing = current[scores[current] > 0]
    best = sharing[np.argsort(-scores[sharing], kind="stable")[:most]]
    others = current[scores[current] == 0][: most - len(best)]
    return [table.facts[row] for row in (*best.tolist(), *others.tolist())]
