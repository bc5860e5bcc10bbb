"""Short ways to fill a document, for every part of the contract of documents."""

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from backstory.core.model.document import Chapter, SummarySource
from backstory.core.model.entity import Entity, EntityKind, EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind
from backstory.ports.documents import (
    Canon,
    ChapterPlan,
    DocumentScope,
    NewChapter,
    NewPassage,
    Planner,
    StoredChapter,
)
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, new_id, terms

NOVEL = DocumentScope("default", "novel")
OTHERS = (DocumentScope("default", "other"), DocumentScope("elsewhere", "novel"))
PLANT, GO_ON, RESOLVE = (
    ThreadEventKind.PLANTED,
    ThreadEventKind.PROGRESSED,
    ThreadEventKind.RESOLVED,
)
PART = 12
"""Characters of a passage, of a short text."""


def chapter(number: int, text: str, *, title: str = "", revision: str | None = None) -> NewChapter:
    """A version of a chapter, with a passage for each dozen characters."""
    size = max(PART, len(text) // 50)
    starts = range(0, len(text), size)
    passages = tuple(
        NewPassage(
            place=place,
            start=start,
            end=min(start + size, len(text)),
            terms=terms(text[start : start + size]),
            terms_version=1,
        )
        for place, start in enumerate(starts)
    )
    return NewChapter(
        number=number,
        revision=revision or new_id(),
        title=title or f"Chapter {number}",
        text=text,
        summary=f"In short: {text[:20]}",
        summary_source=SummarySource.EXTRACT,
        passages=passages,
    )


def reads(text: str) -> Planner:
    """A reader for tests: what a chapter says stands in it, one thing a line.

    ``Ann`` sights an entity, ``Ann|Annie`` with an alias, ``Ann.eyes=green`` gives a state that
    all know, ``Ann.eyes=green@Bob`` one that Bob knows, ``+who?`` plants a thread (again, if it is
    known), ``~1`` goes on with thread 1, ``!1`` resolves it.
    """

    def plan(canon: Canon) -> ChapterPlan:
        reader = _Reader(canon)
        for line in text.splitlines():
            reader.read(line.strip())
        return reader.plan()

    return plan


class _Reader:
    def __init__(self, canon: Canon) -> None:
        self._known = {entity.name: entity for entity in canon.entities}
        self._promised = {thread.summary: thread.number for thread in canon.threads}
        self._new: dict[str, Entity] = {}
        self._sighted: dict[str, int] = {}
        self._named: dict[str, tuple[str, ...]] = {}
        self._states: list[EntityState] = []
        self._threads: list[PlotThread] = []
        self._events: list[tuple[int, ThreadEventKind]] = []
        self._numbers = itertools.count(canon.next_thread)

    def read(self, line: str) -> None:
        """Take what a line says."""
        if line.startswith("+"):
            self._plant(line[1:])
        elif line[:1] in ("~", "!"):
            self._events.append((int(line[1:]), GO_ON if line[0] == "~" else RESOLVE))
        elif "=" in line:
            self._state(line)
        elif line[:1].isupper() and " " not in line:
            name, *aliases = line.split("|")
            found = self._sight(name)
            self._sighted[found.id] = self._sighted.get(found.id, 0) + 1
            if aliases:
                self._named[found.id] = tuple(aliases)

    def _plant(self, summary: str) -> None:
        if summary in self._promised:
            self._events.append((self._promised[summary], PLANT))
        else:
            self._threads.append(PlotThread(number=next(self._numbers), summary=summary))

    def _sight(self, name: str) -> Entity:
        found = self._known.get(name)
        if found is None:
            found = Entity(id=new_id(), name=name, kind=EntityKind.PERSON)
            self._known[name] = self._new[name] = found
        return found

    def _state(self, line: str) -> None:
        place, _, value = line.partition("=")
        name, _, attribute = place.partition(".")
        value, _, knower = value.partition("@")
        self._sight(name)
        known_by = (Knower(name=knower, since_chapter=1),) if knower else ()
        self._states.append(
            EntityState(
                id=new_id(),
                entity=name,
                attribute=attribute,
                value=value,
                chapter=0,
                quote=line,
                known_by=known_by,
            )
        )

    def plan(self) -> ChapterPlan:
        """All that was read."""
        return ChapterPlan(
            entities=tuple(self._new.values()),
            sightings=self._sighted,
            named=self._named,
            states=tuple(self._states),
            threads=tuple(self._threads),
            events=tuple(
                ThreadEvent(id=0, thread=number, kind=kind, chapter=1)
                for number, kind in self._events
            ),
        )


def planned(number: int, text: str) -> Planner:
    """What ``reads`` gives, with states since the chapter."""

    def plan(canon: Canon) -> ChapterPlan:
        made = reads(text)(canon)
        return replace(made, states=tuple(replace(state, chapter=number) for state in made.states))

    return plan


async def write(
    store: Store, number: int, text: str, scope: DocumentScope = NOVEL
) -> StoredChapter:
    """Add a chapter, and derive what stands in it."""
    await store.documents.ensure(scope, None, None, NOW)
    return await store.documents.add(scope, chapter(number, text), planned(number, text), NOW)


async def rewrite(
    store: Store, number: int, text: str, scope: DocumentScope = NOVEL
) -> StoredChapter:
    """Revise a chapter, and derive what stands in it."""
    return await store.documents.revise(scope, chapter(number, text), planned(number, text), NOW)


async def reread(store: Store, known: Chapter, scope: DocumentScope = NOVEL) -> None:
    """Derive anew what stands in a chapter."""
    plan = planned(known.number, known.text)
    stored = await store.documents.reread(scope, known.number, known.revision, plan, NOW)
    assert stored is not None


async def rebuild(store: Store, scope: DocumentScope = NOVEL) -> None:
    """Derive everything anew, in order."""
    for known in await store.documents.page(scope, 1000):
        await reread(store, known, scope)


async def derived(store: Store, scope: DocumentScope = NOVEL) -> dict[str, Any]:
    """All that is derived from chapters, without ids that change when it is derived anew."""
    documents = store.documents
    entities = await documents.entities(scope, None, None)
    current = await documents.entities(scope, None, None, current=True)
    names = {entity.id: entity.name for entity in entities}
    threads = await documents.threads(scope, None, None)
    chapters = [known.number for known in await documents.page(scope, 1000)]
    sighted = await documents.sightings(scope, chapters)
    last = max(chapters, default=0)
    opened, count = await documents.open_threads(scope, last + 1, 100)
    assert count == len(opened)
    return {
        "entities": sorted((_plain(entity) for entity in entities), key=json.dumps),
        "current": sorted((_plain(entity) for entity in current), key=json.dumps),
        "sightings": {n: _by_name(names, found) for n, found in sighted.items()},
        "threads": threads,
        "open": opened,
        "events": {
            thread.number: [
                replace(event, id=0, revision=None)
                for event in await documents.events(scope, thread.number)
            ]
            for thread in threads
        },
        "seen": {e.name: await documents.seen(scope, e.id, last + 1) for e in entities},
        "passages": [(p.number, p.place, p.terms) for p in await documents.passages(scope, None)],
    }


def _by_name(names: Mapping[str, str], found: Mapping[str, int]) -> dict[str, int]:
    return {names[entity_id]: times for entity_id, times in found.items()}


def _plain(entity: Entity) -> list[Any]:
    states = [[s.attribute, s.value, s.chapter, _knowers(s.known_by)] for s in entity.states]
    places = [entity.first_chapter, entity.last_chapter, entity.mentions]
    return [entity.name, str(entity.kind), list(entity.aliases), *places, states]


def _knowers(known_by: Sequence[Knower]) -> list[list[Any]]:
    return [[knower.name, knower.since_chapter] for knower in known_by]
