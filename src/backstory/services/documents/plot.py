"""Threads by hand: planned, planted, advanced, closed; each by an event, never by a status."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from backstory.core.model.plot import (
    PlotThread,
    ThreadEvent,
    ThreadEventKind,
    ThreadStatus,
)
from backstory.core.plot.folding import after
from backstory.core.unset import Unset
from backstory.errors import ConflictError, NotFoundError

if TYPE_CHECKING:
    from backstory.ports.clock import Clock
    from backstory.ports.documents import DocumentScope, DocumentStore
    from backstory.services.documents.requests import DocumentPlan

_DONE = {
    ThreadEventKind.PROGRESSED: "progressed",
    ThreadEventKind.RESOLVED: "resolved",
    ThreadEventKind.ABANDONED: "abandoned",
    ThreadEventKind.REOPENED: "reopened",
}


class Plot:
    """The author's hand on threads.

    Args:
        documents: Where they are.
        clock: The time of each commit.
    """

    def __init__(self, documents: DocumentStore, clock: Clock) -> None:
        self._documents = documents
        self._clock = clock

    async def plant(
        self,
        scope: DocumentScope,
        plan: DocumentPlan,
        thread: PlotThread,
        chapter: int | None,
    ) -> PlotThread:
        """Store a new thread: planned, or planted in a chapter."""
        now = self._clock.now()
        await self._documents.ensure(scope, plan.unit, plan.planned_chapters, now)
        return await self._documents.plant(scope, thread, chapter, now)

    async def happen(
        self,
        scope: DocumentScope,
        number: int,
        kind: ThreadEventKind,
        chapter: int | None,
        note: str,
    ) -> PlotThread:
        """Record what a chapter does to a thread; None = the last chapter.

        Raises:
            NotFoundError: There is no such thread.
            ConflictError: What is closed cannot be closed again or go on; it is reopened first.
        """
        thread = await self.get(scope, number)
        at = chapter if chapter is not None else await self._last(scope, thread)
        then = await self._documents.threads(scope, [number], at)
        status = then[0].status if then else ThreadStatus.PLANNED
        if after(status, kind) is None:
            raise ConflictError(
                f"thread T{number} is {status} in chapter {at} and cannot be {_DONE[kind]} there; "
                f"{_advice(kind)}"
            )
        event = ThreadEvent(id=0, thread=number, kind=kind, chapter=at, note=note)
        return await self._documents.add_event(scope, event, self._clock.now())

    async def _last(self, scope: DocumentScope, thread: PlotThread) -> int:
        info = await self._documents.info(scope)
        last = info.last_chapter if info is not None else None
        return max(last or 1, thread.last_chapter or 1)

    async def get(self, scope: DocumentScope, number: int, upto: int | None = None) -> PlotThread:
        """One thread.

        Raises:
            NotFoundError: There is no such thread.
        """
        found = await self._documents.threads(scope, [number], upto)
        if not found:
            raise _no_thread(scope, number)
        return found[0]

    async def listed(
        self, scope: DocumentScope, status: ThreadStatus | None, upto: int | None
    ) -> list[PlotThread]:
        """All threads, by number."""
        found = await self._documents.threads(scope, None, upto)
        return [thread for thread in found if status in {None, thread.status}]

    async def open(self, scope: DocumentScope, limit: int) -> list[PlotThread]:
        """Open and progressing threads, the most urgent first."""
        info = await self._documents.info(scope)
        chapter = ((info.last_chapter if info is not None else None) or 0) + 1
        found, _ = await self._documents.open_threads(scope, chapter, limit)
        return [thread for thread in found if thread.status is not ThreadStatus.PLANNED]

    async def events(self, scope: DocumentScope, number: int) -> list[ThreadEvent]:
        """What happened to a thread."""
        await self.get(scope, number)
        return await self._documents.events(scope, number)

    async def revise(
        self,
        scope: DocumentScope,
        number: int,
        *,
        summary: str | Unset,
        kind: str | Unset | None,
        deadline: int | Unset | None,
        hidden: bool | Unset,
    ) -> PlotThread:
        """Change the plan; what chapters did stays."""
        given = {"summary": summary, "kind": kind, "deadline": deadline, "hidden": hidden}
        changes = {name: value for name, value in given.items() if not isinstance(value, Unset)}
        thread = replace(await self.get(scope, number), **changes)  # type: ignore[arg-type]
        return await self._documents.plan_thread(scope, thread, self._clock.now())

    async def delete(self, scope: DocumentScope, number: int) -> None:
        """Remove a thread with its events.

        Raises:
            NotFoundError: There is no such thread.
        """
        if not await self._documents.drop_thread(scope, number, self._clock.now()):
            raise _no_thread(scope, number)


def _advice(kind: ThreadEventKind) -> str:
    if kind is ThreadEventKind.REOPENED:
        return "only what is closed can be reopened"
    return "reopen it first, with threads.reopen()"


def _no_thread(scope: DocumentScope, number: int) -> NotFoundError:
    return NotFoundError(
        f"the document {scope.document_id!r} has no thread T{number}; threads.list() shows all"
    )
