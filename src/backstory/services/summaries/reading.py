"""Summaries as callers read them."""

from collections.abc import Iterable
from datetime import datetime

from backstory.core.model.derived import Summary, SummaryKind
from backstory.core.model.scope import Scope
from backstory.core.summaries.choosing import known_summaries, summary_slot
from backstory.ports.store import Store


class Summaries:
    """Reads summaries.

    Args:
        store: Where they are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def for_session(
        self, scope: Scope, session_id: str, known_at: datetime | None = None
    ) -> Summary | None:
        """The summary of a session; None before it is digested, or if it had nothing to say."""
        slot = summary_slot(SummaryKind.SESSION, session_id)
        book = await self._store.derived.book(scope)
        known = known_summaries(book, known_at, (SummaryKind.SESSION,))
        return next((summary for summary in known if summary.slot == slot), None)

    async def recent(
        self,
        scope: Scope,
        limit: int,
        kinds: Iterable[SummaryKind],
        known_at: datetime | None = None,
    ) -> list[Summary]:
        """The latest summaries, the latest first."""
        known = known_summaries(await self._store.derived.book(scope), known_at, kinds)
        return known[::-1][:limit]
