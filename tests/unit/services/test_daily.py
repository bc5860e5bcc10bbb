"""A judge is asked once about each pair of new facts, and may fail or talk nonsense."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from backstory import AsyncMemory, Settings
from backstory.bootstrap import Services
from backstory.core.judging import Judgement
from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope
from backstory.errors import BackstoryError, ModelError
from backstory.ports.judge import Pair
from backstory.ports.runs import RunClaim
from backstory.services.consolidating.daily import MergeDoubles
from backstory.testing import FakeClock

VERA = Scope("default", "vera")
Says = Callable[[Sequence[Pair]], list[Judgement]]


class Judge:
    """Says what it is told to; keeps what it was asked."""

    def __init__(self, says: Says) -> None:
        self.says = says
        self.asked: list[list[Pair]] = []

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.asked.append(list(pairs))
        return self.says(pairs)


def same(pairs: Sequence[Pair]) -> list[Judgement]:
    return [Judgement(compatible=True, separation=None, axis="key", reason="same")] * len(pairs)


def apart(pairs: Sequence[Pair]) -> list[Judgement]:
    said = Judgement(compatible=False, separation="different_question", axis="key", reason="no")
    return [said] * len(pairs)


def down(_: Sequence[Pair]) -> list[Judgement]:
    raise ModelError("no model today")


def nothing(_: Sequence[Pair]) -> list[Judgement]:
    return []


def merging(services: Services, judge: Judge) -> MergeDoubles:
    return MergeDoubles(services.store, services.fact_writer, judge)


async def believed(memory: AsyncMemory) -> list[str]:
    return [fact.key for fact in await memory.facts.get("vera")]


async def store_all(memory: AsyncMemory) -> None:
    for key, value in (
        ("work.employer", "Volvo"),
        ("job.company", "Volvo"),
        ("work_tool", "lathe"),
        ("work.tool", "Lathe"),
    ):
        await memory.facts.store(user_id="vera", key=key, value=value)


@pytest.mark.parametrize(
    ("says", "kept"),
    [
        (same, ["work.employer", "work_tool"]),
        (apart, ["work.employer", "job.company", "work_tool"]),
    ],
)
def test_a_judge_decides_about_keys(says: Says, kept: list[str]) -> None:
    async def scenario() -> None:
        clock, judge = FakeClock(), Judge(says)
        settings = Settings(embedder="none", background=False)
        async with AsyncMemory(":memory:", settings=settings, clock=clock) as memory:
            services = await memory._open()
            await store_all(memory)
            step = merging(services, judge)
            await step.run(VERA, clock.now())
            assert sorted(await believed(memory)) == sorted(kept)
            assert [(p.stored, p.stated) for p in judge.asked[0]] == [
                ("work.employer: Volvo", "job.company: Volvo")
            ]
            # when a run is done, nothing is asked about twice
            claim = RunClaim(
                scope=VERA,
                kind=RunKind.DAILY,
                period="p",
                holder="h",
                lease_until=clock.now() + timedelta(minutes=1),
            )
            begun = await services.store.runs.begin(claim, clock.now(), lambda _: False)
            assert begun is not None
            await services.store.runs.finish(VERA, begun, clock.now(), None, {})
            clock.advance(timedelta(days=1))
            assert await step.run(VERA, clock.now()) == 0
            assert len(judge.asked) == 1

    asyncio.run(scenario())


@pytest.mark.parametrize("says", [down, nothing])
def test_a_judge_that_fails_changes_nothing(says: Says) -> None:
    """What needs none is done all the same."""

    async def scenario() -> None:
        clock = FakeClock()
        settings = Settings(embedder="none", background=False)
        async with AsyncMemory(":memory:", settings=settings, clock=clock) as memory:
            services = await memory._open()
            await store_all(memory)
            step = merging(services, Judge(says))
            with pytest.raises((BackstoryError, ValueError)):
                await step.run(VERA, clock.now())
            assert sorted(await believed(memory)) == ["job.company", "work.employer", "work_tool"]

    asyncio.run(scenario())
