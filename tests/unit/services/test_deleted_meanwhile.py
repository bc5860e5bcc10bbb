"""What is deleted or edited while a run is at it does not come back with what the run writes."""

import asyncio
from datetime import UTC, date, datetime

import pytest

from backstory import AsyncMemory, Settings
from backstory.core.model.derived import SummaryKind
from backstory.core.model.scope import Scope
from backstory.services.summaries.observing import Observing
from backstory.services.summaries.periods import PeriodSummaries
from backstory.testing import FakeClock

SCOPE = Scope("default", "vera")
NOW = datetime(2026, 5, 20, 2, tzinfo=UTC)
WORD = "ullared"


@pytest.mark.parametrize("how", ["edit", "delete", "delete session", "forget"])
def test_no_summary_or_pattern_of_it_is_written(how: str) -> None:
    async def run() -> None:
        clock = FakeClock(NOW)
        settings = Settings(background=False)
        async with AsyncMemory(":memory:", embedder=None, clock=clock, settings=settings) as memory:
            ids = []
            for day in range(12, 19):
                async with memory.session(
                    user_id="vera", session_id=f"s{day}", bulk_import=True
                ) as session:
                    text = f"I went running in {WORD} for {day} km."
                    added = await session.add("user", text, timestamp=f"2026-05-{day}T10:00:00Z")
                    ids.append(added.id)
            services = await memory._open()
            store, vectors = services.store, services.vectors
            days = PeriodSummaries(store, vectors)
            plans = [
                await days.plan(SCOPE, SummaryKind.DAY, date(2026, 5, 12), NOW),
                await days.plan(SCOPE, SummaryKind.WEEK, date(2026, 5, 11), NOW),
                await Observing(store, vectors).plan(SCOPE, NOW),
            ]
            if how == "edit":
                for message_id in ids:
                    await memory.update(message_id, text="Nothing of it.")
            elif how == "delete":
                for message_id in ids:
                    await memory.delete(message_id)
            elif how == "delete session":
                await memory.delete_all(user_id="vera")
            else:
                await memory.forget_user("vera")
            for plan in plans:
                await store.derived.change(SCOPE, plan, NOW)
            assert WORD not in repr((await store.derived.book(SCOPE)).records)
            # as they are now the plans say it
            assert WORD in repr([plan(await store.derived.book(SCOPE)) for plan in plans])

    asyncio.run(run())
