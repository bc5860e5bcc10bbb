r"""Open threads as lines for a prompt: one line each, whatever a summary holds.

A line is ours up to the colon: ``[T12] progressing, due by 20: `` and then the summary, quoted: on
one line, without what hides or reorders text, with reserved tags escaped, and with every mark that
could pass for one of ours ("[T2]") in round brackets.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from backstory.core.model.plot import PlotThread, ThreadStatus
from backstory.core.model.record import Record
from backstory.core.plot.deadlines import due_chapter
from backstory.core.plot.folding import is_unresolved
from backstory.core.plot.urgency import urgency_key
from backstory.core.rendering import display, escape
from backstory.core.text import abridge, one_line
from backstory.core.thread_marks import without_marks
from backstory.packing.packer import checked_count, pack
from backstory.packing.sections import Frame, Item, Section, check_call

MAX_SUMMARY_CHARS: Final = 300
"""Of a longer summary a line shows the beginning."""


@dataclass(frozen=True, kw_only=True)
class ThreadWords:
    """Our words in the lines, in the language of the document. "{n}" stands for a number.

    Attributes:
        planned, open, progressing, resolved, abandoned: Names of the statuses.
        due: When a thread should close.
        overdue: The same, when that chapter is past.
        now: What is added where the thread should close in the chapter that is written.
        more: The last line where threads are left out; "" = no such line.
        nothing: What stands for a summary without text.
    """

    planned: str = "planned"
    open: str = "open"
    progressing: str = "progressing"
    resolved: str = "resolved"
    abandoned: str = "abandoned"
    due: str = "due by {n}"
    overdue: str = "overdue since {n}"
    now: str = "close it now"
    more: str = "({n} more open threads are not shown.)"
    nothing: str = "(no summary)"


ENGLISH: Final = ThreadWords()


@dataclass(frozen=True, kw_only=True)
class ThreadList(Record):
    """A list of threads within its budget.

    Attributes:
        text: One line for each thread that is shown, and one that says how many are not.
        tokens: ``count(text)``; not above the budget.
        shown: Numbers of the threads in the text, the most urgent first.
        left_out: Numbers of the others, the most urgent first.
    """

    text: str
    tokens: int
    shown: tuple[int, ...]
    left_out: tuple[int, ...]


def thread_line(
    thread: PlotThread,
    chapter: int,
    planned_chapters: int | None = None,
    *,
    now: bool = False,
    words: ThreadWords = ENGLISH,
) -> str:
    """One thread on one line: ``[T12] progressing, overdue since 20, close it now: summary``.

    Args:
        thread: Its summary may be any text.
        chapter: The chapter that is written.
        planned_chapters: How many there will be; None = not known.
        now: Whether it should close in this chapter.
        words: Our words.
    """
    marks = [_status_word(thread.status, words)]
    due = due_chapter(thread, planned_chapters)
    if due is not None and is_unresolved(thread):
        marks.append((words.overdue if due < chapter else words.due).replace("{n}", str(due)))
    if now:
        marks.append(words.now)
    return (
        f"[T{thread.number}] {', '.join(marks)}: {quote_summary(thread.summary) or words.nothing}"
    )


def quote_summary(summary: str) -> str:
    """A summary as data: on one line, at most about 300 characters, without marks like ours."""
    line = one_line(display(abridge(summary, 2 * MAX_SUMMARY_CHARS, 0)))
    if len(line) > MAX_SUMMARY_CHARS:
        line = f"{abridge(line, MAX_SUMMARY_CHARS - 1, 0).rstrip()}\u2026"
    return escape(without_marks(line))


def thread_items(
    threads: Iterable[PlotThread],
    chapter: int,
    planned_chapters: int | None = None,
    *,
    owed: Iterable[int] = (),
    most: int | None = None,
    words: ThreadWords = ENGLISH,
) -> list[Item[int]]:
    """Lines of the open threads for a section of a block, those owed now first, then by urgency.

    Args:
        threads: Those that are not open or progressing do not count. Hidden ones are shown.
        chapter: The chapter that is written.
        planned_chapters: How many there will be; None = not known.
        owed: Numbers of those that should close in this chapter.
        most: So many lines at most; None = all.
        words: Our words.

    Returns:
        Items with the number of the thread as key.
    """
    close_now = set(owed)
    ranked = _ranked(threads, planned_chapters, close_now)
    return [
        Item(
            key=one.number,
            text=thread_line(
                one, chapter, planned_chapters, now=one.number in close_now, words=words
            ),
        )
        for one in ranked[:most]
    ]


def _ranked(
    threads: Iterable[PlotThread], planned_chapters: int | None, close_now: Collection[int]
) -> list[PlotThread]:
    return sorted(
        filter(is_unresolved, threads),
        key=lambda one: (one.number not in close_now, urgency_key(one, planned_chapters)),
    )


def render_threads(
    threads: Iterable[PlotThread],
    chapter: int,
    planned_chapters: int | None = None,
    *,
    budget: int,
    count: Callable[[str], int],
    owed: Iterable[int] = (),
    words: ThreadWords | None = None,
) -> ThreadList:
    """The open threads as a list for a prompt, the most urgent first, within a budget.

    Args:
        threads: In any order; those that are not open or progressing do not count.
        chapter: The chapter that is written.
        planned_chapters: How many there will be; None = not known.
        budget: Tokens, 0 or more; the text is never above it.
        count: Tokens of a text.
        owed: Numbers of those that should close in this chapter; they come first.
        words: Our words; None = English.

    Raises:
        InvalidInputError: A budget that is negative or no int.
        BudgetError: The counter counts the empty text above the budget.
        ConfigurationError: The counter returned something else than an int >= 0.
    """
    check_call((), budget)
    close_now = set(owed)
    ours = words or ENGLISH
    ranked = _ranked(threads, planned_chapters, close_now)
    # A line is more than a token: what is further back than the budget is large cannot get in.
    items = thread_items(
        ranked, chapter, planned_chapters, owed=close_now, most=budget + 1, words=ours
    )
    return _fitted(items, tuple(one.number for one in ranked), budget, count, ours.more)


def _fitted(
    items: Sequence[Item[int]],
    keys: tuple[int, ...],
    budget: int,
    count: Callable[[str], int],
    left: str,
) -> ThreadList:
    section = Section(name="threads", items=items, mode="prefix")
    whole = pack([section], budget, count)
    shown = len(whole.section("threads").kept)
    if shown == len(keys):
        return ThreadList(text=whole.text, tokens=whole.tokens, shown=keys, left_out=())
    closing = left.replace("{n}", str(len(keys)))
    shown = len(pack([section], budget, count, Frame(closing=closing)).section("threads").kept)
    lines = [item.text for item in items]
    while True:
        more = left.replace("{n}", str(len(keys) - shown))
        text = "\n".join([*lines[:shown], *([more] if more else [])])
        tokens = checked_count(count, text)
        if tokens <= budget or not text:
            break
        if shown == 0:
            text, tokens = "", checked_count(count, "")
            break
        shown -= 1
    return ThreadList(text=text, tokens=tokens, shown=keys[:shown], left_out=keys[shown:])


def _status_word(status: ThreadStatus, words: ThreadWords) -> str:
    return str(getattr(words, str(status)))
