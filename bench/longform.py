"""Long documents: what a chapter costs as the book grows, and how long its block takes.

    python -m bench longform --full --data world-english-bible.jsonl.gz --scripts udhr.zip

The books are not part of the repository. Without ``--data`` a seeded book is measured, without
``--scripts`` no languages are. Models know public-domain books by heart: nothing here says how well
a model writes with a block.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backstory.api import Embedder
from bench.embedded import KeptVectors
from bench.filled import DATABASES, RandomVectors
from bench.longform_books import made_chapters, read_chapters
from bench.longform_growth import BUDGET, add_cache, add_equal, draw, growth, report
from bench.longform_scripts import add_threads, measure
from bench.longform_speed import measure as measure_speed
from bench.measure import RESULTS, Result, write_json

PARTS = ("growth", "equal", "speed", "scripts", "threads")
_MADE = "a seeded book"


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The counts of a run.

    Attributes:
        chapters: Of the book; None = all.
        equal: The two chapters of the book of equal summaries.
        sizes: Numbers of chapters that are timed.
        languages: None = all.
        threads: How many are open.
        exact_each: Pack the block of each so many chapters with a real counter, too; 0 = none.
    """

    chapters: int | None
    equal: tuple[int, int]
    sizes: tuple[int, ...]
    rounds: int
    calls: int
    languages: int | None
    threads: int
    exact_each: int


FULL = Sizes(
    chapters=None,
    equal=(500, 1000),
    sizes=(100, 1_000, 10_000, 100_000),
    rounds=7,
    calls=20,
    languages=None,
    threads=2_000,
    exact_each=10,
)
SMALL = Sizes(
    chapters=60,
    equal=(60, 120),
    sizes=(100, 1_000),
    rounds=3,
    calls=5,
    languages=10,
    threads=100,
    exact_each=0,
)


@dataclass(kw_only=True)
class Measured:
    """The figures, the table of the growth, and what its chart shows."""

    result: Result
    table: dict[str, Any] | None = None
    chart: tuple[str, Any] | None = None


def run(
    sizes: Sizes,
    *,
    data: Path | None = None,
    scripts: Path | None = None,
    databases: Sequence[str] = DATABASES,
    parts: Sequence[str] = PARTS,
    embedder: Embedder | str | None = None,
) -> Measured:
    """Measure; see ``PARTS`` for what.

    Args:
        sizes: The counts.
        data: A book as JSON lines {book, chapter, text}.
        scripts: A folder or zip of texts in many languages.
        databases: Where the times are taken.
        parts: What is measured.
        embedder: For the passages of the book; None = keywords only.
    """
    full = sizes is FULL and tuple(parts) == PARTS
    parameters = {
        "budget": BUDGET,
        "book": data.name if data else _MADE,
        "scripts": scripts.name if scripts else "none",
        "rounds": sizes.rounds,
        "calls": sizes.calls,
    }
    measured = Measured(result=Result(name="longform", parameters=parameters, full=full))
    result = measured.result
    result.notes += [
        "Summaries are extracts of the library's own making; no language model has a part in this.",
        "Times are taken on documents filled by rows: one passage, three of 60 entities and 40 "
        "open threads in all; vectors are seeded random ones.",
    ]
    if "growth" in parts:
        _growth(measured, sizes, data, embedder)
    if "equal" in parts:
        add_equal(result, *sizes.equal)
    if "threads" in parts:
        add_threads(result, sizes.threads)
    if "scripts" in parts and scripts is not None:
        measure(result, scripts, sizes.languages)
    if "speed" in parts:
        for database in databases:
            measure_speed(result, database, sizes.sizes, sizes.rounds, sizes.calls)
    return measured


def _growth(
    measured: Measured, sizes: Sizes, data: Path | None, embedder: Embedder | str | None
) -> None:
    name = data.name.partition(".")[0] if data else _MADE
    chapters = read_chapters(data, sizes.chapters) if data else made_chapters(sizes.chapters or 300)
    points, texts = growth(name, chapters, embedder, exact_each=sizes.exact_each)
    measured.table = report(measured.result, name, points)
    add_cache(measured.result, name, texts, chapters)
    measured.chart = (name, points)


def write(measured: Measured, folder: Path) -> None:
    """Write the figures with the table, and the chart."""
    facts = measured.result.to_dict()
    if measured.table is not None:
        facts["side_by_side"] = measured.table
    write_json(folder / "longform.json", facts)
    if measured.chart is not None:
        draw(folder / "longform.svg", *measured.chart)


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench longform", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--data", type=Path, help="a book: JSON lines {book, chapter, text}, gz")
    parser.add_argument("--scripts", type=Path, help="a folder or zip of texts in many languages")
    parser.add_argument("--only", choices=PARTS, action="append", help="repeatable; default: all")
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--vectors", type=Path, help="keep the book's vectors in this file (npz)")
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")
    options = parser.parse_args(argv)
    kept = KeptVectors(options.vectors) if options.full or options.vectors else None
    measured = run(
        FULL if options.full else SMALL,
        data=options.data,
        scripts=options.scripts,
        databases=options.database or DATABASES,
        parts=options.only or PARTS,
        embedder=kept or RandomVectors(),
    )
    if kept is not None:
        kept.save()
    if options.out or measured.result.full:
        write(measured, options.out or RESULTS)
    figures = measured.result.figures
    return int(measured.result.full and any(figure.met is False for figure in figures))
