"""In which chapter each open thread should close, so that all are closed by the end.

1. A thread with a deadline of its own closes there; where more than three meet, some close
   earlier. What is in time never becomes late by the plan.
2. What is late already closes as soon as there is room, three in a chapter with those above, the
   most overdue first.
3. Those that are due by the end share the last quarter of the book evenly, and begin earlier
   where three in a chapter are too few for it.

More than three close in one chapter only where the deadlines, or the end, leave no other way. The
plan of a chapter depends on the threads that are open in it and on nothing remembered; whoever
follows it finds the same plan for the others in the next chapter.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from typing import Final

from backstory.core.model.plot import PlotThread
from backstory.core.model.record import Record
from backstory.core.plot.deadlines import due_chapter
from backstory.core.plot.folding import is_unresolved
from backstory.core.plot.urgency import urgency_key

COMFORTABLE: Final = 3
"""Threads that may close in one chapter before others are moved to make room."""


@dataclass(frozen=True, kw_only=True)
class Payoff(Record):
    """When a thread should close.

    Attributes:
        thread: An open one.
        chapter: Where it should close, from the next chapter to the end; None = whenever it
            fits: it has no deadline, and nobody knows where the end is.
        due: By which chapter it should have closed; None = no deadline.
        overdue_by: How many chapters it is late in the next chapter, 0 or more.
    """

    thread: PlotThread
    chapter: int | None
    due: int | None
    overdue_by: int = 0


def plan_payoffs(
    threads: Iterable[PlotThread], chapter: int, planned_chapters: int | None = None
) -> tuple[Payoff, ...]:
    """Plan the payoffs of all open threads.

    Those whose ``chapter`` is the one that is written now are owed in it. Following the plan closes
    every thread by the end, however many there are; in the last chapter it owes all.

    Args:
        threads: In any order; those that are not open or progressing do not count.
        chapter: The chapter that is written now, 1 or more.
        planned_chapters: How many there will be; None = not known. If ``chapter`` is beyond it,
            what was due by then is late, and closes from now on.

    Returns:
        One for each open thread, in the order in which they should close.
    """
    owed = sorted(
        filter(is_unresolved, threads), key=lambda one: urgency_key(one, planned_chapters)
    )
    dues = [due_chapter(thread, planned_chapters) for thread in owed]
    dated = [due for due in dues if due is not None]  # the first ones: those without come last
    is_over = planned_chapters is not None and planned_chapters < chapter
    planned = _places(dated, chapter, None if is_over else planned_chapters)
    places = [*planned, *(None for _ in range(len(owed) - len(dated)))]
    payoffs = [
        Payoff(
            thread=thread,
            chapter=place,
            due=due,
            overdue_by=0 if due is None else max(0, chapter - due),
        )
        for thread, place, due in zip(owed, places, dues, strict=True)
    ]
    return tuple(sorted(payoffs, key=_place))  # stable: in one chapter the most urgent first


def owed_in(plan: Iterable[Payoff], chapter: int) -> tuple[PlotThread, ...]:
    """The threads that should close in a chapter, the most urgent first."""
    return tuple(payoff.thread for payoff in plan if payoff.chapter == chapter)


def _place(payoff: Payoff) -> tuple[bool, int]:
    return payoff.chapter is None, payoff.chapter or 0


def _places(dues: Sequence[int], chapter: int, end: int | None) -> list[int]:
    """Places for threads by their dues, which rise; none is above the end."""
    late = sum(due < chapter for due in dues)
    finale = 0 if end is None else sum(due == end for due in dues)
    loads: Counter[int] = Counter()
    in_time = _in_time(dues[late : len(dues) - finale], chapter)
    loads.update(in_time)
    overdue = _overdue(late, chapter, end, loads)
    loads.update(overdue)
    return [*overdue, *in_time, *(() if end is None else _finale(finale, chapter, end, loads))]


def _in_time(dues: Sequence[int], chapter: int) -> list[int]:
    """Each at its due, or earlier where that is full."""
    most, crowded_to = COMFORTABLE, 0
    for count, due in enumerate(dues, start=1):
        chapters = due - chapter + 1
        if count > COMFORTABLE * chapters:
            most, crowded_to = max(most, -(-count // chapters)), due
    places: list[int] = []
    place, free = 0, 0
    for due in reversed(dues):
        if not places or due < place:
            place, free = due, most if due <= crowded_to else COMFORTABLE
        elif not free:
            place, free = place - 1, most if place - 1 <= crowded_to else COMFORTABLE
        free -= 1
        places.append(place)
    places.reverse()
    return places


def _overdue(count: int, chapter: int, end: int | None, loads: Counter[int]) -> list[int]:
    """As soon as there is room."""
    most = COMFORTABLE
    if end is not None:
        while sum(max(0, most - loads[each]) for each in _last(chapter, end, count, loads)) < count:
            most += 1
    places: list[int] = []
    place = chapter
    while len(places) < count:
        room = max(0, most - loads[place])
        places += [place] * min(room, count - len(places))
        place += 1
    return places


def _finale(count: int, chapter: int, end: int, loads: Counter[int]) -> list[int]:
    """Evenly over the last quarter; earlier where three for each of its chapters are too few."""
    start = end + 1
    room = 0
    while start > chapter and room < count:
        start -= 1
        room += max(0, COMFORTABLE - loads[start])
    quarter = end - end // 4
    window = _last(max(chapter, min(start, quarter)), end, count, loads)
    heap = [(loads[place], -place) for place in window]
    heapify(heap)
    places = []
    for _ in range(count):
        load, place = heap[0]
        heapreplace(heap, (load + 1, place))
        places.append(-place)
    return sorted(places)


def _last(start: int, end: int, count: int, loads: Counter[int]) -> range:
    """So many of the last chapters that ``count`` of them are empty, if there are so many."""
    return range(max(start, end + 1 - count - len(loads)), end + 1)
