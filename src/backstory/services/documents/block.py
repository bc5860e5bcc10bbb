"""The block for a chapter: gather what matters and may be seen, then pack it.

Info → view → recent chapters and skeleton → threads → what they name → entities → passages →
one packed text. Each step reads a bounded number of rows, so that a long document costs what a
short one costs; only passages are searched in full.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from backstory.core.block.arc import Arc, Told, window_start
from backstory.core.block.assembling import BlockFrame, Gathered, Line, assemble
from backstory.core.block.knowing import Perceived, Secrets, acts
from backstory.core.block.lines import clipped, entity_line, passage_line, thread_line
from backstory.core.block.view import View, current_states
from backstory.core.block.weighing import entity_weights, heaviest
from backstory.core.chapters.recent import JUMP, RECENT_CHAPTERS
from backstory.core.chapters.skeleton import nested_skeleton
from backstory.core.model.block import Block, BlockPart
from backstory.core.model.document import DocumentInfo
from backstory.core.model.entity import EntityKind
from backstory.core.names import KnownName
from backstory.core.plot.deadlines import due_chapter
from backstory.core.plot.folding import is_unresolved
from backstory.core.rendering import display
from backstory.core.text import one_line
from backstory.services.documents.known import KnownDocuments
from backstory.services.documents.names import Names, known_name
from backstory.services.documents.retrieval import Asked, Retrieval
from backstory.services.documents.threads_of import ThreadsThen, threads_before

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from backstory.core.model.entity import Entity, EntityState
    from backstory.core.model.plot import PlotThread
    from backstory.ports.documents import DocumentScope, DocumentStore, SummaryLine
    from backstory.services.documents.requests import BlockRequest

_LAST: Final = 2
"""So many of the last chapters say what the next one is about, if the caller does not."""
_MOST_THREADS: Final = 200
_SHORTER_THREADS: Final = (140, 60, 30)
_MOST_SHORTER: Final = 40
_MOST_AUTHORED: Final = 300
_QUERY_CHARS: Final = 4000


@dataclass(frozen=True, kw_only=True)
class _Seen:
    """What the one who looks can see: a view, and how texts are shown in it."""

    view: View
    names: Names
    perceived: Perceived | None = None
    secrets: Secrets | None = None
    chapters: tuple[int, ...] | None = None
    everybody: tuple[Entity, ...] | None = None
    missing: tuple[str, ...] = ()
    is_latest: bool = True

    def is_hidden(self, entity_id: str) -> bool:
        entity = self.names.entities.get(entity_id)
        return entity is not None and entity.hidden

    def is_told(self, state: EntityState) -> bool:
        return bool(state.hidden or state.known_by) and self.view.sees_state(state)

    def with_names(self, entity: Entity) -> Entity:
        """The entity without names that a later chapter may have given it."""
        return entity if entity.authored or self.is_latest else replace(entity, aliases=())

    def shown(self, text: str) -> str:
        return text if self.perceived is None else self.perceived.of(text)


class BlockService:
    """Builds blocks.

    Args:
        documents: Where chapters, entities and threads are.
        known: Their names.
        retrieval: Finds passages.
    """

    def __init__(
        self, documents: DocumentStore, known: KnownDocuments, retrieval: Retrieval
    ) -> None:
        self._documents = documents
        self._known = known
        self._retrieval = retrieval

    async def build(self, scope: DocumentScope, info: DocumentInfo, asked: BlockRequest) -> Block:
        """Build the block for a chapter.

        Raises:
            BudgetError: The counter counts the empty text above the budget.
        """
        seen = await self._seen(scope, asked)
        seen = replace(seen, is_latest=asked.as_of >= (info.last_chapter or 0))
        arc = await self._arc(scope, seen)
        recent = arc.recent
        threads = _visible(
            await threads_before(self._documents, scope, info, asked.chapter, seen.view.as_of),
            seen,
        )
        query = _query(asked, recent, threads)
        promised = [thread.summary for thread in threads.owed]
        texts = (query, *_last(recent), "\n".join(promised))
        entities = await self._entities(scope, seen, recent, texts)
        lines = {
            BlockPart.ENTITIES: _entity_lines(entities, seen, asked),
            BlockPart.THREADS: _thread_lines(threads, seen, asked, info.planned_chapters),
        }
        missing = seen.missing
        if asked.query is None or asked.query.strip():
            before = recent[0].number if recent else seen.view.as_of + 1
            lines[BlockPart.RETRIEVAL], degraded = await self._passages(
                scope, seen, query, before, arc.skeleton
            )
            missing += () if degraded is None else (degraded,)
        frame = BlockFrame(
            chapter=asked.chapter, unit=info.unit, budget=asked.budget, labels=asked.labels
        )
        return assemble(Gathered(arc=arc, lines=lines, missing=missing), frame, asked.count)

    async def _seen(self, scope: DocumentScope, asked: BlockRequest) -> _Seen:
        names = await self._known.names(scope)
        view = View(as_of=asked.as_of)
        if asked.knower is None:
            return _Seen(view=view, names=names)
        knower = names.bearer(asked.knower)
        if knower is None or knower.hidden:
            view = replace(view, knower=asked.knower, names=frozenset({asked.knower.casefold()}))
            everybody = await self._documents.entities(scope, None, asked.as_of)
            return _Seen(
                view=view,
                names=names,
                secrets=Secrets(everybody, view),
                chapters=(),
                everybody=tuple(everybody),
                missing=(f"no entity is called {asked.knower!r}: it perceives no chapter",),
            )
        chapters = await self._documents.seen(scope, knower.id, asked.as_of + 1)
        everybody = await self._documents.entities(scope, None, asked.as_of)
        own = next((one for one in everybody if one.id == knower.id), None)
        forms = (knower.name, *(own.aliases if own is not None else ()), asked.knower)
        told = _told_by_name(everybody, names, knower.id)
        view = replace(
            view,
            knower=knower.name,
            names=frozenset(form.casefold() for form in (*forms, *told)),
            chapters=frozenset(chapters),
        )
        secrets = Secrets(everybody, view)
        self_named = KnownName(key="", forms=forms, case_sensitive=knower.case_sensitive)
        others = [
            known_name(names.entities[one.id])
            for one in everybody
            if one.id != knower.id and acts(one.kind, one.name) and one.id in names.entities
        ]
        return _Seen(
            view=view,
            names=names,
            perceived=Perceived(self_named, others, secrets),
            secrets=secrets,
            chapters=tuple(chapters),
            everybody=tuple(everybody),
            missing=() if chapters else (_in_none(knower.name, asked.as_of),),
        )

    async def _arc(self, scope: DocumentScope, seen: _Seen) -> Arc:
        """The recent chapters and the skeleton before them."""
        if seen.chapters is not None:
            return await self._perceived(scope, seen, seen.chapters)
        most = RECENT_CHAPTERS + JUMP - 1
        last = await self._documents.latest(scope, seen.view.as_of + 1, most)
        start = window_start([line.number for line in last])
        recent = [line for line in last if line.number > start]
        older = await self._documents.near(scope, nested_skeleton(start)) if start else []
        return Arc(
            skeleton=tuple(_told(line, line.number) for line in older),
            recent=tuple(_told(line, line.number) for line in recent),
        )

    async def _perceived(self, scope: DocumentScope, seen: _Seen, chapters: Sequence[int]) -> Arc:
        """What a character perceived of the chapters that it was in."""
        start = window_start(range(1, len(chapters) + 1))
        places = [*nested_skeleton(start), *range(start + 1, len(chapters) + 1)]
        numbers = {chapters[place - 1]: place for place in places}
        lines = await self._documents.near(scope, list(numbers)) if numbers else []
        # a character knows no titles; of a chapter whose summary does not name it nothing is left
        shown = [
            replace(_told(line, numbers[line.number]), title="", summary=seen.shown(line.summary))
            for line in lines
            if line.number in numbers
        ]
        kept = [one for one in shown if one.summary]
        return Arc(
            skeleton=tuple(one for one in kept if one.place <= start),
            recent=tuple(one for one in kept if one.place > start),
        )

    async def _entities(
        self,
        scope: DocumentScope,
        seen: _Seen,
        recent: Sequence[Told],
        texts: Sequence[str],
    ) -> list[Entity]:
        """The entities that matter, the most important first."""
        numbers = [line.number for line in recent]
        sightings = await self._documents.sightings(scope, numbers) if numbers else {}
        if not seen.view.is_author:
            # who else is in the chapter need not be where the character is
            shown = {line.number: seen.names.named(line.summary) for line in recent}
            sightings = {number: shown.get(number, {}) for number in sightings}
        fired = [seen.names.named(text) for text in texts]
        weights = entity_weights(sightings, seen.view.as_of + 1, fired)
        told = await self._told(scope, seen, weights)
        for entity_id in told:
            weights.setdefault(entity_id, 0.0)
        ids = [
            name for name in heaviest(weights) if seen.view.is_author or not seen.is_hidden(name)
        ]
        found = {one.id: one for one in await self._current(scope, ids, seen)}
        return [found[name] for name in ids if name in found]

    async def _told(
        self, scope: DocumentScope, seen: _Seen, weights: Mapping[str, float]
    ) -> list[str]:
        """Entities that nothing names, but that somebody was told something about.

        To the author they are those with notes for the author only, to a character those with
        something that only some know, the character among them.
        """
        if seen.everybody is None:
            ids = [one.id for one in seen.names.entities.values() if one.authored]
            ids = [name for name in ids if name not in weights][:_MOST_AUTHORED]
            some = await self._current(scope, ids, seen)
        else:
            some = list(seen.everybody)
        return [one.id for one in some if one.hidden or any(map(seen.is_told, one.states))]

    async def _current(self, scope: DocumentScope, ids: Sequence[str], seen: _Seen) -> list[Entity]:
        if not ids:
            return []
        return await self._documents.entities(scope, ids, seen.view.as_of, current=True)

    async def _passages(
        self,
        scope: DocumentScope,
        seen: _Seen,
        query: str,
        before: int,
        skeleton: Sequence[Told],
    ) -> tuple[list[Line], str | None]:
        within = None if seen.chapters is None else frozenset(seen.chapters)
        asked = Asked(query=query, before=before, within=within)
        found = await self._retrieval.search(scope, asked)
        told = {line.number: one_line(line.summary) for line in skeleton}
        lines = []
        for passage in found.passages:
            text = one_line(seen.shown(passage.text))
            # a short chapter may be all in its summary
            if text and text not in told.get(passage.number, ""):
                lines.append(
                    Line(
                        key=passage.key,
                        text=passage_line(passage.number, text),
                        order=(passage.number, passage.place),
                    )
                )
        return lines, found.degraded


def _told_by_name(everybody: Sequence[Entity], names: Names, entity_id: str) -> set[str]:
    """By which names an entity is said to know something: also by a part that is its own."""
    knowers = {
        knower.name for entity in everybody for state in entity.states for knower in state.known_by
    }
    bearers = {name: names.bearer(name) for name in knowers}
    return {name for name, one in bearers.items() if one is not None and one.id == entity_id}


def _in_none(name: str, as_of: int) -> str:
    return f"{name!r} occurs in no chapter up to {as_of}: it perceives none"


def _visible(threads: ThreadsThen, seen: _Seen) -> ThreadsThen:
    secrets = seen.secrets

    def kept(some: Sequence[PlotThread]) -> tuple[PlotThread, ...]:
        return tuple(
            thread
            for thread in some
            if seen.view.sees_thread(thread)
            and not (secrets is not None and secrets.tells(thread.summary))
        )

    planned = threads.planned if seen.view.is_author else ()
    return ThreadsThen(owed=kept(threads.owed), open=kept(threads.open), planned=planned)


def _query(asked: BlockRequest, recent: Sequence[Told], threads: ThreadsThen) -> str:
    """What the chapter is about: as the caller says, else what came last and what is owed."""
    if asked.query is not None:
        return asked.query
    parts = [*_last(recent), *(thread.summary for thread in threads.owed[:10])]
    return "\n".join(parts)[-_QUERY_CHARS:]


def _last(recent: Sequence[Told]) -> list[str]:
    return [line.summary[:_QUERY_CHARS] for line in recent[-_LAST:]]


def _told(line: SummaryLine, place: int) -> Told:
    return Told(number=line.number, place=place, title=line.title, summary=line.summary)


def _entity_lines(entities: Sequence[Entity], seen: _Seen, asked: BlockRequest) -> list[Line]:
    view = seen.view
    lines = []
    for entity in entities:
        states = current_states(entity, view)
        if seen.secrets is not None:
            states = seen.secrets.without(entity, states)
        is_noise = entity.kind is EntityKind.OTHER and not states and entity.mentions <= 1
        if not view.sees_entity(entity) or (is_noise and not entity.authored):
            continue
        first = entity.first_chapter if entity.first_chapter is not None else 0
        lines.append(
            Line(
                key=entity.name,
                text=entity_line(seen.with_names(entity), states, view, asked.labels),
                # who came first is likely to stay: the text begins with what does not change
                order=(first, entity.id),
            )
        )
    return lines


def _thread_lines(
    threads: ThreadsThen, seen: _Seen, asked: BlockRequest, planned: int | None
) -> list[Line]:
    shown = [(thread, True) for thread in threads.owed]
    shown += [(thread, False) for thread in (*threads.open, *threads.planned)]
    lines = []
    for place, (thread, is_owed) in enumerate(shown[:_MOST_THREADS]):
        due = due_chapter(thread, planned)
        is_late = due is not None and due < asked.chapter and is_unresolved(thread)
        presses = is_owed or is_late
        forms = (thread, *_shorter(thread)) if presses and place < _MOST_SHORTER else (thread,)
        line, *shorter = (
            thread_line(one, asked.chapter, planned, seen.view, asked.labels, is_owed=is_owed)
            for one in forms
        )
        lines.append(
            Line(
                key=f"T{thread.number}",
                text=line,
                order=(place,),
                shorter=tuple(shorter),
                presses=presses,
            )
        )
    return lines


def _shorter(thread: PlotThread) -> list[PlotThread]:
    """The same thread, said in ever fewer characters."""
    said = one_line(display(thread.summary))
    return [
        replace(thread, summary=clipped(said, most), kind=None)
        for most in _SHORTER_THREADS
        if len(said) > most
    ]
