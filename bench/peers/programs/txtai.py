"""txtai: hybrid search over words and vectors, an index for each user."""

from collections.abc import Mapping, Sequence
from typing import Any

from txtai.embeddings import Embeddings

from bench.peers.programs.serve import SameEmbedder


class Txtai:
    """Indexes in memory."""

    def __init__(self, embedder: SameEmbedder) -> None:
        # A function: what else can be called, txtai makes an instance of.
        self._embed = lambda texts: embedder(list(texts))
        self._indexes: dict[str, Embeddings] = {}

    def add(self, user: str, turns: Sequence[dict[str, Any]]) -> None:
        rows = [(turn["id"], turn["text"], None) for turn in turns]
        if user in self._indexes:
            self._indexes[user].upsert(rows)
        else:
            index = Embeddings(method="external", transform=self._embed, hybrid=True)
            index.index(rows)
            self._indexes[user] = index

    def search(self, user: str, query: str, limit: int) -> list[str]:
        return [str(id) for id, _ in self._indexes[user].search(query, limit)]


def open_peer(embedder: SameEmbedder, _options: Mapping[str, Any]) -> Txtai:
    """Prepare the indexes."""
    return Txtai(embedder)
