"""The state of a thread, made from its events and from nothing else.

A status is never entered. What a chapter does to a thread is an event; when the chapter is revised
or removed its events go, and the state is made again from those that are left. The author's plan
(summary, kind, deadline, hidden) is no part of that and never changes here.

    PLANNED   --planted, progressed-->  OPEN, PROGRESSING
    unresolved  --progressed-->  PROGRESSING
    any but RESOLVED  --resolved-->  RESOLVED
    unresolved or PLANNED  --abandoned-->  ABANDONED
    RESOLVED, ABANDONED  --reopened-->  PROGRESSING

What an event cannot do it does not do: a closed thread that is progressed stays closed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind, ThreadStatus

UNRESOLVED: Final = frozenset({ThreadStatus.OPEN, ThreadStatus.PROGRESSING})
CLOSED: Final = frozenset({ThreadStatus.RESOLVED, ThreadStatus.ABANDONED})

_AFTER: Final[dict[ThreadEventKind, dict[ThreadStatus, ThreadStatus]]] = {
    ThreadEventKind.PLANTED: {
        ThreadStatus.PLANNED: ThreadStatus.OPEN,
        ThreadStatus.OPEN: ThreadStatus.OPEN,
        ThreadStatus.PROGRESSING: ThreadStatus.PROGRESSING,
    },
    ThreadEventKind.PROGRESSED: {
        ThreadStatus.PLANNED: ThreadStatus.PROGRESSING,
        ThreadStatus.OPEN: ThreadStatus.PROGRESSING,
        ThreadStatus.PROGRESSING: ThreadStatus.PROGRESSING,
    },
    ThreadEventKind.RESOLVED: {
        ThreadStatus.PLANNED: ThreadStatus.RESOLVED,
        ThreadStatus.OPEN: ThreadStatus.RESOLVED,
        ThreadStatus.PROGRESSING: ThreadStatus.RESOLVED,
        ThreadStatus.ABANDONED: ThreadStatus.RESOLVED,
    },
    ThreadEventKind.ABANDONED: {
        ThreadStatus.PLANNED: ThreadStatus.ABANDONED,
        ThreadStatus.OPEN: ThreadStatus.ABANDONED,
        ThreadStatus.PROGRESSING: ThreadStatus.ABANDONED,
    },
    # Where the closing was withdrawn, reopening is only another mention.
    ThreadEventKind.REOPENED: {
        ThreadStatus.PLANNED: ThreadStatus.PROGRESSING,
        ThreadStatus.OPEN: ThreadStatus.PROGRESSING,
        ThreadStatus.PROGRESSING: ThreadStatus.PROGRESSING,
        ThreadStatus.RESOLVED: ThreadStatus.PROGRESSING,
        ThreadStatus.ABANDONED: ThreadStatus.PROGRESSING,
    },
}


@dataclass(frozen=True, kw_only=True)
class Fold:
    """A thread with its state, and the events that could not count.

    Attributes:
        thread: The plan with the state.
        unheeded: Events on a thread that was closed and not reopened, in order of chapters: a
            break in continuity, or a chapter that was added later.
    """

    thread: PlotThread
    unheeded: tuple[ThreadEvent, ...] = ()


def is_unresolved(thread: PlotThread | ThreadStatus) -> bool:
    """Whether something was promised in the text and is still owed: open or progressing."""
    return (thread.status if isinstance(thread, PlotThread) else thread) in UNRESOLVED


def is_closed(thread: PlotThread | ThreadStatus) -> bool:
    """Whether a thread was resolved or given up."""
    return (thread.status if isinstance(thread, PlotThread) else thread) in CLOSED


def after(status: ThreadStatus, kind: ThreadEventKind) -> ThreadStatus | None:
    """The status after an event; None where the event cannot happen."""
    return _AFTER[kind].get(status)


def fold_thread(
    thread: PlotThread, events: Iterable[ThreadEvent], upto: int | None = None
) -> PlotThread:
    """Give a thread the state that its events make.

    Args:
        thread: Its plan is kept; its state is not read.
        events: In any order; those of other threads do not count, and no event counts twice. In
            one chapter ids tell the order, and their place here where ids are the same.
        upto: Only events of chapters up to this one, which gives the state after it; None = all.

    Returns:
        The thread, planned if no event counts.
    """
    return fold_events(thread, events, upto).thread


def fold_events(thread: PlotThread, events: Iterable[ThreadEvent], upto: int | None = None) -> Fold:
    """``fold_thread``, with the events that had no effect because the thread was closed."""
    own = sorted(
        # in the order given where ids do not tell one, as those of a plan that is not stored
        dict.fromkeys(one for one in events if one.thread == thread.number and _counts(one, upto)),
        key=lambda event: (event.chapter, event.id),
    )
    now = replace(
        thread,
        status=ThreadStatus.PLANNED,
        planted_in=None,
        last_chapter=None,
        closed_in=None,
        note="",
    )
    unheeded = []
    for event in own:
        status = after(now.status, event.kind)
        if status is None:
            unheeded.append(event)
        else:
            now = _with_event(now, event, status)
    return Fold(thread=now, unheeded=tuple(unheeded))


def is_orphan(thread: PlotThread) -> bool:
    """Whether nothing holds a folded thread any more: no chapter says it, no author planned it."""
    return thread.status == ThreadStatus.PLANNED and not thread.authored


def _counts(event: ThreadEvent, upto: int | None) -> bool:
    return upto is None or event.chapter <= upto


def _with_event(thread: PlotThread, event: ThreadEvent, status: ThreadStatus) -> PlotThread:
    closes = status in CLOSED
    return replace(
        thread,
        status=status,
        planted_in=event.chapter if thread.planted_in is None else thread.planted_in,
        last_chapter=event.chapter,
        closed_in=event.chapter if closes else None,
        note=event.note if closes else "",
    )
