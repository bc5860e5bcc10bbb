"""Drafts: texts that leave nothing behind unless they are accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstory.core.model.document import ChapterResult, Draft
from backstory.errors import NotFoundError
from backstory.services.documents.requests import DocumentPlan, GivenChapter

if TYPE_CHECKING:
    from backstory.ports.clock import Clock
    from backstory.ports.documents import DocumentScope, DocumentStore
    from backstory.services.documents.chapters import ChapterWriter


class Drafts:
    """Keeps drafts apart from the canon.

    Args:
        documents: Where they are.
        writer: Makes an accepted one a chapter.
        clock: The time of each commit.
    """

    def __init__(self, documents: DocumentStore, writer: ChapterWriter, clock: Clock) -> None:
        self._documents = documents
        self._writer = writer
        self._clock = clock

    async def save(
        self, scope: DocumentScope, plan: DocumentPlan, number: int, title: str, text: str
    ) -> Draft:
        """Store a draft; it takes the place of one of the same number."""
        now = self._clock.now()
        await self._documents.ensure(scope, plan.unit, plan.planned_chapters, now)
        draft = Draft(number=number, title=title, text=text, recorded_at=now)
        await self._documents.put_draft(scope, draft)
        return draft

    async def get(self, scope: DocumentScope, number: int) -> Draft:
        """One draft.

        Raises:
            NotFoundError: There is none of this number.
        """
        draft = await self._documents.draft(scope, number)
        if draft is None:
            raise _no_draft(scope, number)
        return draft

    async def listed(self, scope: DocumentScope) -> list[Draft]:
        """All drafts, in order."""
        return await self._documents.drafts(scope)

    async def accept(
        self, scope: DocumentScope, plan: DocumentPlan, number: int, summary: str | None
    ) -> ChapterResult:
        """Make a draft the chapter of its number, then drop it.

        A crash between the two leaves both; accepting again then only drops the draft.
        """
        draft = await self.get(scope, number)
        given = GivenChapter(number=number, text=draft.text, title=draft.title, summary=summary)
        known = await self._documents.chapter(scope, number)
        if known is None or known.text == draft.text:
            result = await self._writer.add(scope, plan, given)
        else:
            result = await self._writer.revise(scope, plan, given)
        await self._documents.drop_draft(scope, number)
        return result

    async def reject(self, scope: DocumentScope, number: int) -> None:
        """Drop a draft; nothing of it stays.

        Raises:
            NotFoundError: There is none of this number.
        """
        if not await self._documents.drop_draft(scope, number):
            raise _no_draft(scope, number)


def _no_draft(scope: DocumentScope, number: int) -> NotFoundError:
    return NotFoundError(f"the document {scope.document_id!r} has no draft of chapter {number}")
