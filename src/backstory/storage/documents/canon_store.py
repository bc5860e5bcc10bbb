"""``CanonStore`` on SQLite and PostgreSQL."""

# ruff: noqa: ARG002 - the port gives a time also where nothing keeps one

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from backstory.core.block.view import NOTE, note_name
from backstory.core.model.entity import Entity, EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind
from backstory.errors import NotFoundError
from backstory.ports.documents import DocumentScope, EntityName, NameCounter
from backstory.storage.documents.base import DocumentPart
from backstory.storage.documents.rows import Held
from backstory.storage.documents.states import place_of


class SqlCanon(DocumentPart):
    """Implements ``CanonStore``."""

    async def names_stamp(self, scope: DocumentScope) -> tuple[int, int]:
        """Changes with every change of a name, and not with every write."""
        found = await self._units.peek(lambda c: self._documents.stamp(c, scope))
        return (0, 0) if found is None else (found.names_seq, found.epoch)

    async def names(self, scope: DocumentScope) -> list[EntityName]:
        """All entities, as they are found in texts."""
        return await self._units.peek(lambda c: self._entities.names(c, scope))

    async def entities(
        self,
        scope: DocumentScope,
        ids: Sequence[str] | None,
        upto: int | None,
        *,
        current: bool = False,
    ) -> list[Entity]:
        """Entities with what is stored of them up to a chapter; None = all."""

        def read(connection: Connection) -> list[Entity]:
            found = self._entities.load(connection, scope, ids, upto)
            states = self._states.of(connection, scope, ids, upto, current=current)
            return _known_then(found, states, upto)

        return await self._units.read(read)

    async def sightings(
        self, scope: DocumentScope, numbers: Sequence[int]
    ) -> dict[int, dict[str, int]]:
        """Which entities occur in chapters: entity id to times, by chapter number."""
        return await self._units.peek(lambda c: self._entities.sightings(c, scope, numbers))

    async def seen(self, scope: DocumentScope, entity_id: str, before: int) -> list[int]:
        """Numbers of the chapters below ``before`` that an entity occurs in, in order."""
        return await self._units.peek(lambda c: self._entities.seen(c, scope, entity_id, before))

    async def put_entity(
        self,
        scope: DocumentScope,
        entity: Entity,
        now: datetime,
        count: NameCounter | None = None,
    ) -> Entity:
        """Store what the author says of an entity; its states are not read."""

        def write(connection: Connection) -> Entity:
            held = self._documents.hold(connection, scope)
            keeps = self._entities.put(connection, scope, entity, held.take())
            if count is not None:
                more = self._looking.look(connection, scope, entity.id, count, keeps=keeps)
                self._entities.fold(connection, scope, {entity.id: more}, ())
            held.rename()
            held.epoch += 1
            self._documents.release(connection, scope, held)
            (stored,) = self._entities.load(connection, scope, [entity.id], None)
            states = self._states.of(connection, scope, [entity.id], None)
            return replace(stored, states=tuple(states.get(entity.id, ())))

        return await self._units.write(write)

    async def put_state(
        self, scope: DocumentScope, state: EntityState, now: datetime
    ) -> EntityState:
        """Store what the author says; an id that is known is replaced."""

        def write(connection: Connection) -> EntityState:
            held = self._documents.hold(connection, scope)
            entity = self._entities.named(connection, scope, state.entity)
            if entity is None:
                raise NotFoundError(f"no entity is called {state.entity[:80]!r}")
            old = self._states.one(connection, scope, state.id)
            places = {} if old is None else place_of(*old)
            self._states.drop(connection, scope, state.id)
            own = replace(state, revision=None)
            if old is None and own.attribute == NOTE:
                known = self._states.of(connection, scope, [entity.id], None)
                own = replace(own, attribute=note_name(known.get(entity.id, ())))
            seq = held.take(1 + len(own.known_by))
            added = self._states.add(connection, scope, [(entity.id, own)], seq)
            self._states.fold(connection, scope, places, added)
            held.epoch += old is not None
            self._documents.release(connection, scope, held)
            return self._state(connection, scope, state.id)

        return await self._units.write(write)

    async def put_knower(
        self, scope: DocumentScope, state_id: str, knower: Knower, now: datetime
    ) -> EntityState:
        """Let a character know of a state from a chapter on."""

        def write(connection: Connection) -> EntityState:
            held = self._documents.hold(connection, scope)
            _, state = self._states.one(connection, scope, state_id) or (None, None)
            if state is None:
                raise NotFoundError("there is no such state")
            if not state.known_by and not state.hidden:
                self._states.restrict(connection, scope, state_id)
            self._states.learn(connection, scope, [(state_id, knower)], None, held.take())
            found = self._states.one(connection, scope, state_id)
            if found is not None:
                self._states.fold(connection, scope, place_of(*found))
            self._documents.release(connection, scope, held)
            return self._state(connection, scope, state_id)

        return await self._units.write(write)

    async def drop_entity(self, scope: DocumentScope, entity_id: str, now: datetime) -> bool:
        """Remove an entity with its states and sightings."""

        def write(connection: Connection, held: Held) -> bool:
            held.rename()
            return self._entities.drop(connection, scope, entity_id)

        return await self._dropped(scope, write)

    async def drop_state(self, scope: DocumentScope, state_id: str, now: datetime) -> bool:
        """Remove one state."""

        def write(connection: Connection, held: Held) -> bool:
            found = self._states.one(connection, scope, state_id)
            gone = self._states.drop(connection, scope, state_id)
            if found is not None:
                self._states.fold(connection, scope, place_of(*found))
                self._entities.drop_idle(connection, scope, [found[0]])
                held.rename()
            return gone

        return await self._dropped(scope, write)

    async def plant(
        self, scope: DocumentScope, thread: PlotThread, chapter: int | None, now: datetime
    ) -> PlotThread:
        """Store a thread of the author, planned or planted in a chapter; its number is given."""

        def write(connection: Connection) -> PlotThread:
            held = self._documents.hold(connection, scope)
            number = held.next_thread
            held.next_thread += 1
            own = replace(thread, number=number, authored=True)
            self._threads.add(connection, scope, [own])
            if chapter is not None:
                planted = ThreadEvent(
                    id=held.take(), thread=number, kind=ThreadEventKind.PLANTED, chapter=chapter
                )
                self._threads.add_events(connection, scope, [planted])
            return self._folded(connection, scope, held, number)

        return await self._units.write(write)

    async def plan_thread(
        self, scope: DocumentScope, thread: PlotThread, now: datetime
    ) -> PlotThread:
        """Change the author's plan of a thread; what is changed by hand stays."""

        def write(connection: Connection) -> PlotThread:
            held = self._documents.hold(connection, scope)
            self._check_thread(connection, scope, thread.number)
            self._threads.plan(connection, scope, replace(thread, authored=True))
            return self._folded(connection, scope, held, thread.number)

        return await self._units.write(write)

    async def add_event(
        self, scope: DocumentScope, event: ThreadEvent, now: datetime
    ) -> PlotThread:
        """Record what happens to a thread; its status is folded anew."""

        def write(connection: Connection) -> PlotThread:
            held = self._documents.hold(connection, scope)
            self._check_thread(connection, scope, event.thread)
            own = replace(event, id=held.take(), revision=None)
            self._threads.add_events(connection, scope, [own])
            return self._folded(connection, scope, held, event.thread)

        return await self._units.write(write)

    async def drop_thread(self, scope: DocumentScope, number: int, now: datetime) -> bool:
        """Remove a thread with its events."""

        def write(connection: Connection, _: Held) -> bool:
            return self._threads.drop(connection, scope, [number]) > 0

        return await self._dropped(scope, write)

    async def open_threads(
        self, scope: DocumentScope, chapter: int, limit: int
    ) -> tuple[list[PlotThread], int]:
        """Planned, open and progressing threads, the most urgent first, and how many there are."""

        def read(connection: Connection) -> tuple[list[PlotThread], int]:
            found = self._threads.open(connection, scope, limit)
            if len(found) < limit:
                return found, len(found)
            return found, self._threads.count_open(connection, scope)

        return await self._units.read(read)

    async def open_then(self, scope: DocumentScope, upto: int) -> list[PlotThread]:
        """Threads that were planned, open or progressing after a chapter, as they were then."""
        return await self._units.read(lambda c: self._threads.open_then(c, scope, upto))

    async def threads(
        self, scope: DocumentScope, numbers: Sequence[int] | None, upto: int | None
    ) -> list[PlotThread]:
        """Threads by number, folded from the events up to a chapter; None = all."""

        def read(connection: Connection) -> list[PlotThread]:
            if upto is not None:
                return self._threads.then(connection, scope, numbers, upto)
            if numbers is None:
                return self._threads.all(connection, scope)
            return self._threads.some(connection, scope, numbers)

        return await self._units.read(read)

    async def events(self, scope: DocumentScope, number: int) -> list[ThreadEvent]:
        """What happened to a thread, in order of chapters."""
        return await self._units.peek(lambda c: self._threads.events(c, scope, [number]))

    def _state(self, connection: Connection, scope: DocumentScope, state_id: str) -> EntityState:
        found = self._states.one(connection, scope, state_id)
        if found is None:
            raise AssertionError
        return found[1]

    def _check_thread(self, connection: Connection, scope: DocumentScope, number: int) -> None:
        if not self._threads.some(connection, scope, [number]):
            raise NotFoundError(f"there is no thread {number}")

    def _folded(
        self, connection: Connection, scope: DocumentScope, held: Held, number: int
    ) -> PlotThread:
        planned = held.info.planned_chapters
        (thread,) = self._threads.fold(connection, scope, [number], planned)
        self._documents.release(connection, scope, held)
        return thread

    async def _dropped(
        self, scope: DocumentScope, drop: Callable[[Connection, Held], bool]
    ) -> bool:
        def write(connection: Connection) -> bool:
            held = self._documents.lock(connection, scope)
            if held is None or not drop(connection, held):
                return False
            held.epoch += 1
            self._documents.release(connection, scope, held)
            return True

        gone = await self._units.write(write)
        if gone:
            await self._units.scrub()
        return gone


def _known_then(
    found: Sequence[Entity], states: Mapping[str, Sequence[EntityState]], upto: int | None
) -> list[Entity]:
    """Entities with their states, without those that nothing had told of."""
    made = [replace(one, states=tuple(states.get(one.id, ()))) for one in found]
    return [e for e in made if upto is None or e.authored or e.mentions or e.states]
