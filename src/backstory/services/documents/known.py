"""What is kept in memory of documents between calls: names, and the searchable passages."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from backstory.core.block.passage_table import Row
from backstory.core.block.passages import Passages
from backstory.services.documents.names import Names
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backstory.core.model.embedding import Generation
    from backstory.ports.documents import DocumentScope, DocumentStore, PassageRow, StoredChapter

Stamp = tuple[int, int]
_MOST_DOCUMENTS: Final = 4
_MOST_BYTES: Final = 512 * 2**20
_INLINE_ROWS: Final = 100


@dataclass(frozen=True, kw_only=True)
class _Kept:
    """Passages as of a stamp, with the vectors of a generation."""

    stamp: Stamp
    generation: int | None
    passages: Passages


class KnownDocuments:
    """Reads names and passages of the documents that were used last, and keeps them.

    What is kept is compared with a stamp of the document at each use, which writes of every process
    change. Of passages only what changed since is read, unless something was removed.

    Args:
        documents: Where they are.
    """

    def __init__(self, documents: DocumentStore) -> None:
        self._documents = documents
        self._names: OrderedDict[DocumentScope, tuple[Stamp, Names]] = OrderedDict()
        self._tables: OrderedDict[DocumentScope, _Kept] = OrderedDict()

    def forget(self, scope: DocumentScope) -> None:
        """Keep nothing more of a document."""
        self._names.pop(scope, None)
        self._tables.pop(scope, None)

    async def names(self, scope: DocumentScope) -> Names:
        """The names of a document's entities."""
        return (await self.stamped_names(scope))[1]

    async def stamped_names(self, scope: DocumentScope) -> tuple[Stamp, Names]:
        """The names, and the stamp that they were read after."""
        stamp = await self._documents.names_stamp(scope)
        kept = self._names.get(scope)
        if kept is None or kept[0] != stamp:
            kept = stamp, Names(await self._documents.names(scope))
            self._names[scope] = kept
        self._names.move_to_end(scope)
        while len(self._names) > _MOST_DOCUMENTS:
            self._names.popitem(last=False)
        return kept

    def note(self, scope: DocumentScope, stored: StoredChapter) -> None:
        """Take the names that a chapter gave, if nothing else has changed any."""
        kept = self._names.get(scope)
        if kept is not None and stored.names_stamps is not None:
            before, after = stored.names_stamps
            if kept[0] == before:
                kept[1].grow(stored.plan.entities)
                self._names[scope] = after, kept[1]

    async def passages(self, scope: DocumentScope, generation: Generation | None) -> Passages:
        """The passages of a document in columns, with the vectors of a generation."""
        stamp = await self._documents.stamp(scope)
        number = None if generation is None else generation.id
        kept = self._tables.get(scope)
        if kept is None or (kept.stamp, kept.generation) != (stamp, number):
            # what is built next must not stand beside what it replaces, unless it is made of it
            old = self._tables.pop(scope, None)
            found = None
            if old is not None and (old.stamp[1], old.generation) == (stamp[1], number):
                found = await self._followed(scope, generation, old)
            del old
            if found is None:
                found = await _built(await self._documents.passages(scope, generation))
            kept = _Kept(stamp=stamp, generation=number, passages=found)
            if found.nbytes <= _MOST_BYTES:
                self._tables[scope] = kept
        else:
            self._tables.move_to_end(scope)
        self._trim()
        return kept.passages

    async def _followed(
        self, scope: DocumentScope, generation: Generation | None, old: _Kept
    ) -> Passages | None:
        """The passages with what was written since; None if they had better be read anew."""
        rows = await self._documents.passages(scope, generation, old.stamp[0])
        if not rows:
            return old.passages
        if len(rows) < _INLINE_ROWS:
            return old.passages.changed(map(_row, rows))
        return await run_in_thread(old.passages.changed, [_row(row) for row in rows])

    def _trim(self) -> None:
        total = sum(kept.passages.nbytes for kept in self._tables.values())
        while len(self._tables) > 1 and (
            len(self._tables) > _MOST_DOCUMENTS or total > _MOST_BYTES
        ):
            _, kept = self._tables.popitem(last=False)
            total -= kept.passages.nbytes


async def _built(rows: Sequence[PassageRow]) -> Passages:
    return await run_in_thread(Passages, [_row(row) for row in rows])


def _row(row: PassageRow) -> Row:
    return Row(row.number, row.place, row.terms, row.vector)
