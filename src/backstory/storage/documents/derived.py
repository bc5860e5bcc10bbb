"""What is derived from a chapter: loaded for a plan, withdrawn, written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection

from backstory.core.model.entity import Entity
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind
from backstory.core.plot.folding import is_orphan
from backstory.errors import NotFoundError
from backstory.ports.documents import Canon, ChapterPlan, DocumentScope
from backstory.storage.documents.entities import EntityRows
from backstory.storage.documents.rows import Held
from backstory.storage.documents.states import Places, StateRows
from backstory.storage.documents.threads import ThreadRows
from backstory.storage.statements import Prepared
from backstory.storage.tables import Tables


@dataclass
class Withdrawn:
    """What was withdrawn of a chapter, until it is known what its new version gives.

    Attributes:
        count: How many records went.
        occurred: Ids of entities, each with how many chapters fewer it occurs in.
        renamed: Ids of entities that the chapter had added names to.
        states: Where states went.
        orphans: Threads that nothing holds any more.
    """

    count: int = 0
    occurred: dict[str, int] = field(default_factory=dict)
    renamed: list[str] = field(default_factory=list)
    states: Places = field(default_factory=dict)
    orphans: list[PlotThread] = field(default_factory=list)


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
        """What a plan may look at."""
        states = self._states.of(connection, scope, None, None)
        entities = self._entities.load(connection, scope, None, None)
        if named is None:
            threads = self._threads.all(connection, scope)
        else:
            found = self._threads.open(connection, scope, None)
            found += self._threads.some(connection, scope, named)
            threads = sorted({t.number: t for t in found}.values(), key=lambda t: t.number)
        gone = {thread.number for thread in withdrawn.orphans}
        return Canon(
            info=held.info,
            entities=tuple(replace(e, states=tuple(states.get(e.id, ()))) for e in entities),
            threads=tuple(thread for thread in threads if thread.number not in gone),
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
        orphans = [thread for thread in folded if is_orphan(thread)]
        return Withdrawn(count=count, orphans=orphans)

    def settle(self, connection: Connection, scope: DocumentScope, withdrawn: Withdrawn) -> int:
        """Remove the threads that nothing holds; how many records went in all."""
        gone = [thread.number for thread in withdrawn.orphans]
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
        """Write a plan; a thread that is planted again in the same words keeps its number.

        Returns:
            The plan as it was stored, and how many records of the old version went.
        """
        plan = self._stated(connection, scope, held, canon, plan, place)
        _check_events(plan, canon)
        plan = _numbered(plan, held, withdrawn, place)
        fresh = {thread.number for thread in plan.threads}
        back = {thread.number for thread in withdrawn.orphans} & fresh
        again = [thread for thread in plan.threads if thread.number in back]
        withdrawn.orphans = [t for t in withdrawn.orphans if t.number not in back]
        gone = self.settle(connection, scope, withdrawn)
        for thread in again:
            self._threads.plan(connection, scope, thread)
        self._threads.add(connection, scope, [t for t in plan.threads if t.number not in back])
        self._threads.add_events(connection, scope, plan.events)
        touched = {event.thread for event in plan.events} | fresh
        self._threads.fold(connection, scope, touched, held.info.planned_chapters)
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


def _check_events(plan: ChapterPlan, canon: Canon) -> None:
    known = {thread.number for thread in (*canon.threads, *plan.threads)}
    for event in plan.events:
        if event.thread not in known:
            raise NotFoundError(f"a plan names thread {event.thread}, which there is not")


def _ids_by_name(entities: Iterable[Entity]) -> dict[str, str]:
    return {entity.name: entity.id for entity in entities}


def _numbered(
    plan: ChapterPlan, held: Held, withdrawn: Withdrawn, place: tuple[int, str]
) -> ChapterPlan:
    """Give threads and events their final numbers."""
    number, revision = place
    before = {(t.summary, t.kind): t.number for t in withdrawn.orphans}
    numbers: dict[int, int] = {}
    for thread in plan.threads:
        old = before.pop((thread.summary, thread.kind), None)
        if old is None:
            old = held.next_thread
            held.next_thread += 1
        numbers[thread.number] = old
    threads = tuple(
        replace(thread, number=numbers[thread.number], authored=False) for thread in plan.threads
    )
    events = [
        replace(event, thread=numbers.get(event.thread, event.thread)) for event in plan.events
    ]
    planted = {event.thread for event in events}
    unplanted = [
        ThreadEvent(id=0, thread=thread.number, kind=ThreadEventKind.PLANTED, chapter=number)
        for thread in threads
        if thread.number not in planted
    ]
    first = held.take(len(unplanted) + len(events))
    return replace(
        plan,
        threads=threads,
        events=tuple(
            replace(event, id=running, chapter=number, revision=revision)
            for running, event in enumerate([*unplanted, *events], first)
        ),
    )
