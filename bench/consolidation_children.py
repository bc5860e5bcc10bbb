"""Workers and schedulers that are killed at random, and what must hold afterwards.

Users talk, end their conversations, say facts that pass at once and facts that are held twice. A
run is due every two seconds. Whoever is killed, each conversation is digested once, each fact
expires once, each double is taken back once, and each run that came to be due last is done once.
"""

import asyncio
import contextlib
import itertools
import random
import time
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from typing import Any

from backstory import AsyncMemory, Settings
from backstory.api.worker import run_worker
from backstory.core.model.derived import Event, Summary, SummaryKind
from backstory.core.model.run import ConsolidationStatus
from backstory.core.model.schedule import SCHEDULED, RunKind, period_of
from backstory.core.model.scope import Scope
from backstory.models.system import SystemClock
from bench.children import PRELOADED, Child, must, spawning

# A worker that spends its life on imports proves nothing.
spawning.set_forkserver_preload(
    [
        *PRELOADED,
        "bench.consolidation_children",
        "backstory.jobs.queue_worker",
        "backstory.jobs.worker",
        "backstory.services.consolidating.consolidation",
        "backstory.services.consolidating.daily",
        "backstory.services.summaries.steps",
        "backstory.services.timeline.digesting",
        "backstory.storage.engines.postgres",
        "backstory.storage.queue_install",
    ]
)
USERS = tuple(f"user {number}" for number in range(6))
_EACH_S = 2
_ROUND_S = 0.3
_PATIENCE_S = 60.0
_LEAST_KILLS = 3
_VALUES = ("Volvo", "Ikea", "Ericsson", "Spotify", "Klarna", "Saab", "Electrolux", "Skanska")


def settings(url: str) -> Settings:
    """Of all processes: no vectors, nothing in the background unless it is the work itself."""
    return Settings(url=url, embedder="none", background=False)


@dataclass
class Worker(Child):
    """A worker; with ``times`` a scheduler, which only says what is due."""

    times: bool = False

    def start(self) -> None:
        """Start it."""
        self._start(_schedule if self.times else _work)

    def is_at_work(self) -> bool:
        """Whether it has begun."""
        self._read(0.0)
        return bool(self.acknowledged)


def _work(pipe: Connection, url: str, user: str) -> None:
    del user
    asyncio.run(
        run_worker(settings(url), asyncio.Event(), lambda _: pipe.send(1), round_s=_ROUND_S)
    )


def _schedule(pipe: Connection, url: str, user: str) -> None:
    del user
    asyncio.run(_schedule_forever(pipe, url))


async def _schedule_forever(pipe: Connection, url: str) -> None:
    async with AsyncMemory(settings=settings(url)) as memory:
        while True:
            await queue_runs(memory, SystemClock().now())
            pipe.send(1)
            await asyncio.sleep(_EACH_S / 5)


async def queue_runs(memory: AsyncMemory, now: datetime) -> None:
    """Queue what is due: a daily and a weekly run at every other second."""
    services = await memory._open()
    due = now.replace(microsecond=0) - timedelta(seconds=now.second % _EACH_S)
    period = f"{period_of(due)}{due.second:02}"
    for kind in SCHEDULED:
        await services.store.runs.queue("default", kind, period, due)


@dataclass
class Talk:
    """What was said; what must come of it follows.

    Attributes:
        sessions: Ids of conversations that were ended, by user.
        passing: Facts that pass, by user.
        doubles: Facts that are held twice, by user.
    """

    sessions: Counter[str]
    passing: Counter[str]
    doubles: Counter[str]

    @classmethod
    def none(cls) -> "Talk":
        """Nothing yet."""
        return cls(Counter(), Counter(), Counter())


async def talk(memory: AsyncMemory, said: Talk, number: int, choose: random.Random) -> None:
    """Let one user have one conversation, and state facts."""
    user = choose.choice(USERS)
    async with memory.session(user_id=user, session_id=f"s{number}") as session:
        await session.add("user", f"I started at company number {number} on 3 May 2024.")
        await session.add("assistant", f"How is it there, at number {number}?")
        await session.add("user", f"It is a long way, {number} stops by train each morning.")
    said.sessions[user] += 1
    if choose.random() < 0.5:
        key, until = f"plan.number{number}", SystemClock().now() + timedelta(seconds=2)
        await memory.facts.store(
            user_id=user, key=key, value="soon", kind="temporary", valid_until=until
        )
        said.passing[user] += 1
    if choose.random() < 0.5:
        name = choose.choice(_VALUES)
        for key, value in (
            (f"brand.number{number}", name),
            (f"brand_number{number}", f"{name} AB"),
        ):
            await memory.facts.store(user_id=user, key=key, value=value)
        said.doubles[user] += 1


