"""What a reader finds in one chapter, before it is decided what is stored."""

from dataclasses import dataclass

from backstory.core.model.entity import EntityKind
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class Sighting(Record):
    """An entity that occurs in a chapter.

    Attributes:
        name: The name that the document knows it by, or a new one.
        aliases: Other names that the chapter uses.
        times: How often it occurs, 1 or more.
    """

    name: str
    kind: EntityKind = EntityKind.OTHER
    aliases: tuple[str, ...] = ()
    times: int = 1


@dataclass(frozen=True, kw_only=True)
class StateRead(Record):
    """A state that a chapter gives an entity, with the passage that says so.

    Attributes:
        known_by: Characters who know, if the chapter says that not everybody does.
        learned: The chapter does not make it so: the characters in ``known_by`` learn here what
            was so before.
    """

    entity: str
    attribute: str
    value: str
    quote: str
    known_by: tuple[str, ...] = ()
    learned: bool = False


@dataclass(frozen=True, kw_only=True)
class ThreadOpRead(Record):
    """What a chapter does to a thread, as the reader says it: not yet parsed.

    Attributes:
        action: "plant", "progress", "resolve", "abandon", "reopen", or what a model wrote.
        ref: What names a known thread, such as "T3"; "" for a new one.
        deadline: A chapter number, or what a model wrote; None = none.
    """

    action: str
    ref: str = ""
    summary: str = ""
    kind: str | None = None
    deadline: object = None
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class ChapterReading(Record):
    """All that a reader found in a chapter.

    Attributes:
        summary: In the language of the chapter; "" = none.
        rejected: What the reader itself did not take, each with the reason.
    """

    summary: str
    sightings: tuple[Sighting, ...] = ()
    states: tuple[StateRead, ...] = ()
    threads: tuple[ThreadOpRead, ...] = ()
    rejected: tuple[str, ...] = ()
