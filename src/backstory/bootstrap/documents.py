"""The services of long documents. None of them is loaded before a document is used."""

from functools import cached_property
from typing import TYPE_CHECKING

from backstory.bootstrap.derived import DerivedServices

if TYPE_CHECKING:
    from backstory.ports.chapter_reader import ChapterReader
    from backstory.services.documents.block import BlockService
    from backstory.services.documents.cast import Cast
    from backstory.services.documents.chapters import ChapterWriter
    from backstory.services.documents.checking import Checking
    from backstory.services.documents.drafts import Drafts
    from backstory.services.documents.known import KnownDocuments
    from backstory.services.documents.moving import DocumentMoving
    from backstory.services.documents.plot import Plot
    from backstory.services.documents.status import StatusService
    from backstory.services.documents.vectors import PassageVectors
    from backstory.services.documents.whole import Documents
    from backstory.services.embedding.calibrating import Calibrating


class DocumentServices(DerivedServices):
    """What keeps and shows documents. A part is loaded when it is used first."""

    @cached_property
    def calibrating(self) -> "Calibrating":
        """Measures what similarities mean."""
        from backstory.services.embedding.calibrating import Calibrating

        return Calibrating(self.store, self.vectors, self._tenant)

    @cached_property
    def known_documents(self) -> "KnownDocuments":
        """What is kept in memory of documents."""
        from backstory.services.documents.known import KnownDocuments

        return KnownDocuments(self.store.documents)

    @cached_property
    def document_vectors(self) -> "PassageVectors":
        """Makes the vectors of passages."""
        from backstory.services.documents.vectors import PassageVectors

        return PassageVectors(self.store.documents, self.vectors)

    @cached_property
    def document_writer(self) -> "ChapterWriter":
        """Adds, replaces and removes chapters."""
        from backstory.reading.chapters.rules import RuleChapterReader
        from backstory.services.documents.chapters import ChapterWriter

        return ChapterWriter(
            self.store.documents,
            self.known_documents,
            RuleChapterReader(),
            self._chapter_model(),
            self.document_vectors,
            self._clock,
            self._ids,
            self._wakeup.set,
        )

    def _chapter_model(self) -> "ChapterReader | None":
        if self._model is None or not self._settings.parts:
            return None
        from backstory.reading.chapters.llm import LLMChapterReader

        return LLMChapterReader(self._model)

    @cached_property
    def documents(self) -> "Documents":
        """Whole documents."""
        from backstory.services.documents.whole import Documents

        return Documents(
            self.store.documents,
            self.document_writer,
            self.document_vectors,
            self.known_documents,
            self._clock,
        )

    async def make_document_vectors(self) -> None:
        """Make what passages wait for; without a document in use this costs nothing."""
        if "known_documents" in self.__dict__:
            await self.documents.make_vectors(self._tenant)

    @cached_property
    def document_blocks(self) -> "BlockService":
        """Builds blocks."""
        from backstory.services.documents.block import BlockService
        from backstory.services.documents.retrieval import Retrieval

        retrieval = Retrieval(
            self.store.documents, self.known_documents, self.vectors, self.calibrating
        )
        return BlockService(self.store.documents, self.known_documents, retrieval)

    @cached_property
    def document_plot(self) -> "Plot":
        """The author's hand on threads."""
        from backstory.services.documents.plot import Plot

        return Plot(self.store.documents, self._clock)

    @cached_property
    def document_cast(self) -> "Cast":
        """The author's hand on entities."""
        from backstory.services.documents.cast import Cast

        return Cast(self.store.documents, self.known_documents, self._clock, self._ids)

    @cached_property
    def document_drafts(self) -> "Drafts":
        """Keeps drafts."""
        from backstory.services.documents.drafts import Drafts

        return Drafts(self.store.documents, self.document_writer, self._clock)

    @cached_property
    def document_checking(self) -> "Checking":
        """Finds contradictions."""
        from backstory.reading.chapters.rules import RuleChapterReader
        from backstory.services.documents.checking import Checking

        return Checking(self.store.documents, self.known_documents, RuleChapterReader())

    @cached_property
    def document_moving(self) -> "DocumentMoving":
        """Exports and imports documents."""
        from backstory.services.documents.moving import DocumentMoving

        archive = self.store.documents.archive
        return DocumentMoving(
            archive, self.document_vectors, self._clock, self._tenant, self._wakeup.set
        )

    @cached_property
    def document_status(self) -> "StatusService":
        """Says how documents stand."""
        from backstory.services.documents.status import StatusService

        return StatusService(self.store.documents, self.document_checking, self.document_vectors)
