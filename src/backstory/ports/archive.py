"""The part of the store that gives out all records of a user, and takes them back."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

from backstory.core.model.archive import Archived, ArchiveHead, Restored
from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope

Sink: TypeAlias = Callable[[ArchiveHead | Sequence[Archived]], None]
"""Takes a head, which begins anew whatever came before it, or a page of records."""


class ArchiveStore(Protocol):
    """Whole records, out and in."""

    async def read_out(self, scope: Scope, sink: Sink) -> None:
        """Give a sink the head and then all records of a user, page by page, as of one moment.

        Records come in the order of ``KINDS``, each kind in order of recording. The sink may
        block: it is called in a thread, never on the event loop.
        """
        ...

    async def claim_key(self, tenant_id: str) -> str | None:
        """Name the secret behind the hashes of erased claims; None if there is none yet."""
        ...

    async def restore(
        self,
        scope: Scope,
        items: Sequence[Archived],
        vectors: Mapping[int, Generation],
        now: datetime,
    ) -> list[Restored]:
        """Store records that are not there yet, in one transaction.

        ``recorded_at`` becomes ``now``; since when a record was known is kept (ADR 14). What an
        id, a message id of the caller, or a session's name shows to be there is left as it is. A
        fact that was erased here does not come back.

        Args:
            scope: Whose they are to be.
            items: In the order of an archive; what they rest on came before them.
            vectors: For each generation of the archive that this store has: its own.
            now: The time of the commit.

        Returns:
            One outcome for each record, in order.
        """
        ...
