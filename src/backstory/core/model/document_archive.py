"""What an export holds of one document: all of it, apart from any database.

What is folded from the rest (counts, statuses, where states end) is left out and made anew.
"""

from dataclasses import dataclass
from datetime import datetime

from backstory.core.model.document import Chapter, Draft
from backstory.core.model.entity import EntityKind
from backstory.core.model.plot import ThreadEvent


@dataclass(frozen=True, kw_only=True)
class ArchivedPassage:
    """A passage by its code points in the text of its chapter, ``end`` exclusive."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class ArchivedChapter:
    """A chapter: all versions, the current one last, and the passages of that one."""

    versions: tuple[Chapter, ...]
    passages: tuple[ArchivedPassage, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ArchivedEntity:
    """An entity, in the order in which they came.

    Attributes:
        aliases: All other names; ``own_aliases`` those that the author entered.
    """

    id: str
    name: str
    kind: EntityKind
    aliases: tuple[str, ...] = ()
    own_aliases: tuple[str, ...] = ()
    case_sensitive: bool = True
    authored: bool = False
    hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class ArchivedSighting:
    """What a chapter says of an entity.

    Attributes:
        times: How often it is named; 0 = the chapter tells of it only.
        kind, aliases: What the chapter adds to kind and names; kind None = nothing.
    """

    number: int
    entity_id: str
    times: int
    kind: EntityKind | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ArchivedKnower:
    """Who knows a state, since when, and by which version of which chapter; None = by hand."""

    name: str
    since_chapter: int
    revision: str | None = None


@dataclass(frozen=True, kw_only=True)
class ArchivedState:
    """A state, in the order in which they came. ``restricted``: only its knowers know."""

    id: str
    entity_id: str
    attribute: str
    value: str
    chapter: int
    quote: str = ""
    revision: str | None = None
    hidden: bool = False
    restricted: bool = False
    knowers: tuple[ArchivedKnower, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ArchivedThread:
    """The plan of a thread; its state follows from its events."""

    number: int
    summary: str
    kind: str | None = None
    deadline: int | None = None
    hidden: bool = False
    authored: bool = False


@dataclass(frozen=True, kw_only=True)
class DocumentRecords:
    """A whole document.

    Attributes:
        next_thread: The number of the next new thread.
    """

    unit: str
    planned_chapters: int | None
    created_at: datetime
    next_thread: int
    chapters: tuple[ArchivedChapter, ...] = ()
    entities: tuple[ArchivedEntity, ...] = ()
    sightings: tuple[ArchivedSighting, ...] = ()
    states: tuple[ArchivedState, ...] = ()
    threads: tuple[ArchivedThread, ...] = ()
    events: tuple[ThreadEvent, ...] = ()
    drafts: tuple[Draft, ...] = ()
