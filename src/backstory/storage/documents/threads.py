"""Threads and their events, on a given connection.

What is stored of a thread's state is folded from its events in the transaction that changes them.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind, ThreadStatus
from backstory.core.plot.deadlines import due_chapter
from backstory.core.plot.folding import fold_thread, is_closed, is_orphan
from backstory.ports.documents import DocumentScope
from backstory.storage.documents.statements import Whole, changed, key, owned, owner
from backstory.storage.rows import AnyRow
from backstory.storage.statements import BulkInsert, Prepared
from backstory.storage.tables import Tables

_NEVER: Final = 2**62
_STATUSES = {str(status): status for status in ThreadStatus}
_KINDS = {str(kind): kind for kind in ThreadEventKind}
_PLAN = ("summary", "kind", "deadline", "hidden", "authored")
_STATE = ("status", "planted_in", "last_chapter", "closed_in", "note")
_ORDER = ("due", "touched", "since", "is_open")


class ThreadRows(metaclass=Prepared):
    """Reads and writes threads.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        threads, events = tables.document_threads, tables.document_thread_events
        self._whole = whole = Whole(dialect)
        mine = owned(threads)
        this = mine & (threads.c.number == bindparam("at"))
        columns = [threads.c[name] for name in ("number", *_PLAN, *_STATE)]
        every = select(*columns).where(mine)
        is_open = threads.c.is_open.is_(true())
        urgency = [threads.c[name] for name in ("due", "touched", "since", "number")]
        self._all = every.order_by(threads.c.number)
        self._some = self._all.where(whole.holds("numbers", threads.c.number))
        self._open = every.where(is_open).order_by(*urgency)
        self._most_urgent = self._open.limit(bindparam("most"))
        planted, closed = threads.c.planted_in, threads.c.closed_in
        upto: ColumnElement[Any] = bindparam("upto")
        self._open_then = self._all.where(
            or_(planted.is_(None), planted <= upto), or_(closed.is_(None), closed > upto)
        )
        self._count_open = select(func.count()).select_from(threads).where(mine, is_open)
        self._insert = insert(threads)
        self._plan = update(threads).where(this).values(changed(threads, *_PLAN))
        self._state = update(threads).where(this).values(changed(threads, *_STATE, *_ORDER))
        self._due = update(threads).where(this).values(changed(threads, "due"))
        self._drop = delete(threads).where(mine, whole.holds("numbers", threads.c.number))
        happened = owned(events)
        what = [events.c[name] for name in ("id", "thread", "kind", "chapter", "note", "revision")]
        order = (events.c.thread, events.c.chapter, events.c.id)
        self._all_events = select(*what).where(happened).order_by(*order)
        self._events = self._all_events.where(whole.holds("numbers", events.c.thread))
        early = events.c.chapter <= bindparam("upto")
        self._all_early, self._early = self._all_events.where(early), self._events.where(early)
        read_in = happened & (events.c.revision == bindparam("version"))
        self._read_in = select(events.c.thread).where(read_in)
        self._drop_read_in = delete(events).where(read_in)
        entered = happened & events.c.revision.is_(None) & (events.c.chapter == bindparam("at"))
        self._entered_for = select(events.c.thread).where(entered)
        self._drop_entered_for = delete(events).where(entered)
        self._add_events = BulkInsert(events, dialect)

    def all(self, connection: Connection, scope: DocumentScope) -> list[PlotThread]:
        """All threads as they are now."""
        return [_to_thread(row) for row in connection.execute(self._all, owner(scope))]

    def some(
        self, connection: Connection, scope: DocumentScope, numbers: Sequence[int]
    ) -> list[PlotThread]:
        """Threads by number, as they are now."""
        if not numbers:
            return []
        return [
            _to_thread(row) for row in connection.execute(self._some, self._given(scope, numbers))
        ]

    def then(
        self,
        connection: Connection,
        scope: DocumentScope,
        numbers: Sequence[int] | None,
        upto: int,
    ) -> list[PlotThread]:
        """Threads as they were after a chapter; those that nothing had told of are left out."""
        given = owner(scope) if numbers is None else self._given(scope, numbers)
        query = self._all_early if numbers is None else self._early
        events: dict[int, list[ThreadEvent]] = {}
        for event in map(_to_event, connection.execute(query, {**given, "upto": upto})):
            events.setdefault(event.thread, []).append(event)
        known = (
            self.all(connection, scope)
            if numbers is None
            else self.some(connection, scope, numbers)
        )
        folded = (fold_thread(thread, events.get(thread.number, ())) for thread in known)
        return [thread for thread in folded if not is_orphan(thread)]

    def open_then(
        self, connection: Connection, scope: DocumentScope, upto: int
    ) -> list[PlotThread]:
        """Threads that were planned, open or progressing after a chapter, as they were then.

        Only those that something happened to since are folded anew.
        """
        rows = connection.execute(self._open_then, {**owner(scope), "upto": upto})
        found = {thread.number: thread for thread in map(_to_thread, rows)}
        later = [one.number for one in found.values() if (one.last_chapter or 0) > upto]
        found |= {one.number: one for one in self.then(connection, scope, later, upto)}
        return [one for one in found.values() if not is_closed(one)]

    def open(
        self, connection: Connection, scope: DocumentScope, limit: int | None
    ) -> list[PlotThread]:
        """Threads that are neither resolved nor given up, the most urgent first."""
        if limit is None:
            rows = connection.execute(self._open, owner(scope))
        else:
            rows = connection.execute(self._most_urgent, {**owner(scope), "most": limit})
        return [_to_thread(row) for row in rows]

    def count_open(self, connection: Connection, scope: DocumentScope) -> int:
        """How many there are of them."""
        return connection.scalar(self._count_open, owner(scope)) or 0

    def events(
        self, connection: Connection, scope: DocumentScope, numbers: Sequence[int]
    ) -> list[ThreadEvent]:
        """What happened to threads, in order."""
        given = self._given(scope, numbers)
        return [_to_event(row) for row in connection.execute(self._events, given)]

    def withdraw(
        self, connection: Connection, scope: DocumentScope, revision: str
    ) -> tuple[int, set[int]]:
        """Remove the events that were read in a version of a chapter.

        Returns:
            How many there were, and of which threads.
        """
        given = {**owner(scope), "version": revision}
        found = list(connection.scalars(self._read_in, given))
        if found:
            connection.execute(self._drop_read_in, given)
        return len(found), set(found)

    def withdraw_entered(
        self, connection: Connection, scope: DocumentScope, chapter: int
    ) -> tuple[int, set[int]]:
        """Remove the events that were entered by hand for a chapter; gives as ``withdraw``."""
        given = {**owner(scope), "at": chapter}
        found = list(connection.scalars(self._entered_for, given))
        if found:
            connection.execute(self._drop_entered_for, given)
        return len(found), set(found)

    def add(
        self, connection: Connection, scope: DocumentScope, threads: Iterable[PlotThread]
    ) -> None:
        """Insert threads, planned; ``fold`` gives them their state."""
        fresh = dict(zip(_ORDER, (_NEVER, 0, 0, True), strict=True))
        rows = [
            {
                **key(scope),
                "number": thread.number,
                **{name: getattr(thread, name) for name in _PLAN},
                **dict.fromkeys(_STATE),
                "status": str(ThreadStatus.PLANNED),
                "note": "",
                **fresh,
            }
            for thread in threads
        ]
        if rows:
            connection.execute(self._insert, rows)

    def add_events(
        self, connection: Connection, scope: DocumentScope, events: Sequence[ThreadEvent]
    ) -> None:
        """Insert events; the threads are there."""
        rows = [
            {
                **key(scope),
                "id": event.id,
                "thread": event.thread,
                "kind": str(event.kind),
                "chapter": event.chapter,
                "note": event.note,
                "revision": event.revision,
            }
            for event in events
        ]
        if rows:
            self._add_events.run(connection, rows)

    def plan(self, connection: Connection, scope: DocumentScope, thread: PlotThread) -> None:
        """Write the plan of a thread."""
        given = {f"new_{name}": getattr(thread, name) for name in _PLAN}
        connection.execute(self._plan, {**owner(scope), "at": thread.number, **given})

    def fold(
        self,
        connection: Connection,
        scope: DocumentScope,
        numbers: Iterable[int],
        planned_chapters: int | None,
    ) -> list[PlotThread]:
        """Make the state of threads anew from their events; gives them as they are then."""
        wanted = sorted(numbers)
        if not wanted:
            return []
        events: dict[int, list[ThreadEvent]] = {}
        for event in self.events(connection, scope, wanted):
            events.setdefault(event.thread, []).append(event)
        folded = [
            fold_thread(thread, events.get(thread.number, ()))
            for thread in self.some(connection, scope, wanted)
        ]
        rows = [_state(scope, thread, planned_chapters) for thread in folded]
        if rows:
            connection.execute(self._state, rows)
        return folded

    def replan(
        self, connection: Connection, scope: DocumentScope, planned_chapters: int | None
    ) -> None:
        """Put open threads into the order that another planned end gives."""
        rows = [
            {**owner(scope), "at": thread.number, "new_due": _due(thread, planned_chapters)}
            for thread in self.open(connection, scope, None)
        ]
        if rows:
            connection.execute(self._due, rows)

    def drop(self, connection: Connection, scope: DocumentScope, numbers: Sequence[int]) -> int:
        """Remove threads with their events; how many."""
        if not numbers:
            return 0
        return connection.execute(self._drop, self._given(scope, numbers)).rowcount

    def _given(self, scope: DocumentScope, numbers: Sequence[int]) -> dict[str, Any]:
        return {**owner(scope), "numbers": self._whole.given(numbers)}


