"""A peer that behaves badly on request; see test_bench_peers."""

import socket
import time
from collections.abc import Mapping, Sequence
from typing import Any

from bench.peers.programs.serve import SameEmbedder


class Odd:
    def add(self, user: str, turns: Sequence[dict[str, Any]]) -> None:
        print("a library that talks", flush=True)  # noqa: T201
        self.turns = turns

    def search(self, user: str, query: str, limit: int) -> list[str]:
        if query == "hang":
            time.sleep(60)
        if query == "fail":
            message = "no luck"
            raise LookupError(message)
        if query == "connect":
            socket.socket().connect(("192.0.2.1", 9))
        if query == "ask":
            socket.getaddrinfo("example.org", 443)
        return [turn["id"] for turn in self.turns][:limit]


def open_peer(_embedder: SameEmbedder, _options: Mapping[str, Any]) -> Odd:
    return Odd()
