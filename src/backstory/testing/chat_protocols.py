"""The chat protocols of three providers, as a test server reads and writes them."""

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from backstory.core.tokens import token_upper_bound

_GOOGLE: Final = re.compile(r"/v1\w*/models/([^/:]+):(generateContent|streamGenerateContent)")
_PIECE_CHARS: Final = 7
_FINISH: Final = {
    "anthropic": {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"},
    "google": {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"},
}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the server does with one call.

    Attributes:
        text: What the model writes.
        finish: Why it stopped, in OpenAI's words: "stop", "length", "content_filter", or None for
            no word at all. The other protocols say it in theirs.
        reasoning: Reasoning that the service gives apart from the text.
        status: The HTTP status; other than 200, ``text`` is the message of the error.
        headers: Extra headers, such as ``{"Retry-After": "1"}``.
        body: Answer with exactly these bytes.
        content_type: Of a whole answer.
        cut: Close the connection in the middle of the answer.
        delay_s: Wait so long first; the end of the test ends the wait.
    """

    text: str = ""
    finish: str | None = "stop"
    reasoning: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"
    cut: bool = False
    delay_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call that the server got, in the same words for each protocol.

    Attributes:
        protocol: "openai", "anthropic" or "google".
        path: The path of the URL.
        model: The model's name.
        system: The instructions.
        user: The text of the user's turn.
        schema: The JSON schema of the answer, if one was sent as such.
        max_tokens: The cap of the answer, if one was sent.
        stream: Whether the answer is wanted in pieces.
        key: The header with the key, empty if there was none.
        body: The whole request.
        at_s: When it came, in seconds of ``time.monotonic``.
    """

    protocol: str
    path: str
    model: str
    system: str
    user: str
    schema: Mapping[str, Any] | None
    max_tokens: int | None
    stream: bool
    key: str
    body: Mapping[str, Any]
    at_s: float = field(default_factory=time.monotonic)

    @property
    def tokens(self) -> int:
        """Tokens of the prompt, from above; the server reports the same number."""
        return token_upper_bound(self.system) + token_upper_bound(self.user)


def parse_call(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Call | None:
    """Read a request; None if no provider has such a path."""
    low = {name.lower(): value for name, value in headers.items()}
    route = path.partition("?")[0]
    google = _GOOGLE.fullmatch(route)
    if google:
        return _google_call(path, google, low, body)
    if route.endswith("/chat/completions"):
        return _openai_call(path, low, body)
    return _anthropic_call(path, low, body) if route.endswith("/v1/messages") else None


def _openai_call(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Call:
    said = [(m["role"], _text(m["content"])) for m in body.get("messages", [])]
    wanted = body.get("response_format") or {}
    return Call(
        protocol="openai",
        path=path,
        model=str(body.get("model", "")),
        system="\n".join(text for role, text in said if role in {"system", "developer"}),
        user="\n".join(text for role, text in said if role == "user"),
        schema=wanted.get("json_schema", {}).get("schema"),
        max_tokens=body.get("max_completion_tokens", body.get("max_tokens")),
        stream=bool(body.get("stream")),
        key=headers.get("authorization", ""),
        body=body,
    )


def _anthropic_call(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Call:
    wanted = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    return Call(
        protocol="anthropic",
        path=path,
        model=str(body.get("model", "")),
        system=_text(body.get("system", "")),
        user="\n".join(_text(m["content"]) for m in body["messages"] if m["role"] == "user"),
        schema=wanted.get("schema"),
        max_tokens=body.get("max_tokens"),
        stream=bool(body.get("stream")),
        key=headers.get("x-api-key", headers.get("authorization", "")),
        body=body,
    )


def _google_call(
    path: str, route: re.Match[str], headers: Mapping[str, str], body: Mapping[str, Any]
) -> Call:
    config = body.get("generationConfig", {})
    return Call(
        protocol="google",
        path=path,
        model=route.group(1),
        system=_text((body.get("systemInstruction") or {}).get("parts", "")),
        user="\n".join(_text(turn["parts"]) for turn in body.get("contents", [])),
        schema=config.get("responseJsonSchema") or config.get("responseSchema"),
        max_tokens=config.get("maxOutputTokens"),
        stream=route.group(2) == "streamGenerateContent",
        key=headers.get("x-goog-api-key", ""),
        body=body,
    )


def _text(content: Any) -> str:
    """The text of a content that is a text, or a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content or [])


def render_error(call: Call, reply: Reply) -> bytes:
    """The body of an answer with an error status."""
    said = reply.text or "scripted fault"
    if call.protocol == "google":
        error: Mapping[str, Any] = {"code": reply.status, "message": said, "status": "SCRIPTED"}
        return json.dumps({"error": error}).encode()
    error = {"type": "scripted_error", "message": said}
    if call.protocol == "anthropic":
        return json.dumps({"type": "error", "error": error}).encode()
    return json.dumps({"error": {**error, "code": None, "param": None}}).encode()


def render_whole(call: Call, reply: Reply) -> bytes:
    """The body of a whole answer."""
    render = {"openai": _openai_whole, "anthropic": _anthropic_whole, "google": _google_answer}
    return json.dumps(render[call.protocol](call, reply)).encode()


def render_pieces(call: Call, reply: Reply) -> list[bytes]:
    """The events of a streamed answer."""
    render = {
        "openai": _openai_pieces,
        "anthropic": _anthropic_pieces,
        "google": _google_pieces,
    }
    return render[call.protocol](call, reply)


def _openai_whole(call: Call, reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    return {
        **_openai_head(call, "chat.completion"),
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": _openai_usage(call, reply),
    }


def _openai_head(call: Call, kind: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-scripted",
        "object": kind,
        "created": int(time.monotonic()) + 1,
        "model": call.model,
        "provider": "scripted",  # which OpenRouter adds
    }


def _openai_usage(call: Call, reply: Reply) -> dict[str, int]:
    out = token_upper_bound(reply.text + reply.reasoning)
    return {
        "prompt_tokens": call.tokens,
        "completion_tokens": out,
        "total_tokens": call.tokens + out,
    }


def _openai_pieces(call: Call, reply: Reply) -> list[bytes]:
    head = _openai_head(call, "chat.completion.chunk")

    def event(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _event({**head, "choices": [choice]})

    events = [event({"role": "assistant", "content": ""})]
    if reply.reasoning:
        events.append(event({"reasoning_content": reply.reasoning}))
    events += [event({"content": piece}) for piece in _cut_up(reply.text)]
    if reply.finish is not None:
        events.append(event({}, reply.finish))
    events.append(_event({**head, "choices": [], "usage": _openai_usage(call, reply)}))
    return [*events, b"data: [DONE]\n\n"]


def _anthropic_whole(call: Call, reply: Reply) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}]
    if reply.reasoning:
        thought = {"type": "thinking", "thinking": reply.reasoning, "signature": "c2ln"}
        content.insert(0, thought)
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": call.model,
        "content": content,
        "stop_reason": _finish(call, reply),
        "stop_sequence": None,
        "usage": {"input_tokens": call.tokens, "output_tokens": token_upper_bound(reply.text)},
    }


def _anthropic_pieces(call: Call, reply: Reply) -> list[bytes]:
    whole = _anthropic_whole(call, reply)
    start = {**whole, "content": [], "stop_reason": None}
    block = {"type": "text", "text": ""}
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        for piece in _cut_up(reply.text)
    ]
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": block},
        *deltas,
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ending, "usage": whole["usage"]},
        {"type": "message_stop"},
    ]
    return [f"event: {event['type']}\n".encode() + _event(event) for event in events]


def _google_answer(call: Call, reply: Reply) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": reply.text}]
    if reply.reasoning:
        parts.insert(0, {"text": reply.reasoning, "thought": True})
    candidate: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": parts}}
    if reply.finish is not None:
        candidate["finishReason"] = _finish(call, reply)
    out = token_upper_bound(reply.text)
    return {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": call.tokens,
            "candidatesTokenCount": out,
            "totalTokenCount": call.tokens + out,
        },
        "modelVersion": call.model,
        "responseId": "scripted",
    }


def _google_pieces(call: Call, reply: Reply) -> list[bytes]:
    cut_up = _cut_up(reply.text) or [""]
    whole = [_google_answer(call, Reply(text=piece, finish=None)) for piece in cut_up[:-1]]
    last = _google_answer(call, Reply(text=cut_up[-1], finish=reply.finish))
    return [_event(piece) for piece in (*whole, last)]


def _finish(call: Call, reply: Reply) -> str | None:
    return None if reply.finish is None else _FINISH[call.protocol].get(reply.finish, reply.finish)


def _cut_up(text: str) -> list[str]:
    return [text[start : start + _PIECE_CHARS] for start in range(0, len(text), _PIECE_CHARS)]


def _event(data: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"
