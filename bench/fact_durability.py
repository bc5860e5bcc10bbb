"""Kills and races of facts: any loss, double, gap or failed call ends the run with an error.

Many writers in two processes state values of one slot at once. Processes that write facts are
killed at random moments, and before every single statement that a call sends to the database.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.crashing import check_file
from bench.durability import create, durable_settings
from bench.fact_crashing import kill_at_each_statement, kill_at_random
from bench.fact_races import MODES, race
from bench.filled import DATABASES, places
from bench.measure import RESULTS, positive, write_json


def run(
    *, kills: int, step: int, writers: int, each: int, databases: Sequence[str]
) -> dict[str, Any]:
    """Run everything.

    Args:
        kills: Writers killed at random on each database.
        step: Die before each ``step``-th statement.
        writers: Writers in each of the two processes.
        each: Statements of each writer.
        databases: "sqlite", "postgresql" or both.
    """
    found: dict[str, Any] = {}
    for seed, database in enumerate(databases):
        with places([database]) as where:
            url = where[database]
            asyncio.run(create(url))
            if database == "postgresql":
                durable_settings(url)
            for mode in MODES:
                racing = partial(race, url, mode, writers=writers, each=each)
                found[f"{database}, {mode}"] = _told(mode, racing)
            for name, killing in (
                ("killed at random", partial(kill_at_random, url, kills, seed)),
                ("killed before each statement", partial(kill_at_each_statement, url, seed, step)),
            ):
                found[f"{database}, {name}"] = _told(name, partial(_finished, killing))
            if database == "sqlite":
                check_file(Path(url))
    return found


def _finished(killing: Callable[[], Coroutine[Any, Any, dict[str, int]]]) -> dict[str, int]:
    return asyncio.run(killing())


def _told(name: str, step: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    begun = time.monotonic()
    found = step()
    sys.stdout.write(f"  {name}: {found} in {time.monotonic() - begun:.0f} s\n")
    sys.stdout.flush()
    return found


def main(argv: Sequence[str]) -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench fact-durability", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--kills", type=int)
    parser.add_argument("--step", type=positive)
    parser.add_argument("--writers", type=positive)
    parser.add_argument("--each", type=positive)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="default: bench/results/fact-durability.json")
    given = parser.parse_args(argv)
    usual = (100, 1, 25, 4) if given.full else (3, 15, 5, 2)
    chosen = (given.kills, given.step, given.writers, given.each)
    values = [mine if mine is not None else u for mine, u in zip(chosen, usual, strict=True)]
    counts = dict(zip(("kills", "step", "writers", "each"), values, strict=True))
    found = run(**counts, databases=given.database or DATABASES)
    path = given.out or (RESULTS / "fact-durability.json" if given.full else None)
    if path is not None:
        write_json(path, {"name": "fact-durability", "parameters": counts, "results": found})
    return 0
