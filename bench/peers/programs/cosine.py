"""The least that a memory can be: cosines of the vectors, in an array."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bench.peers.programs.serve import SameEmbedder


class Cosine:
    """Arrays in memory."""

    def __init__(self, embedder: SameEmbedder) -> None:
        self._embedder = embedder
        self._ids: dict[str, list[str]] = {}
        self._rows: dict[str, Any] = {}

    def add(self, user: str, turns: Sequence[dict[str, Any]]) -> None:
        rows = self._embedder([turn["text"] for turn in turns])
        known = self._rows.get(user)
        self._rows[user] = rows if known is None else np.concatenate([known, rows])
        self._ids.setdefault(user, []).extend(turn["id"] for turn in turns)

    def search(self, user: str, query: str, limit: int) -> list[str]:
        scores = self._rows[user] @ self._embedder([query])[0]
        return [self._ids[user][place] for place in np.argsort(-scores, kind="stable")[:limit]]


def open_peer(embedder: SameEmbedder, _options: Mapping[str, Any]) -> Cosine:
    """Prepare the arrays."""
    return Cosine(embedder)
