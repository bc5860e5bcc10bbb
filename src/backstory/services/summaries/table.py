"""The searchable form of each user's summaries of conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstory.core.model.derived import Summary, SummaryKind
from backstory.core.summaries.choosing import known_summaries
from backstory.core.summaries.index import SummaryTable, build_table
from backstory.language.words import text_keys
from backstory.services.derived_tables import DerivedTables

if TYPE_CHECKING:
    from datetime import datetime

    from backstory.core.derived.book import DerivedBook
    from backstory.ports.store import Store


class SummaryTables(DerivedTables[Summary, frozenset[int], SummaryTable]):
    """Gives the table of a user's summaries: one for each session that has one.

    Args:
        store: Where summaries are.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store, _chosen, _words_of, build_table)


def _chosen(book: DerivedBook, known_at: datetime | None) -> list[Summary]:
    return known_summaries(book, known_at, (SummaryKind.SESSION,))


def _words_of(summary: Summary) -> frozenset[int]:
    return text_keys(summary.text)
