"""A response that is edited or deleted while it is scored leaves no score of its old words."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

import pytest

from backstory import AsyncMemory, Settings
from backstory.core.derived.book import DerivedPlan
from backstory.core.model.derived import Quality
from backstory.core.model.scope import Scope
from backstory.errors import ConflictError, NotFoundError
from backstory.ports.derived import DerivedPlanner
from backstory.services.quality.scoring import QualityService
from backstory.testing import CountingIds, FakeClock

SCOPE = Scope("default", "vera")


class LateDerived:
    """Derived records that are written after something else happened."""

    def __init__(self, derived: Any, before: Callable[[], Awaitable[object]], times: int) -> None:
        self._derived, self._before, self._times = derived, before, times

    async def change(self, scope: Scope, plan: DerivedPlanner, now: datetime) -> DerivedPlan:
        """Write, too late."""
        if self._times:
            self._times -= 1
            await self._before()
        written: DerivedPlan = await self._derived.change(scope, plan, now)
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._derived, name)


class Late:
    """A store with such records."""

    def __init__(self, store: Any, before: Callable[[], Awaitable[object]], times: int) -> None:
        self._store = store
        self.derived = LateDerived(store.derived, before, times)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def service(store: Any, before: Callable[[], Awaitable[object]], times: int) -> QualityService:
    late: Any = Late(store, before, times)
    return QualityService(late, FakeClock(), CountingIds())


async def scored(how: str) -> tuple[Quality | None, list[Quality]]:
    settings = Settings(background=False)
    async with AsyncMemory(":memory:", embedder=None, settings=settings) as memory:
        session = memory.session(user_id="vera")
        await session.add("user", "What is the capital of Australia?")
        response = await session.add("assistant", "Canberra.")
        services = await memory._open()

        async def meddle() -> None:
            if how == "edit":
                await memory.update(response.id, text="The capital of Australia is")
            elif how == "delete":
                await memory.delete(response.id)
            else:
                await memory.forget_user("vera")

        quality = service(services.store, meddle, 1)
        try:
            found = await quality.score(SCOPE, response.id, None, session.id, None)
        except NotFoundError:
            found = None
        return found, (await services.store.derived.book(SCOPE)).of(Quality)


def test_an_edited_response_is_scored_as_it_is_then() -> None:
    found, stored = asyncio.run(scored("edit"))
    assert found is not None
    assert found.integrity_parts["completeness"] < 0.2
    assert stored == [found]


@pytest.mark.parametrize("how", ["delete", "forget"])
def test_a_response_that_is_gone_has_no_score(how: str) -> None:
    assert asyncio.run(scored(how)) == (None, [])


def test_one_that_goes_on_changing_is_told() -> None:
    async def run() -> None:
        settings = Settings(background=False)
        async with AsyncMemory(":memory:", embedder=None, settings=settings) as memory:
            session = memory.session(user_id="vera")
            response = await session.add("assistant", "Canberra.")
            services = await memory._open()
            count = 0

            async def meddle() -> None:
                nonlocal count
                count += 1
                await memory.update(response.id, text=f"Canberra, {count}.")

            quality = service(services.store, meddle, 9)
            with pytest.raises(ConflictError):
                await quality.score(SCOPE, response.id, None, session.id, None)

    asyncio.run(run())
