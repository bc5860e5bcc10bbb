"""Entities of a document: who and what occurs in it, their states, and who knows of them."""

from dataclasses import dataclass
from enum import StrEnum

from backstory.core.model.record import Record


class EntityKind(StrEnum):
    """What an entity is."""

    PERSON = "person"
    PLACE = "place"
    THING = "thing"
    GROUP = "group"
    LORE = "lore"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True)
class Knower(Record):
    """A character who knows something, and since which chapter."""

    name: str
    since_chapter: int


@dataclass(frozen=True, kw_only=True)
class EntityState(Record):
    """Something that is so from a chapter on, until a later state of the same attribute.

    Attributes:
        entity: The name of the entity.
        attribute: What it is about: "eyes", "life", "home", "note"; lower case.
        value: As the text says it: "green", "dead".
        chapter: Since which chapter; 0 = since before the first.
        quote: The passage of the chapter that says so, or "".
        revision: The version of the chapter it was read in; None = entered by the author, and no
            revision of a text takes it away.
        hidden: Only the author may see it: no character's view shows it.
        known_by: Empty = everybody in the story knows; else only these, each from a chapter on.
    """

    id: str
    entity: str
    attribute: str
    value: str
    chapter: int
    quote: str = ""
    revision: str | None = None
    hidden: bool = False
    known_by: tuple[Knower, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Entity(Record):
    """Somebody or something that occurs in a document.

    Attributes:
        aliases: Other names of it.
        case_sensitive: Names count only as they are written: "Red" is not "red".
        first_chapter, last_chapter: Where it occurs first and last; None = nowhere yet.
        mentions: In how many chapters it occurs.
        authored: The author entered it; it stays where no chapter mentions it.
        hidden: Only the author may see it.
        states: In order of chapters; the last of an attribute holds.
    """

    id: str
    name: str
    kind: EntityKind = EntityKind.OTHER
    aliases: tuple[str, ...] = ()
    case_sensitive: bool = True
    first_chapter: int | None = None
    last_chapter: int | None = None
    mentions: int = 0
    authored: bool = False
    hidden: bool = False
    states: tuple[EntityState, ...] = ()
