"""What is derived from a chapter: loaded for a plan, withdrawn, written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from backstory.core.model.entity import Entity
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind
from backstory.core.plot.folding import is_orphan
from backstory.errors import ConflictError, NotFoundError
from backstory.ports.documents import Canon, ChapterPlan, DocumentScope, Needed
from backstory.storage.documents.entities import EntityRows
from backstory.storage.documents.rows import Held
from backstory.storage.documents.states import StateRows
from backstory.storage.documents.threads import ThreadRows
from backstory.storage.statements import Prepared
from backstory.storage.tables import Tables


@dataclass
class Withdrawn:
    """What was withdrawn of a chapter, until it is known what its new version gives.

    Attributes:
        count: How many records went.
        orphans: Numbers of threads that nothing holds any more.
    """

    count: int = 0
    orphans: frozenset[int] = frozenset()


class DerivedRows(metaclass=Prepared):
    """Writes what is derived from chapters, on the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        self._entities = EntityRows(tables, dialect)
        self._states = StateRows(tables, dialect)
        self._threads = ThreadRows(tables, dialect)

    def canon(
        self,
        connection: Connection,
        scope: DocumentScope,
        held: Held,
        number: int,
        withdrawn: Withdrawn,
        needed: Needed | None,
    ) -> Canon:
        """What a plan for a chapter may look at; threads that it may take up again are among it."""
        if needed is not None and needed.names_stamp == held.locked:
            entities = self._told(connection, scope, list(needed.entities), number)
        else:
            entities = self._told(connection, scope, None, None)
        return Canon(
            info=held.info,
            entities=entities,
            threads=self._known_threads(connection, scope, withdrawn, needed),
            next_thread=held.next_thread,
        )

    def _told(
        self, connection: Connection, scope: DocumentScope, ids: list[str] | None, upto: int | None
    ) -> tuple[Entity, ...]:
        """Entities with all states, or with those that hold after a chapter."""
        if ids is not None and not ids:
            return ()
        entities = self._entities.load(connection, scope, ids, None)
        states = self._states.of(connection, scope, ids, upto, current=upto is not None)
        return tuple(replace(e, states=tuple(states.get(e.id, ()))) for e in entities)

    def _known_threads(
        self,
        connection: Connection,
        scope: DocumentScope,
        withdrawn: Withdrawn,
        needed: Needed | None,
    ) -> tuple[PlotThread, ...]:
        if needed is not None and not needed.has_threads:
            return ()
        if needed is None or needed.threads is None:
            return tuple(self._threads.all(connection, scope))
        found = self._threads.open(connection, scope, None)
        found += self._threads.some(connection, scope, [*needed.threads, *withdrawn.orphans])
        return tuple(sorted({t.number: t for t in found}.values(), key=lambda t: t.number))

    def withdraw(
        self, connection: Connection, scope: DocumentScope, held: Held, place: tuple[int, str]
    ) -> Withdrawn:
        """Remove what was derived from a version of a chapter, but for its passages.

        Threads that nothing holds any more stay until ``write`` or ``settle``.
        """
        number, revision = place
        sighted = self._entities.withdraw(connection, scope, number)
        states, places = self._states.withdraw(connection, scope, revision)
        self._states.fold(connection, scope, places)
        events, touched = self._threads.withdraw(connection, scope, revision)
        planned = held.info.planned_chapters
        folded = self._threads.fold(connection, scope, touched, planned)
        occurred = {name: -1 for name, (times, _) in sighted.items() if times}
        renamed = [name for name, (_, adds) in sighted.items() if adds]
        has_renamed = self._entities.fold(connection, scope, occurred, renamed)
        gone = self._entities.drop_idle(connection, scope, list(sighted))
        count = len(occurred) + states + events + gone
        if count or sighted:
            held.epoch += 1
        if has_renamed or gone:
            held.rename()
        orphans = frozenset(thread.number for thread in folded if is_orphan(thread))
        return Withdrawn(count=count, orphans=orphans)

    def forget_events(
        self, connection: Connection, scope: DocumentScope, held: Held, chapter: int
    ) -> int:
        """Remove what was entered by hand of what a chapter does to threads; how many records."""
        count, touched = self._threads.withdraw_entered(connection, scope, chapter)
        folded = self._threads.fold(connection, scope, touched, held.info.planned_chapters)
        gone = [thread.number for thread in folded if is_orphan(thread)]
        return count + self._threads.drop(connection, scope, gone)

    def settle(
        self,
        connection: Connection,
        scope: DocumentScope,
        withdrawn: Withdrawn,
        taken_up: Iterable[int] = (),
    ) -> int:
        """Remove the threads that nothing holds; how many records went in all."""
        gone = sorted(withdrawn.orphans.difference(taken_up))
        return withdrawn.count + self._threads.drop(connection, scope, gone)

    def write(
        self,
        connection: Connection,
        scope: DocumentScope,
        held: Held,
        place: tuple[int, str],
        canon: Canon,
        plan: ChapterPlan,
        withdrawn: Withdrawn,
    ) -> tuple[ChapterPlan, int]:
        """Write a plan.

        Returns:
            The plan as it was stored, and how many records of the old version went.
        """
        plan = self._stated(connection, scope, held, canon, plan, place)
        plan = _with_events(plan, held, place)
        _check_threads(plan, canon)
        touched = {event.thread for event in plan.events}
        gone = self.settle(connection, scope, withdrawn, touched)
        self._threads.add(connection, scope, plan.threads)
        self._threads.add_events(connection, scope, plan.events)
        self._threads.fold(connection, scope, touched, held.info.planned_chapters)
        held.next_thread += len(plan.threads)
        return plan, gone

    def _stated(
        self,
        connection: Connection,
        scope: DocumentScope,
        held: Held,
        canon: Canon,
        plan: ChapterPlan,
        place: tuple[int, str],
    ) -> ChapterPlan:
        revision = place[1]
        known = {entity.id: entity for entity in canon.entities}
        ids = _ids_by_name([*canon.entities, *plan.entities])
        states = [
            (ids[state.entity], replace(state, revision=revision))
            for state in plan.states
            if _is_known(state.entity, ids)
        ]
        seq = held.take(len(plan.entities))
        told = [entity_id for entity_id, _ in states]
        self._entities.write(connection, scope, place, plan, known, told, seq)
        seq = held.take(sum(1 + len(state.known_by) for _, state in states))
        places = self._states.add(connection, scope, states, seq)
        self._states.fold(connection, scope, places)
        seq = held.take(len(plan.learned))
        self._states.learn(connection, scope, plan.learned, revision, seq)
        occurred = {name: 1 for name, times in plan.sightings.items() if times}
        # in between, a name that is known may come before another one
        is_last = place[0] >= (held.info.last_chapter or 0)
        renamed = [entity.id for entity in plan.entities]
        renamed += (
            one
            for one, names in plan.named.items()
            if one in known and not (is_last and _has_names(known[one], names))
        )
        has_renamed = self._entities.fold(connection, scope, occurred, renamed)
        if has_renamed or any(entity.id not in known for entity in plan.entities):
            held.rename()
        return replace(plan, states=tuple(state for _, state in states))


