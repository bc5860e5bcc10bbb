"""Sessions are digested once, whatever fails, is slow, goes on or is forgotten meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import Summary, SummaryKind
from backstory.core.model.fact import Evidence
from backstory.core.model.message import Message
from backstory.core.model.run import RunState
from backstory.core.model.schedule import RunKind, Schedule
from backstory.core.model.scope import Scope
from backstory.errors import ModelError, StoreBusyError
from backstory.models.processes import SystemProcesses
from backstory.ports.derived import DerivedPlanner
from backstory.ports.store import Store
from backstory.services.consolidating import episodes as module
from backstory.services.consolidating.consolidation import BUSY, Consolidation
from backstory.services.consolidating.digest import Digest, Digester
from backstory.services.consolidating.episodes import Episodes
from backstory.services.consolidating.holding import Holds
from backstory.services.consolidating.scheduling import Scheduling
from backstory.services.consolidating.steps import Step
from backstory.services.facts.near import NearFacts
from backstory.services.facts.writer import FactWriter
from backstory.services.reading import ReadingService
from backstory.testing import FakeClock
from backstory.testing.fake_store import MemoryDatabase, MemoryStore
from backstory.testing.stores.base import VERA, add, into, said

KIM = Scope(VERA.tenant_id, "kim")


@dataclass
class Part:
    """Makes a summary of what it was given; or does what it is told to do."""

    name: str = "summaries"
    before: Callable[[Digest], Awaitable[None]] | None = None
    planned: Callable[[], None] | None = None
    digests: list[Digest] = field(default_factory=list)

    async def digest(self, digest: Digest) -> DerivedPlanner:
        self.digests.append(digest)
        if self.before is not None:
            await self.before(digest)

        def plan(_: DerivedBook) -> DerivedPlan:
            if self.planned is not None:
                self.planned()
            return DerivedPlan(put=(summary_of(digest, self.name),))

        return plan


def summary_of(digest: Digest, name: str) -> Summary:
    messages: Sequence[Message] = digest.messages
    day = messages[0].timestamp.date()
    return Summary(
        id=f"{name} of {digest.session.id}",
        user_id=digest.scope.user_id,
        at=messages[-1].timestamp,
        recorded_at=digest.now,
        session_id=f"{name} {digest.session.id}",
        evidence=tuple(Evidence(message_id=m.id, quote="") for m in messages),
        kind=SummaryKind.SESSION,
        text=" | ".join(m.text for m in messages),
        starts_on=day,
        ends_on=day,
        messages=len(messages),
        sessions=(digest.session.id,),
    )


class Elsewhere(SystemProcesses):
    """Of processes on other hosts it is not known whether they live."""

    def is_over(self, name: str) -> bool:
        del name
        return False


@dataclass
class World:
    """Services on a store in memory."""

    parts: tuple[Digester, ...]
    database: MemoryDatabase = field(default_factory=MemoryDatabase)
    clock: FakeClock = field(default_factory=FakeClock)
    steps: tuple[Step, ...] = ()
    schedule: Schedule | None = None

    def __post_init__(self) -> None:
        self.store: Store = MemoryStore(self.database)
        self.consolidation = self.process()

    @property
    def scheduling(self) -> Scheduling | None:
        if self.schedule is None:
            return None
        return Scheduling(self.store, self.schedule, VERA.tenant_id)

    def process(self) -> Consolidation:
        """What another process would do on the same database."""
        store = MemoryStore(self.database)
        holds = Holds(store, self.clock, Elsewhere())
        episodes = Episodes(
            store,
            lambda: unread(store, self.clock),
            lambda: self.parts,
            holds,
            self.clock,
            VERA.tenant_id,
        )
        steps = self.steps
        return Consolidation(
            store, episodes, lambda _: steps, self.scheduling, holds, self.clock, VERA.tenant_id
        )

    async def talk(self, *texts: str, scope: Scope = VERA, session: str = "talk") -> None:
        """Say something, and end the session."""
        given = [said(text, at=self.clock.now()) for text in texts]
        await add(self.store, *given, scope=scope, session=into(session), now=self.clock.now())
        await self.store.sessions.end(scope, session)

    async def texts(self, scope: Scope = VERA) -> list[str]:
        """All summaries, replaced ones in parentheses."""
        book = await self.store.derived.book(scope)
        kept = [record for record in book if isinstance(record, Summary)]
        return [one.text if one.replaced_at is None else f"({one.text})" for one in kept]


def unread(store: Store, clock: FakeClock) -> ReadingService:
    """Reads nothing."""
    near: NearFacts = None  # type: ignore[assignment]
    writer: FactWriter = None  # type: ignore[assignment]
    return ReadingService(store, None, writer, near, clock)


def test_a_session_is_digested_once_until_it_goes_on() -> None:
    async def scenario() -> None:
        part = Part()
        world = World((part,))
        await world.talk("one")
        await world.talk("zwei", scope=KIM)
        await add(world.store, "open", session=into("open"))
        report = await world.consolidation.digest(None)
        assert [(u.user_id, u.done["sessions"]) for u in report.users] == [("kim", 1), ("vera", 1)]
        assert report.ok
        assert (await world.consolidation.digest(None)).users == ()
        world.clock.advance(60)
        await world.talk("two")
        await world.consolidation.digest(VERA)
        assert await world.texts() == ["(one)", "one | two"]
        assert await world.texts(KIM) == ["zwei"]
        assert len(part.digests) == 3

    asyncio.run(scenario())


def test_what_a_part_sees_is_clean() -> None:
    """Without what memory had put in, without secrets."""

    async def scenario() -> None:
        part = Part()
        world = World((part,))
        await world.talk("My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789AB", "日本 🙂")
        await world.consolidation.digest(None)
        (digest,) = part.digests
        assert "abcdefghijkl" not in digest.messages[0].text
        assert digest.messages[1].text == "日本 🙂"

    asyncio.run(scenario())


def boom() -> None:
    raise RuntimeError("the secret")


async def fail(_: Digest) -> None:
    raise ModelError("no model today")


async def hang(_: Digest) -> None:
    await asyncio.sleep(3600)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (Part("textures", before=fail), "no model today"),
        (Part("textures", before=hang), "it took too long"),
        (Part("textures", planned=boom), "RuntimeError"),
    ],
)
def test_a_part_that_fails_costs_its_part(
    bad: Part, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again by itself, later each time, and alone."""
    monkeypatch.setattr(module, "DIGEST_S", 0.05)

    async def scenario() -> None:
        good = Part()
        world = World((good, bad))
        await world.talk("one")
        report = await world.consolidation.digest(None)
        assert report.users[0].failed == {"textures of a session": why}
        assert not report.ok
        assert await world.texts() == ["one"]
        status = await world.consolidation.status()
        assert status.sessions_due == 0
        assert status.failures[0].problem == f"textures: {why}"
        assert "secret" not in str(status.failures)
        assert await world.consolidation.run_waiting() == 0
        world.clock.advance(60)
        assert await world.consolidation.run_waiting() == 1  # fails again
        assert await world.consolidation.run_waiting() == 0
        world.clock.advance(timedelta(minutes=4))
        bad.before = bad.planned = None
        assert await world.consolidation.run_waiting() == 1
        assert sorted(await world.texts()) == ["one", "one"]
        assert len(good.digests) == 1
        assert (await world.consolidation.status()).failures == ()
        world.clock.advance(timedelta(days=1))
        assert await world.consolidation.run_waiting() == 0

    asyncio.run(scenario())


