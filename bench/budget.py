"""Does the budget hold? Random contexts, packed with each counter and counted again.

    python -m bench.budget --cases 10000 --seed 1 --out bench/results/budget.json

Two questions: packed and counted with the same counter, is every text within its budget; and
packed with the built-in bound, how often and by how much does a text exceed its budget
in o200k and cl100k.
"""

import argparse
import json
import sys
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, Final

from backstory.core.rendering import (
    MEMORY_CLOSE,
    MEMORY_NOTE,
    MEMORY_OPEN,
    heading,
    render_message,
)
from backstory.models.counters import make_counter
from backstory.packing.packer import Frame, Item, Section, pack
from bench.encodings import ENCODINGS, encoding_counter
from bench.measure import positive, write_json
from bench.texts import draw_text

MAX_BUDGET: Final = 100_000
_CHUNK: Final = 50
_POOL: Final = 300
_FRAMES: Final = (
    Frame(preamble=f"{MEMORY_OPEN}\n{MEMORY_NOTE}", closing=MEMORY_CLOSE),
    Frame(),
)


def words(text: str) -> int:
    """Words between blanks."""
    return len(text.split())


def variety(text: str) -> int:
    """Grows faster than the sum of its parts, and depends on parity."""
    return int(len(set(text)) ** 1.5) + 7 * (len(text) % 2)


def moody(text: str) -> int:
    """Has nothing to do with the length."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) % 5_000 if text else 0


def with_start_tokens(text: str) -> int:
    """Counts three tokens for the empty text."""
    return len(text) // 4 + 3


def counters() -> dict[str, Callable[[str], int]]:
    """Every counter that is tried; item costs are remembered, whole texts are not."""
    plain = [
        make_counter("bound"),
        make_counter("bytes"),
        *map(make_counter, (len, words, variety, moody, with_start_tokens)),
        *(make_counter(encoding_counter(name)) for name in ENCODINGS),
    ]
    return {counter.name: counter for counter in plain}


@dataclass
class Tally:
    """Results of the cases of one counter."""

    cases: int = 0
    within: int = 0
    worst_ratio: float = 0.0
    ratios: list[float] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    def add(self, tokens: int, budget: int, packed: int, case: str) -> None:
        """Note one text of ``tokens``, that the packer counted as ``packed``."""
        self.cases += 1
        self.within += tokens <= budget
        self.worst_ratio = max(self.worst_ratio, tokens / max(1, budget))
        if packed >= 1_000:
            self.ratios.append(tokens / packed)
        if tokens > budget:
            self.violations.append(f"{case}: {tokens} > {budget}")

    def merge(self, other: "Tally") -> None:
        """Add another tally's cases."""
        self.cases += other.cases
        self.within += other.within
        self.worst_ratio = max(self.worst_ratio, other.worst_ratio)
        self.ratios += other.ratios
        self.violations += other.violations

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; ``median_ratio`` is to the packer's count, of texts from 1,000 tokens."""
        return {
            "cases": self.cases,
            "within": self.within,
            "share_within": self.within / max(1, self.cases),
            "worst_ratio": round(self.worst_ratio, 4),
            "median_ratio": round(median(self.ratios), 4) if self.ratios else None,
            "violations": self.violations[:10],
        }


def draw_pool(random: Random) -> list[str]:
    """Item texts: messages as a context quotes them, and one in five as it is."""
    pool = []
    for _ in range(_POOL):
        text = draw_text(random, random.choice((200, 2_000, 2_000, 20_000)))
        if random.random() < 0.8:
            text = render_message(
                text,
                role=random.choice(("user", "user", "assistant", "tool")),
                speaker=random.choice((None, "Vera", draw_text(random, 20))),
                when=date(2024, 1, 1) + timedelta(days=random.randrange(700)),
            )
        pool.append(text)
    return pool


def draw_budget(random: Random) -> int:
    """0, the largest, or between, small ones as often as large ones."""
    if random.random() < 0.04:
        return random.choice((0, 1, 2, 3, MAX_BUDGET))
    return int((MAX_BUDGET + 1) ** random.random())


