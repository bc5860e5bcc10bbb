"""The searchable form of each user's events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from backstory.core.model.derived import Event
from backstory.core.timeline.table import EventTable, build_event_table
from backstory.language.terms import message_terms
from backstory.services.derived_tables import DerivedTables

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from backstory.core.derived.book import DerivedBook
    from backstory.ports.store import Store


class EventTables(DerivedTables[Event, NDArray[np.uint32], EventTable]):
    """Gives the table of a user's events.

    Args:
        store: Where events are.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store, _chosen, _words_of, _built)


def _chosen(book: DerivedBook, known_at: datetime | None) -> list[Event]:
    return book.of(Event, known_at)


def _words_of(event: Event) -> NDArray[np.uint32]:
    return message_terms(event.indexed_text, speaker=None, timestamp=event.at, tells=False)


def _built(
    events: Sequence[Event],
    words: Sequence[NDArray[np.uint32]],
    vectors: Sequence[bytes | None],
) -> EventTable:
    found = {
        row: np.frombuffer(vector, dtype="<f4")
        for row, vector in enumerate(vectors)
        if vector is not None
    }
    return build_event_table(events, words, found)
