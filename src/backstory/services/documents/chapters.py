"""The way in: a chapter is read by rules, checked, and stored in one transaction with its passages.

A model reads it after that. What it says, and the chapter bears out, takes the place of what the
rules found; of the rest the rules' findings stay. If it fails, all of them stay, and the next flush
asks again. Nothing of an answer is stored unless all of it came.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from backstory.core.block.cutting import passages
from backstory.core.canon.needing import names_in, threads_in
from backstory.core.canon.planning import ChapterFacts
from backstory.core.model.chapter_reading import ChapterReading
from backstory.core.model.document import Chapter, ChapterResult, SummarySource
from backstory.errors import BackstoryError, ConflictError, ModelError, NotFoundError, ReadingError
from backstory.language.lexicon import STOP_WORDS
from backstory.language.terms import TERMS_VERSION
from backstory.ports.documents import (
    Needed,
    NewChapter,
    NewPassage,
    PassageText,
    StoredChapter,
)
from backstory.services.documents.before import INLINE_CHARS, chapter_to_read
from backstory.services.documents.owed import OwedReadings
from backstory.services.documents.passage_terms import passage_terms
from backstory.services.documents.planning import plan_chapter
from backstory.services.documents.requests import DocumentPlan, GivenChapter
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from backstory.core.model.document import DocumentInfo
    from backstory.ports.chapter_reader import ChapterReader, ChapterToRead
    from backstory.ports.clock import Clock
    from backstory.ports.documents import DocumentScope, DocumentStore, Planner
    from backstory.ports.ids import Ids
    from backstory.services.documents.known import KnownDocuments
    from backstory.services.documents.vectors import PassageVectors

_PAGE: Final = 50


@dataclass(frozen=True, kw_only=True)
class Rereading:
    """What a flush read again."""

    read: int = 0
    failed: int = 0
    reasons: tuple[str, ...] = ()


class ChapterWriter:
    """Adds, replaces and removes chapters.

    Args:
        documents: Where they go.
        known: What is kept in memory of them.
        rules: Reads every chapter at once.
        model: Reads it better, after that; None = nobody does.
        vectors: Makes the vectors of passages.
        clock, ids: The time of each commit, and new ids.
        wake: Called when something is left to the background.
    """

    def __init__(
        self,
        documents: DocumentStore,
        known: KnownDocuments,
        rules: ChapterReader,
        model: ChapterReader | None,
        vectors: PassageVectors,
        clock: Clock,
        ids: Ids,
        wake: Callable[[], None],
    ) -> None:
        self._documents = documents
        self._known = known
        self._rules = rules
        self._model = model
        self._vectors = vectors
        self._clock = clock
        self._ids = ids
        self._wake = wake
        self._owed = OwedReadings()

    async def add(
        self, scope: DocumentScope, plan: DocumentPlan, given: GivenChapter
    ) -> ChapterResult:
        """Store a new chapter. The same text again changes nothing.

        Raises:
            ConflictError: The number holds another text.
        """
        info = await self._ensured(scope, plan)
        chapter = await self._new(given)
        planner, needed = await self._read_by_rules(scope, info, given, chapter)
        try:
            stored = await self._documents.add(scope, chapter, planner, self._clock.now(), needed)
        except ConflictError as error:
            known = await self._documents.chapter(scope, given.number)
            if known is None or known.text == given.text:
                raise
            raise _is_taken(scope, given.number) from error
        return await self._finished(scope, info, chapter, stored)

    async def revise(
        self, scope: DocumentScope, plan: DocumentPlan, given: GivenChapter
    ) -> ChapterResult:
        """Replace a chapter; what was derived from its old text goes first.

        Raises:
            NotFoundError: There is no such chapter.
        """
        if await self._documents.info(scope) is None:
            raise _no_chapter(scope, given.number)
        info = await self._ensured(scope, plan)
        chapter = await self._new(given)
        planner, needed = await self._read_by_rules(scope, info, given, chapter)
        stored = await self._documents.revise(scope, chapter, planner, self._clock.now(), needed)
        return await self._finished(scope, info, chapter, stored)

    async def remove(self, scope: DocumentScope, number: int) -> int:
        """Remove a chapter with its history and all that was derived from it.

        Raises:
            NotFoundError: There is no such chapter.
        """
        removed = await self._documents.remove(scope, number, self._clock.now())
        if removed is None:
            raise _no_chapter(scope, number)
        self._owed.forget(scope, number)
        self._known.forget(scope)
        return removed

    async def reread(self, scope: DocumentScope) -> Rereading:
        """Let the model read what it has not read: where the summary is still an extract."""
        info = await self._documents.info(scope)
        if self._model is None or info is None:
            return Rereading()
        read = failed = 0
        reasons: dict[str, None] = {}
        after = 0
        while page := await self._documents.page(scope, _PAGE, after):
            after = page[-1].number
            for chapter in page:
                if not self._owed.includes(scope, chapter):
                    continue
                _, reason = await self._read_by_model(scope, info, chapter)
                read, failed = read + (reason is None), failed + (reason is not None)
                if reason is not None:
                    reasons[reason] = None
        return Rereading(read=read, failed=failed, reasons=tuple(reasons))

    async def _ensured(self, scope: DocumentScope, plan: DocumentPlan) -> DocumentInfo:
        info = await self._documents.info(scope)
        if info is not None and (
            plan.unit in {None, info.unit}
            and plan.planned_chapters in {None, info.planned_chapters}
        ):
            return info
        return await self._documents.ensure(
            scope, plan.unit, plan.planned_chapters, self._clock.now()
        )

    async def _new(self, given: GivenChapter) -> NewChapter:
        if len(given.text) <= INLINE_CHARS:
            cut = _passages(given.text)
        else:
            cut = await run_in_thread(_passages, given.text)
        has_summary = given.summary is not None and bool(given.summary.strip())
        return NewChapter(
            number=given.number,
            revision=self._ids.new(),
            title=given.title,
            text=given.text,
            summary=(given.summary or "").strip(),
            summary_source=SummarySource.GIVEN if has_summary else SummarySource.EXTRACT,
            passages=cut,
        )

    async def _read_by_rules(
        self, scope: DocumentScope, info: DocumentInfo, given: GivenChapter, chapter: NewChapter
    ) -> tuple[Planner, Needed]:
        asked = await chapter_to_read(self._documents, self._known, scope, info, given)
        reading = await self._rules.read(asked)
        planner = self._planner(chapter, reading, SummarySource.EXTRACT)
        return planner, await self._needed(scope, reading)

    async def _needed(
        self, scope: DocumentScope, reading: ChapterReading, also: ChapterReading | None = None
    ) -> Needed:
        stamp, names = await self._known.stamped_names(scope)
        named = chain.from_iterable(names_in(one) for one in (reading, also) if one is not None)
        return Needed(
            names_stamp=stamp,
            entities=tuple(names.bearers(named)),
            threads=threads_in(reading),
            has_threads=bool(reading.threads),
        )

    def _planner(
        self,
        chapter: NewChapter,
        reading: ChapterReading,
        source: SummarySource,
        also: ChapterReading | None = None,
    ) -> Planner:
        facts = ChapterFacts(
            number=chapter.number,
            revision=chapter.revision,
            text=f"{chapter.title}\n{chapter.text}",
            has_summary=chapter.summary_source is SummarySource.GIVEN,
            stop_words=STOP_WORDS,
        )
        return partial(plan_chapter, facts, reading, also, source, self._ids.new)

    async def _finished(
        self,
        scope: DocumentScope,
        info: DocumentInfo,
        chapter: NewChapter,
        stored: StoredChapter,
    ) -> ChapterResult:
        """Vectors and the model's reading, after what is durable."""
        degraded = None
        if stored.created:
            self._known.note(scope, stored)
            degraded = await self._vectors.make_at_once(scope, _texts(chapter))
            if self._model is not None:
                again, reason = await self._read_by_model(scope, info, stored.chapter)
                degraded = reason or degraded
                if again is not None:
                    stored = replace(again, withdrawn=stored.withdrawn)
        pending = await self._vectors.count_pending(scope)
        if pending:
            self._wake()
        return await self._result(scope, stored, min(pending, len(chapter.passages)), degraded)

    async def _read_by_model(
        self, scope: DocumentScope, info: DocumentInfo, chapter: Chapter
    ) -> tuple[StoredChapter | None, str | None]:
        """One call of the model, whose findings come before those of the rules.

        What failed is remembered, to be tried again by a flush.
        """
        if self._model is None:
            return None, None
        given = GivenChapter(
            number=chapter.number,
            text=chapter.text,
            title=chapter.title,
            summary=chapter.summary if chapter.summary_source is SummarySource.GIVEN else None,
        )
        try:
            asked = await chapter_to_read(
                self._documents, self._known, scope, info, given, for_model=True
            )
            reading = await _asked(self._model, asked)
        except (ModelError, ReadingError) as error:
            self._owed.failed(scope, chapter)
            return None, f"chapter {chapter.number} was read by rules only: {error}"
        new = NewChapter(
            number=chapter.number,
            revision=chapter.revision,
            title=chapter.title,
            text=chapter.text,
            summary=chapter.summary,
            summary_source=chapter.summary_source,
        )
        rules = await self._rules.read(asked)
        planner = self._planner(new, reading, SummarySource.MODEL, rules)
        needed = await self._needed(scope, reading, rules)
        stored = await self._documents.reread(
            scope, chapter.number, chapter.revision, planner, self._clock.now(), needed
        )
        if stored is None:
            self._owed.forget(scope, chapter.number)
            return None, None
        self._known.note(scope, stored)
        return stored, self._owed.read(scope, stored.chapter)

    async def _result(
        self, scope: DocumentScope, stored: StoredChapter, pending: int, degraded: str | None
    ) -> ChapterResult:
        plan = stored.plan
        known = (await self._known.names(scope)).entities if plan.sightings else {}
        touched = {event.thread: None for event in plan.events}
        touched.update((thread.number, None) for thread in plan.threads)
        return ChapterResult(
            chapter=stored.chapter,
            entities=tuple(known[one].name for one in plan.sightings if one in known),
            threads=tuple(sorted(touched)),
            withdrawn=stored.withdrawn,
            rejected=plan.rejected,
            pending=pending,
            degraded=degraded,
        )


