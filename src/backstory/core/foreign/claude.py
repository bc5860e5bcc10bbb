"""Exports of Claude: one conversation of ``conversations.json``, with ``chat_messages``."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from backstory.core.content import read_content, read_metadata
from backstory.core.foreign.model import Foreign, Reader, made_id, object_of
from backstory.core.foreign.talks import (
    BRANCH,
    Talk,
    id_in,
    moment_in,
    names_in,
    path_to,
    shares,
    text_in,
)
from backstory.core.model.message import MessageDraft, Role
from backstory.core.text import clean
from backstory.errors import InvalidInputError

_NAME: Final = "claude"
_ROLES: Final = {
    "human": Role.USER,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool": Role.TOOL,
}
_RESULT: Final = "tool_result"
_FILE_TEXT: Final = "text of an attached file"


def is_claude(record: Mapping[str, Any]) -> bool:
    """Whether a record looks like a conversation of Claude."""
    return isinstance(record.get("chat_messages"), list)


def claude_reader(_: str) -> Reader:
    """What reads the conversations of one file."""
    return _read


def _read(position: int, record: Any) -> Foreign:
    conversation = object_of(record)
    listed = conversation.get("chat_messages")
    if not isinstance(listed, list):
        raise InvalidInputError("it has no list of chat_messages")
    talk = Talk(
        position,
        id_in(conversation, "uuid", "id") or f"{_NAME}-{_made_of(conversation, position)}",
        about={"title": text_in(conversation, "name", "title"), "source": _NAME},
        started=moment_in(conversation, "created_at", "updated_at"),
    )
    shown = _shown(conversation, listed)
    for place, message in enumerate(listed):
        if not isinstance(message, Mapping):
            talk.refuse(None, "a message is no object")
            continue
        message_id = id_in(message, "uuid", "id")
        if shown is not None and place not in shown:
            talk.leave(message_id, BRANCH)
            continue
        try:
            talk.say(_draft(message, message_id))
        except InvalidInputError as error:
            talk.refuse(message_id, str(error))
        for _name in _attached_texts(message, named=True):
            talk.leave(message_id, _FILE_TEXT)
    return talk.done()


def _made_of(conversation: Mapping[str, Any], position: int) -> str:
    parts = (text_in(conversation, name) for name in ("name", "created_at"))
    known = [part for part in parts if part is not None]
    return made_id(*known) if known else str(position)


def _shown(conversation: Mapping[str, Any], listed: Sequence[Any]) -> set[int] | None:
    """The places of the messages of the branch that is shown; None where there is one only."""
    places: dict[str, int] = {}
    parents: dict[str, str | None] = {}
    for place, message in enumerate(listed):
        if isinstance(message, Mapping):
            name = id_in(message, "uuid", "id")
            if name is not None:
                places[name] = place
                parents[name] = id_in(message, "parent_message_uuid")
    known = [parent for parent in parents.values() if parent in places]
    if len(known) == len(set(known)):
        return None
    leaf = id_in(conversation, "current_leaf_message_uuid")
    if leaf not in places:
        # the last message that was written ends a branch
        leaf = max(places, key=lambda name: places[name])
    on_path = {places[name] for name in path_to(leaf, parents)}
    # what is not part of the tree is kept: it cannot be said to be of another branch
    apart = {
        place
        for place, message in enumerate(listed)
        if isinstance(message, Mapping) and id_in(message, "uuid", "id") is None
    }
    return on_path | apart


def _draft(message: Mapping[str, Any], message_id: str | None) -> MessageDraft:
    sender = text_in(message, "sender", "role")
    role = _ROLES.get((sender or "").lower())
    if role is None:
        raise InvalidInputError(f"its sender is {sender!r}")
    text, notes = _text(message)
    files = names_in(message, "attachments", "file_name")
    files += [name for name in names_in(message, "files", "file_name") if name not in files]
    return MessageDraft(
        role=role,
        text=text if text.strip() else shares(files),
        message_id=message_id,
        timestamp=moment_in(message, "created_at", "updated_at"),
        metadata=read_metadata({"attachments": files} if files else None),
        notes=notes,
    )


def _text(message: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The text of a message: its blocks, else its plain text; what was pasted stands behind it."""
    blocks = message.get("content")
    notes: tuple[str, ...] = ()
    text = ""
    if isinstance(blocks, list):
        kept = [block for block in blocks if not _is_result(block)]
        text, notes = read_content(kept)
        notes += (f"{_RESULT} part skipped",) * (len(blocks) - len(kept))
    if not text.strip() and isinstance(message.get("text"), str):
        text = clean(message["text"])
    pasted = _attached_texts(message, named=False)
    return clean("\n".join(filter(str.strip, (text, *pasted)))), notes


def _is_result(block: Any) -> bool:
    return isinstance(block, Mapping) and block.get("type") == _RESULT


def _attached_texts(message: Mapping[str, Any], *, named: bool) -> list[str]:
    """The texts of attachments: of files, or with no file name of what was pasted."""
    listed = message.get("attachments")
    return [
        one["extracted_content"]
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, Mapping)
        and isinstance(one.get("extracted_content"), str)
        and one["extracted_content"].strip()
        and (text_in(one, "file_name") is not None) is named
    ]
