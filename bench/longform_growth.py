"""How a book grows: all summaries against our block, chapter by chapter, in real tokens."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from backstory import Document, Memory
from backstory.api import Block, Embedder
from backstory.core.chapters.skeleton import nested_skeleton
from backstory.longform import skeleton_chapters
from backstory.packing.packer import pack
from backstory.packing.sections import Item, Section
from bench import plot
from bench.encodings import ENCODINGS, encoding_counter
from bench.filled import RandomVectors
from bench.longform_books import Chapter, equal_chapters
from bench.measure import Figure, Result

BUDGET = 6000
PLACES = (10, 20, 50, 100, 200, 300, 500, 700, 1000, 1200, 1388)
_SHOWN = (10, 50, 100, 200, 500, 1000, 1388)
_WINDOW = 20
_STEP = 100


@dataclass(frozen=True, kw_only=True)
class Point:
    """The costs of the context for one chapter, in tokens.

    Attributes:
        chapter: For which one.
        everything: All summaries before it, in o200k.
        counted: Our block as the library counts it.
        real: Our block, by encoding.
        exactly: Our block in o200k, packed with that counter; None where that was not done.
    """

    chapter: int
    everything: int
    counted: int
    real: dict[str, int]
    exactly: int | None = None


def store_book(document: Document, chapters: Sequence[Chapter]) -> None:
    """Add all chapters; progress on stderr."""
    for chapter in chapters:
        document.add_chapter(
            chapter.number, chapter.text, title=chapter.title, summary=chapter.summary
        )
        if chapter.number % _STEP == 0:
            sys.stderr.write(f"\r  {chapter.number:,} chapters stored")
    sys.stderr.write("\r" + " " * 40 + "\r")


def growth(
    name: str,
    chapters: Sequence[Chapter],
    embedder: Embedder | str | None,
    *,
    exact_each: int,
) -> tuple[list[Point], list[str]]:
    """Measure the block before each chapter of a book.

    Args:
        name: Of the document.
        chapters: The book.
        embedder: For retrieval.
        exact_each: Pack with the real o200k counter, too, for each so many chapters; 0 = never.

    Returns:
        One point for each chapter from the second on, and the texts of the blocks.
    """
    count = {encoding: encoding_counter(encoding) for encoding in ENCODINGS}
    points, texts = [], []
    with Memory(":memory:", embedder=embedder) as memory:
        document = memory.document(name)
        store_book(document, chapters)
        memory.flush()
        everything = 0
        for chapter in chapters:
            number = chapter.number + 1
            stored = document.chapters.get(chapter.number)
            line = f"- {chapter.number} {stored.title}: {stored.summary}\n"
            everything += count[ENCODINGS[0]](line)
            block = document.block(number, max_tokens=BUDGET, as_of_chapter=chapter.number)
            points.append(
                Point(
                    chapter=number,
                    everything=everything,
                    counted=block.tokens,
                    real={encoding: of(block.text) for encoding, of in count.items()},
                    exactly=_exact(document, number, count[ENCODINGS[0]])
                    if exact_each and (number % exact_each == 0 or chapter is chapters[-1])
                    else None,
                )
            )
            texts.append(block.text)
    return points, texts


def _exact(document: Document, number: int, count: Callable[[str], int]) -> int:
    block = document.block(number, max_tokens=BUDGET, as_of_chapter=number - 1, count_tokens=count)
    return count(block.text)


def report(result: Result, name: str, points: Sequence[Point]) -> dict[str, Any]:
    """Add the figures of a book, and give its table."""
    last = points[-1]
    label = f"{name}, all summaries before chapter {last.chapter:,}"
    result.add(Figure(label=label, values=[last.everything], unit="tokens (o200k)"))
    for encoding in ENCODINGS:
        worst = max(point.real[encoding] for point in points)
        label = f"{name}, largest of {len(points):,} blocks"
        unit = f"tokens ({encoding.removesuffix('_base')})"
        result.add(Figure(label=label + f", {encoding}", values=[worst], unit=unit, at_most=BUDGET))
    worst = max(point.counted for point in points)
    label = f"{name}, largest of {len(points):,} blocks, as counted"
    result.add(Figure(label=label, values=[worst], unit="tokens (bound)", at_most=BUDGET))
    exactly = [point.exactly for point in points if point.exactly is not None]
    if exactly:
        label = f"{name}, largest of {len(exactly):,} blocks packed with a real counter"
        unit = "tokens (o200k)"
        result.add(Figure(label=label, values=[max(exactly)], unit=unit, at_most=BUDGET))
    return table(points)


def table(points: Sequence[Point]) -> dict[str, Any]:
    """The growth as a table."""
    at = {point.chapter: place for place, point in enumerate(points)}
    shown = [place for chapter in _SHOWN if (place := at.get(chapter)) is not None]
    is_exact = any(point.exactly is not None for point in points)
    rows = []
    for place in sorted({*shown, len(points) - 1}):
        point = points[place]
        cells = [point.everything, point.counted, *point.real.values()]
        row = [f"{point.chapter:,}", *(f"{cell:,}" for cell in cells)]
        if is_exact:
            row.append("" if point.exactly is None else f"{point.exactly:,}")
        rows.append(row)
    heads = ["before chapter", "all summaries, o200k", "our block, counted"]
    heads += [f"our block, {name.removesuffix('_base')}" for name in ENCODINGS]
    heads += ["packed with o200k"] if is_exact else []
    return {"columns": heads, "rows": rows}


def draw(path: Path, name: str, points: Sequence[Point]) -> None:
    """The growth as a chart."""
    wanted = {*PLACES, points[0].chapter, points[-1].chapter}
    shown = [point for point in points if point.chapter in wanted]
    plot.lines(
        path,
        f"{name}: what a chapter costs",
        "chapter to be written",
        "tokens (o200k)",
        {
            "all summaries": [(one.chapter, one.everything) for one in shown],
            "our block": [(one.chapter, one.real[ENCODINGS[0]]) for one in shown],
            "the budget": [(one.chapter, BUDGET) for one in shown],
        },
    )


def equal(first: int, second: int) -> tuple[Block, Block]:
    """The blocks before two chapters of a book whose summaries are all the same."""
    with Memory(":memory:", embedder=RandomVectors()) as memory:
        document = memory.document("equal")
        store_book(document, equal_chapters(second - 1))
        memory.flush()
        one, two = (
            document.block(number, max_tokens=BUDGET, query="", as_of_chapter=number - 1)
            for number in (first, second)
        )
    return one, two


def add_equal(result: Result, first: int, second: int) -> None:
    """Add the difference between two blocks of a book of equal summaries."""
    blocks = equal(first, second)
    count = encoding_counter(ENCODINGS[0])
    for unit, tokens in (
        ("tokens (bound)", [block.tokens for block in blocks]),
        ("tokens (o200k)", [count(block.text) for block in blocks]),
    ):
        label = f"equal summaries, block {second:,} against block {first:,}, {unit}"
        apart = abs(tokens[1] - tokens[0])
        result.add(Figure(label=label, values=[apart], unit="tokens", at_most=2))


def kept_prefix(before: str, after: str) -> float:
    """How much of a text's beginning stays the same in the next one, in percent of the first."""
    same = next(
        (
            place
            for place, pair in enumerate(zip(before, after, strict=False))
            if len(set(pair)) > 1
        ),
        min(len(before), len(after)),
    )
    return 100 * same / max(1, len(before))


