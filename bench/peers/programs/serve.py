"""Answers requests for one peer on standard input and output; see ``bench.peers.process``.

    python -m bench.peers.programs.serve bench.peers.programs.cosine

Requests are timed in here, so that the pipe costs a peer nothing. What a library prints goes to
standard error, and a connection to anywhere is refused.
"""

import asyncio
import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any, Protocol, TextIO

from backstory.models.local import LocalEmbedder

PROBE = "Ines fixed the tractor with wire before sunrise."


class Remembering(Protocol):
    """A peer, made easy."""

    def add(self, user: str, turns: Sequence[dict[str, Any]]) -> None:
        """Store turns of one session: each has an id, a text and a role."""
        ...

    def search(self, user: str, query: str, limit: int) -> list[str]:
        """The ids of the best turns, best first."""
        ...


class SameEmbedder:
    """Our embedder for callers without an event loop, from any thread."""

    dimensions = LocalEmbedder.identity.dimensions or 0

    def __init__(self) -> None:
        """Start its event loop."""
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._embedder = LocalEmbedder()

    def __call__(self, texts: Sequence[str]) -> Any:
        """The vectors of texts as an array of 32-bit floats."""
        work = self._embedder.embed(texts)
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class Server:
    """Deals with one request after the other."""

    def __init__(self, program: str) -> None:
        """Load a peer's module; the memory is made by the request "open"."""
        self._module = importlib.import_module(program)
        self._peer: Remembering | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what is asked for."""
        call = request["call"]
        if call == "open":
            embedder = SameEmbedder()
            self._peer = self._module.open_peer(embedder, request["options"])
            return {"vector": [float(value) for value in embedder([PROBE])[0]]}
        if self._peer is None:
            message = "the first request must be open"
            raise ValueError(message)
        started = time.perf_counter()
        ids: list[str] = []
        if call == "add":
            self._peer.add(request["user"], request["turns"])
        else:
            ids = self._peer.search(request["user"], request["query"], request["limit"])
        return {"seconds": time.perf_counter() - started, "ids": ids}


def refuse_connections(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: nothing leaves this process."""
    if event == "socket.connect" and not isinstance(arguments[1], str):
        message = f"a peer may not connect to {arguments[1]}"
        raise ConnectionRefusedError(message)
    if event == "socket.getaddrinfo" and arguments[0] not in {"localhost", "127.0.0.1", None}:
        message = f"a peer may not look up {arguments[0]}"
        raise ConnectionRefusedError(message)


def _own_output() -> TextIO:
    """The real standard output; what others print goes to standard error from now on."""
    mine = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return mine


def main(program: str) -> int:
    """Answer until the input ends."""
    out = _own_output()
    sys.addaudithook(refuse_connections)
    server = Server(program)
    for line in sys.stdin:
        try:
            answer = server.answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - any failure of a peer is a row of the table
            answer = {"error": f"{type(error).__name__}: {error}"[:500]}
        out.write(json.dumps(answer) + "\n")
        out.flush()
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1])
    # Libraries may leave threads that never end.
    sys.stderr.flush()
    os._exit(code)
