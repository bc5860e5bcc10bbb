"""``DocumentArchive`` on SQLite and PostgreSQL."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from backstory.core.model.document import Chapter, SummarySource
from backstory.core.model.document_archive import (
    ArchivedChapter,
    ArchivedEntity,
    ArchivedKnower,
    ArchivedPassage,
    ArchivedSighting,
    ArchivedState,
    ArchivedThread,
    DocumentRecords,
)
from backstory.core.model.entity import EntityKind
from backstory.core.model.plot import PlotThread
from backstory.errors import ConflictError
from backstory.ports.documents import DocumentScope
from backstory.storage.documents.base import DocumentPart
from backstory.storage.documents.drafts import DraftRows
from backstory.storage.documents.rows import Held
from backstory.storage.documents.statements import key, owned, owner
from backstory.storage.rows import AnyRow, hash_name


class SqlDocumentArchive(DocumentPart):
    """Implements ``DocumentArchive``."""

    async def read_out(self, scope: DocumentScope) -> DocumentRecords | None:
        """All of a document as of one moment."""
        return await self._units.read(lambda c: self._records(c, scope))

    async def restore(
        self,
        scope: DocumentScope,
        records: DocumentRecords,
        terms: Callable[[str], bytes],
        terms_version: int,
    ) -> bool:
        """Store a document that is not there."""

        def write(connection: Connection) -> bool:
            known = self._records(connection, scope)
            if known is not None:
                if known == records:
                    return False
                raise ConflictError(
                    f"the document {scope.document_id[:80]!r} is there with other content; "
                    "delete it first, or import into another tenant or store"
                )
            self._documents.make(connection, scope, records.created_at)
            held = self._documents.hold(connection, scope)
            self._documents.change(connection, scope, records.unit, records.planned_chapters)
            self._put_chapters(connection, scope, records, terms, terms_version)
            self._put_cast(connection, scope, held, records)
            self._put_plot(connection, scope, records)
            held.chapters = len(records.chapters)
            held.next_thread = records.next_thread
            held.next_seq = max([held.next_seq, *(event.id + 1 for event in records.events)])
            held.rename()
            self._documents.release(connection, scope, held)
            return True

        return await self._units.write(write)

    def _records(self, connection: Connection, scope: DocumentScope) -> DocumentRecords | None:
        held = self._documents.lock(connection, scope)
        if held is None:
            return None
        t = self._t
        threads = self._threads.all(connection, scope)
        numbers = [thread.number for thread in threads]
        events = self._threads.events(connection, scope, numbers) if numbers else []
        return DocumentRecords(
            unit=held.info.unit,
            planned_chapters=held.info.planned_chapters,
            created_at=held.info.created_at,
            next_thread=held.next_thread,
            chapters=self._archived_chapters(connection, scope),
            entities=tuple(
                _to_entity(row) for row in self._rows(connection, scope, t.document_entities, "seq")
            ),
            sightings=tuple(
                _to_sighting(row)
                for row in self._rows(
                    connection, scope, t.document_sightings, "number", "entity_id"
                )
            ),
            states=self._archived_states(connection, scope),
            threads=tuple(_to_plan(thread) for thread in threads),
            events=tuple(sorted(events, key=lambda event: event.id)),
            drafts=tuple(DraftRows(t).all(connection, scope)),
        )

    def _rows(
        self, connection: Connection, scope: DocumentScope, table: Table, *order: str
    ) -> list[AnyRow]:
        columns = [table.c[name] for name in order]
        query = select(table).where(owned(table)).order_by(*columns)
        return list(connection.execute(query, owner(scope)))

    def _archived_chapters(
        self, connection: Connection, scope: DocumentScope
    ) -> tuple[ArchivedChapter, ...]:
        t = self._t
        old: dict[int, list[Chapter]] = {}
        for row in self._rows(connection, scope, t.document_revisions, "number", "revised"):
            old.setdefault(row.number, []).append(_to_chapter(row))
        cut: dict[int, list[ArchivedPassage]] = {}
        for row in self._rows(connection, scope, t.document_passages, "number", "place"):
            cut.setdefault(row.number, []).append(ArchivedPassage(start=row.first, end=row.behind))
        return tuple(
            ArchivedChapter(
                versions=(*old.get(row.number, ()), _to_chapter(row)),
                passages=tuple(cut.get(row.number, ())),
            )
            for row in self._rows(connection, scope, t.document_chapters, "number")
        )

    def _archived_states(
        self, connection: Connection, scope: DocumentScope
    ) -> tuple[ArchivedState, ...]:
        t = self._t
        knowers: dict[str, list[ArchivedKnower]] = {}
        for row in self._rows(connection, scope, t.document_knowers, "seq"):
            knowers.setdefault(row.state_id, []).append(
                ArchivedKnower(
                    name=row.name, since_chapter=row.since_chapter, revision=row.revision
                )
            )
        return tuple(
            ArchivedState(
                id=row.id,
                entity_id=row.entity_id,
                attribute=row.attribute,
                value=row.value,
                chapter=row.chapter,
                quote=row.quote,
                revision=row.revision,
                hidden=row.hidden,
                restricted=row.restricted,
                knowers=tuple(knowers.get(row.id, ())),
            )
            for row in self._rows(connection, scope, t.document_states, "seq")
        )

    def _put_chapters(
        self,
        connection: Connection,
        scope: DocumentScope,
        records: DocumentRecords,
        terms: Callable[[str], bytes],
        terms_version: int,
    ) -> None:
        t = self._t
        now = [chapter.versions[-1] for chapter in records.chapters]
        old = [version for chapter in records.chapters for version in chapter.versions[:-1]]
        _put(connection, t.document_chapters, scope, map(_of_chapter, now))
        _put(connection, t.document_revisions, scope, map(_of_chapter, old))
        passages = (
            {
                "number": chapter.versions[-1].number,
                "place": place,
                "revision": chapter.versions[-1].revision,
                "first": passage.start,
                "behind": passage.end,
                "change_no": 0,
                "generation_id": None,
                "terms": terms(chapter.versions[-1].text[passage.start : passage.end]),
                "terms_version": terms_version,
            }
            for chapter in records.chapters
            for place, passage in enumerate(chapter.passages)
        )
        _put(connection, t.document_passages, scope, passages)

    def _put_cast(
        self, connection: Connection, scope: DocumentScope, held: Held, records: DocumentRecords
    ) -> None:
        t = self._t
        revisions = {c.versions[-1].number: c.versions[-1].revision for c in records.chapters}
        seq = held.take(len(records.entities))
        _put(
            connection,
            t.document_entities,
            scope,
            (_of_entity(entity, seq + n) for n, entity in enumerate(records.entities)),
        )
        _put(
            connection,
            t.document_sightings,
            scope,
            (_of_sighting(sighting, revisions) for sighting in records.sightings),
        )
        occurs = Counter(one.entity_id for one in records.sightings if one.times)
        self._entities.fold(connection, scope, occurs, [])
        seq = held.take(len(records.states))
        _put(
            connection,
            t.document_states,
            scope,
            (_of_state(state, seq + n) for n, state in enumerate(records.states)),
        )
        knowing = [(state.id, one) for state in records.states for one in state.knowers]
        seq = held.take(len(knowing))
        _put(
            connection,
            t.document_knowers,
            scope,
            (
                {
                    "seq": seq + n,
                    "state_id": state_id,
                    "name": one.name,
                    "since_chapter": one.since_chapter,
                    "revision": one.revision,
                }
                for n, (state_id, one) in enumerate(knowing)
            ),
        )
        self._states.fold(
            connection,
            scope,
            *({(state.entity_id, state.attribute): state.chapter} for state in records.states),
        )

    def _put_plot(
        self, connection: Connection, scope: DocumentScope, records: DocumentRecords
    ) -> None:
        threads = [
            PlotThread(
                number=one.number,
                summary=one.summary,
                kind=one.kind,
                deadline=one.deadline,
                hidden=one.hidden,
                authored=one.authored,
            )
            for one in records.threads
        ]
        self._threads.add(connection, scope, threads)
        self._threads.add_events(connection, scope, records.events)
        numbers = [thread.number for thread in threads]
        self._threads.fold(connection, scope, numbers, records.planned_chapters)
        drafts = DraftRows(self._t)
        for draft in records.drafts:
            drafts.put(connection, scope, draft)


def _put(
    connection: Connection, table: Table, scope: DocumentScope, rows: Iterable[dict[str, Any]]
) -> None:
    listed = [{**key(scope), **row} for row in rows]
    if listed:
        connection.execute(insert(table), listed)


def _of_chapter(chapter: Chapter) -> dict[str, Any]:
    return {
        "number": chapter.number,
        "revised": chapter.revised,
        "revision": chapter.revision,
        "recorded_at": chapter.recorded_at,
        "summary_source": str(chapter.summary_source),
        "title": chapter.title,
        "summary": chapter.summary,
        "text": chapter.text,
    }


def _to_chapter(row: AnyRow) -> Chapter:
    return Chapter(
        number=row.number,
        revised=row.revised,
        revision=row.revision,
        recorded_at=row.recorded_at,
        summary_source=SummarySource(row.summary_source),
        title=row.title,
        summary=row.summary,
        text=row.text,
    )


def _of_entity(entity: ArchivedEntity, seq: int) -> dict[str, Any]:
    return {
        "id": entity.id,
        "seq": seq,
        "name": entity.name,
        "name_hash": hash_name(entity.name),
        "kind": str(entity.kind),
        "aliases": list(entity.aliases),
        "own_aliases": list(entity.own_aliases),
        "case_sensitive": entity.case_sensitive,
        "authored": entity.authored,
        "hidden": entity.hidden,
        "first_chapter": None,
        "last_chapter": None,
        "mentions": 0,
    }


def _to_entity(row: AnyRow) -> ArchivedEntity:
    return ArchivedEntity(
        id=row.id,
        name=row.name,
        kind=EntityKind(row.kind),
        aliases=tuple(row.aliases),
        own_aliases=tuple(row.own_aliases),
        case_sensitive=row.case_sensitive,
        authored=row.authored,
        hidden=row.hidden,
    )


def _of_sighting(sighting: ArchivedSighting, revisions: dict[int, str]) -> dict[str, Any]:
    return {
        "number": sighting.number,
        "entity_id": sighting.entity_id,
        "revision": revisions[sighting.number],
        "times": sighting.times,
        "kind": None if sighting.kind is None else str(sighting.kind),
        "aliases": list(sighting.aliases),
    }


def _to_sighting(row: AnyRow) -> ArchivedSighting:
    return ArchivedSighting(
        number=row.number,
        entity_id=row.entity_id,
        times=row.times,
        kind=None if row.kind is None else EntityKind(row.kind),
        aliases=tuple(row.aliases),
    )


def _of_state(state: ArchivedState, seq: int) -> dict[str, Any]:
    return {
        "id": state.id,
        "seq": seq,
        "entity_id": state.entity_id,
        "attribute": state.attribute,
        "value": state.value,
        "chapter": state.chapter,
        "quote": state.quote,
        "revision": state.revision,
        "hidden": state.hidden,
        "restricted": state.restricted,
        "until_chapter": None,
    }


def _to_plan(thread: PlotThread) -> ArchivedThread:
    return ArchivedThread(
        number=thread.number,
        summary=thread.summary,
        kind=thread.kind,
        deadline=thread.deadline,
        hidden=thread.hidden,
        authored=thread.authored,
    )
