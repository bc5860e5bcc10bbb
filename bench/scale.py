"""Whether one user's calls cost more beside a thousand others; many users; one large user."""

import argparse
import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from backstory import Memory
from backstory.core.location import Location
from backstory.core.model.scope import Scope
from backstory.storage.factory import make_store
from bench.filled import DATABASES, Conversations, SameVector, directions, places, settle
from bench.latency import USER, rounds_of
from bench.measure import RESULTS, Figure, Result, percentile, positive, timed
from bench.stored import copy_users, prepare, store

TEMPLATES = 4
CACHE_MB = 64
_IN_TURN = 300
_BAR, _LARGE_BAR = 1.2, 60.0


def run(
    users: int, messages: int, large: int, rounds: int, calls: int, databases: Sequence[str]
) -> Result:
    """Measure one user alone and beside the others, many users one after the other, a large one.

    Args:
        users: How many users the crowded store has.
        messages: Messages of each.
        large: Messages of the large user; 0 leaves him out.
        rounds: Rounds; each gives one ratio of p50s.
        calls: Calls in a round, each with another query.
        databases: "sqlite", "postgresql" or both.
    """
    parameters = {
        "users": users,
        "messages": messages,
        "large": large,
        "rounds": rounds,
        "calls": calls,
        "cache MB": CACHE_MB,
    }
    result = Result(name="scale", parameters=parameters, full=users * messages >= 1_000_000)
    result.notes += [
        "Stored vectors are seeded random unit vectors of 384 dimensions.",
        f"The other users hold copies of {TEMPLATES} users' messages, made inside the database.",
    ]
    queries = Conversations(5).queries(calls)
    for database in databases:
        with places([database]) as alone, places([database]) as crowded:
            lone, many = alone[database], crowded[database]
            _fill(database, lone, [USER], messages)
            templates = [f"template{n}" for n in range(TEMPLATES)]
            _fill(database, many, [USER, *templates], messages)
            others = users - 1 - TEMPLATES
            took = timed(copy_users, database, many, templates, others)
            label = f"{database}, copying to {users:,} users of {messages:,} messages"
            result.add(Figure(label=label, values=[took / 1000], unit="s"))
            settle(lone)
            settle(many)
            _compare(result, database, lone, many, queries, rounds)
            asyncio.run(_in_turn(result, database, many, [f"other{n}" for n in range(others)]))
            if large:
                _large(result, database, lone, large, rounds, queries)
    return result


def _fill(database: str, url: str, users: Sequence[str], messages: int) -> None:
    prepare(url)
    for seed, user in enumerate(users):
        store(database, url, user, Conversations(seed=seed).turns(messages), directions(messages))


async def _in_turn(result: Result, database: str, url: str, users: Sequence[str]) -> None:
    """Load users one after the other, more than the cache has room for."""
    kind = "sqlite" if database == "sqlite" else "postgres"
    opened = make_store(Location(kind, url), cache_bytes=CACHE_MB * 2**20)
    await opened.open(may_upgrade=False)
    generation = await opened.generations.active()
    times, most = [], 0
    for user in users[:_IN_TURN]:
        started = time.perf_counter()
        await opened.partitions.get(Scope("default", user), generation)
        times.append((time.perf_counter() - started) * 1000)
        most = max(most, opened.partitions.nbytes)
    await opened.close()
    label = f"{database}, {len(times)} users in turn, a cache of {CACHE_MB} MB"
    result.add(Figure(label=f"{label}: loading one, p50", values=[percentile(times, 50)]))
    held = Figure(label=f"{label}: most held", values=[most / 2**20], unit="MB", at_most=CACHE_MB)
    result.add(held)


def _large(
    result: Result, database: str, url: str, count: int, rounds: int, queries: Sequence[str]
) -> None:
    store(database, url, "large", Conversations(seed=9).turns(count), directions(count))
    settle(url)
    label = f"{database}, search, one user of {count:,} messages"
    with Memory(url, embedder=SameVector()) as memory:
        memory.search(queries[0], user_id=USER)
        cold = timed(memory.search, queries[0], user_id="large")
        result.add(Figure(label=f"{label}, the first", values=[cold]))
        times = rounds_of(partial(memory.search, user_id="large"), queries, rounds)
    p50s = [percentile(some, 50) for some in times]
    bar = _LARGE_BAR if count >= 100_000 else None
    result.add(Figure(label=f"{label}, p50", values=p50s, at_most=bar))


def _compare(
    result: Result, database: str, lone: str, many: str, queries: Sequence[str], rounds: int
) -> None:
    with (
        Memory(lone, embedder=SameVector()) as alone,
        Memory(many, embedder=SameVector()) as crowded,
    ):
        for name in ("search", "context"):
            pairs = [
                [_p50(memory, name, queries) for memory in (alone, crowded)] for _ in range(rounds)
            ]
            label = f"{database}, {name}, one user"
            for place, where in enumerate(("alone", "beside the others")):
                values = [pair[place] for pair in pairs]
                result.add(Figure(label=f"{label} {where}, p50", values=values))
            ratios = [beside / by_itself for by_itself, beside in pairs]
            result.add(Figure(label=f"{label}, ratio", values=ratios, unit="times", at_most=_BAR))


def _p50(memory: Memory, name: str, queries: Sequence[str]) -> float:
    calls: dict[str, Callable[[str], object]] = {
        "search": partial(memory.search, user_id=USER),
        "context": partial(memory.context, USER),
    }
    return percentile(rounds_of(calls[name], queries, 1)[0], 50)


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench scale", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--users", type=positive)
    parser.add_argument("--messages", type=positive)
    parser.add_argument("--large", type=int)
    parser.add_argument("--rounds", type=positive, default=7)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="default: bench/results/scale.json if --full")
    options = parser.parse_args(argv)
    users = options.users or (1000 if options.full else 50)
    messages = options.messages or (1000 if options.full else 200)
    large = options.large if options.large is not None else (100_000 if options.full else 0)
    calls = 40 if options.full else 10
    result = run(users, messages, large, options.rounds, calls, options.database or DATABASES)
    result.write(options.out or (RESULTS / "scale.json" if options.full else None))
    return int(options.full and any(figure.met is False for figure in result.figures))
