"""Documents and their chapters in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.model.document import Chapter, DocumentInfo, SummarySource
from backstory.errors import ConflictError, NotFoundError
from backstory.ports.documents import (
    ChapterPlan,
    DocumentScope,
    Needed,
    NewChapter,
    Planner,
    StoredChapter,
    SummaryLine,
)
from backstory.testing.fake_store.document_plans import canon_of, withdraw, write_plan
from backstory.testing.fake_store.document_state import DocumentState, changing, documents_of
from backstory.testing.fake_store.state import MemoryDatabase


class MemoryChapters:
    """Implements ``ChapterStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    def _all(self, scope: DocumentScope) -> list[Chapter]:
        state = documents_of(self._database).get(scope)
        return [] if state is None else state.current()

    async def ensure(
        self, scope: DocumentScope, unit: str | None, planned: int | None, now: datetime
    ) -> DocumentInfo:
        """The document, made if it is new."""
        documents = documents_of(self._database)
        if scope not in documents:
            documents[scope] = DocumentState(
                unit=unit or "chapter", planned=planned, created_at=now
            )
        known = documents[scope]
        if unit not in (None, known.unit) or planned not in (None, known.planned):
            with changing(self._database, scope) as state:
                state.unit = unit or state.unit
                state.planned = state.planned if planned is None else planned
        return documents[scope].info(scope.document_id)

    async def info(self, scope: DocumentScope) -> DocumentInfo | None:
        """The document, or None."""
        state = documents_of(self._database).get(scope)
        return None if state is None else state.info(scope.document_id)

    async def listed(
        self, tenant_id: str, limit: int, after: str | None = None
    ) -> list[DocumentInfo]:
        """Documents in the order of their ids."""
        documents = documents_of(self._database)
        names = sorted(scope.document_id for scope in documents if scope.tenant_id == tenant_id)
        behind = [name for name in names if after is None or name > after]
        return [documents[DocumentScope(tenant_id, name)].info(name) for name in behind[:limit]]

    async def delete(self, scope: DocumentScope) -> bool:
        """Remove the document."""
        return documents_of(self._database).pop(scope, None) is not None

    async def stamp(self, scope: DocumentScope) -> tuple[int, int]:
        """(next number, epoch)."""
        state = documents_of(self._database).get(scope)
        return (0, 0) if state is None else (state.next_seq, state.epoch)

    async def add(
        self,
        scope: DocumentScope,
        chapter: NewChapter,
        plan: Planner,
        now: datetime,
        needed: Needed | None = None,
    ) -> StoredChapter:
        """Store a new chapter."""
        known = await self.chapter(scope, chapter.number)
        if known is not None:
            if known.text == chapter.text:
                return StoredChapter(chapter=known, plan=ChapterPlan(), created=False)
            raise ConflictError(f"chapter {chapter.number} holds another text")
        with changing(self._database, scope) as state:
            made = _made(chapter, 0, now)
            info = state.info(scope.document_id)
            state.chapters[made.number] = (made,)
            state.passages[made.number] = chapter.passages
            return _derived(state, made, plan, info, needed, (0, []))

    async def revise(
        self,
        scope: DocumentScope,
        chapter: NewChapter,
        plan: Planner,
        now: datetime,
        needed: Needed | None = None,
    ) -> StoredChapter:
        """Replace a chapter."""
        versions = await self.history(scope, chapter.number)
        if not versions:
            raise NotFoundError(f"there is no chapter {chapter.number}")
        old = versions[-1]
        given = chapter.summary_source is SummarySource.GIVEN
        said = chapter.summary if given else old.summary
        if (old.text, old.title, old.summary) == (chapter.text, chapter.title, said):
            return StoredChapter(chapter=old, plan=ChapterPlan(), created=False)
        with changing(self._database, scope) as state:
            info = state.info(scope.document_id)
            count, orphans = withdraw(state, old)
            count += len(_without_passages(state, old.number))
            made = _made(chapter, old.revised + 1, now)
            state.chapters[made.number] = (*versions, made)
            state.passages[made.number] = chapter.passages
            return _derived(state, made, plan, info, needed, (count, orphans))

    async def reread(
        self,
        scope: DocumentScope,
        number: int,
        revision: str,
        plan: Planner,
        now: datetime,  # noqa: ARG002
        needed: Needed | None = None,
    ) -> StoredChapter | None:
        """Derive anew from the current version."""
        versions = await self.history(scope, number)
        if not versions or versions[-1].revision != revision:
            return None
        with changing(self._database, scope) as state:
            info = state.info(scope.document_id)
            withdrawn = withdraw(state, versions[-1])
            return _derived(state, versions[-1], plan, info, needed, withdrawn)

    async def remove(
        self,
        scope: DocumentScope,
        number: int,
        now: datetime,  # noqa: ARG002
    ) -> int | None:
        """Remove a chapter."""
        if await self.chapter(scope, number) is None:
            return None
        with changing(self._database, scope) as state:
            entered = {e.id for e in state.events if e.revision is None and e.chapter == number}
            touched = {event.thread for event in state.events if event.id in entered}
            state.events = tuple(event for event in state.events if event.id not in entered)
            count, orphans = withdraw(state, state.chapters[number][-1])
            gone = {*orphans, *state.orphans(sorted(touched))}
            for orphan in gone:
                del state.threads[orphan]
            count += len(entered) + len(gone) + len(_without_passages(state, number))
            del state.chapters[number]
            return count

    async def chapter(self, scope: DocumentScope, number: int) -> Chapter | None:
        """One chapter."""
        return next((c for c in self._all(scope) if c.number == number), None)

    async def history(self, scope: DocumentScope, number: int) -> list[Chapter]:
        """All versions."""
        state = documents_of(self._database).get(scope)
        return [] if state is None else list(state.chapters.get(number, ()))

    async def page(self, scope: DocumentScope, limit: int, after: int = 0) -> list[Chapter]:
        """Chapters in order."""
        return [c for c in self._all(scope) if c.number > after][:limit]

    async def latest(self, scope: DocumentScope, before: int, limit: int) -> list[SummaryLine]:
        """The last chapters below a number."""
        earlier = [_line(c) for c in self._all(scope) if c.number < before]
        return earlier[len(earlier) - limit :] if limit < len(earlier) else earlier

    async def near(self, scope: DocumentScope, numbers: Sequence[int]) -> list[SummaryLine]:
        """For each number the last chapter at or below it."""
        chapters = {c.number: c for c in self._all(scope)}
        found = {max((n for n in chapters if n <= one), default=0) for one in numbers}
        return [_line(chapters[n]) for n in sorted(found) if n in chapters]

    async def missing(self, scope: DocumentScope, limit: int) -> list[int]:
        """The first numbers without a chapter."""
        there = {c.number for c in self._all(scope)}
        return [n for n in range(1, max(there, default=0)) if n not in there][:limit]


