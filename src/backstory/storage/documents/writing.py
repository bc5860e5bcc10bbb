"""Writes of chapters: each a function over one transaction that holds the document's row."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from backstory.core.model.document import Chapter, SummarySource
from backstory.errors import ConflictError, NotFoundError
from backstory.ports.documents import (
    ChapterPlan,
    DocumentScope,
    Needed,
    NewChapter,
    Planner,
    StoredChapter,
)
from backstory.storage.documents.chapters import ChapterRows
from backstory.storage.documents.derived import DerivedRows, Withdrawn
from backstory.storage.documents.rows import DocumentRows, Held
from backstory.storage.statements import Prepared
from backstory.storage.tables import Tables


class ChapterWriter(metaclass=Prepared):
    """Adds, replaces, reads anew and removes chapters, on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        self._documents = DocumentRows(tables)
        self._chapters = ChapterRows(tables, dialect)
        self._derived = DerivedRows(tables, dialect)

    def add(
        self,
        connection: Connection,
        scope: DocumentScope,
        new: NewChapter,
        plan: Planner,
        now: datetime,
        needed: Needed | None,
    ) -> StoredChapter:
        """Store a new chapter."""
        held = self._documents.hold(connection, scope)
        known = self._chapters.one(connection, scope, new.number)
        if known is not None:
            if known.text == new.text:
                return StoredChapter(chapter=known, plan=ChapterPlan(), created=False)
            raise ConflictError(
                f"{held.info.unit} {new.number} holds another text; revise it to replace that"
            )
        chapter = self._chapters.add(connection, scope, new, now)
        self._chapters.add_passages(connection, scope, chapter, new.passages, held.take())
        held.chapters += 1
        return self._derive(connection, scope, held, chapter, plan, Withdrawn(), needed)

    def revise(
        self,
        connection: Connection,
        scope: DocumentScope,
        new: NewChapter,
        plan: Planner,
        now: datetime,
        needed: Needed | None,
    ) -> StoredChapter:
        """Replace a chapter; all that was derived from its old version goes."""
        held = self._documents.hold(connection, scope)
        known = self._chapters.one(connection, scope, new.number)
        if known is None:
            raise _missing(held, new.number)
        if _is_same(known, new):
            return StoredChapter(chapter=known, plan=ChapterPlan(), created=False)
        place = (known.number, known.revision)
        withdrawn = self._derived.withdraw(connection, scope, held, place)
        withdrawn.count += self._chapters.drop_passages(connection, scope, new.number)
        held.epoch += 1
        chapter = self._chapters.replace(connection, scope, known, new, now)
        self._chapters.add_passages(connection, scope, chapter, new.passages, held.take())
        return self._derive(connection, scope, held, chapter, plan, withdrawn, needed)

    def reread(
        self,
        connection: Connection,
        scope: DocumentScope,
        number: int,
        revision: str,
        plan: Planner,
        needed: Needed | None,
    ) -> StoredChapter | None:
        """Derive anew from the current version, if it is that one."""
        held = self._documents.hold(connection, scope)
        known = self._chapters.one(connection, scope, number)
        if known is None or known.revision != revision:
            return None
        withdrawn = self._derived.withdraw(connection, scope, held, (number, revision))
        return self._derive(connection, scope, held, known, plan, withdrawn, needed)

    def remove(self, connection: Connection, scope: DocumentScope, number: int) -> int | None:
        """Remove a chapter with all that was derived from it; how many records of that."""
        held = self._documents.lock(connection, scope)
        known = None if held is None else self._chapters.one(connection, scope, number)
        if held is None or known is None:
            return None
        place = (number, known.revision)
        count = self._derived.forget_events(connection, scope, held, number)
        withdrawn = self._derived.withdraw(connection, scope, held, place)
        count += self._derived.settle(connection, scope, withdrawn)
        count += self._chapters.drop_passages(connection, scope, number)
        self._chapters.drop(connection, scope, number)
        held.chapters -= 1
        held.epoch += 1
        self._documents.release(connection, scope, held)
        return count

    def _derive(
        self,
        connection: Connection,
        scope: DocumentScope,
        held: Held,
        chapter: Chapter,
        planner: Planner,
        withdrawn: Withdrawn,
        needed: Needed | None,
    ) -> StoredChapter:
        place = (chapter.number, chapter.revision)
        canon = self._derived.canon(connection, scope, held, chapter.number, withdrawn, needed)
        plan, gone = self._derived.write(
            connection, scope, held, place, canon, planner(canon), withdrawn
        )
        if plan.summary is not None:
            summary, source = plan.summary
            self._chapters.summarise(connection, scope, chapter.number, summary, source)
            chapter = replace(chapter, summary=summary, summary_source=source)
        self._documents.release(connection, scope, held)
        stamps = held.locked, held.names_stamp
        is_only_more = held.epoch == held.locked[1]
        return StoredChapter(
            chapter=chapter,
            plan=plan,
            withdrawn=gone,
            names_stamps=stamps if is_only_more else None,
        )


def _missing(held: Held, number: int) -> NotFoundError:
    return NotFoundError(f"there is no {held.info.unit} {number}")


def _is_same(known: Chapter, new: NewChapter) -> bool:
    """Whether a version says nothing new; only a caller's summary counts as said."""
    same_summary = new.summary_source is not SummarySource.GIVEN or new.summary == known.summary
    return known.text == new.text and known.title == new.title and same_summary
