"""Whether blocks keep their budget in real tokens, whatever language and script a book is in."""

import sys
from collections.abc import Sequence
from pathlib import Path

from backstory import Memory
from bench.encodings import ENCODINGS, encoding_counter
from bench.longform_books import Chapter, languages
from bench.longform_growth import BUDGET, store_book
from bench.measure import Figure, Result

BUDGETS = (500, 1000, 2000, BUDGET)
_PARAGRAPHS = 5
_STEPS = 4


def as_chapters(paragraphs: Sequence[str]) -> list[Chapter]:
    """A text as a book: five paragraphs a chapter, each summed up by its first."""
    groups = [
        paragraphs[start : start + _PARAGRAPHS] for start in range(0, len(paragraphs), _PARAGRAPHS)
    ]
    return [
        Chapter(number=n, title=group[0][:40], text="\n\n".join(group), summary=group[0])
        for n, group in enumerate(groups, start=1)
    ]


def measure(result: Result, path: Path, limit: int | None) -> None:
    """Add the share of blocks within the budget, and the worst, by encoding.

    Args:
        result: Takes the figures.
        path: A folder or zip of texts, one language each.
        limit: Only so many languages.
    """
    ratios: dict[str, list[float]] = {name: [] for name in ENCODINGS}
    worst: dict[str, tuple[float, str]] = dict.fromkeys(ENCODINGS, (0.0, ""))
    count = 0
    with Memory(":memory:", embedder=None) as memory:
        for name, paragraphs in languages(path, limit):
            count += 1
            document = memory.document(name)
            chapters = as_chapters(paragraphs)
            store_book(document, chapters)
            document.threads.plant(paragraphs[-1][:200], chapter=1)
            for number in _numbers(len(chapters)):
                for budget in BUDGETS:
                    text = document.block(number, max_tokens=budget).text
                    for encoding in ENCODINGS:
                        ratio = encoding_counter(encoding)(text) / budget
                        ratios[encoding].append(ratio)
                        worst[encoding] = max(worst[encoding], (ratio, name))
            document.delete()
    for encoding, found in ratios.items():
        within = 100 * sum(ratio <= 1 for ratio in found) / len(found)
        label = f"{count} languages, {len(found):,} blocks within their budget, {encoding}"
        result.add(Figure(label=label, values=[within], unit="%", at_least=99.9))
        ratio, name = worst[encoding]
        label = f"{count} languages, the largest block, {encoding}"
        note = f"In {name}."
        result.add(
            Figure(label=label, values=[ratio], unit="of its budget", at_most=1.03, note=note)
        )


def _numbers(count: int) -> list[int]:
    """Chapters to build the block for, over the whole book."""
    return sorted({count * step // _STEPS + 1 for step in range(1, _STEPS + 1)})


def add_threads(result: Result, count: int) -> None:
    """Add what a block shows of very many open threads."""
    with Memory(":memory:", embedder=None) as memory:
        document = memory.document("threads", planned_chapters=10_000)
        document.add_chapter(1, "The keeper lit the lamp. The ship came in. Nobody waited for it.")
        for number in range(count):
            document.threads.plant(
                f"Promise {number}: the letter to the town behind the {number}th hill arrives.",
                chapter=1,
                deadline=2 + (number * 37) % 5000,
            )
            if number % 100 == 99:
                sys.stderr.write(f"\r  {number + 1:,} threads planted")
        sys.stderr.write("\r" + " " * 40 + "\r")
        block = document.block(2, max_tokens=BUDGET, query="")
        threads = next(one for one in block.sections if one.part == "threads")
        shown = {int(key.removeprefix("T")) for key in threads.kept}
        urgent = {one.number for one in document.threads.list_open(max(1, len(shown)))}
    real = encoding_counter(ENCODINGS[0])(block.text)
    label = f"{count:,} open threads, the block"
    result.add(Figure(label=label, values=[real], unit="tokens (o200k)", at_most=BUDGET))
    result.add(Figure(label=f"{count:,} open threads, shown", values=[len(shown)], unit="threads"))
    share = 100 * len(shown & urgent) / max(1, len(shown))
    label = f"{count:,} open threads, of those shown are the most urgent"
    result.add(Figure(label=label, values=[share], unit="%", at_least=100.0))
