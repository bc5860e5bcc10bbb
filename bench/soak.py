"""All benchmarks one after the other, each in a process of its own; ``qa`` needs a model."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench import scripts
from bench.measure import RESULTS, ROOT

SMALL = {
    "latency": (),
    "context-sources": (),
    "scale": (),
    "large": (),
    "ingest": (),
    "startup": (),
    "tokens": (),
    "budget": ("--cases", "500"),
    "durability": ("--kills", "10", "--server-kills", "1", "--writers", "5", "--each", "5"),
    "consolidation": (),
    "facts": (),
    "fact-latency": ("--rounds", "2"),
    "fact-ingest": ("--rounds", "1"),
    "bulk": ("--database", "sqlite", "--messages", "120"),
    "fact-durability": (),
    "longform": (),
    "longform-search": (),
    "chapters": (),
    "routing": (),
    "scripts": (),
    "emotions": (),
    "graph": (),
    "dates": (),
    "retrieval": (),
    "packed": (),
    "conversations": (),
}
FULL = {
    "latency": ("--full",),
    "context-sources": ("--full",),
    "scale": ("--full",),
    "large": ("--full",),
    "ingest": ("--full",),
    "startup": ("--full",),
    "tokens": ("--full", "--out", str(RESULTS / "tokens.json")),
    "budget": ("--cases", "10000", "--out", str(RESULTS / "budget.json")),
    "durability": ("--out", str(RESULTS / "durability.json")),
    "consolidation": ("--full",),
    "facts": ("--full",),
    "fact-latency": ("--full",),
    "fact-ingest": ("--full",),
    "bulk": ("--full",),
    "fact-durability": ("--full",),
    "longform": ("--full",),
    "longform-search": ("--full",),
    "chapters": ("--full",),
    "routing": ("--full",),
    "scripts": ("--full",),
    "emotions": ("--full",),
    "graph": ("--full",),
    "dates": ("--full",),
    "calibration": (),
    "retrieval": ("--full",),
    "packed": ("--full",),
    "conversations": ("--full",),
    "peers": ("--full",),
}


def run(*, full: bool) -> int:
    """Run all; 1 when one of them failed or missed a bar.

    Args:
        full: The published counts, with results written; else small counts.
    """
    failed = []
    for name, options in (FULL if full else SMALL).items():
        more = _data_options(name)
        if more is None:
            sys.stdout.write(f"\n{name}: left out, BACKSTORY_SHARED names no data\n")
            continue
        started = time.perf_counter()
        sys.stdout.write(f"\n{name}\n")
        sys.stdout.flush()
        command = [sys.executable, "-m", "bench", name, *options, *more]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        sys.stdout.write(f"  {time.perf_counter() - started:.0f} s\n")
        if code:
            failed.append(name)
    if failed:
        sys.stdout.write(f"\nfailed, or missed a bar: {', '.join(failed)}\n")
    return int(bool(failed))


def _data_options(name: str) -> list[str] | None:
    """Options that name data outside the repository; None if it is needed and not there."""
    shared = os.environ.get("BACKSTORY_SHARED")
    if not shared:
        needing = {"retrieval", "packed", "conversations", "peers"}
        return None if name in needing else []
    data = Path(shared) / "data"
    book = str(data / "books" / "world-english-bible.jsonl.gz")
    texts = str(data / "scripts" / "udhr.zip")
    talks = str(data / "locomo" / "locomo-dev.json.gz")
    return {
        "tokens": ["--languages", texts, "--prose", book],
        "longform": ["--data", book, "--scripts", texts],
        "scripts": ["--data", str(scripts.OWN), texts],
        "calibration": ["--book", book, "--conversations", talks, "--format", "locomo"],
    }.get(name, [])


def main(argv: Sequence[str]) -> int:
    """Run all with the published counts."""
    if argv:
        sys.stderr.write("python -m bench soak takes no options\n")
        return 2
    return run(full=True)
