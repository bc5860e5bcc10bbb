"""Records of the graph as rows for a graph server, and back."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from backstory.core.codec import decode, encode
from backstory.core.graph.matching import search_forms
from backstory.core.graph.value import CURRENT, Graph, record_mark
from backstory.core.model.derived import GraphEntity, Relation, RelationStatus
from backstory.core.times import to_micros
from backstory.ports.graph import When

OPEN: Final = 2**62
ALWAYS: Final = -(2**62)
_NOT_RETRACTED: Final = sorted(set(RelationStatus) - {RelationStatus.RETRACTED})


def entity_row(entity: GraphEntity, known: int) -> dict[str, Any]:
    """A node: some properties are there to be looked at, ``body`` is what is read back."""
    return {
        "id": entity.id,
        "values": {
            "kind": entity.kind,
            "label": entity.label,
            "role": entity.role,
            "aliases": list(entity.aliases),
            "forms": search_forms(entity),
            "mark": record_mark(entity),
            "known": known,
            "replaced": OPEN,
            "body": json.dumps(encode(entity)),
        },
    }


def relation_row(relation: Relation, known: int) -> dict[str, Any]:
    """A relationship."""
    begin, end = relation.valid_from, relation.valid_until
    return {
        "id": relation.id,
        "subject": relation.subject_id,
        "object": relation.object_id,
        "values": {
            "type": relation.type,
            "status": str(relation.status),
            "begin": ALWAYS if begin is None else to_micros(begin),
            "end": OPEN if end is None else to_micros(end),
            "at": to_micros(relation.at),
            "mark": record_mark(relation),
            "known": known,
            "replaced": OPEN,
            "body": json.dumps(encode(relation)),
        },
    }


def known_since(record: GraphEntity | Relation) -> int:
    """Since when a record is known."""
    return to_micros(record.known_from or record.recorded_at)


def counted(when: When) -> dict[str, Any]:
    """The parameters that say which relations count."""
    known = OPEN - 1 if when.known_at is None else to_micros(when.known_at)
    if when.history:
        return {"known": known, "statuses": _NOT_RETRACTED, "latest": OPEN, "earliest": ALWAYS}
    at = to_micros(when.valid_at or when.known_at or when.now)
    statuses = sorted(CURRENT) if when.valid_at is None else _NOT_RETRACTED
    return {"known": known, "statuses": statuses, "latest": at, "earliest": at}


def graph_of_rows(rows: Iterable[Mapping[str, Any]]) -> Graph:
    """The entities and relations of rows with ``body`` and ``found``."""
    entities: dict[str, GraphEntity] = {}
    relations: dict[str, Relation] = {}
    for row in rows:
        first = entity_of(row["body"])
        entities[first.id] = first
        for body, other in row["found"]:
            relation = decode(Relation, json.loads(body))
            relations[relation.id] = relation
            beside = entity_of(other)
            entities[beside.id] = beside
    ordered = sorted(relations.values(), key=lambda relation: (relation.at, relation.id))
    return Graph(entities, tuple(ordered))


def entity_of(body: str) -> GraphEntity:
    """The entity of a node."""
    return decode(GraphEntity, json.loads(body))
