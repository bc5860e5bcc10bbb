"""Threads that were closed and are touched again."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from backstory.core.continuity.marks import Sentence
from backstory.core.continuity.words import ELSEWHERE
from backstory.core.model.block import Conflict, ConflictKind
from backstory.core.model.chapter_reading import ThreadOpRead
from backstory.core.model.plot import PlotThread, ThreadEventKind, ThreadStatus
from backstory.core.plot.actions import read_action
from backstory.core.plot.doubles import summary_words
from backstory.core.plot.folding import is_closed
from backstory.core.plot.references import read_references

_ALIKE: Final = 0.85
_LEAST_WORDS: Final = 3
_QUESTION: Final = re.compile("[?\uff1f\u061f]\\W*$")


def closed_threads(
    lines: Sequence[Sentence],
    chapter: int,
    threads: Sequence[PlotThread],
    operations: Sequence[ThreadOpRead],
) -> Iterator[Conflict]:
    """One conflict for each thread that was closed before and is touched by a text.

    Touched is a thread that a reading names, or plants again in nearly the same words; and one
    whose summary the text itself asks again.
    """
    for thread in threads:
        if not is_closed(thread) or thread.closed_in is None or thread.closed_in >= chapter:
            continue
        touched = next((one for one in operations if _touches(one, thread)), None)
        asked = next((one.said for one in lines if _asks(one, thread)), None)
        if touched is None and asked is None:
            continue
        given_up = thread.status is ThreadStatus.ABANDONED
        yield Conflict(
            kind=ConflictKind.CLOSED_THREAD,
            about=f"T{thread.number}",
            chapter=chapter,
            passage=asked or _nearest(lines, thread, touched),
            known_chapter=thread.closed_in,
            known_passage=thread.note or thread.summary,
            why=f"the thread was {'given up' if given_up else 'resolved'} in chapter "
            f"{thread.closed_in}",
        )


def _touches(operation: ThreadOpRead, thread: PlotThread) -> bool:
    if read_action(operation.action) is ThreadEventKind.ABANDONED:
        return False
    numbers = read_references(operation.ref).numbers
    if numbers:
        return thread.number in numbers
    return _similar(operation.summary, thread.summary) >= _ALIKE


def _asks(line: Sentence, thread: PlotThread) -> bool:
    return (
        _QUESTION.search(line.told) is not None
        and not ELSEWHERE.search(line.before)
        and _similar(line.said, thread.summary) >= _ALIKE
    )


def _similar(one: str, other: str) -> float:
    """How many words two sentences share (Dice); 0 for those of a word or two."""
    first, second = set(summary_words(one)), set(summary_words(other))
    if min(len(first), len(second)) < _LEAST_WORDS:
        return 0.0
    return 2 * len(first & second) / (len(first) + len(second))


def _nearest(lines: Sequence[Sentence], thread: PlotThread, operation: ThreadOpRead | None) -> str:
    """The sentence of the text that has most words of the thread; else what the reading says."""
    said = f"{operation.summary} {operation.note}" if operation else ""
    wanted = set(summary_words(f"{thread.summary} {said}"))
    best, shared = "", 0
    for line in lines:
        common = len(wanted & set(summary_words(line.said)))
        if common > shared:
            best, shared = line.said, common
    return best or said.strip() or (lines[0].said if lines else "")
