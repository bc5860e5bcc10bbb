"""The cached searchable form of each user's events."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from backstory.core.model.derived import Event
from backstory.core.timeline.table import EventTable, build_event_table
from backstory.language.terms import message_terms
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from backstory.core.derived.book import DerivedBook
    from backstory.core.model.embedding import Generation
    from backstory.core.model.scope import Scope
    from backstory.ports.store import Store

_MOST_USERS: Final = 256
_INLINE: Final = 40
"""More new events than this are cut into words in a thread."""
_Version: TypeAlias = tuple[str, datetime]
_NO_VECTORS: Final[Mapping[_Version, bytes]] = {}


@dataclass
class _Entry:
    """What is cached of one user: for which state, and the words of each version."""

    book: DerivedBook
    vectors: Mapping[_Version, bytes]
    table: EventTable
    words: dict[_Version, NDArray[np.uint32]] = field(default_factory=dict)


class EventTables:
    """Gives the table of a user's events as of now, or as they were known.

    Args:
        store: Where events are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: OrderedDict[tuple[Scope, int], _Entry] = OrderedDict()

    async def get(
        self, scope: Scope, generation: Generation | None, known_at: datetime | None = None
    ) -> EventTable:
        """All events, with the vectors of a generation."""
        book = await self._store.derived.book(scope)
        vectors = _NO_VECTORS
        if generation is not None and book.records:
            vectors = await self._store.derived.vectors(scope, generation)
        key = (scope, generation.id if generation is not None else 0)
        known = self._entries.get(key)
        is_current = known is not None and known.book is book and known.vectors is vectors
        if known is not None and is_current and known_at is None:
            self._entries.move_to_end(key)
            return known.table
        words = dict(known.words) if known is not None else {}
        events = book.of(Event, known_at)
        missing = [one for one in events if (one.id, one.recorded_at) not in words]
        if len(missing) > _INLINE:
            words |= await run_in_thread(_words_of, missing)
        else:
            words |= _words_of(missing)
        versions = [(one.id, one.recorded_at) for one in events]
        table = build_event_table(
            events,
            [words[version] for version in versions],
            {
                row: np.frombuffer(vectors[version], dtype="<f4")
                for row, version in enumerate(versions)
                if version in vectors
            },
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


def _words_of(events: Sequence[Event]) -> dict[_Version, NDArray[np.uint32]]:
    return {
        (one.id, one.recorded_at): message_terms(
            one.indexed_text, speaker=None, timestamp=one.at, tells=False
        )
        for one in events
    }
