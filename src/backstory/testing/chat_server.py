"""A server on this machine that speaks the chat protocols of providers, from a script.

It answers OpenAI's chat completions (whole or streamed), Anthropic's messages and Google's
``generateContent``, records each call, and can fail in the ways that services fail.
"""

import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self, TypeAlias

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


class ChatServer:
    """Use it with ``with``; ``url`` is the base URL, ``calls`` is what came in.

    Each call takes the next reply of the script. Without one, ``answer`` is asked.
    """

    def __init__(self, answer: "str | Answering" = "ok") -> None:
        """Prepare a server.

        Args:
            answer: The text of unscripted answers, or what gives one for a call.
        """
        self.calls: list[Call] = []
        self.answer = answer
        self._script: deque[Reply] = deque()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The base URL for clients of OpenAI's protocol."""
        return f"{self.root}/v1"

    @property
    def root(self) -> str:
        """The base URL for clients of Anthropic and of Google."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

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
            self._stop.wait(reply.delay_s)
        return reply


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, owner: ChatServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients of these tests hang up on purpose."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        """Answer one call."""
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        call = parse_call(self.path, dict(self.headers.items()), body)
        if call is None:
            self._send(404, b'{"error": {"message": "no such route"}}', "application/json", {})
            return
        reply = self.server.owner.take(call)
        if reply.status != 200:
            self._send(reply.status, render_error(call, reply), "application/json", reply.headers)
        elif reply.body is not None:
            self._send(200, reply.body, reply.content_type, reply.headers, cut=reply.cut)
        elif call.stream:
            self._stream(render_pieces(call, reply), reply)
        else:
            whole = render_whole(call, reply)
            self._send(200, whole, reply.content_type, reply.headers, cut=reply.cut)

    def _send(
        self,
        status: int,
        body: bytes,
        content_type: str,
        headers: Mapping[str, str],
        *,
        cut: bool = False,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self._hang_up()

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
            self._hang_up()
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _hang_up(self) -> None:
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Keep the test's output clean."""
