"""``ArchiveStore`` on SQLite and PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection
from sqlalchemy.util import await_only

from backstory.core.model.archive import Archived, ArchiveHead, Restored
from backstory.core.model.embedding import Generation
from backstory.core.model.scope import Scope
from backstory.ports.archive import Sink
from backstory.storage.archive.claims import name_of_secret
from backstory.storage.archive.reading import ArchiveReader
from backstory.storage.archive.restoring import Restorer
from backstory.storage.engines.base import Units
from backstory.storage.generations import GenerationRows
from backstory.storage.statements import POSTGRES, CopyVectors
from backstory.storage.tables import Tables
from backstory.threads import run_in_thread


class SqlArchive:
    """Implements ``ArchiveStore``.

    Args:
        units: The engine.
        tables: The store's tables.
        copy: Is told of new vectors.
    """

    def __init__(self, units: Units, tables: Tables, copy: CopyVectors | None = None) -> None:
        self._units = units
        self._t = tables
        self._generations = GenerationRows(tables)
        self._reader = ArchiveReader(tables, units.dialect)
        self._restorer = Restorer(tables, units.dialect, copy)

    async def read_out(self, scope: Scope, sink: Sink) -> None:
        """Give a sink the head and then all records of a user, as of one moment."""
        on_loop = self._units.dialect == POSTGRES

        def hand_over(page: ArchiveHead | Sequence[Archived]) -> None:
            # SQLite's functions run in a thread of their own, those of PostgreSQL on the loop
            if on_loop:
                await_only(run_in_thread(sink, page))
            else:
                sink(page)

        def read(connection: Connection) -> None:
            hand_over(self._reader.head(connection, scope))
            for page in self._reader.pages(connection, scope):
                hand_over(page)

        await self._units.read(read)

    async def claim_key(self, tenant_id: str) -> str | None:
        """Name the secret behind the hashes of erased claims; None if there is none yet."""
        return await self._units.peek(
            lambda connection: name_of_secret(connection, self._t, tenant_id)
        )

    async def restore(
        self,
        scope: Scope,
        items: Sequence[Archived],
        vectors: Mapping[int, Generation],
        now: datetime,
    ) -> list[Restored]:
        """Store records that are not there yet, in one transaction."""

        def write(connection: Connection) -> list[Restored]:
            # a store that moved to another embedder meanwhile makes its own vectors
            numbers = {
                number: generation.id
                for number, generation in vectors.items()
                if self._generations.role(connection, generation.id)
            }
            return self._restorer.run(connection, scope, items, numbers, now)

        outcomes = await self._units.write(write)
        count = sum(outcome.stored for outcome in outcomes)
        await self._units.note_growth(count, (self._t.messages, self._t.sessions, self._t.facts))
        return outcomes
