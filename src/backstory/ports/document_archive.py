"""Whole documents, out of a store and into one."""

from collections.abc import Callable
from typing import Protocol

from backstory.core.model.document_archive import DocumentRecords
from backstory.core.model.scope import DocumentScope


class DocumentArchive(Protocol):
    """The part of a document store that moves documents."""

    async def read_out(self, scope: DocumentScope) -> DocumentRecords | None:
        """All of a document as of one moment; None if there is none."""
        ...

    async def restore(
        self,
        scope: DocumentScope,
        records: DocumentRecords,
        terms: Callable[[str], bytes],
        terms_version: int,
    ) -> bool:
        """Store a document that is not there, in one transaction. Its passages wait for vectors.

        Args:
            scope: Which it becomes.
            records: Checked ones.
            terms: Gives the words of a passage.
            terms_version: Their version.

        Returns:
            False if the same is there already.

        Raises:
            ConflictError: A document of this id with other content is there; nothing was changed.
        """
        ...
