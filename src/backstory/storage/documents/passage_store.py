"""``PassageStore`` and ``DraftStore`` on SQLite and PostgreSQL."""

from collections.abc import Sequence
from functools import cached_property

from sqlalchemy import Connection

from backstory.core.model.document import Draft
from backstory.core.model.embedding import Generation
from backstory.ports.documents import DocumentScope, PassageRow, PassageText
from backstory.storage.documents.base import DocumentPart
from backstory.storage.documents.drafts import DraftRows
from backstory.storage.documents.passages import PassageRows
from backstory.storage.vectors import check_sizes


class SqlPassages(DocumentPart):
    """Implements ``PassageStore``."""

    @cached_property
    def _passages(self) -> PassageRows:
        return PassageRows(self._t, self._units.dialect)

    async def passages(
        self, scope: DocumentScope, generation: Generation | None, since: int = 0
    ) -> list[PassageRow]:
        """Passages in order: all, or those that were written since a stamp."""
        return await self._units.read(lambda c: self._passages.all(c, scope, generation, since))

    async def passage_texts(
        self, scope: DocumentScope, keys: Sequence[tuple[int, int]]
    ) -> list[PassageText]:
        """Passages by (chapter, place), in the order asked for; unknown ones are left out."""
        return await self._units.read(lambda c: self._passages.texts(c, scope, keys))

    async def pending(
        self, scope: DocumentScope, generation: Generation, limit: int
    ) -> list[PassageText]:
        """Passages that need a vector."""
        return await self._units.read(lambda c: self._passages.pending(c, scope, generation, limit))

    async def put_vectors(
        self,
        scope: DocumentScope,
        generation: Generation,
        made: Sequence[tuple[PassageText, bytes]],
    ) -> int:
        """Store vectors of passages whose revision is still the current one; how many."""
        check_sizes(generation, [vector for _, vector in made])
        saved = await self._units.write(lambda c: self._passages.save(c, scope, generation, made))
        await self._units.note_growth(saved, (self._t.document_passages, self._t.document_vectors))
        return saved

    async def count_pending(self, scope: DocumentScope, generation: Generation | None) -> int:
        """How many passages wait for a vector."""
        return await self._units.read(lambda c: self._passages.count_pending(c, scope, generation))


class SqlDrafts(DocumentPart):
    """Implements ``DraftStore``."""

    @cached_property
    def _drafts(self) -> DraftRows:
        return DraftRows(self._t)

    async def put_draft(self, scope: DocumentScope, draft: Draft) -> None:
        """Store a draft; it takes the place of one of the same number."""

        def write(connection: Connection) -> bool:
            held = self._documents.hold(connection, scope)
            replaced = self._drafts.put(connection, scope, draft)
            self._documents.release(connection, scope, held)
            return replaced

        if await self._units.write(write):
            await self._units.scrub()

    async def draft(self, scope: DocumentScope, number: int) -> Draft | None:
        """One draft."""
        return await self._units.peek(lambda c: self._drafts.one(c, scope, number))

    async def drafts(self, scope: DocumentScope) -> list[Draft]:
        """All drafts, in order."""
        return await self._units.peek(lambda c: self._drafts.all(c, scope))

    async def drop_draft(self, scope: DocumentScope, number: int) -> bool:
        """Remove a draft; nothing of it stays."""

        def write(connection: Connection) -> bool:
            held = self._documents.lock(connection, scope)
            if held is None or not self._drafts.drop(connection, scope, number):
                return False
            self._documents.release(connection, scope, held)
            return True

        gone = await self._units.write(write)
        if gone:
            await self._units.scrub()
        return gone
