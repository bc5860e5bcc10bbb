"""What a reader is told of a document before a chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from backstory.ports.chapter_reader import ChapterToRead
from backstory.services.documents.requests import DEFAULT_UNIT
from backstory.services.documents.threads_of import threads_before

if TYPE_CHECKING:
    from backstory.core.model.document import DocumentInfo
    from backstory.ports.documents import DocumentScope, DocumentStore
    from backstory.services.documents.known import KnownDocuments
    from backstory.services.documents.requests import GivenChapter

_MOST_THREADS: Final = 40


async def chapter_to_read(
    documents: DocumentStore,
    known: KnownDocuments,
    scope: DocumentScope,
    info: DocumentInfo,
    given: GivenChapter,
) -> ChapterToRead:
    """A chapter with the entities that it names, the open threads and the chapter before it."""
    names = await known.names(scope)
    ids = list(names.named(f"{given.title}\n{given.text}"))
    before = given.number - 1
    entities = await documents.entities(scope, ids, before) if ids else []
    then = await threads_before(documents, scope, info, given.number, before)
    last = await documents.latest(scope, given.number, 1)
    return ChapterToRead(
        number=given.number,
        title=given.title,
        text=given.text,
        unit=info.unit or DEFAULT_UNIT,
        planned=info.planned_chapters,
        previous=last[0].summary if last else "",
        entities=tuple(entities),
        threads=(*then.owed, *then.open)[:_MOST_THREADS],
        given_summary=given.summary,
    )
