"""``document.drafts``: texts that are not part of the document."""

from __future__ import annotations

import builtins

from backstory.api.aio_document_opened import _OfDocument
from backstory.api.document_inputs import number_of, summary_of, text_of, title_of
from backstory.core.model.document import ChapterResult, Draft


class AsyncDocumentDrafts(_OfDocument):
    """Keeps texts apart until they are accepted: nothing is derived from a draft."""

    async def save(self, number: int, text: str, title: str | None = None) -> Draft:
        """Store a draft of a chapter; it takes the place of an earlier draft."""
        checked = number_of(number)
        draft, name = text_of(text, checked), title_of(title)
        services = await self._document._open()
        document = self._document
        return await services.document_drafts.save(
            document._scope, document._plan, checked, name, draft
        )

    async def get(self, number: int) -> Draft:
        """One draft.

        Raises:
            NotFoundError: There is none of this number.
        """
        checked = number_of(number)
        services = await self._document._open()
        return await services.document_drafts.get(self._document._scope, checked)

    async def list(self) -> builtins.list[Draft]:
        """All drafts, in order of their numbers."""
        services = await self._document._open()
        return await services.document_drafts.listed(self._document._scope)

    async def accept(self, number: int, summary: str | None = None) -> ChapterResult:
        """Make a draft the chapter of its number, new or revised, and drop the draft.

        Raises:
            NotFoundError: There is none of this number.
        """
        checked, given = number_of(number), summary_of(summary)
        services = await self._document._open()
        document = self._document
        return await services.document_drafts.accept(
            document._scope, document._plan, checked, given
        )

    async def reject(self, number: int) -> None:
        """Drop a draft; nothing of it stays.

        Raises:
            NotFoundError: There is none of this number.
        """
        checked = number_of(number)
        services = await self._document._open()
        await services.document_drafts.reject(self._document._scope, checked)
