"""Days and weeks: which turns belong to them in a zone, which are due, and what a model adds."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from backstory import AsyncMemory, Settings
from backstory.core.model.derived import Summary, SummaryKind
from backstory.core.model.scope import Scope
from backstory.errors import ModelError
from backstory.services.summaries.periods import PeriodSummaries
from backstory.services.summaries.steps import SummarisePeriods
from backstory.testing import FakeClock

SCOPE = Scope("default", "vera")
NOW = datetime(2026, 5, 20, 2, tzinfo=UTC)
Check = Callable[[AsyncMemory, PeriodSummaries], Awaitable[None]]


@dataclass
class Writing:
    """Writes what it is told to."""

    text: str | None
    model: str = "stub"
    sources: list[str] = field(default_factory=list)

    async def summarise(self, source: str, most_chars: int) -> str:
        assert most_chars > 0
        self.sources.append(source)
        if self.text is None:
            raise ModelError("down")
        return self.text


def _with(check: Check, said: list[tuple[str, str]], summariser: Writing | None = None) -> None:
    """Run a check on a memory in which so much was said, one session for each turn's time."""

    async def run() -> None:
        clock = FakeClock(NOW)
        settings = Settings(background=False)
        async with AsyncMemory(":memory:", embedder=None, clock=clock, settings=settings) as memory:
            for number, (moment, text) in enumerate(said):
                async with memory.session(
                    user_id="vera", session_id=f"s{number}", bulk_import=True
                ) as session:
                    await session.add("user", text, timestamp=moment)
            services = await memory._open()
            await check(
                memory, PeriodSummaries(services.store, services.vectors, summariser=summariser)
            )

    asyncio.run(run())


