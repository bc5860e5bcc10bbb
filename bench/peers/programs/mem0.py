"""mem0: ``add(infer=False)`` and ``search``, with qdrant in a local folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mem0 import Memory

from bench.peers.programs.serve import SameEmbedder


class _Embedding:
    """Our embedder as mem0's embedding model."""

    def __init__(self, embedder: SameEmbedder) -> None:
        self._embedder = embedder

    def embed(self, text: str, _action: str | None = None) -> list[float]:
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: Sequence[str], _action: str = "add") -> list[list[float]]:
        rows: list[list[float]] = self._embedder(list(texts)).tolist()
        return rows


class Mem0:
    """One memory; a message is added by one call, as its metadata is that of the call."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def add(self, user: str, turns: Sequence[dict[str, Any]]) -> None:
        for turn in turns:
            said = [{"role": turn["role"], "content": turn["text"]}]
            kept = {"turn": turn["id"], "session": turn["session"], "date": turn["date"]}
            self._memory.add(said, user_id=user, metadata=kept, infer=False)

    def search(self, user: str, query: str, limit: int) -> list[str]:
        found = self._memory.search(query, top_k=limit, filters={"user_id": user}, threshold=0.0)
        return [hit["metadata"]["turn"] for hit in found["results"]]


def open_peer(embedder: SameEmbedder, options: Mapping[str, Any]) -> Mem0:
    """Make a memory. The key is none: nothing is asked of a language model."""
    folder = Path(options["folder"])
    store = {
        "collection_name": "turns",
        "embedding_model_dims": embedder.dimensions,
        "path": str(folder / "qdrant"),
    }
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "embedder": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": str(folder / "history.db"),
        }
    )
    memory.embedding_model = _Embedding(embedder)
    memory.vector_store._bm25_encoder = _keywords(folder, options) if options["keyword"] else False
    return Mem0(memory)


def _keywords(folder: Path, options: Mapping[str, Any]) -> object:
    """The encoder that mem0 makes with its extra; only the file of stop words is not fetched."""
    from fastembed import SparseTextEmbedding  # noqa: PLC0415 - an extra of mem0

    words = set(options["stop_words"])
    return SparseTextEmbedding("Qdrant/bm25", specific_model_path=str(folder), stopwords=words)
