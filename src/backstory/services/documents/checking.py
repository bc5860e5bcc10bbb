"""Continuity: what in a text contradicts the chapters before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backstory.core.model.block import Conflict
    from backstory.core.model.document import DocumentInfo
    from backstory.ports.documents import DocumentScope, DocumentStore
    from backstory.services.documents.known import KnownDocuments


class Checking:
    """Checks texts against what is known.

    Args:
        documents: Where that is.
        known: The names of entities.
    """

    def __init__(self, documents: DocumentStore, known: KnownDocuments) -> None:
        self._documents = documents
        self._known = known

    async def check(
        self, scope: DocumentScope, info: DocumentInfo, text: str, chapter: int
    ) -> tuple[Conflict, ...]:
        """What in a text contradicts the document before a chapter."""
        return ()

    async def stored(self, scope: DocumentScope) -> tuple[Conflict, ...]:
        """The conflicts among the chapters as they are."""
        return ()
