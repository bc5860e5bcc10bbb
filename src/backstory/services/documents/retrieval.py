"""Finds passages of earlier chapters for a block: by meaning and by words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from backstory.core.block.passages import Wanted
from backstory.core.content import is_blank
from backstory.core.text import abridge
from backstory.errors import EmbeddingError
from backstory.language.terms import has_content, query_terms
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from backstory.core.block.passages import Passages
    from backstory.core.model.embedding import Generation
    from backstory.ports.documents import DocumentScope, DocumentStore, PassageText
    from backstory.services.documents.known import KnownDocuments
    from backstory.services.embedding.calibrating import Calibrating
    from backstory.services.embedding.vectors import VectorMaker

MOST_PASSAGES: Final = 24
# Where it was not measured what similarities mean: about what it is for the built-in embedder.
_UNMEASURED: Final = 0.35
_EMBEDDED_CHARS: Final = (2000, 500)
_INLINE_ROWS: Final = 20_000


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is looked for.

    Attributes:
        before: Only passages of chapters below this number.
        within: Only those of these chapters; None = all.
    """

    query: str
    before: int
    within: frozenset[int] | None = None


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """Passages, best first, and what was missing."""

    passages: tuple[PassageText, ...] = ()
    degraded: str | None = None


class Retrieval:
    """Searches the passages of a document.

    Args:
        documents: Where they are.
        known: Their searchable form.
        vectors: Embeds the query.
        calibrating: Says from which similarity on a passage has to do with the query.
    """

    def __init__(
        self,
        documents: DocumentStore,
        known: KnownDocuments,
        vectors: VectorMaker,
        calibrating: Calibrating,
    ) -> None:
        self._documents = documents
        self._known = known
        self._vectors = vectors
        self._calibrating = calibrating

    async def search(self, scope: DocumentScope, asked: Asked) -> Retrieved:
        """The passages nearest to a query; none for one without a word."""
        if asked.before <= 1 or is_blank(asked.query) or not has_content(asked.query):
            return Retrieved()
        generation = await self._vectors.generation()
        table = await self._known.passages(scope, generation)
        if not len(table):
            return Retrieved()
        text = abridge(asked.query, *_EMBEDDED_CHARS)
        vector, degraded = await self._vector(text, table, generation)
        terms = query_terms(text)
        calibration = await self._calibrating.current()
        floor = _UNMEASURED if calibration is None else calibration.low

        wanted = Wanted(before=asked.before, within=asked.within, floor=floor, most=MOST_PASSAGES)

        def run() -> list[tuple[int, int]]:
            return table.best(terms, vector, wanted)

        keys = run() if len(table) < _INLINE_ROWS else await run_in_thread(run)
        found = await self._documents.passage_texts(scope, keys)
        return Retrieved(passages=tuple(found), degraded=degraded)

    async def _vector(
        self, text: str, table: Passages, generation: Generation | None
    ) -> tuple[NDArray[np.float32] | None, str | None]:
        if generation is None or not table.has_vectors:
            return None, self._vectors.problem
        try:
            return await self._vectors.embed_query(text, generation), None
        except EmbeddingError as error:
            return None, f"passages were searched by keywords only: {error}"
