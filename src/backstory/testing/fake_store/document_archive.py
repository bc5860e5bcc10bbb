"""Whole documents of the store in memory, out and in."""

from collections.abc import Callable

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
from backstory.core.model.entity import Entity, EntityState, Knower
from backstory.core.model.plot import PlotThread
from backstory.errors import ConflictError
from backstory.ports.documents import DocumentScope, NewPassage
from backstory.testing.fake_store.document_state import (
    DocumentState,
    Known,
    Sighted,
    Stated,
    documents_of,
)
from backstory.testing.fake_store.state import MemoryDatabase


class MemoryDocumentArchive:
    """Implements ``DocumentArchive``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def read_out(self, scope: DocumentScope) -> DocumentRecords | None:
        """All of a document."""
        state = documents_of(self._database).get(scope)
        return None if state is None else _records(state)

    async def restore(
        self,
        scope: DocumentScope,
        records: DocumentRecords,
        terms: Callable[[str], bytes],
        terms_version: int,
    ) -> bool:
        """Store a document that is not there."""
        known = documents_of(self._database).get(scope)
        if known is not None:
            if _records(known) == records:
                return False
            raise ConflictError(f"the document {scope.document_id!r} is there with other content")
        state = _state(records, terms, terms_version)
        documents_of(self._database)[scope] = state
        return True


def _records(state: DocumentState) -> DocumentRecords:
    return DocumentRecords(
        unit=state.unit,
        planned_chapters=state.planned,
        created_at=state.created_at,
        next_thread=state.next_thread,
        chapters=tuple(_chapter(state, number) for number in sorted(state.chapters)),
        entities=tuple(_archived(state, entity_id) for entity_id in state.entities),
        sightings=tuple(
            ArchivedSighting(
                number=number,
                entity_id=entity_id,
                times=row.times,
                kind=row.kind,
                aliases=row.aliases,
            )
            for (number, entity_id), row in sorted(
                state.sightings.items(), key=lambda item: item[0]
            )
        ),
        states=_states(state),
        threads=tuple(
            ArchivedThread(
                number=number,
                summary=plan.summary,
                kind=plan.kind,
                deadline=plan.deadline,
                hidden=plan.hidden,
                authored=plan.authored,
            )
            for number, plan in sorted(state.threads.items())
        ),
        events=tuple(sorted(state.events, key=lambda event: event.id)),
        drafts=tuple(state.drafts[number] for number in sorted(state.drafts)),
    )


def _chapter(state: DocumentState, number: int) -> ArchivedChapter:
    cut = state.passages.get(number, ())
    return ArchivedChapter(
        versions=state.chapters[number],
        passages=tuple(ArchivedPassage(start=one.start, end=one.end) for one in cut),
    )


def _states(state: DocumentState) -> tuple[ArchivedState, ...]:
    knowers: dict[str, list[ArchivedKnower]] = {}
    for known in state.knowers:
        knowers.setdefault(known.state_id, []).append(
            ArchivedKnower(
                name=known.knower.name,
                since_chapter=known.knower.since_chapter,
                revision=known.revision,
            )
        )
    return tuple(
        ArchivedState(
            id=row.state.id,
            entity_id=row.entity_id,
            attribute=row.state.attribute,
            value=row.state.value,
            chapter=row.state.chapter,
            quote=row.state.quote,
            revision=row.state.revision,
            hidden=row.state.hidden,
            restricted=row.restricted,
            knowers=tuple(knowers.get(row.state.id, ())),
        )
        for row in sorted(state.states.values(), key=lambda row: row.seq)
    )


def _archived(state: DocumentState, entity_id: str) -> ArchivedEntity:
    made, folded = state.entities[entity_id], state.entity(entity_id)
    return ArchivedEntity(
        id=entity_id,
        name=made.name,
        kind=folded.kind,
        aliases=folded.aliases,
        own_aliases=made.aliases,
        case_sensitive=made.case_sensitive,
        authored=made.authored,
        hidden=made.hidden,
    )


def _state(
    records: DocumentRecords, terms: Callable[[str], bytes], terms_version: int
) -> DocumentState:
    state = DocumentState(
        unit=records.unit,
        planned=records.planned_chapters,
        created_at=records.created_at,
        next_thread=records.next_thread,
        next_seq=max([1, *(event.id + 1 for event in records.events)]),
    )
    for chapter in records.chapters:
        now = chapter.versions[-1]
        state.chapters[now.number] = chapter.versions
        state.passages[now.number] = tuple(
            NewPassage(
                place=place,
                start=one.start,
                end=one.end,
                terms=terms(now.text[one.start : one.end]),
                terms_version=terms_version,
            )
            for place, one in enumerate(chapter.passages)
        )
    for one in records.entities:
        state.entities[one.id] = Entity(
            id=one.id,
            name=one.name,
            kind=one.kind,
            aliases=one.own_aliases,
            case_sensitive=one.case_sensitive,
            authored=one.authored,
            hidden=one.hidden,
        )
    for sighting in records.sightings:
        state.sightings[sighting.number, sighting.entity_id] = Sighted(
            times=sighting.times, kind=sighting.kind, aliases=sighting.aliases
        )
    for archived in records.states:
        _put_state(state, archived)
    for thread in records.threads:
        state.threads[thread.number] = PlotThread(
            number=thread.number,
            summary=thread.summary,
            kind=thread.kind,
            deadline=thread.deadline,
            hidden=thread.hidden,
            authored=thread.authored,
        )
    state.events = records.events
    state.drafts = {draft.number: draft for draft in records.drafts}
    return state


def _put_state(state: DocumentState, archived: ArchivedState) -> None:
    state.states[archived.id] = Stated(
        seq=state.take(),
        entity_id=archived.entity_id,
        restricted=archived.restricted,
        state=EntityState(
            id=archived.id,
            entity=state.entities[archived.entity_id].name,
            attribute=archived.attribute,
            value=archived.value,
            chapter=archived.chapter,
            quote=archived.quote,
            revision=archived.revision,
            hidden=archived.hidden,
        ),
    )
    state.knowers += tuple(
        Known(
            state_id=archived.id,
            knower=Knower(name=one.name, since_chapter=one.since_chapter),
            revision=one.revision,
        )
        for one in archived.knowers
    )