def _due(thread: PlotThread, planned_chapters: int | None) -> int:
    due = due_chapter(thread, planned_chapters)
    return _NEVER if due is None else min(due, _NEVER)


def _state(
    scope: DocumentScope, thread: PlotThread, planned_chapters: int | None
) -> dict[str, Any]:
    # the order of core/plot/urgency.py
    return {
        **owner(scope),
        "at": thread.number,
        **{f"new_{name}": getattr(thread, name) for name in _STATE},
        "new_status": str(thread.status),
        "new_due": _due(thread, planned_chapters),
        "new_touched": thread.last_chapter or 0,
        "new_since": thread.planted_in or 0,
        "new_is_open": not is_closed(thread),
    }


def _to_thread(row: AnyRow) -> PlotThread:
    number, summary, kind, deadline, hidden, authored = row[:6]
    status, planted_in, last_chapter, closed_in, note = row[6:11]
    return PlotThread(
        number=number,
        summary=summary,
        kind=kind,
        deadline=deadline,
        hidden=hidden,
        authored=authored,
        status=_STATUSES[status],
        planted_in=planted_in,
        last_chapter=last_chapter,
        closed_in=closed_in,
        note=note,
    )


def _to_event(row: AnyRow) -> ThreadEvent:
    number, thread, kind, chapter, note, revision = row
    return ThreadEvent(
        id=number,
        thread=thread,
        kind=_KINDS[kind],
        chapter=chapter,
        note=note,
        revision=revision,
    )
