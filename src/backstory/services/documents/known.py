"""What is kept in memory of documents between calls: names, and the searchable passages."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from backstory.core.block.passages import build_table
from backstory.core.names import KnownName, NameIndex
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backstory.core.block.passages import PassageTable
    from backstory.core.model.embedding import Generation
    from backstory.ports.documents import DocumentScope, DocumentStore, EntityName

_MOST_DOCUMENTS: Final = 4
_MOST_BYTES: Final = 512 * 2**20


class Names:
    """The entities of a document as they are found in texts."""

    def __init__(self, entities: Sequence[EntityName]) -> None:
        self.entities = {entity.id: entity for entity in entities}
        self.index = NameIndex(known_name(entity) for entity in entities)

    def named(self, text: str) -> dict[str, int]:
        """Ids of the entities that a text names, each with how often."""
        return self.index.count(text)

    def bearer(self, name: str) -> EntityName | None:
        """The entity that is called so: by its name, else by an alias, else by a part of its name.

        A part counts if no other entity has it.
        """
        folded = name.casefold()
        some = list(self.entities.values())
        for forms in (_name_of, _aliases_of):
            found = [one for one in some if folded in forms(one)]
            if found:
                return found[0]
        parts = [one for one in some if folded in one.name.casefold().split()]
        return parts[0] if len(parts) == 1 else None


def _name_of(entity: EntityName) -> list[str]:
    return [entity.name.casefold()]


def _aliases_of(entity: EntityName) -> list[str]:
    return [alias.casefold() for alias in entity.aliases]


def known_name(entity: EntityName) -> KnownName:
    """An entity as it is looked for in a text."""
    return KnownName(
        key=entity.id,
        forms=(entity.name, *entity.aliases),
        case_sensitive=entity.case_sensitive,
    )


class KnownDocuments:
    """Reads names and passages of the documents that were used last, and keeps them.

    What is kept is compared with the document's stamp at each use, which every write of any process
    changes.

    Args:
        documents: Where they are.
    """

    def __init__(self, documents: DocumentStore) -> None:
        self._documents = documents
        self._names: OrderedDict[DocumentScope, tuple[tuple[int, int], Names]] = OrderedDict()
        self._tables: OrderedDict[
            DocumentScope, tuple[tuple[int, int], int | None, PassageTable]
        ] = OrderedDict()

    def forget(self, scope: DocumentScope) -> None:
        """Keep nothing more of a document."""
        self._names.pop(scope, None)
        self._tables.pop(scope, None)

    async def names(self, scope: DocumentScope) -> Names:
        """The names of a document's entities."""
        stamp = await self._documents.names_stamp(scope)
        kept = self._names.get(scope)
        if kept is None or kept[0] != stamp:
            kept = stamp, Names(await self._documents.names(scope))
            self._names[scope] = kept
        self._names.move_to_end(scope)
        while len(self._names) > _MOST_DOCUMENTS:
            self._names.popitem(last=False)
        return kept[1]

    async def passages(self, scope: DocumentScope, generation: Generation | None) -> PassageTable:
        """The passages of a document in columns, with the vectors of a generation."""
        stamp = await self._documents.stamp(scope)
        number = None if generation is None else generation.id
        kept = self._tables.get(scope)
        if kept is None or kept[:2] != (stamp, number):
            self._tables.pop(scope, None)
            kept = stamp, number, await self._built(scope, generation)
            if kept[2].nbytes <= _MOST_BYTES:
                self._tables[scope] = kept
        self._trim()
        return kept[2]

    async def _built(self, scope: DocumentScope, generation: Generation | None) -> PassageTable:
        rows = await self._documents.passages(scope, generation)
        return await run_in_thread(
            build_table,
            [row.number for row in rows],
            [row.place for row in rows],
            [row.terms for row in rows],
            [row.vector for row in rows],
        )

    def _trim(self) -> None:
        total = sum(table.nbytes for _, _, table in self._tables.values())
        while len(self._tables) > 1 and (
            len(self._tables) > _MOST_DOCUMENTS or total > _MOST_BYTES
        ):
            _, (_, _, table) = self._tables.popitem(last=False)
            total -= table.nbytes
