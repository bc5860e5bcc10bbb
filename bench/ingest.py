"""How fast messages are stored: with vectors, without, one by one, and when all are there."""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backstory import Memory, Settings
from bench.filled import DATABASES, Conversations, places
from bench.measure import RESULTS, Figure, Result, percentile, positive, rate, timed

CALL = 64
BATCH = 256
_EMBEDDED_BAR, _PLAIN_BAR, _SINGLE_BAR = 120.0, 4000.0, 3.0


def run(embedded: int, plain: int, single: int, rounds: int, databases: Sequence[str]) -> Result:
    """Measure all of it.

    Args:
        embedded: Turns of one round with the local embedder.
        plain: Turns of one round without.
        single: Calls of one round that add one message.
        rounds: Rounds; each writes to a user of its own.
        databases: "sqlite", "postgresql" or both.
    """
    parameters = {
        "embedded": embedded,
        "plain": plain,
        "single": single,
        "rounds": rounds,
        "call": CALL,
        "batch": BATCH,
    }
    result = Result(name="ingest", parameters=parameters, full=plain >= 10_000)
    result.notes.append("Every message has an id of the caller's, so each is checked for doubles.")
    result.notes.append("Messages are read by the rules, unless a line says that they are not.")
    for database in databases:
        with places([database]) as found:
            _embedded(result, database, found[database], embedded, rounds)
            _plain(result, database, found[database], plain, rounds)
            _single(result, database, found[database], single, rounds)
    return result


def _embedded(result: Result, database: str, url: str, count: int, rounds: int) -> None:
    with Memory(url, embedder="local") as memory:
        memory.add("The model is loaded now.", user_id="first")
        rates = [
            rate(count, _add, memory, f"e{number}", _turns(number, count), CALL)
            for number in range(rounds)
        ]
    label = f"{database}, add_many of {CALL}, local embedder"
    result.add(Figure(label=label, values=rates, unit="turns/s", at_least=_EMBEDDED_BAR))


def _plain(result: Result, database: str, url: str, count: int, rounds: int) -> None:
    """With reading by rules, which is the default, and without."""
    for reading, word in (("auto", ""), ("none", "not read, ")):
        with Memory(url, embedder=None, settings=Settings(reading=reading)) as memory:
            for size in (BATCH, CALL):
                users = [f"{reading}{size}-{number}" for number in range(rounds)]
                work = [(user, _turns(number, count)) for number, user in enumerate(users)]
                for what in ("new", "all there already"):
                    rates = [rate(count, _add, memory, user, turns, size) for user, turns in work]
                    label = f"{database}, add_many of {size}, no embedder, {word}{what}"
                    bar = _PLAIN_BAR if size == BATCH else None
                    result.add(Figure(label=label, values=rates, unit="turns/s", at_least=bar))


def _turns(seed: int, count: int) -> list[dict[str, Any]]:
    return Conversations(seed=seed).turns(count)


def _add(memory: Memory, user: str, turns: Sequence[dict[str, Any]], size: int) -> None:
    with memory.session(user_id=user, session_id="import", bulk_import=True) as session:
        for start in range(0, len(turns), size):
            session.add_many(turns[start : start + size])


def _single(result: Result, database: str, url: str, count: int, rounds: int) -> None:
    adds, syncs = [], []
    texts = [turn["content"] for turn in _turns(99, count * rounds)]
    folder = Path(url).parent if database == "sqlite" else Path(tempfile.gettempdir())
    with Memory(url, embedder=None) as memory:
        memory.add("The session exists now.", user_id="single")
        for number in range(rounds):
            add_times, sync_times = [], []
            for text in texts[number * count : (number + 1) * count]:
                add_times.append(timed(memory.add, text, user_id="single"))
                sync_times.append(_fdatasync(folder))
            adds.append(percentile(add_times, 50))
            syncs.append(percentile(sync_times, 50))
    label = f"{database}, add of one message, no embedder"
    result.add(Figure(label=f"{label}, p50", values=adds))
    result.add(Figure(label=f"{database}, fdatasync of 8 KB in the same folder, p50", values=syncs))
    more = [add - sync for add, sync in zip(adds, syncs, strict=True)]
    result.add(Figure(label=f"{label}, more than fdatasync", values=more, at_most=_SINGLE_BAR))


def _fdatasync(folder: Path) -> float:
    """Append two pages to a file and wait for the disk, as a commit does."""
    with (folder / "fdatasync.bin").open("ab", buffering=0) as file:
        file.write(b"\0" * 8192)
        return timed(os.fdatasync, file.fileno())


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench ingest", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--rounds", type=positive, default=5)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="default: bench/results/ingest.json if --full")
    options = parser.parse_args(argv)
    counts = (1280, 10_240, 200) if options.full else (64, 512, 10)
    result = run(*counts, options.rounds, options.database or DATABASES)
    result.write(options.out or (RESULTS / "ingest.json" if options.full else None))
    return int(options.full and any(figure.met is False for figure in result.figures))
