"""An answer of a model with something of every part, for tests."""

import json
from datetime import UTC, datetime
from typing import Any

from backstory.core.model.reading import Batch, Reading
from tests.unit.reading.llm_help import (
    ScriptedModel,
    batch,
    read_with,
)

TEXT = "I adopted Bella in March, I should call Oda about it, I'm over the moon"
AT = datetime(2026, 5, 14, 12, tzinfo=UTC)


def event(**changes: Any) -> dict[str, Any]:
    return _item("I adopted Bella in March", changes, subject="user", what="adopted Bella",
                 when="in March")  # fmt: skip


def moment(**changes: Any) -> dict[str, Any]:
    return _item("I'm over the moon", changes, valence=0.9, arousal=0.6, dominance=0.2,
                 tags=["joy"])  # fmt: skip


def intention(**changes: Any) -> dict[str, Any]:
    return _item("I should call Oda about it", changes, what="call Oda", when="")


def entity(**changes: Any) -> dict[str, Any]:
    return _item("I adopted Bella", changes, kind="pet", name="Bella", aliases=[])


def relation(**changes: Any) -> dict[str, Any]:
    return _item("I adopted Bella in March", changes, type="owns_pet", subject="user",
                 object="Bella", since="in March", until="")  # fmt: skip


def _item(quote: str, changes: dict[str, Any], **fields: Any) -> dict[str, Any]:
    given = {"message": 1, "quote": quote, **fields, **changes}
    return {name: value for name, value in given.items() if value is not None}


def all_of(**changes: Any) -> str:
    whole = {
        "facts": [],
        "contradictions": [],
        "events": [event()],
        "moments": [moment()],
        "intentions": [intention()],
        "entities": [entity()],
        "relations": [relation()],
        "summaries": [{"session": 1, "text": "The user adopted Bella in March."}],
    }
    return json.dumps({**whole, **changes})


def reading_of(model: ScriptedModel, given: Batch | None = None, **changes: Any) -> Reading:
    model.script(all_of(**changes))
    return read_with(model, given or batch(TEXT))
