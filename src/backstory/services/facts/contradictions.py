"""Contradictions: reading, deciding and holding them."""

from datetime import datetime
from typing import Final

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.facts.deciding import hold, lapse, lapsed_holds, resolve
from backstory.core.model.contradiction import (
    Contradiction,
    ContradictionCounts,
    ContradictionState,
    Decision,
)
from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.errors import NotFoundError
from backstory.ports.clock import Clock
from backstory.ports.facts import FactFilter, Planner
from backstory.ports.store import Store
from backstory.services.facts.writer import FactWriter

_HELD: Final = frozenset({ContradictionState.HELD})
_OPEN: Final = frozenset({ContradictionState.OPEN})


class Contradictions:
    """Works on contradictions.

    Args:
        store: Where they are.
        writer: Applies decisions to facts.
        clock: The time.
        tenant_id: Whose data it works on.
    """

    def __init__(self, store: Store, writer: FactWriter, clock: Clock, tenant_id: str) -> None:
        self._store = store
        self._writer = writer
        self._clock = clock
        self._tenant_id = tenant_id

    async def listed(
        self,
        scope: Scope,
        states: frozenset[ContradictionState],
        session_id: str | None,
        limit: int | None,
    ) -> list[Contradiction]:
        """Contradictions in some states, oldest first. Holds that have lapsed are open again."""
        await self.reopen_lapsed(scope)
        return await self._store.contradictions.listed(scope, states, session_id, limit)

    async def open_as_of(
        self, scope: Scope, known_at: datetime | None, limit: int
    ) -> list[Contradiction]:
        """The open ones, seen last first; with ``known_at`` those that were open then."""
        if known_at is None:
            known = await self._open(scope)
        else:
            every = await self._store.contradictions.listed(scope, frozenset(ContradictionState))
            known = [one for one in every if _was_open(one, known_at)]
        return sorted(known, key=lambda one: (one.last_seen_at, one.id), reverse=True)[:limit]

    async def _open(self, scope: Scope) -> list[Contradiction]:
        """Those that are open now, with one look if none is held."""
        found = await self._store.contradictions.listed(scope, _HELD | _OPEN)
        if any(one.state is ContradictionState.HELD for one in found):
            return await self.listed(scope, _OPEN, None, None)
        return found

    async def counts(self, scope: Scope) -> ContradictionCounts:
        """How many there are in each state."""
        await self.reopen_lapsed(scope)
        return await self._store.contradictions.counts(scope)

    async def resolve(
        self,
        contradiction_id: str,
        user_id: str | None,
        decision: Decision,
        note: str | None,
        *,
        apply: bool,
    ) -> Contradiction:
        """Decide one, and let the facts follow."""
        scope = await self._scope_of(contradiction_id, user_id)
        common = self._writer.terms(scope)

        def plan(book: FactBook) -> FactPlan:
            return resolve(book, contradiction_id, decision, note, apply=apply, **common)

        return await self._decide(scope, contradiction_id, plan)

    async def hold(self, contradiction_id: str, user_id: str | None, reason: str) -> Contradiction:
        """Put one aside."""
        scope = await self._scope_of(contradiction_id, user_id)
        now = self._clock.now()
        return await self._decide(
            scope, contradiction_id, lambda book: hold(book, contradiction_id, reason, now=now)
        )

    async def _decide(self, scope: Scope, contradiction_id: str, plan: Planner) -> Contradiction:
        wanted = FactsWanted(contradiction_ids=frozenset({contradiction_id}))
        written = await self._writer.apply(scope, wanted, plan)
        return written.contradictions[contradiction_id]

    async def _scope_of(self, contradiction_id: str, user_id: str | None) -> Scope:
        found = await self._store.contradictions.find(self._tenant_id, contradiction_id, user_id)
        if found is None:
            whose = f" of user {user_id!r}" if user_id else ""
            raise NotFoundError(f"there is no contradiction {contradiction_id!r}{whose}")
        return Scope(self._tenant_id, found.user_id)

    async def reopen_lapsed(self, scope: Scope) -> int:
        """Open the holds whose value has moved since. It writes only if there are any."""
        held = await self._store.contradictions.listed(scope, _HELD)
        if not held:
            return 0
        now = self._clock.now()
        current: list[Fact] = []
        for subject, key in {(one.subject, one.key) for one in held}:
            slot = FactFilter(subject=subject, key=key, current_at=now)
            current += [fact for _, fact in await self._store.facts.listed(scope, slot, None)]
        moved = lapsed_holds(held, current)
        if not moved:
            return 0
        ids = frozenset(one.id for one in moved)
        wanted = FactsWanted(contradiction_ids=ids)
        written = await self._writer.apply(scope, wanted, lambda book: lapse(book, ids))
        return len(written.contradictions)


def _was_open(one: Contradiction, at: datetime) -> bool:
    return one.opened_at <= at and (one.resolved_at is None or one.resolved_at > at)
