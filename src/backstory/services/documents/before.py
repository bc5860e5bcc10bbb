"""What a reader is told of a document before a chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from backstory.ports.chapter_reader import ChapterToRead
from backstory.services.documents.requests import DEFAULT_UNIT
from backstory.services.documents.threads_of import threads_before
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from backstory.core.model.document import DocumentInfo
    from backstory.core.model.plot import PlotThread
    from backstory.ports.documents import DocumentScope, DocumentStore, SummaryLine
    from backstory.services.documents.known import KnownDocuments
    from backstory.services.documents.requests import GivenChapter

INLINE_CHARS: Final = 4_000
"""Longer texts are read, cut and looked through in a thread."""
_MOST_THREADS: Final = 40


async def chapter_to_read(
    documents: DocumentStore,
    known: KnownDocuments,
    scope: DocumentScope,
    info: DocumentInfo,
    given: GivenChapter,
    *,
    for_model: bool = False,
    all_states: bool = False,
) -> ChapterToRead:
    """A chapter with the entities that it names.

    Args:
        documents: Where they are.
        known: Their names.
        scope: The document.
        info: As it is now.
        given: The chapter.
        for_model: With the open threads and the chapter before it, of which rules read nothing.
        all_states: With all states of the entities, and not only those that hold.
    """
    names = await known.names(scope)
    text = f"{given.title}\n{given.text}"
    if len(text) <= INLINE_CHARS:
        ids = list(names.named(text))
    else:
        ids = list(await run_in_thread(names.named, text))
    before = given.number - 1
    entities = []
    if ids:
        entities = await documents.entities(scope, ids, before, current=not all_states)
    threads: tuple[PlotThread, ...] = ()
    last: list[SummaryLine] = []
    if for_model:
        then = await threads_before(documents, scope, info, given.number, before)
        threads = (*then.owed, *then.open)[:_MOST_THREADS]
        last = await documents.latest(scope, given.number, 1)
    return ChapterToRead(
        number=given.number,
        title=given.title,
        text=given.text,
        unit=info.unit or DEFAULT_UNIT,
        planned=info.planned_chapters,
        previous=last[0].summary if last else "",
        entities=tuple(entities),
        threads=threads,
        given_summary=given.summary,
    )
