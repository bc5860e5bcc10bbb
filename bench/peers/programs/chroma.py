"""Chroma: a collection for each user, vectors given."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import chromadb
from chromadb.config import Settings

from bench.peers.programs.serve import SameEmbedder


class Chroma:
    """A persistent client."""

    def __init__(self, embedder: SameEmbedder, folder: Path) -> None:
        self._embedder = embedder
        settings = Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(path=str(folder / "chroma"), settings=settings)

    def add(self, user: str, turns: Sequence[dict[str, Any]]) -> None:
        texts = [turn["text"] for turn in turns]
        kept = [{"session": turn["session"], "date": turn["date"]} for turn in turns]
        self._collection(user).add(
            ids=[turn["id"] for turn in turns],
            embeddings=self._embedder(texts),
            documents=texts,
            metadatas=kept,
        )

    def search(self, user: str, query: str, limit: int) -> list[str]:
        found = self._collection(user).query(
            query_embeddings=self._embedder([query]), n_results=limit
        )
        ids: list[str] = found["ids"][0]
        return ids

    def _collection(self, user: str) -> Any:
        return self._client.get_or_create_collection(f"user-{user}", embedding_function=None)


def open_peer(embedder: SameEmbedder, options: Mapping[str, Any]) -> Chroma:
    """Make a client."""
    return Chroma(embedder, Path(options["folder"]))
