"""How long ``search`` and ``context`` take for one user, warm and cold, on both databases."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from backstory import Memory
from backstory.models.local import LocalEmbedder
from bench.filled import DATABASES, Conversations, RandomVectors, SameVector, fill, places, settle
from bench.measure import RESULTS, Figure, Result, percentile, positive, timed, yardstick

USER, OTHER = "measured", "other"
WITH, WITHOUT, KEYWORDS = "query embedded", "vector at hand", "keywords only"
_EMBEDDERS: dict[str, Callable[[], Any]] = {
    WITH: LocalEmbedder,
    WITHOUT: SameVector,
    KEYWORDS: lambda: None,
}
_BARS = {WITH: 15.0, WITHOUT: 8.0, KEYWORDS: 8.0}
_COLD_BARS = {1_000: 100.0, 10_000: 400.0}
_LARGE_BAR = 60.0


def run(messages: int, large: int, rounds: int, calls: int, databases: Sequence[str]) -> Result:
    """Measure all of it.

    Args:
        messages: Messages of the user; cold starts are also measured with a tenth of it.
        large: Messages of the large user; 0 leaves it out.
        rounds: Rounds; each gives one p50 and one p95.
        calls: Calls in a round, each with another query.
        databases: "sqlite", "postgresql" or both.
    """
    parameters = {"messages": messages, "large": large, "rounds": rounds, "calls": calls}
    result = Result(name="latency", parameters=parameters, full=messages >= 10_000)
    result.notes.append(
        "Stored vectors are seeded random unit vectors of 384 dimensions; PostgreSQL's statistics "
        "are made after filling."
    )
    for database in databases:
        with places([database]) as found:
            url = found[database]
            tenth = max(messages // 10, 1)
            _fill(url, {USER: messages, "tenth": tenth, OTHER: 20})
            queries = Conversations(seed=5).queries(calls)
            warm = _warm(result, database, url, queries, messages, rounds)
            for user, count in (("tenth", tenth), (USER, messages)):
                _cold(result, database, url, queries, user, count, rounds, warm)
            if large:
                _large(result, database, url, queries, large, rounds)
    return result


def _fill(url: str, users: dict[str, int]) -> None:
    with Memory(url, embedder=RandomVectors()) as memory:
        for seed, (user, count) in enumerate(users.items()):
            fill(memory, user, Conversations(seed=seed).turns(count))
    settle(url)


def rounds_of(
    call: Callable[[str], object], queries: Sequence[str], rounds: int
) -> list[list[float]]:
    """The times of each round, in ms, after one round that does not count."""
    for query in queries:
        call(query)
    return [[timed(call, query) for query in queries] for _ in range(rounds)]


def _warm(
    result: Result, database: str, url: str, queries: Sequence[str], messages: int, rounds: int
) -> float:
    vector_at_hand = 0.0
    for kind, make in _EMBEDDERS.items():
        with Memory(url, embedder=make()) as memory:
            # so that the context has a conversation that goes on
            memory.add(["Hello again.", {"role": "assistant", "content": "Hi!"}], user_id=USER)
            calls: dict[str, Callable[[str], object]] = {
                "search": partial(memory.search, user_id=USER),
                "context": partial(memory.context, USER),
            }
            times, fixed = _in_turns(calls, queries, rounds)
        for name in calls:
            label = f"{database}, {name}, {messages:,} messages, {kind}"
            p50s = [percentile(some, 50) for some in times[name]]
            result.add(Figure(label=f"{label}, p50", values=p50s, at_most=_BARS[kind]))
            p95s = [percentile(some, 95) for some in times[name]]
            result.add(Figure(label=f"{label}, p95", values=p95s))
            if (kind, name) == (WITHOUT, "search"):
                vector_at_hand = median(p50s)
        result.add(Figure(label=f"{database}, {kind}, fixed work beside it", values=fixed))
    return vector_at_hand


def _in_turns(
    calls: Mapping[str, Callable[[str], object]], queries: Sequence[str], rounds: int
) -> tuple[dict[str, list[list[float]]], list[float]]:
    """The times of each call in each round, and those of fixed work after each round.

    The calls take turns, so that a minute in which the machine is slow falls on all of them.
    """
    times: dict[str, list[list[float]]] = {name: [] for name in calls}
    fixed = []
    for number in range(rounds + 1):
        for name, call in calls.items():
            some = [timed(call, query) for query in queries]
            if number:  # the first round does not count
                times[name].append(some)
        fixed.append(yardstick())
    return times, fixed[1:]


def _cold(
    result: Result,
    database: str,
    url: str,
    queries: Sequence[str],
    user: str,
    count: int,
    rounds: int,
    warm: float,
) -> None:
    extra = []
    for _ in range(rounds):
        with Memory(url, embedder=SameVector()) as memory:
            for query in queries[:3]:
                memory.search(query, user_id=OTHER)
            extra.append(timed(memory.search, queries[0], user_id=user) - warm)
    result.add(
        Figure(
            label=f"{database}, search, {count:,} messages, cold: more than warm",
            values=extra,
            at_most=_COLD_BARS.get(count),
        )
    )


def _large(
    result: Result, database: str, url: str, queries: Sequence[str], large: int, rounds: int
) -> None:
    _fill(url, {"large": large})
    with Memory(url, embedder=SameVector()) as memory:
        times = rounds_of(partial(memory.search, user_id="large"), queries, rounds)
    label = f"{database}, search, {large:,} messages, {WITHOUT}, p50"
    result.add(
        Figure(
            label=label,
            values=[percentile(some, 50) for some in times],
            at_most=_LARGE_BAR if large >= 100_000 else None,
        )
    )


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench latency", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--messages", type=positive)
    parser.add_argument("--large", type=int)
    parser.add_argument("--rounds", type=positive, default=15)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="default: bench/results/latency.json if --full")
    options = parser.parse_args(argv)
    messages = options.messages or (10_000 if options.full else 500)
    large = options.large if options.large is not None else (100_000 if options.full else 0)
    calls = 40 if options.full else 5
    result = run(messages, large, options.rounds, calls, options.database or DATABASES)
    result.write(options.out or (RESULTS / "latency.json" if options.full else None))
    return int(options.full and any(figure.met is False for figure in result.figures))
