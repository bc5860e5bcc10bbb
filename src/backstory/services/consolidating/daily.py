"""The steps of a daily run that work on facts."""

import asyncio
from datetime import datetime
from functools import partial
from typing import Final

from backstory.core.facts.book import FactsWanted
from backstory.core.facts.doubling import doubled_keys, doubles, merge
from backstory.core.model.fact import Fact, FactStatus
from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter
from backstory.ports.judge import Judge, Pair
from backstory.ports.store import Store
from backstory.services.facts.collisions import Collisions
from backstory.services.facts.contradictions import Contradictions
from backstory.services.facts.curating import Facts
from backstory.services.facts.writer import FactWriter

TEMPORARY_DAYS: Final = 30.0
"""A temporary fact without an end expires when it was not said again for so long."""
_MOST_PAIRS: Final = 12
_JUDGE_S: Final = 60.0


class MergeDoubles:
    """Merges facts that are held twice.

    Rules merge what is equal after normalisation in one slot; a judge with a model is asked, in
    one call, about new facts that hold one value under two keys.

    Args:
        store: Where facts are.
        writer: Writes them.
        judge: Decides by a model; None = rules alone.
    """

    name = "doubles"

    def __init__(self, store: Store, writer: FactWriter, judge: Judge | None) -> None:
        self._store = store
        self._writer = writer
        self._judge = judge

    async def run(self, scope: Scope, now: datetime) -> int:
        """Merge the doubles of a user. Gives how many facts were taken back."""
        chosen = FactFilter(current_at=now)
        facts = [fact for _, fact in await self._store.facts.listed(scope, chosen, None)]
        found = doubles(facts, now)
        # first what needs no model: one that fails costs its own part
        merged = await self._merge(scope, found)
        gone = {double for _, double in found}
        left = [fact for fact in facts if fact.id not in gone]
        return merged + await self._merge(scope, await self._judged(scope, left, now))

    async def _merge(self, scope: Scope, pairs: list[tuple[str, str]]) -> int:
        if not pairs:
            return 0
        ids = frozenset(name for pair in pairs for name in pair)
        plan = partial(merge, pairs=pairs, **self._writer.terms(scope))
        written = await self._writer.apply(scope, FactsWanted(fact_ids=ids), plan)
        return sum(fact.status is FactStatus.RETRACTED for fact in written.facts.values())

    async def _judged(
        self, scope: Scope, facts: list[Fact], now: datetime
    ) -> list[tuple[str, str]]:
        """Ask about what is new since the run before: an answer is not asked for again."""
        if self._judge is None:
            return []
        last = await self._store.runs.last(scope, RunKind.DAILY)
        since = last.started_at if last is not None else None
        pairs = doubled_keys(facts, now, since, _MOST_PAIRS)
        if not pairs:
            return []
        asked = [_pair(one, other) for one, other in pairs]
        async with asyncio.timeout(_JUDGE_S):
            judged = await self._judge.judge(asked)
        return [
            (one.id, other.id)
            for (one, other), judgement in zip(pairs, judged, strict=True)
            if judgement.compatible
        ]


class ExpireTemporary:
    """Lets temporary facts expire."""

    name = "expired"

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    async def run(self, scope: Scope, now: datetime) -> int:  # noqa: ARG002 - they read the clock
        """Let those of a user expire. Gives how many did."""
        return len(await self._facts.expire(scope, TEMPORARY_DAYS))


class ReopenHolds:
    """Opens contradictions again whose hold has lapsed."""

    name = "holds"

    def __init__(self, contradictions: Contradictions) -> None:
        self._contradictions = contradictions

    async def run(self, scope: Scope, now: datetime) -> int:  # noqa: ARG002
        """Open those of a user. Gives how many are open again."""
        return await self._contradictions.reopen_lapsed(scope)


class RefreshCollisions:
    """Compares what is filed under two kinds with what the facts say now."""

    name = "collisions"

    def __init__(self, collisions: Collisions) -> None:
        self._collisions = collisions

    async def run(self, scope: Scope, now: datetime) -> int:  # noqa: ARG002
        """Refresh those of a user. Gives how many were raised or resolved."""
        report = await self._collisions.refresh(scope, None)
        return report.raised + report.resolved


def _pair(one: Fact, other: Fact) -> Pair:
    """Two facts of one value: each pair is worth the question, however far their keys are."""
    return Pair(
        stored=f"{one.key}: {one.value}", stated=f"{other.key}: {other.value}", similarity=1.0
    )
