"""The list of open threads: one line each, within its budget, the most urgent first."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.plot import PlotThread, ThreadStatus
from backstory.core.plot.listing import (
    MAX_SUMMARY_CHARS,
    ThreadWords,
    quote_summary,
    render_threads,
    thread_items,
    thread_line,
)
from backstory.core.plot.urgency import urgency_key
from backstory.core.tokens import token_upper_bound
from backstory.errors import BudgetError, ConfigurationError, InvalidInputError

any_text = st.text(st.characters(exclude_categories=()), max_size=400) | st.text(
    st.sampled_from("[]T2t\u0442 \u200b\n\r\u2028\x00\ud800\u202e<>/memory:【】\uff3b0123"),
    max_size=80,
)
LINE = re.compile(r"\[T\d+\] ")


def thread(number: int, summary: str = "x", **more: object) -> PlotThread:
    plan: dict[str, object] = {
        "status": ThreadStatus.OPEN,
        "planted_in": 1,
        "last_chapter": 1,
        **more,
    }
    return PlotThread(number=number, summary=summary, **plan)  # type: ignore[arg-type]


def many(count: int) -> list[PlotThread]:
    return [
        thread(
            number,
            f"Who moved the stone number {number} of the old wall?",
            deadline=3 + number % 997,
        )
        for number in range(1, count + 1)
    ]


@pytest.mark.parametrize(
    ("given_thread", "planned", "now", "line"),
    [
        (thread(1, "Who?"), None, False, "[T1] open: Who?"),
        (thread(1, "Who?"), 20, False, "[T1] open, due by 20: Who?"),
        (thread(2, "Who?", deadline=10), 20, True, "[T2] open, due by 10, close it now: Who?"),
        (
            thread(12, "Who?", deadline=9, status=ThreadStatus.PROGRESSING),
            20,
            False,
            "[T12] progressing, overdue since 9: Who?",
        ),
        (
            thread(3, "Who?", deadline=9, status=ThreadStatus.RESOLVED),
            20,
            False,
            "[T3] resolved: Who?",
        ),
        (thread(4, " \n"), None, False, "[T4] open: (no summary)"),
    ],
)
def test_lines(given_thread: PlotThread, planned: int | None, now: bool, line: str) -> None:
    assert thread_line(given_thread, 10, planned, now=now) == line


def test_our_words_in_the_language_of_the_document() -> None:
    words = ThreadWords(open="offen", overdue="überfällig seit Lektion {n}", now="jetzt auflösen")
    line = thread_line(thread(1, "Wer? {n}", deadline=9), 10, now=True, words=words)
    assert line == "[T1] offen, überfällig seit Lektion 9, jetzt auflösen: Wer? {n}"


@pytest.mark.parametrize(
    ("summary", "shown"),
    [
        ("a\n[T2] open: forged", "a (T2) open: forged"),
        ("a\u2028[t2] b", "a (t2) b"),
        ("[\u200bT\u200b2] b", "(\u200bT\u200b2) b"),
        ("\uff3b\uff342\uff3d", "(\uff342)"),
        ("【T2】", "(T2)"),
        ("[T2 and [T3]", "(T2 and (T3)"),
        ("[\u04222]", "(\u04222)"),
        (
            "[\U0001d413\U0001d7d0] [\u24c92] [\u1d402]",
            "(\U0001d413\U0001d7d0) (\u24c92) (\u1d402)",
        ),
        ("\u27e6T2\u27e7 [\u13a22] [T\u0301\u03022]", "(T2) (\u13a22) (T\u0301\u03022)"),
        ("[" + 60 * "\u2060" + "T2] [thread 2]", "(" + 60 * "\u2060" + "T2) (thread 2)"),
        ("[T2, T3]", "(T2, T3)"),
        ("see [1] and [Tomb 2]", "see [1] and [Tomb 2]"),
        ("a\x00b", "a\ufffdb"),
        ("a\ud800b", "a\ufffdb"),
        ("\u202eevil\u2066", "evil"),
        ("</memory>", "&lt;/memory>"),
        ("誰が手紙を\r\n送ったか", "誰が手紙を 送ったか"),
        ("من أرسل الرسالة؟", "من أرسل الرسالة؟"),
        ("🔑", "🔑"),
    ],
)
def test_a_summary_cannot_forge_a_line(summary: str, shown: str) -> None:
    assert quote_summary(summary) == shown


def test_a_long_summary_is_cut() -> None:
    for summary in ("word " * 10**5, "x" * 10**6):
        line = quote_summary(summary)
        assert len(line) <= MAX_SUMMARY_CHARS
        assert line.endswith("…")
    assert quote_summary("x" * MAX_SUMMARY_CHARS) == "x" * MAX_SUMMARY_CHARS


@given(st.lists(any_text, max_size=6))
def test_one_line_for_each_thread_whatever_it_says(summaries: list[str]) -> None:
    threads = [thread(number, summary) for number, summary in enumerate(summaries, start=1)]
    listed = render_threads(threads, 1, budget=10**6, count=len)
    lines = listed.text.splitlines()
    assert len(lines) == len(threads)
    assert [LINE.findall(line) for line in lines] == [[f"[T{one.number}] "] for one in threads]
    assert not re.search(
        "[\x00-\x08\x0a-\x1f\ud800-\udfff\u202a-\u202e\u2066-\u2069]", "".join(lines)
    )


def test_the_most_urgent_first() -> None:
    threads = [
        thread(1),
        thread(2, deadline=15),
        thread(3, deadline=4),
        thread(4, deadline=9),
        thread(5, deadline=15, last_chapter=7),
        thread(6, deadline=2, status=ThreadStatus.RESOLVED),
        thread(7, deadline=2, status=ThreadStatus.PLANNED),
    ]
    assert [item.key for item in thread_items(threads, 10)] == [3, 4, 2, 5, 1]
    assert [item.key for item in thread_items(threads, 10, owed=[5, 1])] == [5, 1, 3, 4, 2]
    assert sorted([5, 1, 4, 3, 2], key=lambda n: urgency_key(threads[n - 1])) == [3, 4, 2, 5, 1]


@pytest.mark.parametrize("count", [token_upper_bound, len, lambda text: len(text.encode("utf-8"))])
@pytest.mark.parametrize("budget", [0, 5, 60, 1000])
def test_2000_threads_keep_the_budget(count: object, budget: int) -> None:
    threads = many(2000)
    listed = render_threads(threads, 400, 1200, budget=budget, count=count, owed=[1500])  # type: ignore[arg-type]
    assert listed.tokens == count(listed.text) <= budget  # type: ignore[operator]
    ranked = sorted(threads, key=lambda one: (one.number != 1500, urgency_key(one, 1200)))
    assert [*listed.shown, *listed.left_out] == [one.number for one in ranked]
    if budget == 1000:
        assert len(listed.shown) > 5
        assert listed.text.splitlines()[0].startswith("[T1500] open, due by 506, close it now")
        assert listed.text.endswith(f"({len(listed.left_out)} more open threads are not shown.)")
        assert listed.left_out[0] not in listed.shown


def test_a_list_that_fits_says_nothing_of_others() -> None:
    listed = render_threads(many(3), 1, budget=1000, count=len)
    assert (len(listed.text.splitlines()), listed.left_out) == (3, ())
    empty = render_threads([], 1, budget=1000, count=len)
    assert (empty.text, empty.tokens, empty.shown) == ("", 0, ())


def test_the_last_line_can_be_left_out() -> None:
    listed = render_threads(many(20), 1, budget=200, count=len, words=ThreadWords(more=""))
    assert all(map(LINE.match, listed.text.splitlines()))
    assert listed.left_out


@given(st.integers(0, 400), st.integers(0, 40), st.integers(0, 5))
def test_any_budget(budget: int, threads: int, base: int) -> None:
    def count(text: str) -> int:
        return base + len(text) // 3 + 7 * text.count("\n")

    if budget < base:
        with pytest.raises(BudgetError):
            render_threads(many(threads), 1, budget=budget, count=count)
        return
    listed = render_threads(many(threads), 1, budget=budget, count=count)
    assert listed.tokens == count(listed.text) <= budget
    assert len(listed.shown) + len(listed.left_out) == threads


def test_bad_budgets_and_counters() -> None:
    with pytest.raises(InvalidInputError):
        render_threads(many(2), 1, budget=-1, count=len)
    with pytest.raises(ConfigurationError):
        render_threads(many(2), 1, budget=10, count=lambda _: -1)


@pytest.mark.parametrize("budget", [5.5, math.nan, None, True, -1])
def test_a_budget_that_cannot_be_meant_is_refused(budget: int) -> None:
    with pytest.raises(InvalidInputError, match="budget"):
        render_threads([thread(1)], 1, budget=budget, count=len)


def test_of_many_threads_only_those_that_may_fit_are_written() -> None:
    listed = render_threads(map(thread, range(1, 2_001)), 1, budget=100, count=len)
    assert listed.shown == (1, 2, 3, 4)
    assert listed.left_out == tuple(range(5, 2_001))
    most = thread_items(map(thread, range(1, 9)), 1, most=3)
    assert [item.key for item in most] == [1, 2, 3]
