"""Facts and findings to make graphs of."""

from datetime import UTC, datetime, timedelta
from typing import Any

from backstory.core.graph.value import Graph, holds
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.fact import USER, Evidence, Fact

T0 = datetime(2024, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
Edge = tuple[str, str, str]


def fact(key: str, value: str, subject: str = USER, **values: Any) -> Fact:
    """A fact that was stated at T0, unless told otherwise."""
    number = values.pop("number", f"{subject}-{key}-{value}")
    quote = values.pop("quote", value)
    since = values.pop("since", T0)
    common: dict[str, Any] = {
        "valid_from": since,
        "recorded_at": since or T0,
        "believed_at": since or T0,
        "evidence": (Evidence(message_id=f"m-{number}", quote=quote),),
    }
    return Fact(
        id=str(number),
        user_id="vera",
        key=key,
        value=value,
        subject=subject,
        **{**common, **values},
    )


def found(name: str, kind: str, label: str, **values: Any) -> GraphEntity:
    """An entity that a model found."""
    common: dict[str, Any] = {"user_id": "vera", "at": T0, "recorded_at": T0}
    return GraphEntity(id=name, kind=kind, label=label, **{**common, **values})


def tie(name: str, subject: str, type_: str, object_: str, **values: Any) -> Relation:
    """A relation that a model found."""
    common: dict[str, Any] = {"user_id": "vera", "at": T0, "recorded_at": T0, "valid_from": T0}
    return Relation(
        id=name, subject_id=subject, type=type_, object_id=object_, **{**common, **values}
    )


def edges(graph: Graph, now: datetime = T0 + 365 * DAY) -> list[Edge]:
    """What holds, by label, in order."""
    return sorted(_named(graph, r) for r in graph.relations if holds(r, now))


def all_edges(graph: Graph) -> list[Edge]:
    """Everything, past or not."""
    return sorted(_named(graph, r) for r in graph.relations)


def _named(graph: Graph, relation: Relation) -> Edge:
    ends = [
        USER if end == USER else graph.entities[end].label
        for end in (relation.subject_id, relation.object_id)
    ]
    return (ends[0], str(relation.type), ends[1])


def labels(graph: Graph) -> list[str]:
    """The names of all entities but the user."""
    return sorted(e.label for e in graph.entities.values() if e.id != USER)
