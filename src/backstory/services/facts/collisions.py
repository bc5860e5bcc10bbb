"""Collisions: looking for things that are filed under two kinds, and settling them."""

from collections.abc import Mapping, Sequence

from backstory.core.facts.collisions import (
    check_families,
    find_named,
    plan_refresh,
    residues,
    settle,
)
from backstory.core.model.collision import (
    Collision,
    CollisionReport,
    CollisionState,
    Family,
    Residue,
)
from backstory.core.model.fact import Fact
from backstory.core.model.scope import Scope
from backstory.errors import InvalidInputError
from backstory.ports.clock import Clock
from backstory.ports.facts import FactFilter
from backstory.ports.ids import Ids
from backstory.ports.store import Store

Families = Mapping[str, Sequence[str]]


class Collisions:
    """Works on collisions. It never writes to facts.

    Args:
        store: Where they are.
        clock: The time.
        ids: New record ids.
        families: For each family its exclusive kinds, unless a call names others.
    """

    def __init__(self, store: Store, clock: Clock, ids: Ids, families: Families) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._families = families_of(families)

    async def refresh(self, scope: Scope, families: Families | None) -> CollisionReport:
        """Compare what is filed with what the facts say now."""
        chosen = self._families if families is None else families_of(families)
        now = self._clock.now()
        new_ids = [self._ids.new()]
        reports: list[CollisionReport] = []

        def plan(known: Sequence[Collision], facts: Sequence[Fact]) -> Sequence[Collision]:
            changed, report = plan_refresh(
                known, facts, chosen, user_id=scope.user_id, new_ids=new_ids, now=now
            )
            reports.append(report)
            return changed

        await self._store.collisions.replace(scope, plan, now)
        return reports[-1]

    async def listed(self, scope: Scope, *, include_closed: bool) -> list[Collision]:
        """Open collisions, oldest first, or all of them."""
        known = await self._store.collisions.listed(scope, include_closed=include_closed)
        if include_closed:
            return known
        return [one for one in known if one.state is CollisionState.OPEN]

    async def settle(self, scope: Scope, name: str, note: str, kept: str) -> Residue:
        """Decide which kind a thing is.

        Raises:
            NotFoundError: Nothing of this name collides.
            InvalidInputError: ``kept`` is none of its kinds; nothing was recorded.
        """
        now = self._clock.now()
        settled: list[Collision] = []

        def plan(known: Sequence[Collision], _: Sequence[Fact]) -> Sequence[Collision]:
            one = find_named(known, name)
            settled.append(settle(one, kept=kept, note=note, families=self._families, now=now))
            return settled[-1:]

        await self._store.collisions.replace(scope, plan, now)
        left = await self._residues(scope, settled[-1:])
        return left[0] if left else Residue(collision=settled[-1], facts=())

    async def residues(self, scope: Scope) -> list[Residue]:
        """The current facts that contradict a decision, for each decision with any."""
        known = await self._store.collisions.listed(scope, include_closed=True)
        return await self._residues(scope, known)

    async def _residues(self, scope: Scope, known: Sequence[Collision]) -> list[Residue]:
        now = self._clock.now()
        current = await self._store.facts.listed(scope, FactFilter(current_at=now), None)
        return residues(known, [fact for _, fact in current], self._families, now=now)


def families_of(given: Families) -> tuple[Family, ...]:
    """Families of kinds that are their own words, in the singular and the plural.

    Raises:
        InvalidInputError: They can decide nothing.
    """
    if not isinstance(given, Mapping):
        raise InvalidInputError("families must be a mapping of names to lists of kinds")
    families = tuple(
        Family(name=name, members={kind: (kind, f"{kind}s") for kind in kinds})
        for name, kinds in given.items()
    )
    check_families(families)
    return families
