"""``document.threads``: what was promised to the reader, and what became of it."""

from __future__ import annotations

import builtins

from backstory.api.aio_document_opened import _OfDocument
from backstory.api.document_inputs import (
    flag_of,
    note_of,
    optional_number,
    optional_phrase,
    phrase_of,
    set_value,
    thread_of,
)
from backstory.api.fact_inputs import limit_of, member_of
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind, ThreadStatus
from backstory.core.unset import UNSET, Unset


class AsyncDocumentThreads(_OfDocument):
    """Plot threads. Their status follows from what chapters do to them, and is never entered.

    Threads are named by their number, or as they are shown: 3, "T3".
    """

    async def plant(
        self,
        summary: str,
        chapter: int | None = None,
        deadline: int | None = None,
        kind: str | None = None,
        *,
        hidden: bool = False,
    ) -> PlotThread:
        """Enter a thread.

        Args:
            summary: What is promised.
            chapter: Which chapter plants it; None = it is planned, and in no chapter yet.
            deadline: By which chapter it should close; None = by the end.
            kind: A label, such as "mystery".
            hidden: Whether only the author may see it.
        """
        thread = PlotThread(
            number=0,
            summary=phrase_of(summary, "summary"),
            kind=optional_phrase(kind, "kind"),
            deadline=optional_number(deadline, "deadline"),
            hidden=flag_of(hidden, "hidden"),
            authored=True,
        )
        planted = optional_number(chapter, "chapter")
        services = await self._document._open()
        document = self._document
        return await services.document_plot.plant(document._scope, document._plan, thread, planted)

    async def progress(
        self, thread: int | str, chapter: int | None = None, note: str = ""
    ) -> PlotThread:
        """A chapter takes a thread further; a planned one is planted by it.

        Args:
            thread: Its number.
            chapter: Which chapter; None = the last one that is stored.
            note: How, in words.

        Raises:
            NotFoundError: There is no such thread.
            ConflictError: It is closed in that chapter; see ``reopen``.
        """
        return await self._happen(thread, ThreadEventKind.PROGRESSED, chapter, note)

    async def resolve(
        self, thread: int | str, chapter: int | None = None, note: str = ""
    ) -> PlotThread:
        """A chapter keeps the promise of a thread; arguments and errors as of ``progress``."""
        return await self._happen(thread, ThreadEventKind.RESOLVED, chapter, note)

    async def abandon(
        self, thread: int | str, chapter: int | None = None, note: str = ""
    ) -> PlotThread:
        """Give a thread up; arguments and errors as of ``progress``."""
        return await self._happen(thread, ThreadEventKind.ABANDONED, chapter, note)

    async def reopen(
        self, thread: int | str, chapter: int | None = None, note: str = ""
    ) -> PlotThread:
        """A chapter takes a closed thread up again; arguments and errors as of ``progress``."""
        return await self._happen(thread, ThreadEventKind.REOPENED, chapter, note)

    async def _happen(
        self, thread: int | str, kind: ThreadEventKind, chapter: int | None, note: str
    ) -> PlotThread:
        number, at = thread_of(thread), optional_number(chapter, "chapter")
        words = note_of(note, "note")
        services = await self._document._open()
        return await services.document_plot.happen(self._document._scope, number, kind, at, words)

    async def get(self, thread: int | str, as_of_chapter: int | None = None) -> PlotThread:
        """One thread, as it stood after a chapter; None = now.

        Raises:
            NotFoundError: There is no such thread.
        """
        number = thread_of(thread)
        upto = optional_number(as_of_chapter, "as_of_chapter", 0)
        services = await self._document._open()
        return await services.document_plot.get(self._document._scope, number, upto)

    async def list(
        self, status: ThreadStatus | str | None = None, as_of_chapter: int | None = None
    ) -> builtins.list[PlotThread]:
        """All threads by number, as they stood after a chapter.

        Args:
            status: Only those of this status.
            as_of_chapter: None = now.
        """
        wanted = member_of(ThreadStatus, status, "status")
        upto = optional_number(as_of_chapter, "as_of_chapter", 0)
        services = await self._document._open()
        return await services.document_plot.listed(self._document._scope, wanted, upto)

    async def list_open(self, limit: int = 100) -> builtins.list[PlotThread]:
        """The open and progressing threads, the most urgent first."""
        most = limit_of(limit)
        services = await self._document._open()
        return await services.document_plot.open(self._document._scope, most)

    async def events(self, thread: int | str) -> builtins.list[ThreadEvent]:
        """What happened to a thread, in order of chapters.

        Raises:
            NotFoundError: There is no such thread.
        """
        number = thread_of(thread)
        services = await self._document._open()
        return await services.document_plot.events(self._document._scope, number)

    async def revise_plan(
        self,
        thread: int | str,
        *,
        summary: str | Unset = UNSET,
        kind: str | Unset | None = UNSET,
        deadline: int | Unset | None = UNSET,
        hidden: bool | Unset = UNSET,
    ) -> PlotThread:
        """Change the plan of a thread; what chapters did to it stays.

        Raises:
            NotFoundError: There is no such thread.
        """
        number = thread_of(thread)
        changes = {
            "summary": set_value(summary, lambda value: phrase_of(value, "summary")),
            "kind": set_value(kind, lambda value: optional_phrase(value, "kind")),
            "deadline": set_value(deadline, lambda value: optional_number(value, "deadline")),
            "hidden": set_value(hidden, lambda value: flag_of(value, "hidden")),
        }
        services = await self._document._open()
        return await services.document_plot.revise(self._document._scope, number, **changes)

    async def delete(self, thread: int | str) -> None:
        """Remove a thread with its events.

        Raises:
            NotFoundError: There is no such thread.
        """
        number = thread_of(thread)
        services = await self._document._open()
        await services.document_plot.delete(self._document._scope, number)
