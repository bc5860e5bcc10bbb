"""Following the plan closes every thread by the end, in time where that can be, evenly."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.plot import PlotThread, ThreadStatus
from backstory.core.plot.payoffs import COMFORTABLE, Payoff, owed_in, plan_payoffs

OPEN = ThreadStatus.OPEN


def thread(number: int, deadline: int | None = None, planted: int = 1) -> PlotThread:
    return PlotThread(
        number=number,
        summary=f"promise {number}",
        deadline=deadline,
        status=OPEN,
        planted_in=planted,
        last_chapter=planted,
    )


def loads(threads: list[PlotThread], chapter: int, planned: int | None) -> dict[int | None, int]:
    return dict(Counter(one.chapter for one in plan_payoffs(threads, chapter, planned)))


def place_of(plan: tuple[Payoff, ...]) -> dict[int, int | None]:
    return {one.thread.number: one.chapter for one in plan}


def follow(
    threads: list[PlotThread], chapter: int, planned: int
) -> list[tuple[int, list[PlotThread], tuple[Payoff, ...]]]:
    """The chapters to the end, each with the threads that are open before it, and its plan."""
    steps = []
    for now in range(chapter, planned + 1):
        plan = plan_payoffs(threads, now, planned)
        steps.append((now, threads, plan))
        closed = {one.number for one in owed_in(plan, now)}
        threads = [one for one in threads if one.number not in closed]
    assert threads == []
    return steps


@st.composite
def books(draw: st.DrawFn) -> tuple[list[PlotThread], int, int]:
    planned = draw(st.sampled_from([1, 2, 3, 5, 8, 20, 40]))
    chapter = draw(st.integers(1, planned))
    deadlines = draw(st.lists(st.none() | st.integers(1, planned + 3), max_size=60))
    return (
        [
            thread(number, deadline, draw(st.integers(1, chapter)))
            for number, deadline in enumerate(deadlines, start=1)
        ],
        chapter,
        planned,
    )


def test_17_owed_in_20_chapters_share_the_last_quarter() -> None:
    owed = [thread(number) for number in range(1, 18)]
    even = {15: 2, 16: 3, 17: 3, 18: 3, 19: 3, 20: 3}
    assert [loads(owed, chapter, 20) for chapter in (1, 10, 14)] == [even] * 3
    assert sum(len(owed_in(plan, now)) for now, _, plan in follow(owed, 1, 20)) == 17


@pytest.mark.parametrize(
    ("owed", "chapter", "planned", "expected"),
    [
        # more than three for each chapter of the last quarter: it begins earlier
        (30, 1, 20, {11: 3, 12: 3, 13: 3, 14: 3, 15: 3, 16: 3, 17: 3, 18: 3, 19: 3, 20: 3}),
        # fewer than chapters: the last ones
        (4, 1, 20, {17: 1, 18: 1, 19: 1, 20: 1}),
        (7, 1, 20, {15: 1, 16: 1, 17: 1, 18: 1, 19: 1, 20: 2}),
        # late: all that is left
        (17, 18, 20, {18: 5, 19: 6, 20: 6}),
        (17, 20, 20, {20: 17}),
        (5, 1, 1, {1: 5}),
        (3, 2, 3, {3: 3}),
        (0, 1, 20, {}),
    ],
)
def test_what_is_due_by_the_end(
    owed: int, chapter: int, planned: int, expected: dict[int | None, int]
) -> None:
    assert loads([thread(number) for number in range(1, owed + 1)], chapter, planned) == expected


def test_17_that_are_late_close_from_now_on_the_most_overdue_first() -> None:
    owed = [thread(number, deadline=1 + number % 9) for number in range(1, 18)]
    plan = plan_payoffs(owed, 12, 20)
    assert dict(Counter(one.chapter for one in plan)) == {12: 3, 13: 3, 14: 3, 15: 3, 16: 3, 17: 2}
    overdue = [one.overdue_by for one in plan]
    assert overdue == sorted(overdue, reverse=True)
    assert overdue[0] == 11


def test_a_deadline_of_its_own_is_kept_and_not_forced_early() -> None:
    assert loads([thread(1, 12)], 3, 20) == {12: 1}
    assert loads([thread(number, 12) for number in range(1, 4)], 3, 20) == {12: 3}
    assert loads([thread(number, 12) for number in range(1, 8)], 3, 20) == {10: 1, 11: 3, 12: 3}
    # when nothing else is left, more than three
    assert loads([thread(number, 4) for number in range(1, 8)], 3, 20) == {3: 3, 4: 4}
    assert loads([thread(number, 4) for number in range(1, 9)], 3, 20) == {3: 4, 4: 4}


def test_the_end_goes_around_deadlines_of_others() -> None:
    owed = [thread(1), thread(2), thread(3, 18), thread(4, 19)]
    assert loads(owed, 1, 20) == {17: 1, 18: 1, 19: 1, 20: 1}


def test_what_is_late_does_not_make_others_late_and_goes_before_what_has_time() -> None:
    owed = [
        *(thread(n, 10) for n in (1, 2)),
        *(thread(n, 16) for n in (3, 4)),
        *map(thread, range(5, 20)),
    ]
    place = place_of(plan_payoffs(owed, 16, 20))
    assert (place[3], place[4]) == (16, 16)
    assert max(place[1] or 0, place[2] or 0) <= 17
    mixed = [*(thread(n, 10) for n in (1, 2, 3)), *map(thread, range(4, 16))]
    assert loads(mixed, 16, 20) == {16: 3, 17: 3, 18: 3, 19: 3, 20: 3}
    assert place_of(plan_payoffs(mixed, 16, 20))[3] == 16


def test_a_book_of_unknown_length() -> None:
    owed = [thread(1), thread(2, 9), thread(3, 4), thread(4, 4), thread(5, 3), thread(6, 2)]
    plan = plan_payoffs(owed, 5)
    assert [(one.thread.number, one.chapter, one.overdue_by) for one in plan] == [
        (6, 5, 3), (5, 5, 2), (3, 5, 1), (4, 6, 1), (2, 9, 0), (1, None, 0),
    ]  # fmt: skip
    assert plan[-1].due is None


def test_a_book_that_outgrew_its_plan() -> None:
    owed = [thread(number) for number in range(1, 8)]
    assert loads(owed, 22, 20) == {22: 3, 23: 3, 24: 1}
    assert plan_payoffs([thread(1, planted=21)], 22, 20)[0].chapter is None


def test_only_open_threads_are_owed() -> None:
    threads = [replace(thread(n), status=status) for n, status in enumerate(ThreadStatus, start=1)]
    assert [one.thread.status for one in plan_payoffs(threads, 1, 20)] == ["open", "progressing"]


@given(books())
def test_following_the_plan_closes_everything(
    book: tuple[list[PlotThread], int, int],
) -> None:
    threads, chapter, planned = book
    steps = follow(threads, chapter, planned)
    closed = [one.number for now, _, plan in steps for one in owed_in(plan, now)]
    assert sorted(closed) == [one.number for one in threads]


@given(books())
def test_nothing_becomes_late_by_the_plan(book: tuple[list[PlotThread], int, int]) -> None:
    threads, chapter, planned = book
    for one in plan_payoffs(threads, chapter, planned):
        assert one.chapter is not None
        assert one.due is not None
        assert chapter <= one.chapter <= planned
        assert one.overdue_by == max(0, chapter - one.due)
        assert one.overdue_by or one.chapter <= one.due


@given(books())
def test_more_than_three_in_a_chapter_only_where_there_is_no_other_way(
    book: tuple[list[PlotThread], int, int],
) -> None:
    threads, chapter, planned = book
    plan = plan_payoffs(threads, chapter, planned)
    dues = [one.due for one in plan if one.due is not None]
    must = len(dues) > COMFORTABLE * (planned - chapter + 1) or any(
        sum(chapter <= due <= last for due in dues) > COMFORTABLE * (last - chapter + 1)
        for last in range(chapter, planned)
    )
    crowded = any(count > COMFORTABLE for count in Counter(map(_chapter, plan)).values())
    assert crowded == must


@given(books())
def test_a_plan_that_is_followed_stays(book: tuple[list[PlotThread], int, int]) -> None:
    before: tuple[Payoff, ...] = ()
    for _, _, plan in follow(*book):
        crowded = max(Counter(map(_chapter, before)).values(), default=0) > COMFORTABLE
        if before and not crowded:
            assert place_of(plan).items() <= place_of(before).items()
        before = plan


@given(books(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(
    book: tuple[list[PlotThread], int, int], chance: object
) -> None:
    threads, chapter, planned = book
    mixed = list(threads)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert plan_payoffs(mixed, chapter, planned) == plan_payoffs(threads, chapter, planned)


def test_long_books_cost_what_short_ones_cost() -> None:
    threads = [thread(number, None if number % 3 else number * 40) for number in range(1, 2001)]
    plan = plan_payoffs(threads, 10**9, 2 * 10**9)
    assert len(plan) == 2000
    assert {one.chapter for one in plan if not one.overdue_by} == {
        2 * 10**9 - back for back in range(1334)
    }


def _chapter(payoff: Payoff) -> int | None:
    return payoff.chapter