DAYS = [
    # the day has 23 hours: clocks go forward at two
    ("Europe/Stockholm", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
    # and 25
    ("Europe/Stockholm", "2025-10-25T22:00:00Z", "2025-10-26T23:00:00Z"),
    ("Asia/Kolkata", "2026-05-11T18:30:00Z", "2026-05-12T18:30:00Z"),
    ("Pacific/Kiritimati", "2026-05-11T10:00:00Z", "2026-05-12T10:00:00Z"),
    ("Pacific/Niue", "2026-05-12T11:00:00Z", "2026-05-13T11:00:00Z"),
    ("Asia/Kathmandu", "2026-05-11T18:15:00Z", "2026-05-12T18:15:00Z"),
]


def test_a_day_begins_and_ends_where_the_zone_says() -> None:
    async def check(memory: AsyncMemory, periods: PeriodSummaries) -> None:
        for number, (zone, inside, outside) in enumerate(DAYS):
            place, user = ZoneInfo(zone), f"user {number}"
            first, after = datetime.fromisoformat(inside), datetime.fromisoformat(outside)
            said = {
                "too early": first - timedelta(microseconds=1),
                "first": first,
                "last": after - timedelta(microseconds=1),
                "too late": after,
            }
            for text, moment in said.items():
                async with memory.session(
                    user_id=user, session_id=text, bulk_import=True
                ) as session:
                    await session.add("user", text, timestamp=moment)
            day = first.astimezone(place).date()
            talks = await periods.talks(Scope("default", user), day, day, place)
            told = [message.text for talk in talks for message in talk.messages]
            assert told == ["first", "last"], zone
            assert all(talk.whole and talk.bulk for talk in talks)

    _with(check, [])


def test_a_session_over_midnight_is_in_both_days_and_whole_in_none() -> None:
    async def run() -> None:
        async with AsyncMemory(
            ":memory:", embedder=None, settings=Settings(background=False)
        ) as memory:
            async with memory.session(user_id="vera", session_id="s") as session:
                await session.add("user", "before", timestamp="2026-05-12T23:59:00Z")
                await session.add("user", "after", timestamp="2026-05-13T00:01:00Z")
            services = await memory._open()
            periods = PeriodSummaries(services.store, services.vectors)
            for day, text in ((12, "before"), (13, "after")):
                (talk,) = await periods.talks(SCOPE, date(2026, 5, day), date(2026, 5, day))
                assert [message.text for message in talk.messages] == [text]
                assert not talk.whole
                assert not talk.bulk

    asyncio.run(run())


def test_days_of_the_last_week_are_due_until_their_summary_is_of_all_that_was_said() -> None:
    said = [
        ("2026-05-01T10:00:00Z", "I moved to Oslo for 3 years."),
        ("2026-05-18T10:00:00Z", "I bought a bike for 300 euros."),
        ("2026-05-19T10:00:00Z", "I sold a car for 900 euros."),
    ]

    async def check(memory: AsyncMemory, periods: PeriodSummaries) -> None:
        services = await memory._open()
        step = SummarisePeriods(services.store, periods, SummaryKind.DAY)
        assert await periods.due(SCOPE, SummaryKind.DAY, NOW) == [
            date(2026, 5, 18),
            date(2026, 5, 19),
        ]
        assert await step.run(SCOPE, NOW) == 2
        assert await periods.due(SCOPE, SummaryKind.DAY, NOW) == []
        assert await step.run(SCOPE, NOW) == 0
        async with memory.session(user_id="vera", session_id="late", bulk_import=True) as session:
            await session.add("user", "I met Omar at 5.", timestamp="2026-05-19T17:00:00Z")
        assert await step.run(SCOPE, NOW) == 1
        book = await services.store.derived.book(SCOPE)
        assert "Omar" in book.of(Summary)[-1].text
        weeks = SummarisePeriods(services.store, periods, SummaryKind.WEEK)
        assert await weeks.run(SCOPE, NOW + timedelta(days=7)) == 1
        assert await weeks.run(SCOPE, NOW + timedelta(days=7)) == 0

    _with(check, said)


@pytest.mark.parametrize(
    ("text", "wanted", "by"),
    [
        ("She bought a bike for 300 euros.", "She bought a bike for 300 euros.", "model:stub"),
        (None, "user: I bought a bike for 300 euros.", "extractive"),
        ("", "user: I bought a bike for 300 euros.", "extractive"),
        (
            "\u041e\u043d\u0430 \u043a\u0443\u043f\u0438\u043b\u0430.",
            "user: I bought a bike for 300 euros.",
            "extractive",
        ),
    ],
)
def test_what_a_model_writes_is_taken_if_it_is_about_its_source(
    text: str | None, wanted: str, by: str
) -> None:
    """Bug kinds: language, consolidation-loss."""
    summariser = Writing(text)

    async def check(memory: AsyncMemory, periods: PeriodSummaries) -> None:
        services = await memory._open()
        step = SummarisePeriods(services.store, periods, SummaryKind.DAY)
        assert await step.run(SCOPE, NOW) == 1
        (made,) = (await services.store.derived.book(SCOPE)).of(Summary)
        assert (made.text, made.made_by) == (wanted, by)
        assert len((await memory.get_all(user_id="vera")).items) == 1
        assert await step.run(SCOPE, NOW) == 0

    _with(check, [("2026-05-19T10:00:00Z", "I bought a bike for 300 euros.")], summariser)
    assert summariser.sources == ["user: I bought a bike for 300 euros."]


def test_a_model_sees_a_bounded_part_of_a_long_day() -> None:
    """Bug kind: compaction-loop."""
    summariser = Writing("It was a long day.")
    listed = (" ".join(f"item{20 * n + k}" for k in range(20)) for n in range(300))
    text = "\n\n".join(f"I saw {items} there." for items in listed)

    async def check(memory: AsyncMemory, periods: PeriodSummaries) -> None:
        services = await memory._open()
        step = SummarisePeriods(services.store, periods, SummaryKind.DAY)
        assert await step.run(SCOPE, NOW) == 1

    _with(check, [("2026-05-19T10:00:00Z", text)], summariser)
    assert [len(source) <= 12_000 for source in summariser.sources] == [True]
