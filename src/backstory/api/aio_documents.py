"""The documents of a memory."""

from __future__ import annotations

from backstory.api.aio_document import AsyncDocument
from backstory.api.aio_opened import _Opened
from backstory.api.fact_inputs import limit_of
from backstory.core.identity import check_optional_id
from backstory.core.model.document import DocumentInfo


class _Documents(_Opened):
    """Long documents beside the conversations. What they tell belongs to no user."""

    def document(
        self, id: str, planned_chapters: int | None = None, *, unit: str | None = None
    ) -> AsyncDocument:
        """Give a handle on a document. Nothing is stored before its first chapter.

        Args:
            id: Its name, unique in the tenant.
            planned_chapters: How many parts it will have; None = as stored, else open.
            unit: What a part is called; None = as stored, else "chapter".

        Raises:
            InvalidInputError: The id, number or unit cannot be accepted.
        """
        return AsyncDocument(self, id, planned_chapters, unit=unit)

    async def documents(self, limit: int = 100, after: str | None = None) -> list[DocumentInfo]:
        """The documents of the tenant, in the order of their ids.

        Args:
            limit: At most so many.
            after: Only those behind this id: the last of the page before.
        """
        most, behind = limit_of(limit), check_optional_id(after, "after")
        services = await self._open()
        return await services.store.documents.listed(self._settings.tenant, most, behind)
