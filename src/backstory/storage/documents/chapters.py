"""Chapters, their history, and their passages, on a given connection."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from backstory.core.model.document import Chapter, SummarySource
from backstory.ports.documents import DocumentScope, NewChapter, NewPassage, SummaryLine
from backstory.storage.documents.statements import Whole, changed, key, owned, owner
from backstory.storage.rows import AnyRow
from backstory.storage.statements import BulkInsert, Prepared
from backstory.storage.tables import Tables

_VERSION = (
    "number",
    "revised",
    "revision",
    "recorded_at",
    "summary_source",
    "title",
    "summary",
    "text",
)
_SOURCES = {str(source): source for source in SummarySource}


class ChapterRows(metaclass=Prepared):
    """Reads and writes chapters.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        chapters, revisions = tables.document_chapters, tables.document_revisions
        passages = tables.document_passages
        self._whole = whole = Whole(dialect)
        mine = owned(chapters)
        number: ColumnElement[Any] = bindparam("at")
        this = mine & (chapters.c.number == number)
        columns = [chapters.c[name] for name in _VERSION]
        self._one = select(*columns).where(this)
        self._page = (
            select(*columns)
            .where(mine, chapters.c.number > bindparam("after"))
            .order_by(chapters.c.number)
            .limit(bindparam("most"))
        )
        lines = select(
            chapters.c.number, chapters.c.title, chapters.c.summary, chapters.c.revision
        ).where(mine)
        self._latest = (
            lines.where(chapters.c.number < bindparam("before"))
            .order_by(chapters.c.number.desc())
            .limit(bindparam("most"))
        )
        given = whole.rows("numbers")
        at_or_below = (
            select(chapters.c.number)
            .where(mine, chapters.c.number <= given.c.value)
            .order_by(chapters.c.number.desc())
            .limit(1)
            .correlate(given)
            .scalar_subquery()
        )
        wanted = select(at_or_below.label("number")).select_from(given)
        self._near = lines.where(chapters.c.number.in_(wanted)).order_by(chapters.c.number)
        before = func.lag(chapters.c.number, 1, 0).over(order_by=chapters.c.number)
        pairs = select(before.label("before"), chapters.c.number).where(mine).subquery()
        self._gaps = (
            select(pairs.c.before, pairs.c.number)
            .where(pairs.c.number > pairs.c.before + 1)
            .order_by(pairs.c.number)
            .limit(bindparam("most"))
        )
        self._insert = insert(chapters)
        self._keep = insert(revisions).from_select(
            [*key(DocumentScope("", "")), *_VERSION],
            select(chapters.c.tenant_id, chapters.c.document_id, *columns).where(this),
        )
        self._replace = update(chapters).where(this).values(changed(chapters, *_VERSION[1:]))
        self._set_summary = (
            update(chapters).where(this).values(changed(chapters, "summary", "summary_source"))
        )
        self._drop = delete(chapters).where(this)
        old = [revisions.c[name] for name in _VERSION]
        self._history = (
            select(*old)
            .where(owned(revisions), revisions.c.number == number)
            .order_by(revisions.c.revised)
        )
        self._drop_passages = delete(passages).where(owned(passages), passages.c.number == number)
        self._add_passages = BulkInsert(passages, dialect)

    def one(self, connection: Connection, scope: DocumentScope, number: int) -> Chapter | None:
        """A chapter as it is now."""
        row = connection.execute(self._one, {**owner(scope), "at": number}).first()
        return None if row is None else _to_chapter(row)

    def history(self, connection: Connection, scope: DocumentScope, number: int) -> list[Chapter]:
        """All versions of a chapter, the current one last."""
        now = self.one(connection, scope, number)
        if now is None:
            return []
        rows = connection.execute(self._history, {**owner(scope), "at": number})
        return [*map(_to_chapter, rows), now]

    def page(
        self, connection: Connection, scope: DocumentScope, limit: int, after: int
    ) -> list[Chapter]:
        """Chapters in order, behind a number."""
        rows = connection.execute(self._page, {**owner(scope), "after": after, "most": limit})
        return [_to_chapter(row) for row in rows]

    def latest(
        self, connection: Connection, scope: DocumentScope, before: int, limit: int
    ) -> list[SummaryLine]:
        """The last chapters below a number, in order."""
        given = {**owner(scope), "before": before, "most": limit}
        return [_to_line(row) for row in connection.execute(self._latest, given)][::-1]

    def near(
        self, connection: Connection, scope: DocumentScope, numbers: Sequence[int]
    ) -> list[SummaryLine]:
        """For each number the last chapter at or below it."""
        if not numbers:
            return []
        given = {**owner(scope), "numbers": self._whole.given(numbers)}
        return [_to_line(row) for row in connection.execute(self._near, given)]

    def missing(self, connection: Connection, scope: DocumentScope, limit: int) -> list[int]:
        """The first numbers without a chapter, below the last one."""
        found: list[int] = []
        for row in connection.execute(self._gaps, {**owner(scope), "most": limit}):
            behind = min(row.number, row.before + 1 + limit - len(found))
            found += range(row.before + 1, behind)
        return found

    def add(
        self, connection: Connection, scope: DocumentScope, new: NewChapter, now: datetime
    ) -> Chapter:
        """Insert a chapter that is not there."""
        chapter = _made(new, 0, now)
        connection.execute(self._insert, {**key(scope), **_values(chapter)})
        return chapter

    def replace(
        self,
        connection: Connection,
        scope: DocumentScope,
        old: Chapter,
        new: NewChapter,
        now: datetime,
    ) -> Chapter:
        """Put a version in the place of another one, which goes into the history."""
        chapter = _made(new, old.revised + 1, now)
        this = {**owner(scope), "at": new.number}
        connection.execute(self._keep, this)
        values = _values(chapter)
        given = {f"new_{name}": values[name] for name in _VERSION[1:]}
        connection.execute(self._replace, {**this, **given})
        return chapter

    def summarise(
        self,
        connection: Connection,
        scope: DocumentScope,
        number: int,
        summary: str,
        source: SummarySource,
    ) -> None:
        """Write a chapter's summary."""
        given = {"new_summary": summary, "new_summary_source": str(source)}
        connection.execute(self._set_summary, {**owner(scope), "at": number, **given})

    def drop(self, connection: Connection, scope: DocumentScope, number: int) -> None:
        """Remove a chapter with its history."""
        connection.execute(self._drop, {**owner(scope), "at": number})

    def drop_passages(self, connection: Connection, scope: DocumentScope, number: int) -> int:
        """Remove the passages of a chapter with their vectors; how many."""
        given = {**owner(scope), "at": number}
        return connection.execute(self._drop_passages, given).rowcount

    def add_passages(
        self,
        connection: Connection,
        scope: DocumentScope,
        chapter: Chapter,
        passages: Sequence[NewPassage],
        change_no: int,
    ) -> None:
        """Insert the passages of a chapter."""
        common = {
            **key(scope),
            "number": chapter.number,
            "revision": chapter.revision,
            "change_no": change_no,
            "generation_id": None,
        }
        rows = [
            {
                **common,
                "place": passage.place,
                "first": passage.start,
                "behind": passage.end,
                "terms": passage.terms,
                "terms_version": passage.terms_version,
            }
            for passage in passages
        ]
        if rows:
            self._add_passages.run(connection, rows)


def _made(new: NewChapter, revised: int, now: datetime) -> Chapter:
    return Chapter(
        number=new.number,
        revision=new.revision,
        title=new.title,
        text=new.text,
        summary=new.summary,
        summary_source=new.summary_source,
        recorded_at=now,
        revised=revised,
    )


def _values(chapter: Chapter) -> dict[str, Any]:
    plain = {name: getattr(chapter, name) for name in _VERSION}
    return {**plain, "summary_source": str(chapter.summary_source)}


def _to_chapter(row: AnyRow) -> Chapter:
    number, revised, revision, recorded_at, source, title, summary, text = row
    return Chapter(
        number=number,
        revised=revised,
        revision=revision,
        recorded_at=recorded_at,
        summary_source=_SOURCES[source],
        title=title,
        summary=summary,
        text=text,
    )


def _to_line(row: AnyRow) -> SummaryLine:
    number, title, summary, revision = row
    return SummaryLine(number=number, title=title, summary=summary, revision=revision)
