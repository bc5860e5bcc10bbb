"""LangGraph: the store that LangMem's tools write to and search."""

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore

from bench.peers.programs.serve import SameEmbedder


class LangGraph:
    """A store with an index over the text."""

    def __init__(self, embedder: SameEmbedder) -> None:
        def embed(texts: Sequence[str]) -> list[list[float]]:
            rows: list[list[float]] = embedder(list(texts)).tolist()
            return rows

        index = {"dims": embedder.dimensions, "embed": embed, "fields": ["text"]}
        self._store = InMemoryStore(index=index)

    def add(self, user: str, turns: Sequence[dict[str, Any]]) -> None:
        place = (user, "memories")
        self._store.batch([PutOp(place, turn["id"], {**turn}) for turn in turns])

    def search(self, user: str, query: str, limit: int) -> list[str]:
        found = self._store.search((user, "memories"), query=query, limit=limit)
        return [item.key for item in found]


def open_peer(embedder: SameEmbedder, _options: Mapping[str, Any]) -> LangGraph:
    """Make a store."""
    return LangGraph(embedder)