def _derived(
    state: DocumentState,
    chapter: Chapter,
    planner: Planner,
    info: DocumentInfo,
    needed: Needed | None,
    withdrawn: tuple[int, list[int]],
) -> StoredChapter:
    count, orphans = withdrawn
    canon = canon_of(state, info, needed)
    plan, gone = write_plan(state, chapter, canon, planner(canon), orphans)
    if plan.summary is not None:
        summary, source = plan.summary
        chapter = replace(chapter, summary=summary, summary_source=source)
        versions = state.chapters[chapter.number]
        state.chapters[chapter.number] = (*versions[:-1], chapter)
    return StoredChapter(chapter=chapter, plan=plan, withdrawn=count + gone)


def _without_passages(state: DocumentState, number: int) -> Sequence[object]:
    state.vectors = {key: v for key, v in state.vectors.items() if key[0] != number}
    state.epoch += 1
    return state.passages.pop(number, ())


def _made(new: NewChapter, revised: int, now: datetime) -> Chapter:
    return Chapter(
        number=new.number,
        revision=new.revision,
        title=new.title,
        text=new.text,
        summary=new.summary,
        summary_source=new.summary_source,
        recorded_at=now,
        revised=revised,
    )


def _line(chapter: Chapter) -> SummaryLine:
    return SummaryLine(
        number=chapter.number,
        title=chapter.title,
        summary=chapter.summary,
        revision=chapter.revision,
    )
