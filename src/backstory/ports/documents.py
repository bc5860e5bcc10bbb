"""The part of the store that holds documents: chapters, entities, threads, passages, drafts.

Every method but ``listed`` takes a ``DocumentScope``; nothing of another document or tenant can
be read or changed through it. A method that writes returns when its effect is durable, and each
is one transaction that no other write of the document can cross.

What is derived from a chapter (sightings, states, learned knowledge, threads and their events,
passages, vectors) carries the revision it was read in, and goes when that revision goes. What the
author entered carries none, and stays. The folded columns of a thread are made anew from its
events in the transaction that changes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from backstory.core.model.document import Chapter, DocumentInfo, Draft
from backstory.core.model.embedding import Generation
from backstory.core.model.entity import Entity, EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadEvent
from backstory.core.model.scope import DocumentScope
from backstory.ports.document_archive import DocumentArchive
from backstory.ports.document_values import (
    Canon,
    ChapterPlan,
    EntityName,
    NameCounter,
    Needed,
    NewChapter,
    NewPassage,
    PassageRow,
    PassageText,
    Planner,
    StoredChapter,
    SummaryLine,
)

__all__ = [
    "Canon",
    "CanonStore",
    "ChapterPlan",
    "ChapterStore",
    "DocumentScope",
    "DocumentStore",
    "DraftStore",
    "EntityName",
    "NameCounter",
    "Needed",
    "NewChapter",
    "NewPassage",
    "PassageRow",
    "PassageStore",
    "PassageText",
    "Planner",
    "StoredChapter",
    "SummaryLine",
]


class ChapterStore(Protocol):
    """Documents and their chapters."""

    async def ensure(
        self, scope: DocumentScope, unit: str | None, planned: int | None, now: datetime
    ) -> DocumentInfo:
        """The document, made if it is new; what is not None changes a known one."""
        ...

    async def info(self, scope: DocumentScope) -> DocumentInfo | None:
        """The document, or None if there is none."""
        ...

    async def listed(
        self, tenant_id: str, limit: int, after: str | None = None
    ) -> list[DocumentInfo]:
        """Documents in the order of their ids, behind ``after``."""
        ...

    async def delete(self, scope: DocumentScope) -> bool:
        """Remove the document with all that belongs to it; the file keeps no trace of it."""
        ...

    async def stamp(self, scope: DocumentScope) -> tuple[int, int]:
        """(next number, epoch): they change with every write and every removal."""
        ...

    async def add(
        self,
        scope: DocumentScope,
        chapter: NewChapter,
        plan: Planner,
        now: datetime,
        needed: Needed | None = None,
    ) -> StoredChapter:
        """Store a new chapter and what its plan derives.

        Args:
            scope: The document.
            chapter: The chapter.
            plan: Is called in the transaction.
            now: When.
            needed: What the plan looks at; None = all. More may come.

        Raises:
            ConflictError: The number holds another text, or a new entity the name of another;
                nothing was stored.
            NotFoundError: There is no such document, or no entity or thread that the plan names;
                nothing was stored.
        """
        ...

    async def revise(
        self,
        scope: DocumentScope,
        chapter: NewChapter,
        plan: Planner,
        now: datetime,
        needed: Needed | None = None,
    ) -> StoredChapter:
        """Replace a chapter; all that was derived from its old version goes first.

        The old text stays in the chapter's history. A thread stays as long as an event of another
        chapter holds it. The same text, title and given summary change nothing.

        Raises:
            NotFoundError: There is no such chapter.
        """
        ...

    async def reread(
        self,
        scope: DocumentScope,
        number: int,
        revision: str,
        plan: Planner,
        now: datetime,
        needed: Needed | None = None,
    ) -> StoredChapter | None:
        """Derive anew from a version that is stored; None if it is no longer the current one."""
        ...

    async def remove(self, scope: DocumentScope, number: int, now: datetime) -> int | None:
        """Remove a chapter with its history, all that was derived from it, and its thread events.

        Events that were entered by hand for it go too: a thread keeps no state that no chapter
        gives.

        Returns:
            How many derived records and events went, or None if there was no such chapter.
        """
        ...

    async def chapter(self, scope: DocumentScope, number: int) -> Chapter | None:
        """One chapter, as it is now."""
        ...

    async def history(self, scope: DocumentScope, number: int) -> list[Chapter]:
        """All versions of a chapter, the current one last."""
        ...

    async def page(self, scope: DocumentScope, limit: int, after: int = 0) -> list[Chapter]:
        """Chapters in order of their numbers, behind ``after``."""
        ...

    async def latest(self, scope: DocumentScope, before: int, limit: int) -> list[SummaryLine]:
        """The last chapters below ``before``, at most ``limit``, in order."""
        ...

    async def near(self, scope: DocumentScope, numbers: Sequence[int]) -> list[SummaryLine]:
        """For each number the last chapter at or below it; each once, in order."""
        ...

    async def missing(self, scope: DocumentScope, limit: int) -> list[int]:
        """The first numbers without a chapter, below the last one."""
        ...


class CanonStore(Protocol):
    """Entities, states and threads: those of the chapters, and those of the author."""

    async def names_stamp(self, scope: DocumentScope) -> tuple[int, int]:
        """Changes with every change of a name and every removal, and not with every write."""
        ...

    async def names(self, scope: DocumentScope) -> list[EntityName]:
        """All entities, as they are found in texts."""
        ...

    async def entities(
        self,
        scope: DocumentScope,
        ids: Sequence[str] | None,
        upto: int | None,
        *,
        current: bool = False,
    ) -> list[Entity]:
        """Entities with what is stored of them up to a chapter; None = all.

        With ``current``, of their states only those that a later one, which everybody knows of,
        has not ended: as many as there are attributes, however long the document is. With
        ``upto``, those are left out that nothing had told of and no author entered. Who learns of
        a state later is in ``known_by`` too.
        """
        ...

    async def sightings(
        self, scope: DocumentScope, numbers: Sequence[int]
    ) -> dict[int, dict[str, int]]:
        """Which entities occur in chapters: entity id to times, by chapter number."""
        ...

    async def seen(self, scope: DocumentScope, entity_id: str, before: int) -> list[int]:
        """Numbers of the chapters below ``before`` that an entity occurs in, in order."""
        ...

    async def put_entity(
        self, scope: DocumentScope, entity: Entity, now: datetime, count: NameCounter | None = None
    ) -> Entity:
        """Store what the author says of an entity; its states are not read.

        Args:
            scope: The document.
            entity: As the author enters it.
            now: When.
            count: Finds its names in all chapters, which gives its sightings, in the same
                transaction. Those of a reader stay where it finds none, unless a name of the
                author's went or changed. None = sightings are left as they are.

        Raises:
            ConflictError: Another entity has the name.
        """
        ...

    async def put_state(
        self, scope: DocumentScope, state: EntityState, now: datetime
    ) -> EntityState:
        """Store what the author says; an id that is known is replaced.

        A new "note" becomes "note 2" and so on, if its entity has notes.

        Raises:
            NotFoundError: There is no entity of that name.
        """
        ...

    async def put_knower(
        self, scope: DocumentScope, state_id: str, knower: Knower, now: datetime
    ) -> EntityState:
        """Let a character know of a state from a chapter on.

        Of a state that everybody knew of, only those know then who are said to. What a plan has
        ``learned`` never makes a secret of what everybody knows.

        Raises:
            NotFoundError: There is no such state.
        """
        ...

    async def drop_entity(self, scope: DocumentScope, entity_id: str, now: datetime) -> bool:
        """Remove an entity with its states and sightings."""
        ...

    async def drop_state(self, scope: DocumentScope, state_id: str, now: datetime) -> bool:
        """Remove one state."""
        ...

    async def plant(
        self, scope: DocumentScope, thread: PlotThread, chapter: int | None, now: datetime
    ) -> PlotThread:
        """Store a thread of the author, planned or planted in a chapter; its number is given."""
        ...

    async def plan_thread(
        self, scope: DocumentScope, thread: PlotThread, now: datetime
    ) -> PlotThread:
        """Change the author's plan of a thread (summary, kind, deadline, hidden); no event.

        The thread counts as the author's from then on.

        Raises:
            NotFoundError: There is no such thread.
        """
        ...

    async def add_event(
        self, scope: DocumentScope, event: ThreadEvent, now: datetime
    ) -> PlotThread:
        """Record what happens to a thread; its status is folded anew.

        Raises:
            NotFoundError: There is no such thread.
        """
        ...

    async def drop_thread(self, scope: DocumentScope, number: int, now: datetime) -> bool:
        """Remove a thread with its events."""
        ...

    async def open_threads(
        self, scope: DocumentScope, chapter: int, limit: int
    ) -> tuple[list[PlotThread], int]:
        """Planned, open and progressing threads, the most urgent first, and how many there are."""
        ...

    async def open_then(self, scope: DocumentScope, upto: int) -> list[PlotThread]:
        """Threads that were planned, open or progressing after a chapter, as they were then.

        By number; what a later chapter plants is no plan any more and is left out.
        """
        ...

    async def threads(
        self, scope: DocumentScope, numbers: Sequence[int] | None, upto: int | None
    ) -> list[PlotThread]:
        """Threads by number, folded from the events up to a chapter; None = all.

        With ``upto``, those are left out that no event tells of and no author planned.
        """
        ...

    async def events(self, scope: DocumentScope, number: int) -> list[ThreadEvent]:
        """What happened to a thread, in order of chapters."""
        ...


class PassageStore(Protocol):
    """Passages and their vectors."""

    async def passages(
        self, scope: DocumentScope, generation: Generation | None, since: int = 0
    ) -> list[PassageRow]:
        """Passages in order: all, or those that were written since a stamp of the same epoch.

        Args:
            scope: The document.
            generation: Of the vectors; None = without them.
            since: The first number of an earlier ``stamp``: what changed behind it, a passage
                that got its vector included. When the epoch changed, all must be read.
        """
        ...

    async def passage_texts(
        self, scope: DocumentScope, keys: Sequence[tuple[int, int]]
    ) -> list[PassageText]:
        """Passages by (chapter, place), in the order asked for; unknown ones are left out."""
        ...

    async def pending(
        self, scope: DocumentScope, generation: Generation, limit: int
    ) -> list[PassageText]:
        """Passages that need a vector."""
        ...

    async def put_vectors(
        self,
        scope: DocumentScope,
        generation: Generation,
        made: Sequence[tuple[PassageText, bytes]],
    ) -> int:
        """Store vectors of passages whose revision is still the current one; how many."""
        ...

    async def count_pending(self, scope: DocumentScope, generation: Generation | None) -> int:
        """How many passages wait for a vector."""
        ...


class DraftStore(Protocol):
    """Texts that are not canon."""

    async def put_draft(self, scope: DocumentScope, draft: Draft) -> None:
        """Store a draft; it takes the place of one of the same number."""
        ...

    async def draft(self, scope: DocumentScope, number: int) -> Draft | None:
        """One draft."""
        ...

    async def drafts(self, scope: DocumentScope) -> list[Draft]:
        """All drafts, in order."""
        ...

    async def drop_draft(self, scope: DocumentScope, number: int) -> bool:
        """Remove a draft; nothing of it stays."""
        ...


class DocumentStore(ChapterStore, CanonStore, PassageStore, DraftStore, Protocol):
    """All of a document."""

    @property
    def archive(self) -> DocumentArchive:
        """Whole documents, out and in."""
        ...
