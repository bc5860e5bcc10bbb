"""The cached searchable form of each user's summaries of conversations."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeAlias

from backstory.core.model.derived import SummaryKind
from backstory.core.summaries.choosing import known_summaries
from backstory.core.summaries.index import SummaryTable, build_table
from backstory.language.words import text_keys
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from backstory.core.derived.book import DerivedBook
    from backstory.core.model.derived import Summary
    from backstory.core.model.embedding import Generation
    from backstory.core.model.scope import Scope
    from backstory.ports.store import Store

_MOST_USERS: Final = 256
_INLINE: Final = 40
"""More new summaries than this are cut into words in a thread."""
_Version: TypeAlias = tuple[str, datetime]
_NO_VECTORS: Final[Mapping[_Version, bytes]] = {}


@dataclass
class _Entry:
    """What is cached of one user: for which state, and the words of each version."""

    book: DerivedBook
    vectors: Mapping[_Version, bytes]
    table: SummaryTable
    words: dict[_Version, frozenset[int]] = field(default_factory=dict)


class SummaryTables:
    """Gives the table of a user's summaries of sessions as of now, or as they were known.

    Args:
        store: Where summaries are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: OrderedDict[tuple[Scope, int], _Entry] = OrderedDict()

    async def get(
        self, scope: Scope, generation: Generation | None, known_at: datetime | None = None
    ) -> SummaryTable:
        """One summary for each session that has one."""
        book = await self._store.derived.book(scope)
        vectors = _NO_VECTORS
        if generation is not None and len(book.records):
            vectors = await self._store.derived.vectors(scope, generation)
        key = (scope, generation.id if generation is not None else 0)
        known = self._entries.get(key)
        is_current = known is not None and known.book is book and known.vectors is vectors
        if known is not None and is_current and known_at is None:
            self._entries.move_to_end(key)
            return known.table
        words = dict(known.words) if known is not None else {}
        summaries = known_summaries(book, known_at, (SummaryKind.SESSION,))
        missing = [one for one in summaries if (one.id, one.recorded_at) not in words]
        if len(missing) > _INLINE:
            words |= await run_in_thread(lambda: _words_of(missing))
        else:
            words |= _words_of(missing)
        versions = [(one.id, one.recorded_at) for one in summaries]
        table = build_table(
            summaries,
            [words[version] for version in versions],
            [vectors.get(version) for version in versions],
        )
        if known_at is None:
            kept = {version: words[version] for version in versions}
            self._entries[key] = _Entry(book, vectors, table, kept)
            while len(self._entries) > _MOST_USERS:
                self._entries.popitem(last=False)
        return table

    def forget(self, scope: Scope) -> None:
        """Drop what is cached of a user."""
        for key in [known for known in self._entries if known[0] == scope]:
            self._entries.pop(key, None)


def _words_of(summaries: list[Summary]) -> dict[_Version, frozenset[int]]:
    return {(one.id, one.recorded_at): text_keys(one.text) for one in summaries}
