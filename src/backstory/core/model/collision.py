"""Collisions: rows that are each coherent and cannot all be true."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from backstory.core.model.fact import Fact
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class Family(Record):
    """Kinds that exclude one another, and the words by which a key belongs to each.

    Attributes:
        name: Such as "species".
        members: For each kind the words of keys: {"cat": ("cat",), "dog": ("dog",)}.
    """

    name: str
    members: Mapping[str, tuple[str, ...]]


class CollisionState(StrEnum):
    """Whether somebody decided."""

    OPEN = "open"
    SETTLED = "settled"
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True)
class Collision(Record):
    """One thing filed under two kinds. It is identified by user, named subject and family.

    Attributes:
        name: The thing that is filed twice, such as "Gaia".
        family: The family's name.
        kinds: The kinds it is filed under, sorted.
        fact_ids: The rows that say so, as measured last.
        kept: The kind that was decided for, once settled.
        note: The decision's note.
    """

    id: str
    user_id: str
    name: str
    family: str
    kinds: tuple[str, ...]
    fact_ids: tuple[str, ...]
    opened_at: datetime
    subject: str = "user"
    state: CollisionState = CollisionState.OPEN
    kept: str | None = None
    note: str | None = None
    settled_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Residue(Record):
    """The current facts that still contradict a decision, measured now."""

    collision: Collision
    facts: tuple[Fact, ...]


@dataclass(frozen=True, kw_only=True)
class CollisionReport(Record):
    """What ``refresh`` found: clashes open now, raised and resolved by it, and residues."""

    open: int
    raised: int
    resolved: int
    residues: int
