"""What is derived from a chapter: loaded for a plan, withdrawn, written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from backstory.core.model.entity import Entity
from backstory.core.model.plot import ThreadEvent, ThreadEventKind
from backstory.core.plot.folding import is_orphan
from backstory.errors import ConflictError, NotFoundError
from backstory.ports.documents import Canon, ChapterPlan, DocumentScope
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
        withdrawn: Withdrawn,
        named: Sequence[int] | None,
    ) -> Canon:
        """What a plan may look at; threads that it may take up again are among it."""
        states = self._states.of(connection, scope, None, None)
        entities = self._entities.load(connection, scope, None, None)
        if named is None:
            threads = self._threads.all(connection, scope)
        else:
            found = self._threads.open(connection, scope, None)
            found += self._threads.some(connection, scope, [*named, *withdrawn.orphans])
            threads = sorted({t.number: t for t in found}.values(), key=lambda t: t.number)
        return Canon(
            info=held.info,
            entities=tuple(replace(e, states=tuple(states.get(e.id, ()))) for e in entities),
            threads=tuple(threads),
            next_thread=held.next_thread,
        )

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
        self._entities.fold(connection, scope, occurred, renamed)
        gone = self._entities.drop_idle(connection, scope, list(sighted))
        count = len(occurred) + states + events + gone
        if count or sighted:
            held.epoch += 1
        if renamed or gone:
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
        if self._entities.write(connection, scope, place, plan, known, told, seq):
            held.rename()
        seq = held.take(sum(1 + len(state.known_by) for _, state in states))
        places = self._states.add(connection, scope, states, seq)
        self._states.fold(connection, scope, places)
        seq = held.take(len(plan.learned))
        self._states.learn(connection, scope, plan.learned, revision, seq)
        occurred = {name: 1 for name, times in plan.sightings.items() if times}
        renamed = [*(entity.id for entity in plan.entities), *plan.named]
        self._entities.fold(connection, scope, occurred, renamed)
        return replace(plan, states=tuple(state for _, state in states))


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