def _has_names(entity: Entity, names: Iterable[str]) -> bool:
    return {entity.name, *entity.aliases}.issuperset(names)


def _is_known(name: str, ids: Mapping[str, str]) -> bool:
    if name not in ids:
        raise NotFoundError(f"a plan has a state of {name[:80]!r}, which is no entity")
    return True


def _check_threads(plan: ChapterPlan, canon: Canon) -> None:
    first = canon.next_thread
    if [t.number for t in plan.threads] != list(range(first, first + len(plan.threads))):
        raise ConflictError(f"new threads of a plan are numbered in order from {first} on")
    known = {thread.number for thread in (*canon.threads, *plan.threads)}
    for event in plan.events:
        if event.thread not in known:
            raise NotFoundError(f"a plan names thread {event.thread}, which there is not")


def _ids_by_name(entities: Iterable[Entity]) -> dict[str, str]:
    return {entity.name: entity.id for entity in entities}


def _with_events(plan: ChapterPlan, held: Held, place: tuple[int, str]) -> ChapterPlan:
    """Let each new thread be planted, and give events what the store gives them."""
    number, revision = place
    told = {event.thread for event in plan.events}
    planted = [
        ThreadEvent(id=0, thread=thread.number, kind=ThreadEventKind.PLANTED, chapter=number)
        for thread in plan.threads
        if thread.number not in told
    ]
    events = [*planted, *plan.events]
    first = held.take(len(events))
    return replace(
        plan,
        threads=tuple(replace(thread, authored=False) for thread in plan.threads),
        events=tuple(
            replace(event, id=running, chapter=number, revision=revision)
            for running, event in enumerate(events, first)
        ),
    )
