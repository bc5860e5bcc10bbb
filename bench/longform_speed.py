"""How long a block takes to assemble, from a hundred chapters to a hundred thousand."""

from collections.abc import Callable, Sequence
from functools import partial

from backstory import Document, Memory
from bench.filled import SameVector, places
from bench.longform_growth import BUDGET
from bench.longform_stored import fill
from bench.measure import Figure, Result, percentile, timed

MEDIUM, LARGE = 1_000, 100_000
_QUERIES = ("Who waits for the letter?", "the ship with the salt", "What did Ada promise?")


def measure(result: Result, database: str, sizes: Sequence[int], rounds: int, calls: int) -> None:
    """Add the times of one database.

    Args:
        result: Takes the figures.
        database: "sqlite" or "postgresql".
        sizes: Numbers of chapters, ascending.
        rounds: Each measures all sizes once, so that a slow minute slows all.
        calls: In a round, for each size.
    """
    with places([database]) as found:
        url = found[database]
        for size in sizes:
            took = timed(fill, database, url, f"book{size}", size)
            label = f"{database}, filling {size:,} chapters by rows"
            result.add(Figure(label=label, values=[took / 1000], unit="s"))
        with Memory(url, embedder=SameVector()) as memory:
            documents = {size: memory.document(f"book{size}") for size in sizes}
            assembly = _rounds(documents, rounds, calls, query="")
            _add(result, f"{database}, block without retrieval", assembly)
            for size, document in documents.items():
                first = timed(document.block, size + 1, max_tokens=BUDGET, query=_QUERIES[0])
                label = f"{database}, block with retrieval, {size:,} chapters, the first"
                result.add(Figure(label=label, values=[first]))
            searched = _rounds(documents, rounds, max(1, calls // 4), query=None)
            for size in sizes:
                label = f"{database}, block with retrieval, {size:,} chapters, p50"
                result.add(Figure(label=label, values=searched[size]))


def _rounds(
    documents: dict[int, Document], rounds: int, calls: int, query: str | None
) -> dict[int, list[float]]:
    """The p50 of each round, by size."""
    for size, document in documents.items():
        document.block(size + 1, max_tokens=BUDGET, query=query)
    times: dict[int, list[float]] = {size: [] for size in documents}
    for _ in range(rounds):
        for size, document in documents.items():
            ask: Callable[[], object] = partial(
                document.block, size + 1, max_tokens=BUDGET, query=query
            )
            times[size].append(percentile([timed(ask) for _ in range(calls)], 50))
    return times


def _add(result: Result, label: str, times: dict[int, list[float]]) -> None:
    for size, values in times.items():
        bar = 20.0 if size == MEDIUM else None
        result.add(Figure(label=f"{label}, {size:,} chapters, p50", values=values, at_most=bar))
    last = max(times)
    first = MEDIUM if MEDIUM in times and last > MEDIUM else min(times)
    ratios = [large / small for small, large in zip(times[first], times[last], strict=True)]
    result.add(
        Figure(
            label=f"{label}, {last:,} against {first:,} chapters",
            values=ratios,
            unit="times",
            at_most=1.3 if last >= LARGE else None,
        )
    )
