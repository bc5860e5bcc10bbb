"""What rules read in a chapter: states and contradictions on labelled texts, and how long it takes.

The labelled texts are in tests/data: ``chapter_states.jsonl`` and ``continuity.jsonl``. One part of
each was at hand while the rules were written ("first"), the other was scored once they stood
("kept"). ``--book`` reads a book of JSON Lines (``book``, ``chapter``, ``text``), plain or gzipped,
chapter by chapter, and prints the contradictions that are found in it: in a book that is
consistent all of them are wrong.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from backstory.core.continuity.check import conflicts
from backstory.core.model.block import Conflict
from backstory.core.model.chapter_reading import ChapterReading
from backstory.core.model.entity import Entity, EntityState
from backstory.ports.chapter_reader import ChapterToRead
from backstory.reading.chapters.names import find_cast
from backstory.reading.chapters.rules import RuleChapterReader
from backstory.reading.chapters.states import read_states
from backstory.reading.chapters.summaries import summarise
from bench.longform_books import read_rows
from bench.measure import RESULTS, Figure, Result
from tests.unit.core.continuity import cases as continuity
from tests.unit.reading.chapters import state_cases as states

PARTS = ("first", "kept")
_MEGABYTE = 1_000_000


def run(full: bool) -> tuple[Result, list[str]]:
    """Score the labelled texts and time a megabyte; also what went wrong."""
    result = Result(name="chapters", parameters={"characters": _MEGABYTE}, full=full)
    wrong = []
    for part in PARTS:
        for name, score in (("states", states.score), ("contradictions", continuity.score)):
            reached, notes = score(part)
            found = reached.right + reached.wrong
            there = reached.right + reached.missed
            for kind, value, number in (
                ("precision", reached.precision, f"{reached.right} of {found}"),
                ("recall", reached.recall, f"{reached.right} of {there}"),
            ):
                label = f"{name}, {part} part, {kind}"
                result.add(Figure(label=label, values=[100 * value], unit="%", note=number))
            wrong += notes
    text = _prose()
    cast = find_cast(text, states.KNOWN)
    for label, work in (
        ("summary", lambda: summarise(text)),
        ("names", lambda: find_cast(text, states.KNOWN)),
        ("states", lambda: read_states(text, cast)),
        ("check", lambda: continuity.check(text)),
    ):
        rounds = [_seconds(work) for _ in range(5 if full else 2)]
        bar = 2.0 if label == "summary" else None
        result.add(
            Figure(label=f"{label} of a megabyte", values=rounds, unit="s (CPU)", at_most=bar)
        )
    return result, wrong


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _prose() -> str:
    """A megabyte of the labelled sentences, in paragraphs, with numbers that make them differ."""
    lines = [text for part in PARTS for text, _ in states.cases(part)]
    pieces, size, number = [], 0, 0
    while size < _MEGABYTE:
        gap = "\n\n" if number % 6 == 0 else " "
        piece = f"{lines[number % len(lines)]} It was day {number}.{gap}"
        pieces.append(piece)
        size += len(piece)
        number += 1
    return "".join(pieces)[:_MEGABYTE]


def read_book(path: Path) -> tuple[int, int, list[tuple[str, Conflict]]]:
    """Read a book chapter by chapter: how many chapters and states, and what contradicts."""
    chapters = stated = 0
    found = []
    for book, rows in groupby(read_rows(path), key=lambda row: str(row["book"])):
        known: dict[str, Entity] = {}
        for number, row in enumerate(rows, start=1):
            text = str(row["text"])
            entities = tuple(known.values())
            reading = RuleChapterReader().read_now(
                ChapterToRead(
                    number=number, title="", text=text, entities=entities, given_summary=""
                )
            )
            found += [(book, one) for one in conflicts(text, number, entities, (), reading)]
            _learn(known, reading, number)
            chapters += 1
            stated += len(reading.states)
    return chapters, stated, found


def _learn(known: dict[str, Entity], reading: ChapterReading, number: int) -> None:
    for one in reading.sightings:
        before = known.get(one.name)
        aliases = dict.fromkeys((*(before.aliases if before else ()), *one.aliases))
        known[one.name] = Entity(
            id=one.name,
            name=one.name,
            kind=one.kind,
            aliases=tuple(aliases),
            states=(*(before.states if before else ()), *_states(one.name, reading, number)),
        )


def _states(name: str, reading: ChapterReading, number: int) -> Iterator[EntityState]:
    for place, state in enumerate(reading.states):
        if state.entity == name:
            yield EntityState(
                id=f"{number}.{place}",
                entity=name,
                attribute=state.attribute,
                value=state.value,
                chapter=number,
                quote=state.quote,
            )


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench chapters", description=__doc__)
    parser.add_argument("--full", action="store_true", help="write into bench/results")
    parser.add_argument("--wrong", action="store_true", help="print what was read otherwise")
    parser.add_argument("--book", type=Path, help="a book to read chapter by chapter")
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")
    options = parser.parse_args(argv)
    if options.book:
        chapters, stated, found = read_book(options.book)
        print(f"{chapters} chapters, {stated} states, {len(found)} contradictions")
        for book, one in found:
            print(f"{book} {one.chapter}: {one.why}\n  {one.passage}\n  {one.known_passage}")
        return 0
    result, wrong = run(options.full)
    folder = options.out or (RESULTS if options.full else None)
    result.write(folder / f"{result.name}.json" if folder else None)
    if options.wrong:
        print("\n".join(wrong))
    return int(any(figure.met is False for figure in result.figures))
