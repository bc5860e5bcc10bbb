"""``document.chapters``: the chapters as they are stored."""

from __future__ import annotations

import builtins

from backstory.api.aio_document_opened import _OfDocument
from backstory.api.document_inputs import number_of
from backstory.api.fact_inputs import limit_of
from backstory.core.model.document import Chapter
from backstory.errors import NotFoundError


class AsyncDocumentChapters(_OfDocument):
    """Reads chapters; ``add_chapter`` and its like write them."""

    async def get(self, number: int) -> Chapter:
        """One chapter, as it is now.

        Raises:
            NotFoundError: There is no such chapter.
        """
        checked = number_of(number)
        services = await self._document._open()
        found = await services.store.documents.chapter(self._document._scope, checked)
        if found is None:
            raise NotFoundError(f"the document {self._document.id!r} has no chapter {checked}")
        return found

    async def list(self, limit: int = 100, after: int = 0) -> builtins.list[Chapter]:
        """Chapters in order of their numbers.

        Args:
            limit: At most so many.
            after: Only those behind this number.
        """
        most, behind = limit_of(limit), number_of(after, "after", 0)
        services = await self._document._open()
        return await services.store.documents.page(self._document._scope, most, behind)

    async def history(self, number: int) -> builtins.list[Chapter]:
        """All versions of a chapter, the current one last.

        Raises:
            NotFoundError: There is no such chapter.
        """
        checked = number_of(number)
        services = await self._document._open()
        found = await services.store.documents.history(self._document._scope, checked)
        if not found:
            raise NotFoundError(f"the document {self._document.id!r} has no chapter {checked}")
        return found
