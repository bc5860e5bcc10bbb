"""Kills of workers and schedulers: any consolidation lost or done twice ends the run with an error.

Two workers and a scheduler are killed and started again at random while users talk, on SQLite and
on PostgreSQL.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.consolidation_children import disturb
from bench.crashing import check_file
from bench.durability import create
from bench.filled import DATABASES, places
from bench.measure import RESULTS, write_json

_FULL_S = 300.0
_SMALL_S = 15.0


def run(*, seconds: float, databases: Sequence[str], seed: int = 1) -> dict[str, Any]:
    """Run it on each database for so long."""
    found: dict[str, Any] = {}
    for database in databases:
        with places([database]) as where:
            url = where[database]
            asyncio.run(create(url))
            begun = time.monotonic()
            found[database] = asyncio.run(disturb(url, seconds, seed))
            if database == "sqlite":
                check_file(Path(url))
        took = time.monotonic() - begun
        sys.stdout.write(f"  {database}: {found[database]} in {took:.0f} s\n")
        sys.stdout.flush()
    return found


def main(argv: Sequence[str]) -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench consolidation", description=__doc__)
    parser.add_argument("--full", action="store_true", help="five minutes on each database")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="default: bench/results/consolidation.json")
    given = parser.parse_args(argv)
    seconds = given.seconds or (_FULL_S if given.full else _SMALL_S)
    found = run(seconds=seconds, databases=given.database or DATABASES, seed=given.seed)
    out = given.out or (RESULTS / "consolidation.json" if given.full else None)
    if out is not None:
        parameters = {"seconds": seconds, "seed": given.seed}
        write_json(out, {"name": "consolidation", "parameters": parameters, "results": found})
    return 0
