"""Threads of a story: what was opened has to be closed before the end.

Compatible with the module of the same name in the package ``longform-memory``.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

__all__ = [
    "DEFAULT_THREAD_LABELS",
    "MAX_THREAD_OPS_PER_CHAPTER",
    "UNRESOLVED_THREAD_STATUSES",
    "KnownThread",
    "OwedThread",
    "RawThreadItem",
    "ThreadLabels",
    "ThreadOp",
    "ThreadUrgency",
    "compare_thread_urgency",
    "plan_owed_payoff",
    "plan_thread_ops",
    "render_known_threads",
    "resolve_thread_deadline",
]

UNRESOLVED_THREAD_STATUSES: Final = ("open", "progressing")
"""The statuses of a thread that is still owed; ask this wherever that is the question."""

MAX_THREAD_OPS_PER_CHAPTER: Final = 10
"""The most items of one chapter that are looked at."""

_CHAPTERS_WITHOUT_AN_END: Final = 10  # how far ahead "the ending" is where no end is planned
_LATE: Final = 3  # chapters over its deadline from which on a thread must be paid off
_REFERENCE: Final = re.compile(r"t(\d+)")


@dataclass
class KnownThread:
    """A thread that is on record."""

    id: str
    status: str


@dataclass
class OwedThread:
    """A thread that waits for its payoff.

    Attributes:
        summary: What was opened.
        opened_at_chapter: Where.
        deadline_chapter: Where it was to close.
        overdue_by: How many chapters ago that was.
    """

    summary: str
    opened_at_chapter: int
    deadline_chapter: int
    overdue_by: int


@dataclass
class RawThreadItem:
    """What a model said of a thread, unchecked.

    Attributes:
        action: "open", "progress" or "resolve".
        ref: The number of a known thread, such as "T1".
        summary: What it is about.
        thread_type: A kind, as the caller has it.
        deadline_chapter: A number, or anything else.
        resolution_note: How it was resolved.
    """

    action: str | None = None
    ref: str | None = None
    summary: str | None = None
    thread_type: str | None = None
    deadline_chapter: Any = None
    resolution_note: str | None = None


@dataclass
class ThreadUrgency:
    """What decides which thread comes first."""

    deadline_chapter: int
    last_activated_chapter: int
    opened_at_chapter: int


def _due(chapter: int) -> str:
    return " (due by Ch.%d)" % chapter  # noqa: UP031 (cuts any kind of number, those of numpy too)


@dataclass
class ThreadLabels:
    """The words of a rendered list.

    Attributes:
        empty: For a list without threads.
        in_progress: Before the summary of a thread that progresses.
        due: After the summary, from the chapter of the deadline.
    """

    empty: str = "(none on record yet)"
    in_progress: str = "[in progress] "
    due: Callable[[int], str] = _due


DEFAULT_THREAD_LABELS: Final = ThreadLabels()
"""The English words."""


@dataclass
class ThreadOp:
    """What to do with one item.

    Attributes:
        kind: "open", "progress", "resolve" or "skip".
        id: Of the known thread that progresses or is resolved.
        summary: As the item says.
        resolution_note: Of a resolved thread.
        thread_type: Of an opened one.
        deadline_chapter: Of an opened one.
        reason: Of a skip: "no-summary", "already-resolved" or "unmatched-ref".
    """

    kind: str
    id: str | None = None
    summary: str = ""
    resolution_note: str = ""
    thread_type: str | None = None
    deadline_chapter: int = 0
    reason: str | None = None


def resolve_thread_deadline(raw: Any, chapter_number: int, total_chapters: int) -> int:
    """The chapter by which a thread opened in this chapter has to close.

    A later chapter is taken as it is, but not past the planned end. Everything else (0, this
    chapter, an earlier one, infinity, no number) means "the ending": the last planned chapter, or
    ten chapters on where that is not ahead.

    Args:
        raw: What a model said: a number, a text of one, or anything.
        chapter_number: This chapter.
        total_chapters: How many are planned; 0 if that is not known.
    """
    ends_later = total_chapters > chapter_number
    wanted = _whole_number(raw)
    if wanted is not None and wanted > chapter_number:
        return min(wanted, total_chapters) if ends_later else wanted
    return total_chapters if ends_later else chapter_number + _CHAPTERS_WITHOUT_AN_END


def plan_owed_payoff(
    threads: Sequence[OwedThread], chapter_number: int, total_chapters: int
) -> tuple[OwedThread | None, list[OwedThread]]:
    """The one thread that has to be paid off in this chapter, and the others by urgency.

    One has to be when the latest is three chapters over its deadline, or in the last quarter of the
    planned chapters.
    """
    if not threads:
        return None, []
    by_urgency = sorted(threads, key=lambda one: (-one.overdue_by, one.opened_at_chapter))
    is_late = by_urgency[0].overdue_by >= _LATE
    in_last_quarter = total_chapters > 0 and chapter_number >= -(-3 * total_chapters // 4)
    if is_late or in_last_quarter:
        return by_urgency[0], by_urgency[1:]
    return None, by_urgency


def compare_thread_urgency(
    item: ThreadUrgency, chapter_number: int
) -> tuple[int, int, int, int, int]:
    """A sort key: threads whose deadline has come first, then other deadlines, then the rest."""
    deadline = item.deadline_chapter
    return (
        0 if 0 < deadline <= chapter_number else 1,
        0 if deadline > 0 else 1,
        max(0, deadline),
        item.last_activated_chapter,
        item.opened_at_chapter,
    )


def plan_thread_ops(
    items: Sequence[RawThreadItem],
    known: Sequence[KnownThread],
    chapter_number: int,
    total_chapters: int,
    max_ops: int = MAX_THREAD_OPS_PER_CHAPTER,
) -> list[ThreadOp]:
    """What to do with what a model said of threads in one chapter.

    Args:
        items: What it said. Those past ``max_ops`` are not looked at.
        known: The threads it was shown, in the order of their numbers.
        chapter_number: This chapter.
        total_chapters: How many are planned; 0 if that is not known.
        max_ops: The most items.

    Returns:
        One operation for each item. An item whose reference matches no known thread is skipped if
        it says "progress" or "resolve", and opens a thread otherwise.
    """
    resolved: set[int] = set()
    return [
        _plan_item(item, known, resolved, (chapter_number, total_chapters))
        for item in list(items)[:max_ops]
    ]


def render_known_threads(rows: Sequence[Any], labels: ThreadLabels = DEFAULT_THREAD_LABELS) -> str:
    """The list that a model is shown, one thread a line, numbered from [T1].

    Args:
        rows: Objects with the attributes ``summary``, ``status`` and ``deadline_chapter``. All are
            shown, and their summaries as they are.
        labels: The words around them.
    """
    if not rows:
        return labels.empty
    return "\n".join(
        f"[T{number}] {_render_row(row, labels)}" for number, row in enumerate(rows, start=1)
    )


def _whole_number(raw: Any) -> int | None:
    """A number cut to a whole one; None for what is not finite or not a number."""
    try:
        return int(float(raw))
    except (TypeError, ValueError, OverflowError):
        return None


def _place(ref: str | None, known: Sequence[KnownThread]) -> int | None:
    """The place of the known thread that a reference names."""
    found = _REFERENCE.fullmatch(str(ref or "").strip().lower())
    if found is None:
        return None
    try:
        number = int(found[1])
    except ValueError:  # more digits than Python reads
        return None
    return number - 1 if 1 <= number <= len(known) else None


def _plan_item(
    item: RawThreadItem,
    known: Sequence[KnownThread],
    resolved: set[int],
    chapters: tuple[int, int],
) -> ThreadOp:
    summary = (item.summary or "").strip()
    if not summary:
        return ThreadOp(kind="skip", reason="no-summary")
    action = (item.action or "open").strip().lower()
    place = _place(item.ref, known)
    if place is None:
        if action in ("progress", "resolve"):
            return ThreadOp(kind="skip", summary=summary, reason="unmatched-ref")
        deadline = resolve_thread_deadline(item.deadline_chapter, *chapters)
        return ThreadOp(
            kind="open", summary=summary, thread_type=item.thread_type, deadline_chapter=deadline
        )
    if place in resolved:
        return ThreadOp(kind="skip", summary=summary, reason="already-resolved")
    if action == "resolve":
        resolved.add(place)
        note = (item.resolution_note or "").strip()
        return ThreadOp(kind="resolve", id=known[place].id, summary=summary, resolution_note=note)
    return ThreadOp(kind="progress", id=known[place].id, summary=summary)


def _render_row(row: Any, labels: ThreadLabels) -> str:
    before = labels.in_progress if row.status == "progressing" else ""
    after = labels.due(row.deadline_chapter) if row.deadline_chapter else ""
    return f"{before}{row.summary}{after}"