def draw_context(random: Random, pool: Sequence[str]) -> list[Section[int]]:
    """Up to six sections of up to 80 items."""
    sections = []
    for number in range(random.randint(1, 6)):
        keys = random.sample(range(len(pool)), random.choice((0, 1, 5, 20, 80)))
        sections.append(
            Section(
                name=str(number),
                heading=random.choice(("", heading("Recalled"), heading(draw_text(random, 30)))),
                items=[Item(key=key, text=pool[key]) for key in keys],
                share=random.choice((0.0, 0.1, 0.217, 1 / 3, 1.0)),
                priority=random.randint(0, 3),
                minimum=random.choice((0, 0, 50)),
                maximum=random.choice((None, None, 50, 3_000)),
                mode=random.choice(("skip", "prefix")),
                order=random.choice((None, int)),
            )
        )
    return sections


def _chunk(seed: int, number: int, cases: int) -> dict[str, Tally]:
    """Some cases, from a generator of their own, so that chunks can run side by side."""
    random = Random(f"{seed}:{number}")  # noqa: S311 - cases, not secrets
    pool = draw_pool(random)
    known = {name: _remember_items(count) for name, count in counters().items()}
    tallies = {name: Tally() for name in (*known, *(f"bound, in {name}" for name in ENCODINGS))}
    for case in range(cases):
        sections, budget = draw_context(random, pool), draw_budget(random)
        frame = random.choice(_FRAMES)
        label = f"chunk {number} case {case}"
        for name, count in known.items():
            budget_here = max(budget, count(""))
            packed = pack(sections, budget_here, count, frame)
            tokens = count(packed.text)
            tallies[name].add(tokens, budget_here, packed.tokens, label)
            if packed.tokens != tokens:
                tallies[name].violations.append(f"{label}: tokens is not the count")
            if name == "bound":
                for encoding in ENCODINGS:
                    tokens = known[encoding](packed.text)
                    tallies[f"bound, in {encoding}"].add(tokens, budget, packed.tokens, label)
    return tallies


def _remember_items(count: Callable[[str], int]) -> Callable[[str], int]:
    # The pool's texts come up in many cases; without this the run counts them again and again.
    return lru_cache(maxsize=2 * _POOL)(count)


def run(cases: int, seed: int, jobs: int = 2) -> dict[str, Any]:
    """Try ``cases`` random contexts with each counter.

    Returns:
        ``same_counter``: by counter, cases and those within the budget;
        ``bound_in_real_tokens``: packed with the bound, counted with each encoding.
    """
    started = perf_counter()
    sizes = [min(_CHUNK, cases - first) for first in range(0, cases, _CHUNK)]
    totals: dict[str, Tally] = {}
    with ProcessPoolExecutor(jobs) as workers:
        for tallies in workers.map(partial(_chunk, seed), range(len(sizes)), sizes):
            for name, tally in tallies.items():
                totals.setdefault(name, Tally()).merge(tally)
    figures = {name: tally.to_dict() for name, tally in totals.items()}
    return {
        "cases": cases,
        "seed": seed,
        "budgets": [0, MAX_BUDGET],
        "same_counter": {k: v for k, v in figures.items() if not k.startswith("bound, in ")},
        "bound_in_real_tokens": {name: figures[f"bound, in {name}"] for name in ENCODINGS if cases},
        "pack_200_items_ms": pack_speed(seed),
        "seconds": round(perf_counter() - started, 1),
    }


def pack_speed(seed: int, repeats: int = 51) -> float:
    """Median ms to pack 200 items into 3,000 tokens, without the time of the counter."""
    random = Random(seed)  # noqa: S311 - cases, not secrets
    texts = [render_message(draw_text(random, 400), role="user") for _ in range(200)]
    sections = [
        Section(name=str(n), heading=heading("Part"), items=items)
        for n in range(4)
        if (items := [Item(key=i, text=texts[i]) for i in range(n, 200, 4)])
    ]
    count = lru_cache(maxsize=None)(make_counter("bytes").count)
    times = []
    for _ in range(repeats):
        started = perf_counter()
        pack(sections, 12_000, count, _FRAMES[0])
        times.append(perf_counter() - started)
    return round(median(times) * 1_000, 3)


def main(argv: Sequence[str] | None = None) -> int:
    """Run and write the figures; 1 when a budget was not kept with its own counter."""
    parser = argparse.ArgumentParser(description="Check that packed texts keep their budget.")
    parser.add_argument("--cases", type=positive, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=positive, default=2)
    parser.add_argument(
        "--out", type=Path, help="where to write the JSON; default: standard output"
    )
    options = parser.parse_args(argv)
    result = run(options.cases, options.seed, options.jobs)
    if options.out:
        write_json(options.out, {"name": "budget", **result})
    else:
        sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    kept = all(not figures["violations"] for figures in result["same_counter"].values())
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
