"""Exports of Zep: edges of a user's graph (API v2 to v4), and messages of threads or sessions.

An object with "edges" (or "facts") and "threads" (or "sessions"), each thread with "messages";
a plain list is one of edges. Edges carry the four times of Zep.
"""

from collections.abc import Mapping
from typing import Any, Final

from backstory.core.content import read_metadata
from backstory.core.foreign.model import (
    Foreign,
    ForeignMemory,
    ForeignProblem,
    ForeignTurn,
    id_of,
    instant_of,
    made_id,
    name_of,
    object_of,
    records_of,
    text_of,
)
from backstory.core.model.message import MessageDraft, Role
from backstory.errors import InvalidInputError

_ROLES: Final = {str(role): role for role in Role} | {
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "function": Role.TOOL,
}
_SESSION: Final = "zep"


def read_zep(data: Any) -> Foreign:
    """Read a document.

    Raises:
        InvalidInputError: It is no export of Zep.
    """
    edges = records_of(data, "edges", "facts")
    threads = _threads(data)
    if edges is None and not threads:
        raise InvalidInputError(
            'a Zep export is a list of edges, or an object with "edges" and "threads"'
        )
    owner = name_of(data, "user_id") if isinstance(data, Mapping) else None
    memories: list[ForeignMemory] = []
    turns: list[ForeignTurn] = []
    problems: list[ForeignProblem] = []
    position = 0
    for record in edges or ():
        try:
            memories.append(_edge(position, object_of(record), owner))
        except InvalidInputError as error:
            problems.append(ForeignProblem(position=position, reason=str(error)))
        position += 1
    for name, whose, messages in threads:
        for place, record in enumerate(messages):
            try:
                turns.append(_turn(position, place, name, object_of(record), whose or owner))
            except InvalidInputError as error:
                problems.append(ForeignProblem(position=position, reason=str(error)))
            position += 1
    return Foreign(memories=tuple(memories), turns=tuple(turns), problems=tuple(problems))


def _threads(data: Any) -> list[tuple[str, str | None, list[Any]]]:
    """(session id, user, messages) of each conversation."""
    if not isinstance(data, Mapping):
        return []
    found = []
    for place, thread in enumerate(records_of(data, "threads", "sessions") or ()):
        if isinstance(thread, Mapping) and isinstance(thread.get("messages"), list):
            name = name_of(thread, "thread_id", "session_id", "uuid", "id")
            whose = name_of(thread, "user_id")
            found.append((name or f"{_SESSION}-{place}", whose, list(thread["messages"])))
    if isinstance(data.get("messages"), list):
        name = name_of(data, "thread_id", "session_id")
        found.append((name or _SESSION, None, list(data["messages"])))
    return found


def _edge(position: int, record: Mapping[str, Any], owner: str | None) -> ForeignMemory:
    text = text_of(record, "fact")
    return ForeignMemory(
        position=position,
        id=id_of(record, "uuid", "uuid_") or made_id(position, text),
        text=text,
        owner=name_of(record, "user_id") or owner,
        created_at=instant_of(record, "created_at"),
        valid_from=instant_of(record, "valid_at"),
        valid_until=instant_of(record, "invalid_at"),
        ended_at=instant_of(record, "expired_at"),
    )


def _turn(
    position: int, place: int, session: str, record: Mapping[str, Any], owner: str | None
) -> ForeignTurn:
    said = text_of(record, "content")
    # in v2, "role" is the speaker's name and "role_type" the role
    kind = name_of(record, "role_type", "role") or "user"
    role = _ROLES.get(kind.lower(), Role.USER)
    speaker = name_of(record, "name") or (
        name_of(record, "role") if "role_type" in record else None
    )
    metadata = record.get("metadata")
    draft = MessageDraft(
        role=role,
        text=said,
        speaker=speaker,
        message_id=id_of(record, "uuid", "uuid_") or f"{_SESSION}-{place}",
        timestamp=instant_of(record, "created_at"),
        metadata=read_metadata(metadata if isinstance(metadata, Mapping) else None),
    )
    return ForeignTurn(position=position, session=session, draft=draft, owner=owner)
