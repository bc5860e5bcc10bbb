"""What a model found about entities, checked before it is stored: the schema, and its own words.

A name, each of its other names, and the quote must stand in the message that they are said to be
of, word for word; so nothing of a prompt's examples and nothing translated gets in.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from backstory.core.graph.naming import normal_label, spelled_in
from backstory.core.graph.schema import (
    RULES,
    TIMELESS,
    EntityKind,
    RelationType,
    refused_kind,
    refused_label,
    refused_relation,
)
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.fact import USER, Evidence
from backstory.core.model.found import Found, FoundEntity, FoundRelation
from backstory.core.model.reading import ClaimRejection
from backstory.core.text import one_line
from backstory.core.wordlists import word_set

SCHEMA: Final = "graph schema"
NOT_IN_TEXT: Final = "not in the text"
_NOBODY: Final = word_set(
    """
    i me my mine myself we us our you your yours he him his she her hers it its they them their
    this that these those someone somebody everyone everybody nobody who assistant chatbot bot ai
    system tool the_user the_assistant human
    """
)
"""What stands for somebody without naming them, and the assistant: no entities."""


@dataclass(frozen=True, kw_only=True)
class AdmittedGraph:
    """What may be stored, and what was refused, with the guard and the reason.

    Attributes:
        records: Entities, then the relations between them; all have new ids. They are merged with
            what is known already when the graph is read, so nothing has to be looked up.
    """

    records: tuple[GraphEntity | Relation, ...] = ()
    rejections: tuple[ClaimRejection, ...] = ()


def admit_relations(
    entities: Sequence[FoundEntity],
    relations: Sequence[FoundRelation],
    sources: Mapping[str, str],
    *,
    user_id: str,
    now: datetime,
    new_ids: Iterator[str],
    bulk: bool = False,
    user_name: str | None = None,
) -> AdmittedGraph:
    """Check what a model found.

    Args:
        entities: What was named. What only a relation names need not be among them.
        relations: How they are tied.
        sources: The text of each message of the user that was read. What quotes another message is
            refused.
        user_id: Whose graph.
        now: The time of recording.
        new_ids: Gives ids: one for each record, at most one for each entity and three for each
            relation.
        bulk: Whether the messages are imported: ``known_from`` is then the time of the message.
        user_name: The user's own name, which is then no other entity.
    """
    user_names = frozenset({USER, *([normal_label(user_name)] if user_name else [])})
    gate = _Gate(sources, user_names, _Maker(user_id, now, new_ids, bulk=bulk))
    for entity in entities:
        gate.entity(entity)
    for relation in relations:
        gate.relation(relation)
    return gate.result()


class _Refused(Exception):  # noqa: N818 - it never leaves this module
    """Why something is not stored."""

    def __init__(self, guard: str, reason: str) -> None:
        super().__init__(reason)
        self.guard = guard


@dataclass(frozen=True)
class _Maker:
    """Makes records."""

    user_id: str
    now: datetime
    new_ids: Iterator[str]
    bulk: bool

    def common(self, found: Found) -> dict[str, object]:
        """The fields that all derived records have."""
        return {
            "id": next(self.new_ids),
            "user_id": self.user_id,
            "at": found.said_at,
            "recorded_at": self.now,
            "known_from": found.said_at if self.bulk else None,
            "session_id": found.session_id,
        }


@dataclass
class _Node:
    """An entity of this batch while it is gathered."""

    kind: str
    label: str
    first: Found
    aliases: dict[str, str]
    evidence: dict[tuple[str, str], Evidence]


class _Gate:
    """Gathers the entities and relations of one batch."""

    def __init__(
        self, sources: Mapping[str, str], user_names: frozenset[str], maker: _Maker
    ) -> None:
        self._sources = sources
        self._user_names = user_names
        self._maker = maker
        self._nodes: dict[tuple[str, str], _Node] = {}
        self._edges: dict[tuple[object, ...], tuple[FoundRelation, list[Evidence]]] = {}
        self._rejections: list[ClaimRejection] = []

    def entity(self, found: FoundEntity) -> None:
        """Take an entity, or note why not."""
        self._try(found, "entity", found.label, lambda: self._take_entity(found))

    def relation(self, found: FoundRelation) -> None:
        """Take a relation, or note why not."""
        value = f"{found.subject} {found.type} {found.object}"
        self._try(found, "relation", value, lambda: self._take_relation(found))

    def result(self) -> AdmittedGraph:
        """The records, and what was refused."""
        made: dict[tuple[str, str], GraphEntity] = {}
        for key, node in self._nodes.items():
            made[key] = GraphEntity(
                **self._maker.common(node.first),  # type: ignore[arg-type]
                kind=node.kind,
                label=node.label,
                aliases=tuple(node.aliases.values()),
                evidence=tuple(node.evidence.values()),
            )
        edges = [self._edge(found, evidence, made) for found, evidence in self._edges.values()]
        return AdmittedGraph(records=(*made.values(), *edges), rejections=tuple(self._rejections))

    def _edge(
        self,
        found: FoundRelation,
        evidence: list[Evidence],
        made: Mapping[tuple[str, str], GraphEntity],
    ) -> Relation:
        ends = [
            USER if self._is_user(label) else made[_key(kind, label)].id
            for kind, label in (
                (found.subject_kind, found.subject),
                (found.object_kind, found.object),
            )
        ]
        return Relation(
            **self._maker.common(found),  # type: ignore[arg-type]
            type=found.type,
            subject_id=ends[0],
            object_id=ends[1],
            valid_from=_begin(found),
            valid_until=found.valid_until,
            evidence=tuple(dict.fromkeys(evidence)),
        )

    def _try(self, found: Found, key: str, value: str, take: Callable[[], None]) -> None:
        try:
            take()
        except _Refused as refused:
            self._rejections.append(
                ClaimRejection(
                    reason=str(refused),
                    guard=refused.guard,
                    message_id=found.message_id,
                    key=f"graph.{key}",
                    value=one_line(value)[:200],
                )
            )

    def _is_user(self, label: str) -> bool:
        return normal_label(label) in self._user_names

    def _take_entity(self, found: FoundEntity) -> None:
        if self._is_user(found.label):
            return
        text = self._text(found)
        _check_entity(found.kind, found.label, text)
        node = self._node(found.kind, found.label, found)
        for alias in found.aliases:
            spelled = None if refused_label(alias) else spelled_in(alias, text)
            if spelled is None:
                raise _Refused(NOT_IN_TEXT, f"the other name {alias[:80]!r} is not in the message")
            if normal_label(alias) != normal_label(node.label):
                node.aliases.setdefault(normal_label(alias), spelled)

    def _take_relation(self, found: FoundRelation) -> None:
        text = self._text(found)
        kinds = [
            EntityKind.PERSON.value if self._is_user(label) else kind
            for label, kind in (
                (found.subject, found.subject_kind),
                (found.object, found.object_kind),
            )
        ]
        reason = refused_relation(found.type, kinds[0], kinds[1])
        if reason is not None:
            raise _Refused(SCHEMA, reason)
        ends = list(zip(kinds, (found.subject, found.object), strict=True))
        for kind, label in ends:
            if not self._is_user(label):
                _check_entity(kind, label, text)
        names = [USER if self._is_user(label) else _key(kind, label) for kind, label in ends]
        if names[0] == names[1]:
            raise _Refused(SCHEMA, "both ends are the same")
        begin, end = found.valid_from, found.valid_until
        if begin is not None and end is not None and end <= begin:
            raise _Refused(SCHEMA, "it ends before it begins")
        for kind, label in ends:
            if not self._is_user(label):
                self._node(kind, label, found)
        if RULES[RelationType(found.type)].symmetric:
            names.sort(key=str)
        edge = (found.type, *names, begin, end)
        _, evidence = self._edges.setdefault(edge, (found, []))
        evidence.append(_evidence(found))

    def _text(self, found: Found) -> str:
        text = self._sources.get(found.message_id)
        if text is None:
            raise _Refused(NOT_IN_TEXT, "it quotes no message that was read")
        if not found.quote.strip() or one_line(found.quote) not in one_line(text):
            raise _Refused(NOT_IN_TEXT, "its quote is not in the message")
        return text

    def _node(self, kind: str, label: str, found: Found) -> _Node:
        spelled = spelled_in(label, self._sources[found.message_id]) or one_line(label)
        node = self._nodes.setdefault(_key(kind, label), _Node(kind, spelled, found, {}, {}))
        node.evidence.setdefault((found.message_id, found.quote), _evidence(found))
        return node


def _key(kind: str, label: str) -> tuple[str, str]:
    return (kind, normal_label(label))


def _begin(found: FoundRelation) -> datetime | None:
    """As of facts: what is not dated holds since it was said, or always where it cannot begin."""
    if found.valid_from is not None or found.type in TIMELESS:
        return found.valid_from
    ends = found.valid_until
    return None if ends is not None and ends <= found.said_at else found.said_at


def _evidence(found: Found) -> Evidence:
    return Evidence(message_id=found.message_id, quote=found.quote)


def _check_entity(kind: str, label: str, text: str) -> None:
    reason = refused_kind(kind) or refused_label(label)
    if reason is None and normal_label(label).replace(" ", "_") in _NOBODY:
        reason = f"{label!r} names nobody"
    if reason is not None:
        raise _Refused(SCHEMA, reason)
    if spelled_in(label, text) is None:
        raise _Refused(NOT_IN_TEXT, f"{one_line(label)[:80]!r} is not in the message")