def add_cache(result: Result, name: str, texts: Sequence[str], chapters: Sequence[Chapter]) -> None:
    """Add how much of a block's prefix stays from chapter to chapter, against other layouts."""
    label = f"{name}, prefix kept by the next block"
    layouts = {"ours, whole block": texts, **_layouts(chapters)}
    for layout, blocks in layouts.items():
        half = blocks[len(blocks) // 2 :]
        shares = [kept_prefix(a, b) for a, b in pairwise(half)]
        if shares:
            result.add(Figure(label=f"{label}, {layout}", values=shares, unit="% of characters"))


def _layouts(chapters: Sequence[Chapter]) -> dict[str, list[str]]:
    """Blocks of chapters alone, in the layouts that are compared."""
    lines = {one.number: f"- {one.number}: {(one.summary or one.text)[:300]}" for one in chapters}
    nested, strided, newest = [], [], []
    for last in (chapter.number for chapter in chapters):
        recent = list(range(max(1, last - _WINDOW + 1), last + 1))
        fixed = skeleton_chapters(last + 1, recent[0])
        nested.append(_packed(lines, nested_skeleton(recent[0] - 1), recent, newest_first=False))
        strided.append(_packed(lines, fixed, recent, newest_first=False))
        newest.append(_packed(lines, fixed, recent, newest_first=True))
    return {
        "chapters only, nested skeleton, in order": nested,
        "chapters only, fixed stride, in order": strided,
        "chapters only, fixed stride, newest first": newest,
    }


def _packed(
    lines: dict[int, str], skeleton: Sequence[int], recent: Sequence[int], *, newest_first: bool
) -> str:
    sections = [
        Section(
            name=name,
            heading=f"## {name}",
            items=[Item(key=n, text=lines[n]) for n in sorted(numbers, reverse=True) if n in lines],
            share=share,
            order=None if newest_first else int,
        )
        for name, numbers, share in (("Earlier", skeleton, 0.3), ("Recently", recent, 0.7))
    ]
    if newest_first:
        sections.reverse()
    return pack(sections, BUDGET, lambda text: len(text) // 3).text
