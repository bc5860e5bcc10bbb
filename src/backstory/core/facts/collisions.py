"""Collisions: one thing that is filed under two kinds which exclude one another.

Each row is coherent alone (``pet.cat`` = Gaia, ``pet.dog`` = "Nalla and Gaia"); together they
cannot be true. Nothing here changes facts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from backstory.core.facts.asof import is_current
from backstory.core.model.collision import (
    Collision,
    CollisionReport,
    CollisionState,
    Family,
    Residue,
)
from backstory.core.model.fact import Fact
from backstory.core.values import normal_value
from backstory.errors import InvalidInputError, NotFoundError

SPECIES: Final = Family(name="species", members={"cat": ("cat", "cats"), "dog": ("dog", "dogs")})
DEFAULT_FAMILIES: Final = (SPECIES,)

_WORDS: Final = re.compile(r"[^\W_]+")
_AND: Final = re.compile(r"\s*(?:[,;/&+]|\b(?:and|und|et|och|og|y|e)\b)\s*", re.IGNORECASE)

Identity = tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class Clash:
    """What is found in the facts: a name under more than one kind of a family.

    Attributes:
        name: As it is written in the first row.
        kinds: Sorted.
        rows: By kind, the ids of the rows that say so.
    """

    subject: str
    name: str
    family: str
    kinds: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]

    @property
    def identity(self) -> Identity:
        """Subject, name and family: never the keys, which change while a clash is repaired."""
        return (self.subject, normal_value(self.name), self.family)

    @property
    def fact_ids(self) -> tuple[str, ...]:
        """All rows that say so, in order of their ids."""
        return tuple(sorted({i for ids in self.rows.values() for i in ids}))


def check_families(families: Sequence[Family]) -> None:
    """Refuse families that can decide nothing.

    Raises:
        InvalidInputError: A name is blank or used twice, a family has fewer than two kinds, a kind
            has no words, or a word stands for two kinds.
    """
    names = [family.name for family in families]
    if len(set(names)) != len(names) or not all(name.strip() for name in names):
        raise InvalidInputError("families need names that differ")
    for family in families:
        words = [word.casefold() for words in family.members.values() for word in words]
        if len(family.members) < 2 or not all(family.members.values()):
            raise InvalidInputError(f"family {family.name!r} needs two kinds, each with words")
        if len(set(words)) != len(words):
            raise InvalidInputError(f"family {family.name!r} has a word for two kinds")


def names_in(value: str) -> list[str]:
    """The single names of a value such as "Nalla and Gaia"."""
    parts = (part.strip() for part in _AND.split(value))
    return [part for part in parts if normal_value(part)]


def kinds_of(key: str, family: Family) -> list[str]:
    """The kinds of a family that a key belongs to, by its words."""
    words = {word.casefold() for word in _WORDS.findall(key)}
    return [
        kind
        for kind, members in family.members.items()
        if any(member.casefold() in words for member in members)
    ]


def find_collisions(
    facts: Iterable[Fact], families: Sequence[Family] = DEFAULT_FAMILIES
) -> list[Clash]:
    """Find the names that stand under two kinds of one family.

    Args:
        facts: Current facts of one user.
        families: Which kinds exclude one another. A key that belongs to two kinds of a family
            ("cats and dogs") says nothing.

    Returns:
        Clashes in the order of subject, name and family.
    """
    names: dict[Identity, str] = {}
    filed: dict[Identity, dict[str, list[str]]] = {}
    for fact in sorted(facts, key=lambda f: (f.recorded_at, f.id)):
        for family in families:
            kinds = kinds_of(fact.key, family)
            if len(kinds) != 1:
                continue
            for name in names_in(fact.value):
                identity = (fact.subject, normal_value(name), family.name)
                names.setdefault(identity, name)
                filed.setdefault(identity, {}).setdefault(kinds[0], []).append(fact.id)
    return [
        Clash(
            subject=identity[0],
            name=names[identity],
            family=identity[2],
            kinds=tuple(sorted(kinds)),
            rows={kind: tuple(sorted(set(ids))) for kind, ids in kinds.items()},
        )
        for identity, kinds in sorted(filed.items())
        if len(kinds) > 1
    ]


def plan_refresh(
    existing: Sequence[Collision],
    facts: Sequence[Fact],
    families: Sequence[Family] = DEFAULT_FAMILIES,
    *,
    user_id: str,
    new_ids: Sequence[str],
    now: datetime,
) -> tuple[list[Collision], CollisionReport]:
    """Compare what is filed with what the facts say now.

    A clash that is gone is closed; one that came back is open again; a settled one stays settled.

    Args:
        existing: All collisions of the user.
        facts: Facts of the user; only current ones count.
        families: Which kinds exclude one another.
        user_id: Whose.
        new_ids: At least one id that is not in use; further ones are made from them.
        now: The time.

    Returns:
        New and changed collisions, and the counts.
    """
    current = [f for f in facts if is_current(f, now)]
    clashes = {clash.identity: clash for clash in find_collisions(current, families)}
    known = {identity_of(c): c for c in existing}
    changed: list[Collision] = []
    raised = resolved = 0
    for identity, clash in clashes.items():
        old = known.get(identity)
        if old is None:
            changed.append(_opened(clash, _new_id(new_ids, raised), user_id, now))
            raised += 1
            continue
        new = replace(old, kinds=clash.kinds, fact_ids=clash.fact_ids)
        if old.state is CollisionState.CLOSED:
            new = replace(new, state=CollisionState.OPEN, opened_at=now)
            raised += 1
        known[identity] = new
    for identity, old in known.items():
        if identity not in clashes and old.state is CollisionState.OPEN:
            known[identity] = replace(old, state=CollisionState.CLOSED, fact_ids=())
            resolved += 1
    before = {c.id: c for c in existing}
    changed += [c for c in known.values() if before[c.id] != c]
    after = [*known.values(), *(c for c in changed if c.id not in before)]
    report = CollisionReport(
        open=sum(c.state is CollisionState.OPEN for c in after),
        raised=raised,
        resolved=resolved,
        residues=len(residues(after, current, families, now=now)),
    )
    return changed, report


def settle(
    collision: Collision, *, kept: str, note: str | None, families: Sequence[Family], now: datetime
) -> Collision:
    """Decide for one kind.

    Raises:
        InvalidInputError: The kept side is none of the kinds the thing is filed under.
    """
    if kept not in collision.kinds:
        known = ", ".join(collision.kinds)
        raise InvalidInputError(f"{kept!r} is no side of this collision; choose one of: {known}")
    if collision.family not in {family.name for family in families}:
        raise InvalidInputError(f"the family {collision.family!r} is not configured any more")
    return replace(collision, state=CollisionState.SETTLED, kept=kept, note=note, settled_at=now)


def find_named(
    collisions: Iterable[Collision], name: str, *, family: str | None = None
) -> Collision:
    """The collision about a name that is not closed: an open one before a settled one.

    Raises:
        NotFoundError: There is none.
        InvalidInputError: The name stands in several; say the family.
    """
    form = normal_value(name)
    named = [
        c
        for c in collisions
        if normal_value(c.name) == form
        and family in (None, c.family)
        and c.state is not CollisionState.CLOSED
    ]
    found = [c for c in named if c.state is CollisionState.OPEN] or named
    if not found:
        raise NotFoundError(f"there is no collision about {name!r}")
    if len(found) > 1:
        raise InvalidInputError(f"{name!r} stands in several collisions; name the family")
    return found[0]


def residues(
    collisions: Iterable[Collision],
    facts: Iterable[Fact],
    families: Sequence[Family] = DEFAULT_FAMILIES,
    *,
    now: datetime,
) -> list[Residue]:
    """The current facts that still contradict a decision, for each settled collision with any."""
    current = [f for f in facts if is_current(f, now)]
    by_name = {family.name: family for family in families}
    found = []
    for collision in collisions:
        family = by_name.get(collision.family)
        if collision.state is not CollisionState.SETTLED or family is None:
            continue
        rows = tuple(f for f in current if _contradicts(f, collision, family))
        if rows:
            found.append(Residue(collision=collision, facts=rows))
    return found


def identity_of(collision: Collision) -> Identity:
    """By what a collision is the same one: subject, name and family."""
    return (collision.subject, normal_value(collision.name), collision.family)


def _contradicts(fact: Fact, collision: Collision, family: Family) -> bool:
    kinds = kinds_of(fact.key, family)
    if fact.subject != collision.subject or len(kinds) != 1 or kinds[0] == collision.kept:
        return False
    return normal_value(collision.name) in map(normal_value, names_in(fact.value))


def _opened(clash: Clash, new_id: str, user_id: str, now: datetime) -> Collision:
    return Collision(
        id=new_id,
        user_id=user_id,
        subject=clash.subject,
        name=clash.name,
        family=clash.family,
        kinds=clash.kinds,
        fact_ids=clash.fact_ids,
        opened_at=now,
    )


def _new_id(new_ids: Sequence[str], place: int) -> str:
    if not new_ids:
        raise InvalidInputError("a refresh needs at least one new id")
    base = new_ids[place % len(new_ids)]
    again = place // len(new_ids)
    return f"{base}-{again}" if again else base
