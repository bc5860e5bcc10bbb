"""A server on this machine that speaks the chat protocols of providers, from a script.

It answers OpenAI's chat completions (whole or streamed), Anthropic's messages and Google's
``generateContent``, records each call, and can fail in the ways that services fail.
"""

import json
import threading
from collections import deque
from collections.abc import Callable
from typing import TypeAlias, cast

from backstory.testing._loopback import Loopback, LoopbackHandler
from backstory.testing.chat_protocols import (
    Call,
    Reply,
    parse_call,
    render_error,
    render_pieces,
    render_whole,
)

__all__ = ["Call", "ChatServer", "Reply"]

Answering: TypeAlias = Callable[[Call], "str | Reply"]


class ChatServer(Loopback):
    """Use it with ``with``; ``url`` is the base URL, ``calls`` is what came in.

    Each call takes the next reply of the script. Without one, ``answer`` is asked. Clients of
    Anthropic and of Google take ``root`` as their base URL.
    """

    def __init__(self, answer: "str | Answering" = "ok") -> None:
        """Prepare a server.

        Args:
            answer: The text of unscripted answers, or what gives one for a call.
        """
        super().__init__(_Handler)
        self.calls: list[Call] = []
        self.answer = answer
        self._script: deque[Reply] = deque()
        self._lock = threading.Lock()

    @property
    def tokens(self) -> int:
        """Tokens of all prompts so far, from above."""
        return sum(call.tokens for call in self.calls)

    def script(self, *replies: "str | Reply") -> None:
        """Let the next calls get these replies, one each."""
        with self._lock:
            self._script.extend(r if isinstance(r, Reply) else Reply(text=r) for r in replies)

    def take(self, call: Call) -> Reply:
        """Record a call and give what to do with it. For the handler."""
        with self._lock:
            self.calls.append(call)
            reply = self._script.popleft() if self._script else None
        if reply is None:
            given = self.answer if isinstance(self.answer, str) else self.answer(call)
            reply = given if isinstance(given, Reply) else Reply(text=given)
        if reply.delay_s:
            self.wait(reply.delay_s)
        return reply


class _Handler(LoopbackHandler):
    def respond(self) -> None:
        """Answer one call."""
        call = parse_call(self.path, dict(self.headers.items()), json.loads(self.body()))
        if call is None:
            self.answer(404, b'{"error": {"message": "no such route"}}', {})
            return
        reply = cast(ChatServer, self.server.owner).take(call)
        if reply.status != 200:
            self.answer(reply.status, render_error(call, reply), reply.headers)
        elif call.stream and reply.body is None:
            self._stream(render_pieces(call, reply), reply)
        else:
            whole = render_whole(call, reply) if reply.body is None else reply.body
            kind = reply.content_type
            self.answer(200, whole, reply.headers, content_type=kind, cut=reply.cut)

    def _stream(self, pieces: list[bytes], reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for piece in pieces[: len(pieces) // 2] if reply.cut else pieces:
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()
        if reply.cut:
            self.hang_up()
        else:
            self.wfile.write(b"0\r\n\r\n")
