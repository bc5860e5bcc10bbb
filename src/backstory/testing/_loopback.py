"""A scripted HTTP server on this machine: its thread, its end, and sending."""

import socket
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


class Loopback:
    """Runs handlers on a free port while its ``with`` block lasts."""

    def __init__(self, handler: "type[LoopbackHandler]") -> None:
        """Take the port; answering begins with the block."""
        self._stop = threading.Event()
        self._server = LoopbackHTTP(self, handler)
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
    def root(self) -> str:
        """The address, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The base URL for clients of OpenAI's protocol."""
        return f"{self.root}/v1"

    def wait(self, seconds: float) -> None:
        """Wait, but not longer than the block lasts."""
        self._stop.wait(seconds)


class LoopbackHTTP(ThreadingHTTPServer):
    """The server of a ``Loopback``, with its owner for the handlers."""

    daemon_threads = True

    def __init__(self, owner: Loopback, handler: "type[LoopbackHandler]") -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.owner = owner

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients of these tests hang up on purpose."""


class LoopbackHandler(BaseHTTPRequestHandler):
    """Sends whole answers, and hangs up."""

    protocol_version = "HTTP/1.1"
    server: LoopbackHTTP

    def do_POST(self) -> None:
        """Answer one request."""
        self.respond()

    def respond(self) -> None:
        """Answer one request; what a server does."""
        raise NotImplementedError

    def body(self) -> bytes:
        """What the client sent."""
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    def answer(
        self,
        status: int,
        body: bytes,
        headers: Mapping[str, str],
        *,
        content_type: str = "application/json",
        cut: bool = False,
    ) -> None:
        """Send an answer, or the first half of it and hang up."""
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.hang_up()

    def hang_up(self) -> None:
        """Close the connection, whatever the client still waits for."""
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output clean."""