def test_asking_tries_again_at_once() -> None:
    async def scenario() -> None:
        bad = Part(before=fail)
        world = World((bad,))
        await world.talk("one")
        for _ in range(7):  # also when it was given up
            await world.consolidation.run(RunKind.EPISODIC, None)
            world.clock.advance(1)
        assert len(bad.digests) == 7  # what fails in a call is not tried again in it
        bad.before = None
        report = await world.consolidation.run(RunKind.EPISODIC, VERA)
        assert report.ok
        assert await world.texts() == ["one"]

    asyncio.run(scenario())


def test_a_session_that_goes_on_meanwhile_is_due_again() -> None:
    async def scenario() -> None:
        async def goes_on(_: Digest) -> None:
            part.before = None
            await world.talk("two")

        part = Part(before=goes_on)
        world = World((part,))
        await world.talk("one")
        await world.consolidation.digest(None)
        await world.consolidation.digest(None)
        assert (await world.texts())[-1] == "one | two"
        assert (await world.consolidation.status()).sessions_due == 0

    asyncio.run(scenario())


def test_a_user_who_is_forgotten_meanwhile_stays_forgotten() -> None:
    async def scenario() -> None:
        async def forget(digest: Digest) -> None:
            await world.store.erasure.forget(digest.scope)

        world = World((Part(before=forget), Part("textures")))
        await world.talk("one")
        await world.talk("two", session="second")
        await world.consolidation.digest(None)
        assert not world.database.is_known(VERA)
        assert await world.texts() == []
        assert (await world.consolidation.status()).failures == ()

    asyncio.run(scenario())


