"""Exports of LangMem: the items of the LangGraph store that it writes to (``Item.dict()``).

A list of items, or an object that has it under "items". The value of an item is what LangMem
put there: {"content": "…"}, {"kind": …, "content": …} with a schema's fields, or a profile.
"""

from collections.abc import Mapping
from typing import Any

from backstory.core.foreign.model import (
    Foreign,
    ForeignMemory,
    id_of,
    instant_of,
    made_id,
    memories_of,
    records_of,
    sentence_of,
)
from backstory.errors import InvalidInputError

_TRIPLE = ("subject", "predicate", "object")


def read_langmem(data: Any) -> Foreign:
    """Read a document.

    Raises:
        InvalidInputError: It is no export of a LangGraph store.
    """
    records = records_of(data, "items")
    if records is None:
        raise InvalidInputError('a LangMem export is a list of items, or an object with "items"')
    return memories_of(records, _memory)


def _memory(position: int, record: Mapping[str, Any]) -> ForeignMemory:
    text = _text(record.get("value"))
    if not text:
        raise InvalidInputError("its value holds no text")
    namespace = record.get("namespace")
    owner = "/".join(map(str, namespace)) if isinstance(namespace, list) else None
    key = id_of(record, "key")
    return ForeignMemory(
        position=position,
        # a key names an item in its namespace only
        id=made_id(position, text) if key is None else f"{owner or ''}/{key}",
        text=text,
        owner=owner,
        created_at=instant_of(record, "created_at", "createdAt"),
    )


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        if "content" in value:
            return _text(value["content"])
        if all(isinstance(value.get(part), str) for part in _TRIPLE):
            return " ".join(str(value[part]) for part in _TRIPLE)
    return sentence_of(value)
