"""Exports of mem0: what ``get_all`` of its platform (API v2, v3) and of its library (1.x) gives.

A list of memories, or an object that has it under "results" or "memories".
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
    name_of,
    records_of,
    text_of,
)
from backstory.errors import InvalidInputError


def read_mem0(data: Any) -> Foreign:
    """Read a document.

    Raises:
        InvalidInputError: It is no export of mem0.
    """
    records = records_of(data, "results", "memories")
    if records is None:
        raise InvalidInputError(
            'a mem0 export is a list of memories, or an object with "results": […]'
        )
    return memories_of(records, _memory)


def _memory(position: int, record: Mapping[str, Any]) -> ForeignMemory:
    text = text_of(record, "memory", "data", "text")
    return ForeignMemory(
        position=position,
        id=id_of(record, "id") or made_id(position, text),
        text=text,
        owner=name_of(record, "user_id"),
        created_at=instant_of(record, "created_at"),
    )
