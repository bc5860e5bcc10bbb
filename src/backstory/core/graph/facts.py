"""The relations that facts state: a pure function of them, so they are never out of date.

Nothing here decides what is true: an edge has the valid time, the status and the evidence of its
fact.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from backstory.core.graph.naming import entity_id, relation_id
from backstory.core.graph.persons import People, Person, person
from backstory.core.graph.roles import ROLE_OF_KEY, Role
from backstory.core.graph.rules import (
    PET_PREFIX,
    SLOT_RULES,
    is_relational,
    names_of,
    refused_name,
)
from backstory.core.graph.schema import RULES, EntityKind, RelationType
from backstory.core.model.derived import GraphEntity, Relation, RelationStatus
from backstory.core.model.fact import USER, Evidence, Fact, FactStatus
from backstory.core.text import one_line

_MOST_EVIDENCE: Final = 8


@dataclass(frozen=True)
class Node:
    """An entity as one fact names it."""

    id: str
    kind: EntityKind
    label: str
    role: str = ""


@dataclass(frozen=True)
class Stated:
    """An edge that a fact states.

    Attributes:
        implied: It only follows from the subject: "friend.sam" is a friend.
    """

    type: RelationType
    subject: Node
    object: Node
    fact: Fact
    implied: bool = False

    @cached_property
    def relation(self) -> Relation:
        """The edge as a record."""
        return _relation_of(self)


Memo = dict[str, tuple[Fact, "Node", tuple[list[Stated], str | None]]]
"""What facts stated when they were read last, by id: most are the same when one of them changes."""


@dataclass(frozen=True)
class Projection:
    """What facts imply.

    Attributes:
        edges: In the order of the facts.
        refused: By fact id, why its value is no entity.
    """

    edges: tuple[Stated, ...]
    refused: dict[str, str]


_USER_NODE: Final = Node(USER, EntityKind.PERSON, USER)


def project(facts: Iterable[Fact], memo: Memo | None = None) -> Projection:
    """Read relations in facts.

    Args:
        facts: Of one user, as they were believed at one time; past and retracted ones too.
        memo: What is kept from one time to the next; it changes nothing but the time that it takes.
    """
    known = {} if memo is None else memo
    chosen = [fact for fact in facts if is_relational(fact.key)]
    people = People()
    for fact in chosen:
        if fact.subject == USER:
            people.note(fact, USER)
    edges: list[Stated] = []
    refused: dict[str, str] = {}
    for fact in chosen:
        subject = _USER_NODE if fact.subject == USER else _node(people.of_subject(fact))
        if subject is None:
            refused[fact.id] = f"it cannot be told who {fact.subject!r} is"
            continue
        last = known.get(fact.id)
        if last is None or last[0] is not fact or last[1] != subject:
            last = known[fact.id] = (fact, subject, _of_fact(fact, subject))
        found, reason = last[2]
        edges += found
        if reason is not None:
            refused[fact.id] = reason
    edges += _implied(chosen, people, edges)
    return Projection(tuple(edges), refused)


def _node(found: Person | None) -> Node | None:
    if found is None:
        return None
    return Node(found.id, EntityKind.PERSON, found.label, found.role.name if found.role else "")


def _of_fact(fact: Fact, subject: Node) -> tuple[list[Stated], str | None]:
    """The edges of one fact, and why it has none."""
    role = ROLE_OF_KEY.get(fact.key)
    if role is None and not fact.key.startswith(PET_PREFIX):
        reason = refused_name(fact.value)
        if reason is not None:
            return [], reason
        rule = SLOT_RULES[fact.key]
        label = one_line(fact.value)
        value = Node(entity_id(rule.kind, label), rule.kind, label)
        return [Stated(rule.type, subject, value, fact)], None
    edges, reason = [], None
    for name in names_of(fact.value):
        why = refused_name(name)
        if why is not None:
            reason = why
        elif role is not None:
            found = person(name, role, subject.id)
            node = Node(found.id, EntityKind.PERSON, found.label, role.name)
            edges.append(_role_edge(role, node, subject, fact))
        else:
            pet = _pet(name, fact.key.removeprefix(PET_PREFIX), subject.id)
            edges.append(Stated(RelationType.OWNS_PET, subject, pet, fact))
    return edges, reason


def _role_edge(
    role: Role, node: Node, anchor: Node, fact: Fact, *, implied: bool = False
) -> Stated:
    ends = (node, anchor) if role.leads else (anchor, node)
    return Stated(role.type, *ends, fact, implied=implied)


def _pet(name: str, species: str, owner: str) -> Node:
    species = species.replace("_", " ")
    role = "" if species in {"pet", "name"} else species
    beside = "" if owner == USER else owner
    return Node(entity_id(EntityKind.PET, name, role, beside), EntityKind.PET, name, role)


def _implied(facts: Sequence[Fact], people: People, edges: Sequence[Stated]) -> Iterator[Stated]:
    """What subjects say of those who are tied to the user by no fact of their own."""
    tied = {end.id for edge in edges for end in (edge.subject, edge.object) if _is_tie(edge)}
    for fact in facts:
        if fact.subject == USER or fact.status is FactStatus.RETRACTED:
            continue
        found = people.of_subject(fact)
        node = _node(found)
        if found is None or node is None or found.role is None or node.id in tied:
            continue
        tied.add(node.id)
        yield _role_edge(found.role, node, _USER_NODE, fact, implied=True)


def _is_tie(edge: Stated) -> bool:
    return USER in (edge.subject.id, edge.object.id) and edge.object.kind is EntityKind.PERSON


def _relation_of(edge: Stated) -> Relation:
    fact, ends = edge.fact, (edge.subject.id, edge.object.id)
    if RULES[edge.type].symmetric and ends[1] == USER:
        ends = (ends[1], ends[0])
    return Relation(
        id=relation_id(fact.id, edge.type, *ends),
        user_id=fact.user_id,
        at=fact.known_from or fact.recorded_at,
        recorded_at=fact.recorded_at,
        known_from=fact.known_from,
        evidence=fact.evidence[:_MOST_EVIDENCE],
        type=edge.type,
        subject_id=ends[0],
        object_id=ends[1],
        valid_from=fact.valid_from,
        valid_until=None if edge.implied else fact.valid_until,
        status=RelationStatus.ACTIVE if edge.implied else RelationStatus(fact.status.value),
        fact_id=fact.id,
        confidence=fact.confidence,
    )


def entity_of(node: Node, fact: Fact, evidence: tuple[Evidence, ...]) -> GraphEntity:
    """An entity as a record.

    Args:
        node: What it is.
        fact: The first that names it.
        evidence: Where it was named.
    """
    return GraphEntity(
        id=node.id,
        user_id=fact.user_id,
        at=fact.known_from or fact.recorded_at,
        recorded_at=fact.recorded_at,
        known_from=fact.known_from,
        evidence=evidence[:_MOST_EVIDENCE],
        kind=node.kind,
        label=node.label,
        role=node.role,
    )
