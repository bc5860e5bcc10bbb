"""Scores the responses of a session when it ends: nothing of it is done while messages come in."""

from functools import partial

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import Quality
from backstory.core.quality import Exchange, exchanges_of, score_new
from backstory.ports.derived import DerivedPlanner
from backstory.ports.store import Store
from backstory.services.consolidating.digest import Digest
from backstory.services.quality.making import known_facts, quality_of
from backstory.threads import run_in_thread


class QualityDigester:
    """Scores what was not scored before; an imported session is left out.

    Args:
        store: Where facts are.
    """

    name = "quality"

    def __init__(self, store: Store) -> None:
        self._store = store

    async def digest(self, digest: Digest) -> DerivedPlanner:
        """Score the responses of a session, and how the user took them."""
        if digest.bulk:
            return lambda _: DerivedPlan()
        book = await self._store.derived.book(digest.scope)
        exchanges = [e for e in exchanges_of(digest.messages) if _is_new(book, e)]
        with self._store.one_look(digest.scope):
            facts = [await known_facts(self._store, digest.scope, e.response) for e in exchanges]
        mode, now = digest.session.mode, digest.now
        fresh = await run_in_thread(
            lambda: [
                quality_of(digest.scope, exchange, known, mode=mode, now=now)
                for exchange, known in zip(exchanges, facts, strict=True)
            ]
        )
        return partial(score_new, fresh=fresh)


def _is_new(book: DerivedBook, exchange: Exchange) -> bool:
    """Whether there is something to score that was not scored before."""
    known = book.in_slot(Quality, exchange.response.id)
    return known is None or (known.interaction_vitality is None and exchange.reply is not None)
