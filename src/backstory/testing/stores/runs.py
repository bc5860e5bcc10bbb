"""Runs of consolidation: who may begin one, what is left behind, and what is tried again."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

from backstory.core.derived.book import DerivedPlan
from backstory.core.model.derived import Intention, Summary, SummaryKind
from backstory.core.model.fact import Evidence
from backstory.core.model.run import ConsolidationRun, RunState
from backstory.core.model.schedule import SESSIONS_PERIOD, RunKind
from backstory.core.model.scope import Scope
from backstory.core.runs.deciding import MOST_ATTEMPTS
from backstory.ports.derived import DerivedPlanner
from backstory.ports.runs import RunClaim
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, ODD_IDS, VERA, MakeStore, StoreCase, add, run

DAILY, WEEKLY, EPISODIC = RunKind.DAILY, RunKind.WEEKLY, RunKind.EPISODIC
DUE = NOW + timedelta(hours=14)
PERIOD = "2026-03-02T02:00Z"
LATER = DUE + timedelta(minutes=1)


def alive(_: str) -> bool:
    """Nobody has ended."""
    return False


async def begin(
    store: Store,
    scope: Scope = VERA,
    kind: RunKind = DAILY,
    period: str = PERIOD,
    *,
    holder: str = "one",
    now: datetime = LATER,
    again: bool = False,
    force: bool = False,
) -> ConsolidationRun | None:
    """Begin a run, with a lease of a minute."""
    claim = RunClaim(
        scope=scope,
        kind=kind,
        period=period,
        holder=holder,
        lease_until=now + timedelta(minutes=1),
        again=again,
        force=force,
    )
    return await store.runs.begin(claim, now, alive)


async def queue(store: Store, kind: RunKind = DAILY, period: str = PERIOD) -> int:
    """Queue the runs of the tenant."""
    return await store.runs.queue(VERA.tenant_id, kind, period, DUE)


def planning(plan: DerivedPlan) -> DerivedPlanner:
    """What plans just this."""
    return lambda _: plan


async def waiting(store: Store, now: datetime = LATER) -> list[tuple[str, str]]:
    """Whose runs wait, and of which period."""
    found = await store.runs.waiting(VERA.tenant_id, now, alive, 1000)
    return [(one.user_id, one.period) for one in found]


class RunContract(StoreCase):
    """Runs of consolidation."""

    def test_a_run_is_queued_once_for_each_user(self, make_store: MakeStore) -> None:
        """Also by two processes; for nobody of another tenant, and nobody who came later."""

        async def scenario(one: Store, two: Store) -> None:
            for user in (*ODD_IDS, "vera"):
                await add(one, "Hello", scope=Scope(VERA.tenant_id, user))
            await add(one, "Hello", scope=Scope("other", "vera"))
            await add(one, "Hello", scope=Scope(VERA.tenant_id, "late"), now=LATER)
            counts = await asyncio.gather(queue(one), queue(two))
            assert sum(counts) == len(ODD_IDS) + 1
            assert await queue(two) == 0
            assert {user for user, _ in await waiting(two)} == {*ODD_IDS, "vera"}

        run(make_store, scenario, stores=2)

    def test_missed_periods_are_one_run(self, make_store: MakeStore) -> None:
        """What is still queued of an earlier period goes when the next one is queued."""

        async def scenario(store: Store) -> None:
            await add(store, "Hello")
            await queue(store)
            await queue(store, WEEKLY)
            later = "2026-03-03T02:00Z"
            assert await store.runs.queue(VERA.tenant_id, DAILY, later, DUE) == 1
            assert sorted(await waiting(store)) == [("vera", PERIOD), ("vera", later)]
            found = await store.runs.waiting(VERA.tenant_id, LATER, alive, 10)
            assert {one.kind for one in found if one.period == PERIOD} == {WEEKLY}

        run(make_store, scenario)

    def test_a_run_that_is_done_stands_for_earlier_ones(self, make_store: MakeStore) -> None:
        """Of its kind, and of this user; sessions are apart from each other."""

        async def scenario(store: Store) -> None:
            await add(store, "Hello")
            await add(store, "Hello", scope=Scope(VERA.tenant_id, "kim"))
            await store.runs.note_failure(VERA, "session:1", LATER, "slow", {})
            for scope in (VERA, Scope(VERA.tenant_id, "kim")):
                failed = await begin(store, scope)
                assert failed is not None
                await store.runs.finish(scope, failed, LATER, "it broke", {})
            for kind, period in ((WEEKLY, PERIOD), (DAILY, "2026-03-03T02:00Z")):
                done = await begin(store, kind=kind, period=period)
                assert done is not None
                await store.runs.finish(VERA, done, LATER, None, {})
            left = await store.runs.failures(VERA.tenant_id, 9)
            assert [(run.user_id, run.kind) for run in left] == [("kim", DAILY), ("vera", EPISODIC)]

        run(make_store, scenario)

    def test_one_process_begins_a_run(self, make_store: MakeStore) -> None:
        """Of many that want to at once, and only until it is done."""

        async def scenario(one: Store, two: Store) -> None:
            await add(one, "Hello")
            await queue(one)
            claims = [begin(store, holder=f"holder {n}") for n, store in enumerate([one, two] * 4)]
            begun = [made for made in await asyncio.gather(*claims) if made is not None]
            assert len(begun) == 1
            assert begun[0].attempts == 1
            assert await waiting(two) == []
            assert await one.runs.finish(VERA, begun[0], LATER, None, {"expired": 3})
            assert await begin(two) is None
            last = await two.runs.last(VERA, DAILY)
            assert last is not None
            assert (last.state, last.receipt) == (RunState.DONE, {"expired": 3})
            again = await begin(two, again=True)
            assert again is not None
            assert again.attempts == 1

        run(make_store, scenario, stores=2)

    def test_one_run_of_a_user_at_a_time(self, make_store: MakeStore) -> None:
        """Of whatever kind; other users go on."""

        async def scenario(store: Store) -> None:
            kim = Scope(VERA.tenant_id, "kim")
            await add(store, "Hello")
            await add(store, "Hello", scope=kim)
            first = await begin(store)
            assert first is not None
            assert await begin(store, kind=WEEKLY, holder="two") is None
            assert await begin(store, kind=EPISODIC, period=SESSIONS_PERIOD) is None
            assert await begin(store, kim, holder="two") is not None
            await store.runs.finish(VERA, first, LATER, None, {})
            assert await begin(store, kind=WEEKLY, holder="two") is not None

        run(make_store, scenario)

    def test_what_is_left_behind_is_begun_by_another(self, make_store: MakeStore) -> None:
        """When the lease is over, or the holder has certainly ended; then the first one is out."""

        async def scenario(store: Store) -> None:
            await add(store, "Hello")
            first = await begin(store)
            assert first is not None
            until = LATER + timedelta(minutes=2)
            assert await store.runs.extend(VERA, first, until)
            assert await begin(store, holder="two", now=until - timedelta(seconds=1)) is None
            second = await begin(store, holder="two", now=until)
            assert second is not None
            assert second.attempts == 2
            assert not await store.runs.extend(VERA, first, until + timedelta(hours=1))
            assert not await store.runs.finish(VERA, first, until, None, {"late": 1})
            claim = RunClaim(
                scope=VERA, kind=DAILY, period=PERIOD, holder="three", lease_until=until
            )
            third = await store.runs.begin(claim, until, lambda holder: holder == "two")
            assert third is not None
            assert third.attempts == 3

        run(make_store, scenario)

    def test_a_failed_run_is_tried_again_later_each_time(self, make_store: MakeStore) -> None:
        """Then it is given up: only somebody who insists begins it."""

        async def scenario(store: Store) -> None:
            await add(store, "Hello")
            await queue(store)
            now = LATER
            for attempt in range(1, MOST_ATTEMPTS + 1):
                begun = await begin(store, now=now)
                assert begun is not None
                assert begun.attempts == attempt
                assert await store.runs.finish(VERA, begun, now, "it broke", {})
                assert await begin(store, now=now) is None
                failed = (await store.runs.failures(VERA.tenant_id, 5))[0]
                assert failed.problem == "it broke"
                if attempt < MOST_ATTEMPTS:
                    assert failed.lease_until == now + timedelta(minutes=4 ** (attempt - 1))
                    assert await waiting(store, now) == []
                    now = failed.lease_until
                    assert await waiting(store, now) == [("vera", PERIOD)]
            assert failed.lease_until is None
            assert await begin(store, now=now + timedelta(days=1)) is None
            counts = {one.kind: one for one in await store.runs.counts(VERA.tenant_id)}
            assert (counts[DAILY].given_up, counts[DAILY].retrying) == (1, 0)
            assert await begin(store, now=now, force=True) is not None

        run(make_store, scenario)

    def test_a_failed_part_of_a_session_is_a_run(self, make_store: MakeStore) -> None:
        """It keeps what is to be tried again."""

        async def scenario(store: Store) -> None:
            await add(store, "Hello")
            receipt = {"session": "talk", "parts": ["summaries"]}
            noted = await store.runs.note_failure(VERA, "session:1", LATER, "slow", receipt)
            assert noted
            assert await waiting(store) == []
            assert await waiting(store, LATER + timedelta(minutes=1)) == [("vera", "session:1")]
            await store.runs.note_failure(VERA, "session:1", LATER, "slow", receipt)
            (failed,) = await store.runs.failures(VERA.tenant_id, 5)
            assert (failed.attempts, failed.receipt) == (2, receipt)

        run(make_store, scenario)

    def test_a_forgotten_user_stays_forgotten(self, make_store: MakeStore) -> None:
        """Whatever a run that was going on still wants to say."""

        async def scenario(store: Store) -> None:
            await add(store, "Hello")
            begun = await begin(store)
            assert begun is not None
            await store.erasure.forget(VERA)
            assert not await store.runs.extend(VERA, begun, LATER)
            assert not await store.runs.finish(VERA, begun, LATER, None, {})
            assert not await store.runs.note_failure(VERA, "session:1", LATER, "x", {})
            assert await begin(store, again=True, force=True) is None
            assert await queue(store) == 0
            assert await store.runs.failures(VERA.tenant_id, 5) == []
            gone = await store.erasure.forget(VERA)
            assert not any(gone.rows.values())

        run(make_store, scenario)

    def test_what_was_planned_before_a_user_was_forgotten_is_not_written(
        self, make_store: MakeStore
    ) -> None:
        """Neither by a digest, nor by a step; what is saved by hand makes the user anew."""

        async def scenario(store: Store) -> None:
            recorded = await add(store, "Hello")
            summary = Summary(
                id="summary",
                user_id="vera",
                at=NOW,
                recorded_at=NOW,
                session_id="talk",
                evidence=(Evidence(message_id=recorded.messages[0].id, quote="Hello"),),
                kind=SummaryKind.SESSION,
                text="Hello",
                starts_on=NOW.date(),
                ends_on=NOW.date(),
                messages=1,
                sessions=("talk",),
            )
            await store.erasure.forget(VERA)
            digest = DerivedPlan(put=(summary,), episodes={"talk": 1})
            covering = replace(summary, evidence=(), session_id=None)
            for plan in (digest, DerivedPlan(put=(covering,)), DerivedPlan(withdraw=("summary",))):
                await store.derived.change(VERA, planning(plan), LATER)
                gone = await store.erasure.forget(VERA)
                assert not any(gone.rows.values())
            await store.collisions.replace(VERA, lambda _, __: [], LATER)
            gone = await store.erasure.forget(VERA)
            assert not any(gone.rows.values())
            wish = Intention(id="wish", user_id="vera", at=NOW, recorded_at=NOW, what="Rest")
            await store.derived.change(VERA, lambda _: DerivedPlan(put=(wish,)), LATER)
            assert (await store.derived.book(VERA)).get(Intention, "wish") is not None

        run(make_store, scenario)

    def test_pruning_keeps_the_last_of_each_kind(self, make_store: MakeStore) -> None:
        """And what is not done."""

        async def scenario(store: Store) -> None:
            await add(store, "Hello")
            for day in range(1, 5):
                period, now = f"2026-03-0{day}T02:00Z", LATER + timedelta(days=day)
                begun = await begin(store, period=period, now=now)
                assert begun is not None
                await store.runs.finish(VERA, begun, now, None, {})
            await store.runs.queue(VERA.tenant_id, WEEKLY, PERIOD, DUE)
            assert await store.runs.prune(VERA, LATER + timedelta(days=2)) == 1
            assert await store.runs.prune(VERA, LATER + timedelta(days=90)) == 2
            assert await store.runs.prune(VERA, LATER + timedelta(days=90)) == 0
            last = await store.runs.last(VERA, DAILY)
            assert last is not None
            assert last.period == "2026-03-04T02:00Z"
            counts = {one.kind: one for one in await store.runs.counts(VERA.tenant_id)}
            assert (counts[DAILY].done, counts[WEEKLY].queued) == (1, 1)
            assert counts[WEEKLY].oldest_at == DUE

        run(make_store, scenario)