async def disturb(url: str, seconds: float, seed: int) -> dict[str, Any]:
    """Talk for a while, with two workers and a scheduler killed and started again at random.

    Raises:
        AssertionError: Something is lost, double, or not done.
    """
    choose = random.Random(seed)  # noqa: S311
    names = itertools.count()
    children = [_started(url, names, times=times) for times in (False, False, True)]
    said, kills = Talk.none(), 0
    try:
        async with AsyncMemory(settings=settings(url)) as memory:
            end = time.monotonic() + seconds
            number = 0
            next_kill = time.monotonic() + 1.0
            # on a busy machine it takes longer until somebody is at work who can be killed
            while time.monotonic() < end + (_PATIENCE_S if kills < _LEAST_KILLS else 0.0):
                await talk(memory, said, number, choose)
                number += 1
                await asyncio.sleep(choose.uniform(0, 0.05))
                # one that is killed while it still starts proves nothing
                place = choose.randrange(len(children))
                if time.monotonic() >= next_kill and children[place].is_at_work():
                    children[place].kill()
                    children[place] = _started(url, names, times=place == 2)
                    kills += 1
                    next_kill = time.monotonic() + choose.uniform(0.1, 2.0)
            children[2].kill()
            await asyncio.sleep(2.0)  # now everything has passed that passes
            # the next period is the last one that is ever due
            await queue_runs(memory, SystemClock().now() + timedelta(seconds=_EACH_S))
            status = await _quiet(memory)
            found = await _checked(memory, said)
    finally:
        for child in children:
            with contextlib.suppress(OSError, ValueError):
                child.kill()
    must(kills >= _LEAST_KILLS, f"only {kills} were killed")
    return {
        "seconds": round(seconds),
        "kills": kills,
        **found,
        "runs done": sum(one.done for one in status.counts),
    }


def _started(url: str, names: "itertools.count[int]", *, times: bool) -> Worker:
    child = Worker(url, f"worker {next(names)}", times=times)
    child.start()
    return child


async def _quiet(memory: AsyncMemory) -> ConsolidationStatus:
    """Wait until nothing is left to do."""
    give_up = time.monotonic() + _PATIENCE_S
    while True:
        status = await memory.consolidation_status()
        left = status.sessions_due + sum(one.queued + one.running for one in status.counts)
        if not left and not status.failures:
            return status
        must(time.monotonic() < give_up, f"work was left, or failed: {status}")
        await asyncio.sleep(0.2)


async def _checked(memory: AsyncMemory, said: Talk) -> dict[str, int]:
    services = await memory._open()
    totals: Counter[str] = Counter()
    for user in USERS:
        scope = Scope("default", user)
        book = await services.store.derived.book(scope)
        sessions = await memory.sessions(user)
        must(len(sessions) == said.sessions[user], f"{user} has {len(sessions)} conversations")
        made = Counter(
            record.session_id
            for record in book
            if isinstance(record, Summary) and record.kind is SummaryKind.SESSION
        )
        wanted = dict.fromkeys((session.id for session in sessions), 1)
        must(dict(made) == wanted, f"not one summary for each conversation of {user}: {made}")
        events = Counter((e.session_id, e.predicate) for e in book if isinstance(e, Event))
        twice = [event for event, count in events.items() if count > 1]
        must(not twice, f"events of {user} are there twice: {twice[:3]}")
        totals["conversations"] += len(sessions)
        totals["events"] += len(events)
        lines: Counter[str] = Counter()
        for fact in await memory.facts.get(user, status="all", limit=100_000):
            if fact.key.startswith(("plan.number", "brand")):
                history = await memory.facts.history(fact.id)
                own = [x for x in history.corrections if x.fact_id == fact.id]
                lines.update(str(line.change) for line in own)
        right = (said.passing[user], said.doubles[user])
        found = (lines["expired"], lines["retracted"])
        must(found == right, f"{user}: {found} facts expired and merged, not {right}")
        totals["facts expired"] += lines["expired"]
        totals["doubles merged"] += lines["retracted"]
        for kind in SCHEDULED:
            last = await services.store.runs.last(scope, RunKind(kind))
            must(last is not None or not sessions, f"no {kind} run of {user}")
    return dict(totals)
