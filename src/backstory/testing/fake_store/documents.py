"""Documents in memory."""

from collections.abc import Sequence

from backstory.core.model.document import Draft
from backstory.core.model.embedding import Generation
from backstory.ports.documents import DocumentScope, PassageRow, PassageText
from backstory.testing.fake_store.document_archive import MemoryDocumentArchive
from backstory.testing.fake_store.document_canon import MemoryCanon
from backstory.testing.fake_store.document_chapters import MemoryChapters
from backstory.testing.fake_store.document_state import (
    DocumentState,
    VectorKey,
    changing,
    documents_of,
)
from backstory.testing.fake_store.sizes import check_sizes
from backstory.testing.fake_store.state import MemoryDatabase


class MemoryPassages:
    """Implements ``PassageStore`` and ``DraftStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    def _texts(self, scope: DocumentScope) -> dict[tuple[int, int], PassageText]:
        state = documents_of(self._database).get(scope)
        found: dict[tuple[int, int], PassageText] = {}
        for chapter in [] if state is None else state.current():
            for new in () if state is None else state.passages[chapter.number]:
                found[chapter.number, new.place] = PassageText(
                    number=chapter.number,
                    place=new.place,
                    revision=chapter.revision,
                    text=chapter.text[new.start : new.end],
                )
        return found

    async def passages(
        self,
        scope: DocumentScope,
        generation: Generation | None,
        since: int = 0,  # noqa: ARG002 - all may come
    ) -> list[PassageRow]:
        """All passages, in order."""
        state = documents_of(self._database).get(scope)
        rows = []
        for number in [] if state is None else sorted(state.passages):
            for new in () if state is None else state.passages[number]:
                vector = _vector(state, (number, new.place), generation)
                rows.append(
                    PassageRow(number=number, place=new.place, terms=new.terms, vector=vector)
                )
        return rows

    async def passage_texts(
        self, scope: DocumentScope, keys: Sequence[tuple[int, int]]
    ) -> list[PassageText]:
        """Passages by (chapter, place)."""
        found = self._texts(scope)
        return [found[one] for one in keys if one in found]

    async def pending(
        self, scope: DocumentScope, generation: Generation, limit: int
    ) -> list[PassageText]:
        """Passages that need a vector."""
        state = documents_of(self._database).get(scope)
        texts = self._texts(scope)
        return [t for key, t in texts.items() if _vector(state, key, generation) is None][:limit]

    async def put_vectors(
        self,
        scope: DocumentScope,
        generation: Generation,
        made: Sequence[tuple[PassageText, bytes]],
    ) -> int:
        """Store vectors of current passages."""
        check_sizes(generation, [vector for _, vector in made])
        texts = self._texts(scope)
        fitting = {
            key: vector
            for passage, vector in made
            for key in [(passage.number, passage.place)]
            if key in texts and texts[key].revision == passage.revision
        }
        if not fitting or generation.id not in self._database.states:
            return 0
        with changing(self._database, scope) as state:
            for (number, place), vector in fitting.items():
                state.vectors[number, place, generation.id, generation.identity] = vector
        return len(fitting)

    async def count_pending(self, scope: DocumentScope, generation: Generation | None) -> int:
        """How many passages wait for a vector."""
        state = documents_of(self._database).get(scope)
        return sum(_vector(state, key, generation) is None for key in self._texts(scope))

    async def put_draft(self, scope: DocumentScope, draft: Draft) -> None:
        """Store a draft."""
        with changing(self._database, scope) as state:
            state.drafts[draft.number] = draft

    async def draft(self, scope: DocumentScope, number: int) -> Draft | None:
        """One draft."""
        state = documents_of(self._database).get(scope)
        return None if state is None else state.drafts.get(number)

    async def drafts(self, scope: DocumentScope) -> list[Draft]:
        """All drafts, in order."""
        state = documents_of(self._database).get(scope)
        return [] if state is None else [state.drafts[n] for n in sorted(state.drafts)]

    async def drop_draft(self, scope: DocumentScope, number: int) -> bool:
        """Remove a draft."""
        if await self.draft(scope, number) is None:
            return False
        with changing(self._database, scope) as state:
            del state.drafts[number]
        return True


class MemoryDocuments(MemoryChapters, MemoryCanon, MemoryPassages):
    """Implements ``DocumentStore``."""

    @property
    def archive(self) -> MemoryDocumentArchive:
        """Whole documents, out and in."""
        return MemoryDocumentArchive(self._database)


def _vector(
    state: DocumentState | None, place: tuple[int, int], generation: Generation | None
) -> bytes | None:
    if state is None or generation is None:
        return None
    key: VectorKey = (*place, generation.id, generation.identity)
    return state.vectors.get(key)
