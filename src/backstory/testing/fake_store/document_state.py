"""What the store in memory holds of a document, and how it is seen.

Only evidence is held: chapters, counts and mentions of entities, where states end and what became
of threads are made from it at each reading.
"""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from backstory.core.model.document import Chapter, DocumentInfo, Draft
from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.entity import Entity, EntityKind, EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadEvent
from backstory.core.plot.folding import fold_thread, is_orphan
from backstory.errors import NotFoundError
from backstory.ports.documents import DocumentScope, NewPassage
from backstory.testing.fake_store.state import MemoryDatabase

VectorKey = tuple[int, int, int, EmbedderIdentity]
_EPOCH_BITS = 48


@dataclass(frozen=True, kw_only=True)
class Sighted:
    """What a chapter says of an entity; ``kind`` is None where it adds nothing to its names."""

    times: int
    kind: EntityKind | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Stated:
    """A state; ``restricted`` where not everybody knows."""

    seq: int
    entity_id: str
    state: EntityState
    restricted: bool


@dataclass(frozen=True, kw_only=True)
class Known:
    """That a character knows of a state."""

    state_id: str
    knower: Knower
    revision: str | None


@dataclass
class DocumentState:
    """All that is stored of one document.

    Attributes:
        chapters: Versions by number, the current one last.
        passages: Of the current version.
        entities: As they were made or entered, in order.
        sightings: By number and entity id.
        threads: Their plans.
    """

    unit: str
    planned: int | None
    created_at: datetime
    next_seq: int = 1
    epoch: int = field(default_factory=lambda: secrets.randbits(_EPOCH_BITS))
    next_thread: int = 1
    chapters: dict[int, tuple[Chapter, ...]] = field(default_factory=dict)
    passages: dict[int, tuple[NewPassage, ...]] = field(default_factory=dict)
    vectors: dict[VectorKey, bytes] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    sightings: dict[tuple[int, str], Sighted] = field(default_factory=dict)
    states: dict[str, Stated] = field(default_factory=dict)
    knowers: tuple[Known, ...] = ()
    threads: dict[int, PlotThread] = field(default_factory=dict)
    events: tuple[ThreadEvent, ...] = ()
    drafts: dict[int, Draft] = field(default_factory=dict)

    def copy(self) -> "DocumentState":
        """The same rows in dicts of their own."""
        return replace(
            self,
            chapters=dict(self.chapters),
            passages=dict(self.passages),
            vectors=dict(self.vectors),
            entities=dict(self.entities),
            sightings=dict(self.sightings),
            states=dict(self.states),
            threads=dict(self.threads),
            drafts=dict(self.drafts),
        )

    def take(self) -> int:
        """Take a running number."""
        self.next_seq += 1
        return self.next_seq - 1

    def current(self) -> list[Chapter]:
        """The chapters as they are, in order."""
        return [self.chapters[number][-1] for number in sorted(self.chapters)]

    def info(self, name: str) -> DocumentInfo:
        """What callers see of the document."""
        return DocumentInfo(
            id=name,
            unit=self.unit,
            planned_chapters=self.planned,
            chapters=len(self.chapters),
            last_chapter=max(self.chapters, default=None),
            created_at=self.created_at,
        )

    def entity(self, entity_id: str, upto: int | None = None) -> Entity:
        """An entity as it stands, with what is known up to a chapter."""
        made = self.entities[entity_id]
        rows = sorted((n, row) for (n, one), row in self.sightings.items() if one == entity_id)
        adding = [row for _, row in rows if row.kind is not None]
        kinds = [row.kind for row in adding if row.kind not in (None, EntityKind.OTHER)]
        aliases = dict.fromkeys([*made.aliases, *(a for row in adding for a in row.aliases)])
        occurs = [n for n, row in rows if row.times and (upto is None or n <= upto)]
        return replace(
            made,
            kind=made.kind if made.authored else next(iter(kinds), None) or EntityKind.OTHER,
            aliases=tuple(name for name in aliases if name != made.name),
            first_chapter=min(occurs, default=None),
            last_chapter=max(occurs, default=None),
            mentions=len(occurs),
            states=tuple(self.states_of(entity_id, upto)),
        )

    def states_of(self, entity_id: str, upto: int | None) -> Iterator[EntityState]:
        """The states of an entity in order of chapters."""
        rows = [row for row in self.states.values() if row.entity_id == entity_id]
        for row in sorted(rows, key=lambda row: (row.state.chapter, row.seq)):
            if upto is None or row.state.chapter <= upto:
                yield self.shown(row)

    def shown(self, row: Stated) -> EntityState:
        """A state with its entity's name and those who know of it."""
        known: dict[str, int] = {}
        mine = [one.knower for one in self.knowers if one.state_id == row.state.id]
        for knower in sorted(mine, key=lambda knower: knower.since_chapter):
            known.setdefault(knower.name, knower.since_chapter)
        who = known if row.restricted or row.state.hidden else {}
        return replace(
            row.state,
            entity=self.entities[row.entity_id].name,
            known_by=tuple(Knower(name=name, since_chapter=since) for name, since in who.items()),
        )

    def thread(self, number: int, upto: int | None = None) -> PlotThread:
        """A thread, folded."""
        return fold_thread(self.threads[number], self.events, upto)

    def orphans(self, numbers: Iterable[int]) -> list[int]:
        """Threads that nothing holds any more."""
        return [number for number in numbers if is_orphan(self.thread(number))]


@contextmanager
def changing(database: MemoryDatabase, scope: DocumentScope) -> Iterator[DocumentState]:
    """Change what is stored of a document, all of it or nothing.

    Raises:
        NotFoundError: There is no such document.
    """
    known = documents_of(database).get(scope)
    if known is None:
        raise NotFoundError(f"there is no document {scope.document_id[:80]!r}")
    state = known.copy()
    before = state.next_seq
    yield state
    state.next_seq = max(state.next_seq, before) + 1
    documents_of(database)[scope] = state


def documents_of(database: MemoryDatabase) -> dict[DocumentScope, DocumentState]:
    """The documents of all tenants."""
    found: dict[DocumentScope, DocumentState] = database.documents
    return found