def test_two_processes_digest_a_session_once() -> None:
    async def scenario() -> None:
        async def wait(_: Digest) -> None:
            await asyncio.sleep(0.02)

        part = Part(before=wait)
        world = World((part,))
        for number in range(5):
            await world.talk("one", session=f"s{number}")
        others = [world.process() for _ in range(4)]
        reports = await asyncio.gather(*(other.digest(None) for other in others))
        assert len(part.digests) == 5
        assert sum(u.done["sessions"] for r in reports for u in r.users) == 5
        assert {u.skipped for r in reports for u in r.users} == {None, BUSY}
        assert await world.texts() == ["one"] * 5

    asyncio.run(scenario())


def test_one_process_waits_for_itself() -> None:
    """flush() beside the background: nothing is left out, nothing done twice."""

    async def scenario() -> None:
        async def wait(_: Digest) -> None:
            await asyncio.sleep(0.02)

        part = Part(before=wait)
        world = World((part,))
        await world.talk("one")
        both = await asyncio.gather(*(world.consolidation.digest(None) for _ in range(2)))
        assert len(part.digests) == 1
        assert all(report.ok for report in both)

    asyncio.run(scenario())


def test_a_run_that_is_cancelled_is_free_at_once() -> None:
    async def scenario() -> None:
        part = Part(before=hang)
        world = World((part,))
        await world.talk("one")
        task = asyncio.create_task(world.consolidation.digest(None))
        while not part.digests:  # noqa: ASYNC110 - nothing else tells of it
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        part.before = None
        await world.process().digest(None)
        assert await world.texts() == ["one"]

    asyncio.run(scenario())


@dataclass
class Counting:
    """A step that counts its runs; or fails."""

    name: str
    error: Exception | None = None
    runs: int = 0

    async def run(self, scope: Scope, now: object) -> int:
        del scope, now
        self.runs += 1
        if self.error is not None:
            raise self.error
        return self.runs


def test_a_step_that_fails_costs_its_part() -> None:
    async def scenario() -> None:
        bad, good = Counting("bad", StoreBusyError("locked")), Counting("good")
        world = World((), steps=(bad, good))
        await world.talk("one")
        await world.store.runs.queue(
            VERA.tenant_id, RunKind.DAILY, "p", world.clock.now() + timedelta(days=1)
        )
        assert await world.consolidation.run_waiting() == 1
        assert good.runs == 1
        (failed,) = (await world.consolidation.status()).failures
        assert (failed.problem, failed.receipt) == ("bad: locked", {"good": 1})
        bad.error = None
        world.clock.advance(60)
        assert await world.consolidation.run_waiting() == 1
        assert await world.consolidation.run_waiting() == 0
        last = await world.store.runs.last(VERA, RunKind.DAILY)
        assert last is not None
        assert (last.state, last.attempts) == (RunState.DONE, 2)
        report = await world.consolidation.run(RunKind.DAILY, None)
        assert report.users[0].done == {"bad": 3, "good": 3}

    asyncio.run(scenario())


def test_nobody_is_asked_for_by_another_tenant() -> None:
    async def scenario() -> None:
        part = Part()
        world = World((part,))
        await world.talk("one", scope=replace(VERA, tenant_id="other"))
        await world.consolidation.digest(None)
        answered = await world.consolidation.answer(
            Scope("other", "vera"), RunKind.DAILY, "2026-01-01T02:00Z"
        )
        assert answered is None
        assert await world.store.runs.last(Scope("other", "vera"), RunKind.DAILY) is None
        assert part.digests == []

    asyncio.run(scenario())
