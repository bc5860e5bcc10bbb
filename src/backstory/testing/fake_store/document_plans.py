"""What is derived from chapters, in memory."""

from collections.abc import Sequence
from dataclasses import replace

from backstory.core.model.document import Chapter, DocumentInfo
from backstory.core.model.entity import Entity, EntityKind, EntityState
from backstory.core.model.plot import ThreadEvent, ThreadEventKind
from backstory.core.plot.folding import is_closed
from backstory.errors import ConflictError, NotFoundError
from backstory.ports.documents import Canon, ChapterPlan, Needed
from backstory.testing.fake_store.document_state import DocumentState, Known, Sighted, Stated


def canon_of(state: DocumentState, info: DocumentInfo, needed: Needed | None) -> Canon:
    """What a plan may look at: more than it needs."""
    named = None if needed is None else needed.threads
    threads = [state.thread(number) for number in sorted(state.threads)]
    return Canon(
        info=info,
        entities=tuple(state.entity(one) for one in state.entities),
        threads=tuple(t for t in threads if named is None or not is_closed(t) or t.number in named),
        next_thread=state.next_thread,
    )


def withdraw(state: DocumentState, chapter: Chapter) -> tuple[int, list[int]]:
    """Take back what a version of a chapter gave, but for passages and threads.

    Returns:
        How many records went, and the threads that nothing holds any more.
    """
    number, revision = chapter.number, chapter.revision
    sighted = {one: row for (n, one), row in state.sightings.items() if n == number}
    state.sightings = {k: row for k, row in state.sightings.items() if k[0] != number}
    stated = [name for name, row in state.states.items() if row.state.revision == revision]
    for name in stated:
        del state.states[name]
    known = [one for one in state.knowers if one.state_id in state.states]
    state.knowers = tuple(one for one in known if one.revision != revision)
    events = [event for event in state.events if event.revision == revision]
    state.events = tuple(event for event in state.events if event.revision != revision)
    idle = [name for name in sighted if is_idle(state, name)]
    for name in idle:
        del state.entities[name]
    count = sum(row.times > 0 for row in sighted.values()) + len(stated) + len(events) + len(idle)
    count += len(known) - len(state.knowers)
    if count or sighted:
        state.epoch += 1
    return count, state.orphans(sorted({event.thread for event in events}))


def is_idle(state: DocumentState, entity_id: str) -> bool:
    """Whether nothing tells of an entity any more."""
    return (
        not state.entities[entity_id].authored
        and not any(one == entity_id for _, one in state.sightings)
        and not any(row.entity_id == entity_id for row in state.states.values())
    )


def write_plan(
    state: DocumentState, chapter: Chapter, canon: Canon, plan: ChapterPlan, orphans: Sequence[int]
) -> tuple[ChapterPlan, int]:
    """Write a plan. Gives it as it was stored, and how many orphans went."""
    _write_entities(state, chapter, plan)
    states = _write_states(state, chapter, plan)
    plan = _with_events(state, chapter, plan)
    first = canon.next_thread
    if [t.number for t in plan.threads] != list(range(first, first + len(plan.threads))):
        raise ConflictError(f"new threads are numbered in order from {first} on")
    known = {thread.number for thread in (*canon.threads, *plan.threads)}
    for event in plan.events:
        if event.thread not in known:
            raise NotFoundError(f"there is no thread {event.thread}")
    state.next_thread += len(plan.threads)
    state.threads |= {thread.number: thread for thread in plan.threads}
    state.events += plan.events
    gone = state.orphans(orphans)
    for number in gone:
        del state.threads[number]
    return replace(plan, states=states), len(gone)


def _write_entities(state: DocumentState, chapter: Chapter, plan: ChapterPlan) -> None:
    added: dict[str, tuple[EntityKind, tuple[str, ...]]] = {}
    for entity in plan.entities:
        old = state.entity(entity.id) if entity.id in state.entities else None
        if old is None:
            check_name(state, entity)
            state.entities[entity.id] = replace(entity, aliases=(), authored=False)
        has = () if old is None else (old.name, *old.aliases)
        more = tuple(name for name in entity.aliases if name not in has)
        if old is None or more or old.kind is not entity.kind:
            added[entity.id] = (entity.kind, more)
    for entity_id, names in plan.named.items():
        kind, more = added.get(entity_id, (EntityKind.OTHER, ()))
        added[entity_id] = (kind, (*more, *names))
    ids = {entity.name: one for one, entity in state.entities.items()}
    for entity_id in [*plan.sightings, *added, *(ids.get(s.entity, "") for s in plan.states)]:
        kind_added, aliases = added.get(entity_id, (None, ()))
        state.sightings[chapter.number, entity_id] = Sighted(
            times=plan.sightings.get(entity_id, 0), kind=kind_added, aliases=aliases
        )


def check_name(state: DocumentState, entity: Entity) -> None:
    """Refuse a second entity of a name."""
    for other in state.entities.values():
        if other.name == entity.name and other.id != entity.id:
            raise ConflictError(f"another entity is called {entity.name!r}")


def _write_states(
    state: DocumentState, chapter: Chapter, plan: ChapterPlan
) -> tuple[EntityState, ...]:
    ids = {entity.name: one for one, entity in state.entities.items()}
    made = []
    for new in plan.states:
        if new.entity not in ids:
            raise NotFoundError(f"{new.entity!r} is no entity")
        made.append(replace(new, revision=chapter.revision))
        put_state(state, ids[new.entity], made[-1])
    state.knowers += tuple(
        Known(state_id=name, knower=knower, revision=chapter.revision)
        for name, knower in plan.learned
    )
    return tuple(made)


def put_state(state: DocumentState, entity_id: str, new: EntityState) -> None:
    """Store a state with its knowers."""
    state.states[new.id] = Stated(
        seq=state.take(), entity_id=entity_id, state=new, restricted=bool(new.known_by)
    )
    state.knowers += tuple(
        Known(state_id=new.id, knower=knower, revision=new.revision) for knower in new.known_by
    )


def _with_events(state: DocumentState, chapter: Chapter, plan: ChapterPlan) -> ChapterPlan:
    told = {event.thread for event in plan.events}
    planted = [
        ThreadEvent(id=0, thread=t.number, kind=ThreadEventKind.PLANTED, chapter=chapter.number)
        for t in plan.threads
        if t.number not in told
    ]
    events = tuple(
        replace(e, id=state.take(), chapter=chapter.number, revision=chapter.revision)
        for e in (*planted, *plan.events)
    )
    threads = tuple(replace(thread, authored=False) for thread in plan.threads)
    return replace(plan, threads=threads, events=events)
