"""LlamaIndex: an index over vectors for each user, one node a turn."""

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.schema import TextNode

from bench.peers.programs.serve import SameEmbedder


class _Embedding(BaseEmbedding):
    """Our embedder as LlamaIndex's."""

    run: Any = None

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = self.run(texts).tolist()
        return rows

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


class LlamaIndex:
    """Indexes in memory."""

    def __init__(self, embedder: SameEmbedder) -> None:
        self._embedding = _Embedding(run=embedder, embed_batch_size=100)
        self._indexes: dict[str, VectorStoreIndex] = {}

    def add(self, user: str, turns: Sequence[dict[str, Any]]) -> None:
        if user not in self._indexes:
            self._indexes[user] = VectorStoreIndex([], embed_model=self._embedding)
        nodes = [TextNode(id_=turn["id"], text=turn["text"]) for turn in turns]
        self._indexes[user].insert_nodes(nodes)

    def search(self, user: str, query: str, limit: int) -> list[str]:
        found = self._indexes[user].as_retriever(similarity_top_k=limit).retrieve(query)
        return [hit.node.node_id for hit in found]


def open_peer(embedder: SameEmbedder, _options: Mapping[str, Any]) -> LlamaIndex:
    """Prepare the indexes."""
    return LlamaIndex(embedder)
