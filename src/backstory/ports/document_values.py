"""What goes into and comes out of the store of documents, beside the values that callers see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from backstory.core.model.document import Chapter, DocumentInfo, SummarySource
from backstory.core.model.entity import Entity, EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadEvent


@dataclass(frozen=True, kw_only=True)
class NewPassage:
    """A part of a chapter that is searched by itself.

    Attributes:
        place: From 0, in the order of the text.
        start, end: Its code points in the text, ``end`` exclusive.
        terms: Its hashed words, little-endian uint32.
    """

    place: int
    start: int
    end: int
    terms: bytes
    terms_version: int


@dataclass(frozen=True, kw_only=True)
class NewChapter:
    """A version of a chapter to be stored."""

    number: int
    revision: str
    title: str
    text: str
    summary: str
    summary_source: SummarySource
    passages: tuple[NewPassage, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Canon:
    """What a plan may look at, without what the chapter's old version gave.

    Attributes:
        entities: All with their states, or what was ``Needed``.
        threads: All, or what was ``Needed``. Those that only the old version held are among them,
            planned: they go if the plan does not take them up again.
        next_thread: The number that a new thread gets.
    """

    info: DocumentInfo
    entities: tuple[Entity, ...] = ()
    threads: tuple[PlotThread, ...] = ()
    next_thread: int = 1


@dataclass(frozen=True, kw_only=True)
class Needed:
    """What a plan will look at, so that no more is loaded for it.

    Attributes:
        names_stamp: As of which the next holds; at another one all entities are loaded.
        entities: Ids of all that bear a name that the plan looks for. Of their states those come
            that hold in the chapter, of others none need come.
        threads: Numbers of closed threads, beside all open ones; None = all threads.
        has_threads: Whether it looks at any thread; if not, none need come.
    """

    names_stamp: tuple[int, int]
    entities: tuple[str, ...]
    threads: tuple[int, ...] | None = None
    has_threads: bool = True


@dataclass(frozen=True, kw_only=True)
class ChapterPlan:
    """What is derived from a chapter; all of it carries the chapter's revision.

    Attributes:
        summary: Takes the place of the chapter's summary; None = leave it.
        entities: New ones, or known ones whose kind or aliases grew.
        sightings: How often each entity occurs, by entity id.
        named: Names other than its own that the chapter uses for an entity, by entity id, also
            known ones: they stay as long as one chapter gives them. Without it only those count
            that are new in ``entities``.
        states: New states; ``entity`` is the name.
        learned: (id of a state, who learns it in this chapter).
        threads: New ones, numbered in order from ``Canon.next_thread``; status and other folded
            fields are not read.
        events: Ids, chapters and revisions are given by the store; a new thread without one gets
            one that plants it.
        rejected: What was not stored, each with the reason.
    """

    summary: tuple[str, SummarySource] | None = None
    entities: tuple[Entity, ...] = ()
    sightings: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    states: tuple[EntityState, ...] = ()
    learned: tuple[tuple[str, Knower], ...] = ()
    threads: tuple[PlotThread, ...] = ()
    events: tuple[ThreadEvent, ...] = ()
    rejected: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class StoredChapter:
    """What a write of a chapter did.

    Attributes:
        created: False if the same text was already there: then nothing was changed.
        withdrawn: How many derived records of the old version were removed.
        names_stamps: Before and after it, if all that changed of names is in ``plan.entities``;
            else None.
    """

    chapter: Chapter
    plan: ChapterPlan
    created: bool = True
    withdrawn: int = 0
    names_stamps: tuple[tuple[int, int], tuple[int, int]] | None = None


@dataclass(frozen=True, kw_only=True)
class SummaryLine:
    """A chapter without its text."""

    number: int
    title: str
    summary: str
    revision: str


@dataclass(frozen=True, kw_only=True)
class PassageRow:
    """A passage as search reads it: its words, and its vector if it has one."""

    number: int
    place: int
    terms: bytes
    vector: bytes | None


@dataclass(frozen=True, kw_only=True)
class PassageText:
    """A passage with its text; ``key`` is "12#4"."""

    number: int
    place: int
    revision: str
    text: str

    @property
    def key(self) -> str:
        """Chapter and place."""
        return f"{self.number}#{self.place}"


@dataclass(frozen=True, kw_only=True)
class EntityName:
    """What is needed to find an entity in a text."""

    id: str
    name: str
    aliases: tuple[str, ...]
    case_sensitive: bool
    authored: bool
    hidden: bool


Planner: TypeAlias = Callable[[Canon], ChapterPlan]
NameCounter: TypeAlias = Callable[[str], int]
"""How often the names of one entity occur in a text."""
