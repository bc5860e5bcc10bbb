"""``ChapterStore`` on SQLite and PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection

from backstory.core.model.document import Chapter, DocumentInfo
from backstory.ports.documents import (
    DocumentScope,
    Needed,
    NewChapter,
    Planner,
    StoredChapter,
    SummaryLine,
)
from backstory.storage.documents.base import DocumentPart
from backstory.storage.documents.deleting import DocumentEraser
from backstory.storage.documents.writing import ChapterWriter


class SqlChapters(DocumentPart):
    """Implements ``ChapterStore``."""

    @cached_property
    def _writer(self) -> ChapterWriter:
        return ChapterWriter(self._t, self._units.dialect)

    async def ensure(
        self, scope: DocumentScope, unit: str | None, planned: int | None, now: datetime
    ) -> DocumentInfo:
        """The document, made if it is new; what is not None changes a known one."""
        found = await self.info(scope)
        if found is not None and _is_as_wanted(found, unit, planned):
            return found

        def write(connection: Connection) -> DocumentInfo:
            self._documents.make(connection, scope, now)
            held = self._documents.hold(connection, scope)
            known = held.info
            if not _is_as_wanted(known, unit, planned):
                end = known.planned_chapters if planned is None else planned
                self._documents.change(connection, scope, unit or known.unit, end)
                if end != known.planned_chapters:
                    self._threads.replan(connection, scope, end)
                self._documents.release(connection, scope, held)
            made = self._documents.info(connection, scope)
            return known if made is None else made

        return await self._units.write(write)

    async def info(self, scope: DocumentScope) -> DocumentInfo | None:
        """The document, or None if there is none."""
        return await self._units.peek(lambda c: self._documents.info(c, scope))

    async def listed(
        self, tenant_id: str, limit: int, after: str | None = None
    ) -> list[DocumentInfo]:
        """Documents in the order of their ids, behind ``after``."""
        return await self._units.peek(lambda c: self._documents.listed(c, tenant_id, limit, after))

    async def delete(self, scope: DocumentScope) -> bool:
        """Remove the document with all that belongs to it; the file keeps no trace of it."""
        eraser = DocumentEraser(self._t)
        gone = await self._units.write(lambda c: eraser.run(c, scope))
        if gone:
            await self._units.scrub()
        return gone

    async def stamp(self, scope: DocumentScope) -> tuple[int, int]:
        """(next number, epoch): they change with every write and every removal."""
        found = await self._units.peek(lambda c: self._documents.stamp(c, scope))
        return (0, 0) if found is None else (found.next_seq, found.epoch)

    async def add(
        self,
        scope: DocumentScope,
        chapter: NewChapter,
        plan: Planner,
        now: datetime,
        needed: Needed | None = None,
    ) -> StoredChapter:
        """Store a new chapter and what its plan derives."""
        stored = await self._units.write(
            lambda c: self._writer.add(c, scope, chapter, plan, now, needed)
        )
        await self._note(stored)
        return stored

    async def revise(
        self,
        scope: DocumentScope,
        chapter: NewChapter,
        plan: Planner,
        now: datetime,
        needed: Needed | None = None,
    ) -> StoredChapter:
        """Replace a chapter; all that was derived from its old version goes first."""
        stored = await self._units.write(
            lambda c: self._writer.revise(c, scope, chapter, plan, now, needed)
        )
        await self._note(stored)
        return stored

    async def reread(
        self,
        scope: DocumentScope,
        number: int,
        revision: str,
        plan: Planner,
        now: datetime,  # noqa: ARG002 - nothing of what is derived has a time of its own
        needed: Needed | None = None,
    ) -> StoredChapter | None:
        """Derive anew from a version that is stored; None if it is no longer the current one."""
        return await self._units.write(
            lambda c: self._writer.reread(c, scope, number, revision, plan, needed)
        )

    async def remove(
        self,
        scope: DocumentScope,
        number: int,
        now: datetime,  # noqa: ARG002 - nothing is left that could carry it
    ) -> int | None:
        """Remove a chapter with its history and all that was derived from it."""
        gone = await self._units.write(lambda c: self._writer.remove(c, scope, number))
        if gone is not None:
            await self._units.scrub()
        return gone

    async def chapter(self, scope: DocumentScope, number: int) -> Chapter | None:
        """One chapter, as it is now."""
        return await self._units.peek(lambda c: self._chapters.one(c, scope, number))

    async def history(self, scope: DocumentScope, number: int) -> list[Chapter]:
        """All versions of a chapter, the current one last."""
        return await self._units.read(lambda c: self._chapters.history(c, scope, number))

    async def page(self, scope: DocumentScope, limit: int, after: int = 0) -> list[Chapter]:
        """Chapters in order of their numbers, behind ``after``."""
        return await self._units.peek(lambda c: self._chapters.page(c, scope, limit, after))

    async def latest(self, scope: DocumentScope, before: int, limit: int) -> list[SummaryLine]:
        """The last chapters below ``before``, at most ``limit``, in order."""
        return await self._units.peek(lambda c: self._chapters.latest(c, scope, before, limit))

    async def near(self, scope: DocumentScope, numbers: Sequence[int]) -> list[SummaryLine]:
        """For each number the last chapter at or below it; each once, in order."""
        return await self._units.peek(lambda c: self._chapters.near(c, scope, numbers))

    async def missing(self, scope: DocumentScope, limit: int) -> list[int]:
        """The first numbers without a chapter, below the last one."""

        def read(connection: Connection) -> list[int]:
            info = self._documents.info(connection, scope)
            if info is None or info.chapters == (info.last_chapter or 0):
                return []
            return self._chapters.missing(connection, scope, limit)

        return await self._units.read(read)

    async def _note(self, stored: StoredChapter) -> None:
        rows = 1 + len(stored.plan.sightings) + len(stored.plan.states)
        tables = (self._t.document_chapters, self._t.document_sightings, self._t.document_passages)
        await self._units.note_growth(rows, tables)


def _is_as_wanted(info: DocumentInfo, unit: str | None, planned: int | None) -> bool:
    return unit in (None, info.unit) and planned in (None, info.planned_chapters)
