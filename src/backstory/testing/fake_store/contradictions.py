"""Contradictions and collisions in memory."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.facts.asof import is_current
from backstory.core.model.collision import Collision, CollisionState
from backstory.core.model.contradiction import (
    Contradiction,
    ContradictionCounts,
    ContradictionState,
)
from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.testing.fake_store.books import facts_of
from backstory.testing.fake_store.state import MemoryDatabase


class MemoryContradictions:
    """Implements ``ContradictionStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def find(
        self, tenant_id: str, contradiction_id: str, user_id: str | None
    ) -> Contradiction | None:
        """Find one by id."""
        for state in self._database.users(tenant_id, user_id).values():
            if contradiction_id in state.contradictions:
                return state.contradictions[contradiction_id]
        return None

    async def listed(
        self,
        scope: Scope,
        states: frozenset[ContradictionState],
        session_id: str | None = None,
        limit: int | None = None,
    ) -> list[Contradiction]:
        """Those in these states, oldest first."""
        found = [
            c
            for c in self._database.user(scope).contradictions.values()
            if c.state in states and session_id in (None, c.session_id)
        ]
        return sorted(found, key=lambda c: c.opened_at)[:limit]

    async def counts(self, scope: Scope) -> ContradictionCounts:
        """How many there are in each state."""
        states = [c.state for c in self._database.user(scope).contradictions.values()]
        return ContradictionCounts(
            open=states.count(ContradictionState.OPEN),
            held=states.count(ContradictionState.HELD),
            resolved=states.count(ContradictionState.RESOLVED),
        )

    async def note_shown(self, scope: Scope, ids: Sequence[str]) -> None:
        """Count that these were shown."""
        with self._database.change(scope) as state:
            for name in ids:
                shown = state.contradictions.get(name)
                if shown is not None:
                    state.contradictions[name] = replace(shown, surfaced=shown.surfaced + 1)


class MemoryCollisions:
    """Implements ``CollisionStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def listed(self, scope: Scope, *, include_closed: bool) -> list[Collision]:
        """Collisions, oldest first."""
        return [
            c
            for c in _oldest_first(self._database.user(scope).collisions.values())
            if include_closed or c.state is not CollisionState.CLOSED
        ]

    async def replace(
        self,
        scope: Scope,
        plan: Callable[[Sequence[Collision], Sequence[Fact]], Sequence[Collision]],
        now: datetime,
    ) -> Sequence[Collision]:
        """Give all collisions and current facts to a pure function, store what it returns."""
        # not made if it is not there: a user who was forgotten meanwhile stays so
        if not self._database.is_known(scope) and not plan([], []):
            return []
        with self._database.change(scope) as state:
            current = [fact for fact in facts_of(state) if is_current(fact, now)]
            planned = plan(_oldest_first(state.collisions.values()), current)
            for collision in planned:
                identity = (collision.subject, collision.name, collision.family)
                known = state.collisions.get(identity)
                kept = replace(collision, id=known.id) if known else collision
                state.collisions[identity] = kept
        return planned


def _oldest_first(collisions: Iterable[Collision]) -> list[Collision]:
    return sorted(collisions, key=lambda c: c.opened_at)
