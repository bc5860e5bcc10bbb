"""What a chapter does to threads, decided from what a model or a person wrote.

Each item becomes events or a reason, so that nothing is lost without a word. Rules:

- A new thread needs a summary, and no reference: one that names no known thread opens nothing.
- Without a reference a summary that says the same as that of a known thread means this thread.
- A closed thread moves only by being reopened.
- What the author planned is planted by the first chapter that touches it.
- At most so many operations of one chapter count; those beyond are reported.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from backstory.core.model.chapter_reading import ThreadOpRead
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind, ThreadStatus
from backstory.core.model.record import Record
from backstory.core.plot.actions import read_action
from backstory.core.plot.deadlines import read_deadline
from backstory.core.plot.doubles import Summaries
from backstory.core.plot.folding import after
from backstory.core.plot.references import read_references
from backstory.core.text import clean

MAX_THREAD_OPS: Final = 10
"""Operations of one chapter that count."""

_NEW: Final = 0
_MOST_COMPARED: Final = 50  # items; each is compared with all known summaries
_KEYS: Final = {
    "action": ("action", "op", "operation", "status"),
    "ref": ("ref", "reference", "thread", "id", "number"),
    "summary": ("summary", "title", "description"),
    "kind": ("kind", "thread_type", "type"),
    "deadline": ("deadline", "deadline_chapter", "due"),
    "note": ("note", "resolution_note", "resolution"),
}


class ThreadOpResult(StrEnum):
    """What became of one operation."""

    PLANTED = "planted"
    RECORDED = "recorded"
    REJECTED = "rejected"


@dataclass(frozen=True, kw_only=True)
class ThreadOutcome(Record):
    """What became of one item, or of one thread that it names.

    Attributes:
        item: Its place among the items, from 0.
        result: PLANTED: a new thread. RECORDED: an event of a known one.
        thread: The number of the thread, or None.
        event: What happens to it, or None.
        reason: Why it was rejected, or taken for something else than it says; or "".
    """

    item: int
    result: ThreadOpResult
    thread: int | None = None
    event: ThreadEventKind | None = None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ThreadPlan(Record):
    """What a chapter does to threads.

    Attributes:
        threads: New ones, numbered; their status is that of their plan, before any event.
        events: Of new and known threads, in order; their ids are 0.
        outcomes: One or more for each item, in order.
    """

    threads: tuple[PlotThread, ...] = ()
    events: tuple[ThreadEvent, ...] = ()
    outcomes: tuple[ThreadOutcome, ...] = ()


def plan_threads(
    items: Iterable[ThreadOpRead | Mapping[str, object]],
    known: Iterable[PlotThread],
    chapter: int,
    *,
    planned_chapters: int | None = None,
    next_number: int | None = None,
    revision: str | None = None,
    most: int = MAX_THREAD_OPS,
) -> ThreadPlan:
    """Decide what a chapter does to threads.

    Args:
        items: What was read in it. A mapping may have the keys action, ref, summary, kind,
            deadline and note, with values of any type.
        known: Threads as they are before the chapter, folded without its own events.
        chapter: Its number.
        planned_chapters: How many there will be; None = not known.
        next_number: The number of the next new thread; None = one above the known ones.
        revision: The version of the chapter that the events carry.
        most: How many operations count.

    Returns:
        New threads, events, and for each item what became of it.
    """
    threads = {thread.number: thread for thread in known}
    work = _Planning(
        chapter=chapter,
        planned_chapters=planned_chapters,
        next_number=max(threads, default=0) + 1 if next_number is None else next_number,
        revision=revision,
        most=most,
        threads=threads,
        given=frozenset(threads),
        summaries=Summaries((number, one.summary) for number, one in threads.items()),
    )
    for place, item in enumerate(items):
        work.take(place, _Item.read(item))
    return ThreadPlan(
        threads=tuple(work.new), events=tuple(work.events), outcomes=tuple(work.outcomes)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Item:
    """An item with texts where texts belong."""

    action: str
    ref: object
    summary: str
    kind: str | None
    deadline: object
    note: str

    @classmethod
    def read(cls, item: ThreadOpRead | Mapping[str, object]) -> "_Item":
        if isinstance(item, ThreadOpRead):
            values = {key: getattr(item, key) for key in _KEYS}
        elif isinstance(item, Mapping):
            values = {
                key: next((item[name] for name in names if item.get(name) is not None), None)
                for key, names in _KEYS.items()
            }
        else:
            values = dict.fromkeys(_KEYS)
        action = values["action"]
        return cls(
            action=type(action).__name__ if _is_strange(action) else _text(action),
            ref=values["ref"],
            summary=_text(values["summary"]),
            kind=_text(values["kind"]) or None,
            deadline=values["deadline"],
            note=_text(values["note"]),
        )


@dataclass(kw_only=True, slots=True)
class _Planning:
    """One call of plan_threads."""

    chapter: int
    planned_chapters: int | None
    next_number: int
    revision: str | None
    most: int
    threads: dict[int, PlotThread]
    given: frozenset[int]
    summaries: Summaries
    new: list[PlotThread] = field(default_factory=list)
    events: list[ThreadEvent] = field(default_factory=list)
    outcomes: list[ThreadOutcome] = field(default_factory=list)
    compared: int = 0

    def take(self, place: int, item: _Item) -> None:
        kind = read_action(item.action)
        named = read_references(item.ref)
        if named.numbers or named.strange:
            for number in named.numbers:
                self._touch(place, item, kind, number)
            if named.strange:
                self._by_name(place, item, kind, named.strange)
        elif not item.summary:
            self._reject(place, "it has neither a reference nor a summary")
        else:
            self._by_summary(place, item, kind)

    def _by_name(self, place: int, item: _Item, kind: ThreadEventKind | None, strange: str) -> None:
        """A reference that is no number; it may be the summary of a thread."""
        same = self.summaries.same(item.ref) if isinstance(item.ref, str) else None
        if same is not None:
            reason = f"its reference says the same as the summary of T{same}"
            self._touch(place, item, kind, same, reason)
        else:
            self._reject(place, f"no thread is called {strange!r}", event=kind)

    def _by_summary(self, place: int, item: _Item, kind: ThreadEventKind | None) -> None:
        same = self.summaries.same(item.summary)
        if same is not None:
            reason = f"its summary says the same as that of T{same}"
            self._touch(place, item, kind, same, reason)
            return
        alike = self._alike(item)
        if kind is ThreadEventKind.PLANTED or (kind is None and not item.action):
            self._plant(place, item, alike)
            return
        reason = (
            "it names no known thread"
            if kind is not None
            else f"the action {item.action[:40]!r} is not known"
        )
        self._reject(place, f"{reason}; {alike}" if alike else reason, event=kind)

    def _alike(self, item: _Item) -> str:
        """A remark on the known summary that is most like that of an item; "" without one."""
        if self.compared >= _MOST_COMPARED or len(self.events) >= self.most:
            return ""
        self.compared += 1
        double = self.summaries.find(item.summary)
        return "" if double is None else f"its summary is much like that of T{double.number}"

    def _plant(self, place: int, item: _Item, reason: str) -> None:
        if self._is_full(place):
            return
        thread = PlotThread(
            number=self.next_number,
            summary=item.summary,
            kind=item.kind,
            deadline=read_deadline(item.deadline, self.chapter, self.planned_chapters),
        )
        self.next_number += 1
        self.new.append(thread)
        self.threads[thread.number] = thread
        self.summaries.add(thread.number, item.summary)
        self._record(place, item, ThreadEventKind.PLANTED, thread, reason)

    def _touch(
        self, place: int, item: _Item, kind: ThreadEventKind | None, number: int, reason: str = ""
    ) -> None:
        thread = self.threads.get(number)
        if thread is None:
            self._reject(place, f"no thread is called T{number}", event=kind)
            return
        reasons = [reason] if reason else []
        meant = kind or ThreadEventKind.PROGRESSED
        if kind is None and item.action:
            reasons.append(f"the action {item.action[:40]!r} is not known, and counts as progress")
        happens = _that_can_happen(meant, thread.status)
        if happens is None:
            reasons.append(f"T{number} is {thread.status}{_since(thread)} and was not reopened")
            self._reject(place, "; ".join(reasons), number, meant)
            return
        if any(event.thread == number and event.kind is happens for event in self.events):
            self._reject(place, f"T{number} is {happens} in this chapter already", number, meant)
            return
        if happens is not meant:
            reasons.append(f"T{number} is {thread.status}: taken as {happens}")
        if not self._is_full(place, number, meant):
            self._record(place, item, happens, thread, "; ".join(reasons))

    def _record(
        self, place: int, item: _Item, kind: ThreadEventKind, thread: PlotThread, reason: str
    ) -> None:
        is_new = kind is ThreadEventKind.PLANTED and thread.number not in self.given
        self.events.append(
            ThreadEvent(
                id=_NEW,
                thread=thread.number,
                kind=kind,
                chapter=self.chapter,
                note=item.note or ("" if is_new else item.summary),
                revision=self.revision,
            )
        )
        status = after(thread.status, kind) or thread.status
        closed_in = self.chapter if kind in _CLOSING else None
        self.threads[thread.number] = replace(thread, status=status, closed_in=closed_in)
        result = ThreadOpResult.PLANTED if is_new else ThreadOpResult.RECORDED
        self.outcomes.append(
            ThreadOutcome(
                item=place, result=result, thread=thread.number, event=kind, reason=reason
            )
        )

    def _is_full(
        self, place: int, number: int | None = None, event: ThreadEventKind | None = None
    ) -> bool:
        if len(self.events) < self.most:
            return False
        self._reject(place, f"one chapter may do {self.most} things to threads", number, event)
        return True

    def _reject(
        self,
        place: int,
        reason: str,
        number: int | None = None,
        event: ThreadEventKind | None = None,
    ) -> None:
        self.outcomes.append(
            ThreadOutcome(
                item=place,
                result=ThreadOpResult.REJECTED,
                thread=number,
                event=event,
                reason=reason,
            )
        )


_CLOSING: Final = (ThreadEventKind.RESOLVED, ThreadEventKind.ABANDONED)
_UNRESOLVED: Final = (ThreadStatus.OPEN, ThreadStatus.PROGRESSING)


def _that_can_happen(meant: ThreadEventKind, status: ThreadStatus) -> ThreadEventKind | None:
    """What an operation is, given how the thread is; None if it cannot be."""
    if after(status, meant) is None:
        return None
    if status == ThreadStatus.PLANNED and meant not in _CLOSING:
        return ThreadEventKind.PLANTED
    repeats = meant in (ThreadEventKind.PLANTED, ThreadEventKind.REOPENED)
    return ThreadEventKind.PROGRESSED if repeats and status in _UNRESOLVED else meant


def _since(thread: PlotThread) -> str:
    return "" if thread.closed_in is None else f" since chapter {thread.closed_in}"


def _is_strange(action: object) -> bool:
    return action is not None and not isinstance(action, str)


def _text(value: object) -> str:
    return " ".join(clean(value).split()) if isinstance(value, str) else ""


def reports(outcomes: Sequence[ThreadOutcome]) -> tuple[str, ...]:
    """A line for each item that was rejected, or taken for something else than it says."""
    return tuple(f"thread item {one.item + 1}: {one.reason}" for one in outcomes if one.reason)
