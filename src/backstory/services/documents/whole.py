"""Documents as a whole: their settings, what is pending of them, and their end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from backstory.core.model.document import DocumentInfo
from backstory.core.model.results import FlushResult
from backstory.ports.documents import DocumentScope
from backstory.services.documents.requests import DEFAULT_UNIT, DocumentPlan

if TYPE_CHECKING:
    from backstory.ports.clock import Clock
    from backstory.ports.documents import DocumentStore
    from backstory.services.documents.chapters import ChapterWriter
    from backstory.services.documents.known import KnownDocuments
    from backstory.services.documents.vectors import PassageVectors

_PAGE: Final = 100


class Documents:
    """Whole documents.

    Args:
        documents: Where they are.
        writer: Reads again what a model failed to read.
        vectors: Makes vectors that are missing.
        known: What is kept in memory of them.
        clock: The time of a document that is not stored yet.
    """

    def __init__(
        self,
        documents: DocumentStore,
        writer: ChapterWriter,
        vectors: PassageVectors,
        known: KnownDocuments,
        clock: Clock,
    ) -> None:
        self._documents = documents
        self._writer = writer
        self._vectors = vectors
        self._known = known
        self._clock = clock

    async def info(self, scope: DocumentScope, plan: DocumentPlan) -> DocumentInfo:
        """A document as it is stored, with what its handle says; one that is not is empty."""
        info = await self._documents.info(scope)
        if info is None:
            info = DocumentInfo(
                id=scope.document_id,
                unit=DEFAULT_UNIT,
                planned_chapters=None,
                chapters=0,
                last_chapter=None,
                created_at=self._clock.now(),
            )
        unit = plan.unit if plan.unit is not None else info.unit
        planned = info.planned_chapters if plan.planned_chapters is None else plan.planned_chapters
        return replace(info, unit=unit, planned_chapters=planned)

    async def create(self, scope: DocumentScope, plan: DocumentPlan) -> DocumentInfo:
        """Store the document, if it is new, and what its handle says of it."""
        return await self._documents.ensure(
            scope, plan.unit, plan.planned_chapters, self._clock.now()
        )

    async def flush(self, scope: DocumentScope) -> FlushResult:
        """Make the vectors that are missing, and let the model read what it has not read."""
        again = await self._writer.reread(scope)
        made, reasons = await self._vectors.flush(scope)
        pending = await self._vectors.count_pending(scope)
        return FlushResult(
            embedded=made,
            read=again.read,
            failed=again.failed + (pending if reasons else 0),
            reasons=(*again.reasons, *reasons),
            pending=pending,
        )

    async def make_vectors(self, tenant_id: str) -> None:
        """Make the missing vectors of all documents of a tenant."""
        after = None
        while page := await self._documents.listed(tenant_id, _PAGE, after):
            for info in page:
                scope = DocumentScope(tenant_id, info.id)
                if await self._vectors.count_pending(scope):
                    await self._vectors.flush(scope)
            after = page[-1].id

    async def delete(self, scope: DocumentScope) -> bool:
        """Remove a document with everything that belongs to it."""
        self._known.forget(scope)
        return await self._documents.delete(scope)