async def _asked(model: ChapterReader, chapter: ChapterToRead) -> ChapterReading:
    try:
        return await model.read(chapter)
    except BackstoryError:
        raise
    except Exception as error:  # foreign code may raise anything
        raise ModelError(f"{model.name} failed: {type(error).__name__}: {error}") from error


def _passages(text: str) -> tuple[NewPassage, ...]:
    return tuple(
        NewPassage(
            place=place,
            start=cut.start,
            end=cut.end,
            terms=passage_terms(text[cut.start : cut.end]),
            terms_version=TERMS_VERSION,
        )
        for place, cut in enumerate(passages(text))
    )


def _texts(chapter: NewChapter) -> list[PassageText]:
    return [
        PassageText(
            number=chapter.number,
            place=passage.place,
            revision=chapter.revision,
            text=chapter.text[passage.start : passage.end],
        )
        for passage in chapter.passages
    ]


def _is_taken(scope: DocumentScope, number: int) -> ConflictError:
    return ConflictError(
        f"chapter {number} of the document {scope.document_id!r} holds another text; nothing was "
        f"stored. To replace it use revise_chapter({number}, text)"
    )


def _no_chapter(scope: DocumentScope, number: int) -> NotFoundError:
    return NotFoundError(f"the document {scope.document_id!r} has no chapter {number}")
