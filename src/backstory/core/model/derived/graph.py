"""Entities and relations of the knowledge graph."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from backstory.core.model.derived.base import Derived


class RelationStatus(StrEnum):
    """As that of a fact."""

    ACTIVE = "active"
    DISPUTED = "disputed"
    ENDED = "ended"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    EXPIRED = "expired"


@dataclass(frozen=True, kw_only=True)
class GraphEntity(Derived):
    """A node: a person, a pet, a place and so on.

    Attributes:
        kind: One of the closed schema's kinds.
        label: Its name, as it was said.
        aliases: Other names, each with evidence.
        role: What tells it from others of its kind and name: "friend", "neighbour"; of a pet its
            species. Empty where nothing does.
    """

    kind: str
    label: str
    aliases: tuple[str, ...] = ()
    role: str = ""


@dataclass(frozen=True, kw_only=True)
class Relation(Derived):
    """An edge.

    Attributes:
        type: One of the closed schema's relation types.
        subject_id, object_id: Ids of entities; "user" is the user.
        valid_from: Since when it is true in the world (aware, UTC); None = always.
        valid_until: Until when, exclusive; None = open.
        status: As that of a fact.
        fact_id: The fact that it comes from, or None.
        confidence: 0 to 1.
    """

    type: str
    subject_id: str
    object_id: str
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    status: RelationStatus = RelationStatus.ACTIVE
    fact_id: str | None = None
    confidence: float = 1.0
