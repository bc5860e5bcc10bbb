"""What a reader found in one message, and what is written of it, for tests."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from backstory.core.derived.book import DerivedBook
from backstory.core.findings.model import Findings
from backstory.core.findings.planning import graph_records, plan_found
from backstory.core.model.derived import (
    Derived,
    Precision,
)
from backstory.core.model.found import (
    FoundEntity,
    FoundEvent,
    FoundIntention,
    FoundMoment,
    FoundRelation,
    FoundSummary,
)
from backstory.core.model.message import Role
from backstory.core.model.reading import Reading, Turn
from backstory.core.model.scope import Scope

AT = datetime(2026, 5, 14, 12, tzinfo=UTC)
NOW = AT + timedelta(days=1)
VERA = Scope("default", "vera")
TEXT = "I adopted Bella in March, I should call Oda about it, I'm over the moon"
MADE_UP_KEY = "sk-abcdefghijklmnopqrstuvwx0123456789ABCD"
PLACE: dict[str, Any] = {"message_id": "m1", "said_at": AT, "session_id": "s"}


def turn(number: int, text: str, **changes: Any) -> Turn:
    values: dict[str, Any] = {
        "message_id": f"m{number}",
        "revision": 1,
        "role": Role.USER,
        "text": text,
        "timestamp": AT + timedelta(minutes=number - 1),
        "is_user": True,
        "session_id": "s",
    }
    return Turn(**{**values, **changes})


def event(**changes: Any) -> FoundEvent:
    given = {"quote": "adopted Bella in March", "predicate": "adopted Bella", "place": 16}
    dated = {"occurred_on": date(2026, 3, 1), "precision": Precision.MONTH}
    return FoundEvent(**{**PLACE, **given, **dated, "expression": "in March", **changes})


def moment(**changes: Any) -> FoundMoment:
    felt = {"quote": "I'm over the moon", "valence": 0.9, "arousal": 0.5, "tags": ("joy",)}
    return FoundMoment(**{**PLACE, **felt, **changes})


def intention(**changes: Any) -> FoundIntention:
    given = {"quote": "I should call Oda about it", "what": "call Oda"}
    return FoundIntention(**{**PLACE, **given, **changes})


def entity(**changes: Any) -> FoundEntity:
    return FoundEntity(
        **{**PLACE, "quote": "adopted Bella", "kind": "pet", "label": "Bella", **changes}
    )


def relation(**changes: Any) -> FoundRelation:
    ends = {"subject": "user", "subject_kind": "person", "object": "Bella", "object_kind": "pet"}
    return FoundRelation(
        **{**PLACE, "quote": "adopted Bella", "type": "owns_pet", **ends, **changes}
    )


def summary(**changes: Any) -> FoundSummary:
    return FoundSummary(**{"session_id": "s", "text": "The user adopted Bella.", **changes})


def everything(**changes: Any) -> Reading:
    given: dict[str, Any] = {
        "events": (event(),),
        "moments": (moment(),),
        "intentions": (intention(),),
        "entities": (entity(),),
        "relations": (relation(),),
        "summaries": (summary(),),
    }
    return Reading(**{**given, **changes})


def findings(reading: Reading | None = None, **changes: Any) -> Findings:
    given: dict[str, Any] = {
        "scope": VERA,
        "reading": everything() if reading is None else reading,
        "turns": (turn(1, TEXT),),
        "made_by": "model:test",
        "begun": frozenset({"s"}),
    }
    return Findings(**{**given, **changes})


def put(
    *batches: Findings, book: DerivedBook | None = None, unread: frozenset[str] | None = None
) -> tuple[Derived, ...]:
    """What is written, of messages that are all as they were read."""
    still = unread
    if still is None:
        still = frozenset(one.message_id for batch in batches for one in batch.turns)
    graph = graph_records(batches, still, NOW).records
    known = DerivedBook() if book is None else book
    return plan_found(known, batches, graph, still, NOW, lambda text, most: text[:most]).put


def stored(*records: Derived) -> DerivedBook:
    return DerivedBook(records)
