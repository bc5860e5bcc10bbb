"""Exports of ChatGPT: one conversation of ``conversations.json``, a tree of messages.

What is taken is the branch that ChatGPT shows: the way from the root to ``current_node``.
"""

from collections.abc import Mapping
from typing import Any, Final

from backstory.core.content import read_metadata
from backstory.core.foreign.model import Foreign, Reader, object_of
from backstory.core.foreign.talks import (
    BRANCH,
    HIDDEN,
    REASONING,
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

_NAME: Final = "chatgpt"
_ROLES: Final = {str(role): role for role in Role}
# By kind of content: what is left out although it has text.
_LEFT_OUT: Final = {
    "thoughts": REASONING,
    "reasoning_recap": REASONING,
    "user_editable_context": "custom instructions",
    "model_editable_context": "custom instructions",
    "tether_browsing_display": "page that a tool read",
    "tether_quote": "page that a tool read",
    "sonic_webpage": "page that a tool read",
    "system_error": "error of a tool",
}
_NOT_REMEMBERED: Final = "conversation that is marked as not to be remembered"


def is_chatgpt(record: Mapping[str, Any]) -> bool:
    """Whether a record looks like a conversation of ChatGPT."""
    return isinstance(record.get("mapping"), Mapping)


def chatgpt_reader(_: str) -> Reader:
    """What reads the conversations of one file."""
    return _read


def _read(position: int, record: Any) -> Foreign:
    conversation = object_of(record)
    mapping = conversation.get("mapping")
    if not isinstance(mapping, Mapping):
        raise InvalidInputError("it has no mapping of messages")
    nodes = {str(name): node for name, node in mapping.items() if isinstance(node, Mapping)}
    path = path_to(_leaf(conversation, nodes), {n: _parent(nodes[n]) for n in nodes})
    first = next(iter(nodes), position)
    talk = Talk(
        position,
        id_in(conversation, "conversation_id", "id") or f"{_NAME}-{first}",
        about={"title": text_in(conversation, "title"), "source": _NAME},
        started=moment_in(conversation, "create_time", "update_time"),
    )
    forgotten = conversation.get("is_do_not_remember") is True
    for name in path:
        _take(talk, name, nodes[name], _NOT_REMEMBERED if forgotten else None)
    on_path = set(path)
    for name, node in nodes.items():
        if name not in on_path:
            _take(talk, name, node, BRANCH)
    return talk.done()


def _parent(node: Mapping[str, Any]) -> str | None:
    parent = node.get("parent")
    return parent if isinstance(parent, str) else None


def _leaf(conversation: Mapping[str, Any], nodes: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The node that the conversation ends with: the current one, else the last leaf."""
    named = conversation.get("current_node")
    if isinstance(named, str) and named in nodes:
        return named
    parents = {_parent(node) for node in nodes.values()}
    leaves = [name for name in nodes if name not in parents]
    return max(leaves, key=lambda name: _said_at(nodes[name]), default=None)


def _said_at(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    moment = moment_in(message, "create_time") if isinstance(message, Mapping) else None
    return moment.timestamp() if moment else 0.0


def _take(talk: Talk, name: str, node: Mapping[str, Any], leaving: str | None) -> None:
    """Add the message of a node. A node without one only holds the tree together."""
    message = node.get("message")
    if message is None:
        return
    if not isinstance(message, Mapping):
        talk.refuse(name, "its message is no object")
        return
    message_id = id_in(message, "id") or id_in({"id": name}, "id")
    reason = _left_out(message) or leaving
    if reason is not None:
        talk.leave(message_id, reason)
        return
    try:
        talk.say(_draft(message, message_id))
    except InvalidInputError as error:
        talk.refuse(message_id, str(error))


def _left_out(message: Mapping[str, Any]) -> str | None:
    metadata = message.get("metadata")
    hidden = isinstance(metadata, Mapping) and (
        metadata.get("is_visually_hidden_from_conversation") is True
    )
    content = message.get("content")
    kind = content.get("content_type") if isinstance(content, Mapping) else None
    if isinstance(kind, str) and kind in _LEFT_OUT:
        return _LEFT_OUT[kind]
    if hidden or message.get("weight") == 0:
        return HIDDEN
    return None


def _draft(message: Mapping[str, Any], message_id: str | None) -> MessageDraft:
    author = message.get("author")
    named = author.get("role") if isinstance(author, Mapping) else None
    role = _ROLES.get(named) if isinstance(named, str) else None
    if role is None:
        raise InvalidInputError(f"its author's role is {named!r}")
    notes: list[str] = []
    text = _text(message.get("content"), notes)
    recipient = text_in(message, "recipient")
    if text and role is Role.ASSISTANT and recipient not in (None, "all"):
        text = f"[calls {recipient} {text}]"
    metadata = message.get("metadata")
    more = metadata if isinstance(metadata, Mapping) else {}
    files = names_in(more, "attachments", "name")
    kept = {"model": text_in(more, "model_slug"), "attachments": files}
    return MessageDraft(
        role=role,
        text=text if text.strip() else shares(files),
        message_id=message_id,
        timestamp=moment_in(message, "create_time", "update_time"),
        metadata=read_metadata({name: value for name, value in kept.items() if value}),
        notes=tuple(notes),
    )


def _text(content: Any, notes: list[str]) -> str:
    """The text of a content: its parts, or what other kinds hold under "text" or "result"."""
    if not isinstance(content, Mapping):
        raise InvalidInputError("it has no content")
    parts = content.get("parts")
    if parts is None:
        parts = [content.get("text", content.get("result"))]
    if not isinstance(parts, list):
        raise InvalidInputError("the parts of its content are no list")
    return clean("\n".join(filter(None, (_part(part, notes) for part in parts))))


def _part(part: Any, notes: list[str]) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    # a transcription of speech has text; pictures and sound have none
    if isinstance(part.get("text"), str):
        return str(part["text"])
    kind = text_in(part, "content_type") or "unknown"
    notes.append(f"{kind.removesuffix('_asset_pointer')} part skipped")
    return ""
