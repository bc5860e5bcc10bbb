"""Entities, states and threads of documents in memory."""

# ruff: noqa: ARG002 - the port gives a time also where nothing keeps one

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.block.view import NOTE, note_name
from backstory.core.model.entity import Entity, EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind
from backstory.core.plot.folding import is_closed, is_orphan
from backstory.core.plot.urgency import urgency_key
from backstory.errors import NotFoundError
from backstory.ports.documents import DocumentScope, EntityName, NameCounter
from backstory.testing.fake_store.document_plans import check_name, is_idle, put_state
from backstory.testing.fake_store.document_state import (
    DocumentState,
    Known,
    Sighted,
    changing,
    documents_of,
)
from backstory.testing.fake_store.state import MemoryDatabase


class MemoryCanon:
    """Implements ``CanonStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    def _state(self, scope: DocumentScope) -> DocumentState:
        empty = DocumentState(unit="", planned=None, created_at=datetime.max)  # noqa: DTZ901
        return documents_of(self._database).get(scope, empty)

    async def names_stamp(self, scope: DocumentScope) -> tuple[int, int]:
        """Changes with every change of a name."""
        state = documents_of(self._database).get(scope)
        return (0, 0) if state is None else (state.next_seq, state.epoch)

    async def names(self, scope: DocumentScope) -> list[EntityName]:
        """All entities, as they are found in texts."""
        state = self._state(scope)
        return [
            EntityName(
                id=entity.id,
                name=entity.name,
                aliases=entity.aliases,
                case_sensitive=entity.case_sensitive,
                authored=entity.authored,
                hidden=entity.hidden,
            )
            for entity in map(state.entity, state.entities)
        ]

    async def entities(
        self,
        scope: DocumentScope,
        ids: Sequence[str] | None,
        upto: int | None,
        *,
        current: bool = False,
    ) -> list[Entity]:
        """Entities up to a chapter."""
        state = self._state(scope)
        found = [state.entity(e, upto) for e in state.entities if ids is None or e in ids]
        return [
            replace(entity, states=_holding(entity.states)) if current else entity
            for entity in found
            if upto is None or entity.authored or entity.mentions or entity.states
        ]

    async def sightings(
        self, scope: DocumentScope, numbers: Sequence[int]
    ) -> dict[int, dict[str, int]]:
        """Which entities occur in chapters."""
        found: dict[int, dict[str, int]] = {}
        for (number, one), row in sorted(self._state(scope).sightings.items(), key=_by_times):
            if number in numbers and row.times:
                found.setdefault(number, {})[one] = row.times
        return found

    async def seen(self, scope: DocumentScope, entity_id: str, before: int) -> list[int]:
        """Chapters that an entity occurs in."""
        rows = self._state(scope).sightings
        return sorted(
            n for (n, one), row in rows.items() if one == entity_id and row.times and n < before
        )

    async def put_entity(
        self,
        scope: DocumentScope,
        entity: Entity,
        now: datetime,
        count: NameCounter | None = None,
    ) -> Entity:
        """Store what the author says of an entity."""
        with changing(self._database, scope) as state:
            check_name(state, entity)
            old = state.entities.get(entity.id)
            state.entities[entity.id] = replace(entity, states=(), authored=True)
            if count is not None:
                _look(state, entity, count, keeps=old is None or _has_all(entity, old))
            for place, row in state.sightings.items():
                if place[1] == entity.id:
                    state.sightings[place] = replace(row, kind=None, aliases=())
            state.epoch += 1
            return state.entity(entity.id)

    async def put_state(
        self, scope: DocumentScope, state: EntityState, now: datetime
    ) -> EntityState:
        """Store what the author says."""
        with changing(self._database, scope) as stored:
            ids = {entity.name: one for one, entity in stored.entities.items()}
            if state.entity not in ids:
                raise NotFoundError(f"no entity is called {state.entity!r}")
            own = replace(state, revision=None)
            if state.id in stored.states:
                stored.epoch += 1
            elif own.attribute == NOTE:
                known = stored.states_of(ids[state.entity], None)
                own = replace(own, attribute=note_name(known))
            stored.knowers = tuple(k for k in stored.knowers if k.state_id != state.id)
            put_state(stored, ids[state.entity], own)
            return stored.shown(stored.states[state.id])

    async def put_knower(
        self, scope: DocumentScope, state_id: str, knower: Knower, now: datetime
    ) -> EntityState:
        """Let a character know of a state."""
        with changing(self._database, scope) as stored:
            if state_id not in stored.states:
                raise NotFoundError("there is no such state")
            row = stored.states[state_id]
            if not row.state.hidden:
                stored.states[state_id] = row = replace(row, restricted=True)
            stored.knowers += (Known(state_id=state_id, knower=knower, revision=None),)
            return stored.shown(row)

    async def drop_entity(self, scope: DocumentScope, entity_id: str, now: datetime) -> bool:
        """Remove an entity."""
        if entity_id not in self._state(scope).entities:
            return False
        with changing(self._database, scope) as state:
            del state.entities[entity_id]
            state.sightings = {k: v for k, v in state.sightings.items() if k[1] != entity_id}
            left = {n: row for n, row in state.states.items() if row.entity_id != entity_id}
            state.states = left
            state.knowers = tuple(k for k in state.knowers if k.state_id in left)
            state.epoch += 1
        return True

    async def drop_state(self, scope: DocumentScope, state_id: str, now: datetime) -> bool:
        """Remove one state."""
        if state_id not in self._state(scope).states:
            return False
        with changing(self._database, scope) as state:
            entity_id = state.states.pop(state_id).entity_id
            state.knowers = tuple(k for k in state.knowers if k.state_id != state_id)
            if is_idle(state, entity_id):
                del state.entities[entity_id]
            state.epoch += 1
        return True

    async def plant(
        self, scope: DocumentScope, thread: PlotThread, chapter: int | None, now: datetime
    ) -> PlotThread:
        """Store a thread of the author."""
        with changing(self._database, scope) as state:
            number = state.next_thread
            state.next_thread += 1
            state.threads[number] = replace(thread, number=number, authored=True)
            if chapter is not None:
                planted = ThreadEventKind.PLANTED
                state.events += (
                    ThreadEvent(id=state.take(), thread=number, kind=planted, chapter=chapter),
                )
            return state.thread(number)

    async def plan_thread(
        self, scope: DocumentScope, thread: PlotThread, now: datetime
    ) -> PlotThread:
        """Change the author's plan of a thread."""
        with changing(self._database, scope) as state:
            _check_thread(state, thread.number)
            state.threads[thread.number] = replace(thread, authored=True)
            return state.thread(thread.number)

    async def add_event(
        self, scope: DocumentScope, event: ThreadEvent, now: datetime
    ) -> PlotThread:
        """Record what happens to a thread."""
        with changing(self._database, scope) as state:
            _check_thread(state, event.thread)
            state.events += (replace(event, id=state.take(), revision=None),)
            return state.thread(event.thread)

    async def drop_thread(self, scope: DocumentScope, number: int, now: datetime) -> bool:
        """Remove a thread with its events."""
        if number not in self._state(scope).threads:
            return False
        with changing(self._database, scope) as state:
            del state.threads[number]
            state.events = tuple(event for event in state.events if event.thread != number)
            state.epoch += 1
        return True

    async def open_threads(
        self, scope: DocumentScope, chapter: int, limit: int
    ) -> tuple[list[PlotThread], int]:
        """Threads that are not closed, the most urgent first, and how many there are."""
        state = self._state(scope)
        found = [t for t in map(state.thread, state.threads) if not is_closed(t)]
        found.sort(key=lambda thread: urgency_key(thread, state.planned))
        return found[:limit], len(found)

    async def open_then(self, scope: DocumentScope, upto: int) -> list[PlotThread]:
        """Threads that were not closed after a chapter."""
        now = {one.number: one for one in await self.threads(scope, None, None)}
        return [
            one
            for one in await self.threads(scope, None, upto)
            if not is_closed(one) and (now[one.number].planted_in or 0) <= upto
        ]

    async def threads(
        self, scope: DocumentScope, numbers: Sequence[int] | None, upto: int | None
    ) -> list[PlotThread]:
        """Threads by number, folded up to a chapter."""
        state = self._state(scope)
        found = [
            state.thread(number, upto)
            for number in sorted(state.threads)
            if numbers is None or number in numbers
        ]
        return [thread for thread in found if upto is None or not is_orphan(thread)]

    async def events(self, scope: DocumentScope, number: int) -> list[ThreadEvent]:
        """What happened to a thread."""
        found = [event for event in self._state(scope).events if event.thread == number]
        return sorted(found, key=lambda event: (event.chapter, event.id))


def _holding(states: Sequence[EntityState]) -> tuple[EntityState, ...]:
    """Without those that a later one ends which everybody knows of."""
    return tuple(
        state
        for place, state in enumerate(states)
        if not any(
            later.attribute == state.attribute and not later.hidden and not later.known_by
            for later in states[place + 1 :]
        )
    )


def _has_all(entity: Entity, old: Entity) -> bool:
    names = {old.name, *old.aliases}
    same_case = entity.case_sensitive == old.case_sensitive
    return same_case and names <= {entity.name, *entity.aliases}


def _look(state: DocumentState, entity: Entity, count: NameCounter, *, keeps: bool) -> None:
    for chapter in state.current():
        times, place = count(chapter.text), (chapter.number, entity.id)
        old = state.sightings.get(place)
        if old is not None:
            kept = max(times, old.times) if keeps else times
            state.sightings[place] = replace(old, times=kept)
        elif times:
            state.sightings[place] = Sighted(times=times)


def _check_thread(state: DocumentState, number: int) -> None:
    if number not in state.threads:
        raise NotFoundError(f"there is no thread {number}")


def _by_times(item: tuple[tuple[int, str], Sighted]) -> tuple[int, int, str]:
    (number, one), row = item
    return number, -row.times, one
