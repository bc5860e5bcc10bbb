"""A long document: chapters in, the block for the next chapter out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from backstory.api.aio_document_chapters import AsyncDocumentChapters
from backstory.api.aio_document_drafts import AsyncDocumentDrafts
from backstory.api.aio_document_entities import AsyncDocumentEntities
from backstory.api.aio_document_opened import _DocumentOpened
from backstory.api.aio_document_threads import AsyncDocumentThreads
from backstory.api.aio_moving import _path_of
from backstory.api.document_inputs import (
    DEFAULT_BUDGET,
    block_budget,
    labels_of,
    name_of,
    number_of,
    optional_number,
    summary_of,
    text_of,
    title_of,
)
from backstory.core.block.lines import BlockLabels
from backstory.core.model.block import Block, Conflict, DocumentStatus
from backstory.core.model.document import ChapterResult, DocumentInfo
from backstory.core.model.moving import ExportResult
from backstory.core.model.results import FlushResult
from backstory.core.text import clean
from backstory.services.documents.requests import BlockRequest, GivenChapter


class AsyncDocument(_DocumentOpened):
    """A long document that never outgrows its budget: a novel, a course, a long report.

    It is made with a path or an open memory, or by ``AsyncMemory.document``. Nothing is stored
    before ``create``, or the first chapter, thread, entity or draft. As a context manager it closes
    what it opened.

    Args:
        store: A path, ``":memory:"``, ``"postgresql://…"``, or an open memory.
        id: The document's name, unique in the tenant.
        planned_chapters: How many parts it will have; threads are scheduled by it. None = as
            stored, else open.
        unit: What a part is called, in the document's language: "chapter", "lesson", "scene".
            None = as stored, else "chapter".
        embedder, llm, tenant, settings, clock, ids: As of ``AsyncMemory``; only with a path.

    Raises:
        ConfigurationError: A setting cannot be used.
        InvalidInputError: The id, number or unit cannot be accepted.
    """

    @property
    def chapters(self) -> AsyncDocumentChapters:
        """The chapters as they are stored."""
        return AsyncDocumentChapters(self)

    @property
    def entities(self) -> AsyncDocumentEntities:
        """Who and what occurs, what is so of them, and who knows it."""
        return AsyncDocumentEntities(self)

    @property
    def threads(self) -> AsyncDocumentThreads:
        """What was promised to the reader, and what became of it."""
        return AsyncDocumentThreads(self)

    @property
    def drafts(self) -> AsyncDocumentDrafts:
        """Texts that are not part of the document."""
        return AsyncDocumentDrafts(self)

    async def create(self) -> DocumentInfo:
        """Store the document before it has a chapter, or what this handle plans of a known one.

        Not needed before the first chapter, thread, entity or draft: they do it too.
        """
        services = await self._open()
        return await services.documents.create(self._scope, self._plan)

    async def add_chapter(
        self, number: int, text: str, summary: str | None = None, title: str | None = None
    ) -> ChapterResult:
        """Store a chapter, with what can be read in it; it is durable when this returns.

        Chapters may come in any order and with gaps. The same text again changes nothing. Where
        a model is set it reads the chapter after it is stored; if it fails, ``degraded`` says so
        and ``flush`` asks again.

        Args:
            number: Its number, from 1.
            text: The text; NUL and half surrogate pairs become U+FFFD.
            summary: Yours; None = an extract, or the model's.
            title: Its title.

        Raises:
            InvalidInputError: The number, text or summary cannot be accepted; nothing was stored.
            ConflictError: The number holds another text; see ``revise_chapter``.
        """
        given = _given(number, text, summary, title)
        services = await self._open()
        return await services.document_writer.add(self._scope, self._plan, given)

    async def revise_chapter(
        self, number: int, text: str, summary: str | None = None, title: str | None = None
    ) -> ChapterResult:
        """Replace the text of a chapter.

        What was derived from the old text is withdrawn: its summary, sightings, states, thread
        operations, passages and vectors. What you entered by hand stays. The old text is kept in
        ``chapters.history``.

        Raises:
            NotFoundError: There is no such chapter.
            InvalidInputError: The text or summary cannot be accepted; nothing was changed.
        """
        given = _given(number, text, summary, title)
        services = await self._open()
        return await services.document_writer.revise(self._scope, self._plan, given)

    async def remove_chapter(self, number: int) -> int:
        """Remove a chapter with its history and all that was derived from it.

        What it did to threads is undone, also where you entered it; their plans stay.

        Returns:
            How many records went with it.

        Raises:
            NotFoundError: There is no such chapter.
        """
        checked = number_of(number)
        services = await self._open()
        return await services.document_writer.remove(self._scope, checked)

    async def block(
        self,
        chapter: int | None = None,
        max_tokens: int = DEFAULT_BUDGET,
        *,
        query: str | None = None,
        as_of_chapter: int | None = None,
        knower: str | None = None,
        count_tokens: str | Callable[[str], int] | None = None,
        labels: BlockLabels | None = None,
    ) -> Block:
        """Build the context for writing a chapter, never larger than its budget.

        Args:
            chapter: The chapter to be written; None = the one behind the last.
            max_tokens: The budget: ``count_tokens(block.text) <= max_tokens``.
            query: What the chapter is about; passages of earlier chapters are found by it. None =
                the last two summaries and the threads that are owed. "" = no passages: then the
                block costs no search.
            as_of_chapter: Nothing of later chapters is shown; None = ``chapter - 1``.
            knower: A character by name: only what this one may know. Chapters and passages where it
                does not occur, hidden entities, threads and states, and states that others know,
                are left out; of mixed chapters the sentences that name the character are shown.
                None = the author, who sees everything, plans and notes marked.
            count_tokens: As of ``AsyncMemory.context``.
            labels: Other words for headings and marks, for another language.

        Raises:
            InvalidInputError: An argument is outside its range.
            BudgetError: The counter counts the empty text above the budget.
        """
        wanted = optional_number(chapter, "chapter")
        as_of = optional_number(as_of_chapter, "as_of_chapter", 0)
        asked = None if query is None else clean(query, "query")
        who = None if knower is None else name_of(knower, "knower")
        budget, words = block_budget(max_tokens), labels_of(labels)
        count = await self._memory._counter(count_tokens or self._memory._settings.token_counter)
        services = await self._open()
        info = await self._info(services)
        number = wanted if wanted is not None else (info.last_chapter or 0) + 1
        request = BlockRequest(
            chapter=number,
            budget=budget,
            as_of=number - 1 if as_of is None else as_of,
            count=count,
            query=asked,
            knower=who,
            labels=words,
        )
        return await services.document_blocks.build(self._scope, info, request)

    async def check(self, text: str, chapter: int | None = None) -> list[Conflict]:
        """Find what in a text contradicts the chapters before it. Nothing is stored.

        Args:
            text: A chapter, a scene or a sentence.
            chapter: Where it stands; None = behind the last chapter.
        """
        wanted = optional_number(chapter, "chapter")
        services = await self._open()
        info = await self._info(services)
        number = wanted if wanted is not None else (info.last_chapter or 0) + 1
        checked = text_of(text, number)
        return list(await services.document_checking.check(self._scope, info, checked, number))

    async def status(self) -> DocumentStatus:
        """Say how the document stands: gaps, threads, contradictions, what is pending."""
        services = await self._open()
        return await services.document_status.of(self._scope, await self._info(services))

    async def info(self) -> DocumentInfo:
        """The document's settings and size."""
        services = await self._open()
        return await self._info(services)

    async def flush(self) -> FlushResult:
        """Make the vectors that are missing, and let the model read what it has not read."""
        services = await self._open()
        return await services.documents.flush(self._scope)

    async def export(self, path: str | PurePath) -> ExportResult:
        """Write all of the document to a file; ``AsyncMemory.import_file`` reads it.

        Raises:
            FileError: It cannot be written; a file that was there is still there.
            NotFoundError: Nothing is stored of the document.
        """
        place = _path_of(path)
        services = await self._open()
        return await services.document_moving.export(self._scope, place)

    async def delete(self) -> bool:
        """Remove the document with everything that belongs to it, for good.

        Returns:
            False if nothing was stored of it.
        """
        services = await self._open()
        return await services.documents.delete(self._scope)


def _given(number: object, text: object, summary: object, title: object) -> GivenChapter:
    checked = number_of(number)
    return GivenChapter(
        number=checked,
        text=text_of(text, checked),
        summary=summary_of(summary),
        title=title_of(title),
    )
