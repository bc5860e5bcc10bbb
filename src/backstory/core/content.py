"""From what chat code has at hand to a message draft: roles, content parts, tool calls."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Final

from backstory.core.identity import check_optional_id
from backstory.core.model.message import MessageDraft, Role
from backstory.core.text import IGNORABLE, REPLACEMENT, clean, clean_json
from backstory.core.times import parse_instant
from backstory.errors import InvalidInputError

ROLE_NAMES: Final = {
    **{str(role): role for role in Role},
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "developer": Role.SYSTEM,
    "function": Role.TOOL,
}
"""How messages may name a role, in lower case."""

_TEXT_PARTS: Final = {"text", "input_text", "output_text", "refusal"}
_SEEN: Final = re.compile(f"[^{IGNORABLE}\u2800{REPLACEMENT}]+")
_MOST_DEPTH: Final = 16
_HIDDEN_PARTS: Final = {"thinking", "redacted_thinking", "reasoning"}


def read_role(value: object) -> Role:
    """Read a role; the names of other providers ("human", "model", "developer") are understood.

    Raises:
        InvalidInputError: It is none of them.
    """
    if not isinstance(value, str):
        raise InvalidInputError(f"role must be text, not {type(value).__name__}")
    role = ROLE_NAMES.get(str.__str__(value).lower())
    if role is None:
        raise InvalidInputError(f"role {value!r} is unknown; use user, assistant, system or tool")
    return role


def read_content(content: object) -> tuple[str, tuple[str, ...]]:
    """Read a message's content: text, or a list of parts of which the text parts are read.

    Returns:
        The text (parts joined by line breaks, tool calls as ``[calls name {arguments}]``), and
        notes about parts that were left out.

    Raises:
        InvalidInputError: The content is neither.
    """
    notes: list[str] = []
    lines = _read_parts(content, notes)
    return clean("\n".join(line for line in lines if line)), tuple(notes)


def _read_parts(content: object, notes: list[str], depth: int = 0) -> list[str]:
    if depth > _MOST_DEPTH:
        raise InvalidInputError(f"content is nested more than {_MOST_DEPTH} levels deep")
    if content is None:
        return []
    if isinstance(content, str):
        return [content]
    if isinstance(content, Mapping):
        return _read_part(content, notes, depth)
    if isinstance(content, Sequence) and not isinstance(content, (bytes, bytearray)):
        parts = (_read_parts(_as_data(part), notes, depth + 1) for part in content)
        return [line for lines in parts for line in lines]
    raise InvalidInputError(
        f"content must be text or a list of parts, not {type(content).__name__}"
    )


def _read_part(part: Mapping[str, Any], notes: list[str], depth: int) -> list[str]:
    kind = part.get("type", "text" if "text" in part else "unknown")
    if not isinstance(kind, str):
        raise InvalidInputError(f"the type of a part must be text, not {type(kind).__name__}")
    if kind in _TEXT_PARTS:
        return _part_text(part.get("text", part.get("refusal")), kind)
    if kind in {"tool_use", "server_tool_use"}:
        return [_call(part.get("name"), part.get("input"))]
    if kind in {"tool_result", "function_call_output"}:
        return _read_parts(part.get("content", part.get("output")), notes, depth + 1)
    what = "reasoning" if kind in _HIDDEN_PARTS else kind
    notes.append(f"{clean(what)} part skipped")
    return []


def _part_text(text: object, kind: str) -> list[str]:
    if isinstance(text, Mapping):  # {"value": "…", "annotations": […]}
        text = text.get("value", text)
    if text is None:
        return []
    if not isinstance(text, str):
        raise InvalidInputError(
            f"the text of a {kind} part must be text, not {type(text).__name__}"
        )
    return [text]


def _call(name: object, arguments: object) -> str:
    if not isinstance(name, str) or not name:
        raise InvalidInputError(f"a tool call needs a name, as text, not {type(name).__name__}")
    if not isinstance(arguments, str):
        try:
            arguments = json.dumps(arguments, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInputError(
                f"the arguments of the tool call {name!r} are no JSON"
            ) from error
    return f"[calls {name} {arguments}]"


def _as_data(value: object) -> object:
    """The data of an object of a chat library, else the value itself."""
    if isinstance(value, (str, Mapping, type)):
        return value
    dump = getattr(value, "model_dump", None)
    if not callable(dump):
        return value
    try:
        return dump()
    except Exception as error:
        raise InvalidInputError(
            f"model_dump() of a {type(value).__name__} failed: {type(error).__name__}: {error}"
        ) from error


def read_message(value: object) -> MessageDraft:
    """Read one message: text (of the user), a dict like those of chat APIs, or such an object.

    Understood keys: role, content (or text), name or speaker, id or message_id, timestamp (or
    created_at), metadata, tool_calls, function_call.

    Raises:
        InvalidInputError: The message has a wrong shape; the error says which part.
    """
    value = _as_data(value)
    if isinstance(value, str):
        return draft("user", value)
    if not isinstance(value, Mapping):
        raise InvalidInputError(
            f"a message must be text or a dict with role and content, not {type(value).__name__}"
        )
    if "role" not in value:
        raise InvalidInputError("a message dict needs the key 'role'")
    if not {"content", "text", "tool_calls", "function_call"} & value.keys():
        raise InvalidInputError("a message dict needs the key 'content'")
    return draft(
        value["role"],
        _with_calls(value),
        speaker=value.get("speaker", value.get("name")),
        message_id=value.get("message_id", value.get("id")),
        timestamp=value.get("timestamp", value.get("created_at")),
        metadata=value.get("metadata"),
    )


def _with_calls(message: Mapping[str, Any]) -> object:
    content = message.get("content", message.get("text"))
    calls = [*_calls(message.get("tool_calls"), "tool_calls")]
    if message.get("function_call"):
        calls += _calls([message["function_call"]], "function_call")
    return [content, *calls] if calls else content


def _calls(calls: object, what: str) -> list[str]:
    if calls is None:
        return []
    if not isinstance(calls, (list, tuple)):
        raise InvalidInputError(f"{what} must be a list of calls, not {type(calls).__name__}")
    found = []
    for call in map(_as_data, calls):
        function = _as_data(_function(call)) if isinstance(call, Mapping) else call
        if not isinstance(function, Mapping):
            raise InvalidInputError(
                f"a call in {what} must be a dict with name and arguments, "
                f"not {type(function).__name__}"
            )
        arguments = function.get("arguments", function.get("args", function.get("input")))
        found.append(_call(function.get("name"), arguments))
    return found


def _function(call: Mapping[str, Any]) -> object:
    return next((call[key] for key in ("function", "custom") if key in call), call)


def _locally(given: object, said: datetime) -> datetime | None:
    """A time in the zone that it was given in; None in UTC, and where it has no date there."""
    local = datetime.fromisoformat(given.strip()) if isinstance(given, str) else given
    offset = local.utcoffset() if isinstance(local, datetime) else None
    if not offset:
        return None
    try:
        return said.astimezone(timezone(offset))
    except OverflowError:
        return None


def draft(
    role: object,
    content: object,
    *,
    speaker: object = None,
    message_id: object = None,
    timestamp: object = None,
    metadata: object = None,
) -> MessageDraft:
    """Check the parts of a message and put them together.

    Raises:
        InvalidInputError: One of them cannot be accepted; the error says which.
    """
    text, notes = read_content(content)
    said = None if timestamp is None else parse_instant(timestamp, "timestamp")
    return MessageDraft(
        role=read_role(role),
        text=text,
        speaker=read_name(speaker, "speaker"),
        message_id=check_optional_id(message_id, "message_id"),
        timestamp=said,
        said_locally=None if said is None else _locally(timestamp, said),
        metadata=read_metadata(metadata),
        notes=notes,
    )


def read_name(value: object, what: str) -> str | None:
    """Read an optional short text such as a speaker's name, mode or channel."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInputError(f"{what} must be text, not {type(value).__name__}")
    return clean(value).strip() or None


def read_metadata(value: object) -> dict[str, Any]:
    """Read metadata: a dict of JSON data, or None for none.

    Raises:
        InvalidInputError: It is something else; the error gives the path of what is wrong.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"metadata must be a dict, not {type(value).__name__}")
    cleaned = clean_json(dict(value), "metadata")
    return cleaned if isinstance(cleaned, dict) else {}


def is_blank(text: str) -> bool:
    """Whether a text has nothing to remember.

    That is one of spaces, controls (NUL and lone surrogates included, which are stored as U+FFFD)
    and characters that show nothing, such as joiners, fillers and the blank Braille cell.
    """
    return not any(
        char.isprintable() and not char.isspace()
        for found in _SEEN.finditer(text)
        for char in found.group()
    )
