"""How a document stands: what is missing, what is owed, what contradicts itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from backstory.core.model.block import DocumentStatus
from backstory.core.plot.deadlines import due_chapter
from backstory.services.documents.threads_of import threads_before

if TYPE_CHECKING:
    from backstory.core.model.document import DocumentInfo
    from backstory.ports.documents import DocumentScope, DocumentStore
    from backstory.services.documents.checking import Checking
    from backstory.services.documents.vectors import PassageVectors

_MOST_MISSING: Final = 100


class StatusService:
    """Says how documents stand.

    Args:
        documents: Where they are.
        checking: Finds contradictions.
        vectors: Knows what waits for a vector.
    """

    def __init__(
        self, documents: DocumentStore, checking: Checking, vectors: PassageVectors
    ) -> None:
        self._documents = documents
        self._checking = checking
        self._vectors = vectors

    async def of(self, scope: DocumentScope, info: DocumentInfo) -> DocumentStatus:
        """The status of a document, for writing its next chapter."""
        last = info.last_chapter or 0
        chapter = last + 1
        then = await threads_before(self._documents, scope, info, chapter, last)
        unresolved = (*then.owed, *then.open)
        overdue = []
        for thread in unresolved:
            due = due_chapter(thread, info.planned_chapters)
            if due is not None and due < chapter:
                overdue.append(thread)
        return DocumentStatus(
            chapter=info.last_chapter,
            missing=tuple(await self._documents.missing(scope, _MOST_MISSING)),
            open_threads=unresolved,
            overdue=tuple(overdue),
            owed=then.owed,
            contradictions=await self._checking.stored(scope, info),
            pending=await self._vectors.count_pending(scope),
        )
