"""Which other memories run without a key and without a server, and which do not.

What was set differently from a peer's defaults is in ``set_to``: it is published with the figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

OUR_EMBEDDER = ("numpy>=2.2", "onnxruntime>=1.22", "tokenizers>=0.21", "tenacity>=9.1")
"""What the embedder of this package needs in a peer's environment."""

STOP_WORDS = frozenset(
    "a about after all also am an and any are as at be been before being but by can could "  # noqa: SIM905
    "did do does doing down during each few for from further had has have having he her here hers "
    "him his how i if in into is it its itself just me more most my no nor not now of off on "
    "once only or other our out over own same she so some such than that the their them then "
    "there these they this those through to too under until up very was we were what when "
    "where which while who whom why will with would you your".split()
)
"""English words without content, for a peer whose own list lies on a model hub."""


@dataclass(frozen=True, kw_only=True)
class Peer:
    """A memory that is measured.

    Attributes:
        name: In the table.
        package: The distribution whose version is shown.
        requirements: For pip; versions are those that the program was written for. Without any it
            runs in the environment of the benchmark.
        program: The module; see ``bench.peers.programs.serve``.
        options: For the program.
        set_to: What is not as it comes, and where the data lies.
        variant: What tells it from the same peer set otherwise.
    """

    name: str
    package: str
    requirements: tuple[str, ...]
    program: str
    set_to: str
    variant: str = ""
    options: Mapping[str, object] = field(default_factory=dict)

    def label(self, version: str) -> str:
        """Its name in the table."""
        return f"{self.name} {version}".strip() + (f", {self.variant}" if self.variant else "")


PEERS = (
    Peer(
        name="cosine alone",
        package="numpy",
        requirements=(),
        program="bench.peers.programs.cosine",
        set_to="an array of the vectors: what the embedder finds by itself, with nothing around it",
    ),
    Peer(
        name="mem0",
        package="mem0ai",
        requirements=("mem0ai>=2.2,<3", "fastembed>=0.7"),
        program="bench.peers.programs.mem0",
        options={"keyword": False},
        set_to=(
            "add(infer=False), one call a message; vector store qdrant in a local folder; "
            "telemetry off; search with top_k=50 instead of 20, threshold=0 instead of 0.1 (which "
            "only shortens the list), no reranker. As after pip install mem0ai: its keyword scores "
            "need an extra"
        ),
    ),
    Peer(
        name="mem0",
        variant="with keywords",
        package="mem0ai",
        requirements=("mem0ai>=2.2,<3", "fastembed>=0.7"),
        program="bench.peers.programs.mem0",
        options={"keyword": True, "stop_words": sorted(STOP_WORDS)},
        set_to=(
            'the same, and its BM25 scores by fastembed (extra "extras"); fastembed\'s file of '
            "stop words lies on a model hub, so a list of ours stands in for it; without spaCy's "
            "lemmas (a model to download) fastembed's stems remain; entities are only extracted "
            "with infer=True"
        ),
    ),
    Peer(
        name="Chroma",
        package="chromadb",
        requirements=("chromadb>=1.5,<2",),
        program="bench.peers.programs.chroma",
        set_to="a persistent client, one collection a user, one add a session; telemetry off",
    ),
    Peer(
        name="LangGraph store",
        package="langgraph",
        requirements=("langgraph>=1.2,<2",),
        program="bench.peers.programs.langgraph",
        set_to=(
            "InMemoryStore with an index (the store that LangMem's tools search), one batch a "
            "session; nothing is written to a disk. LangMem's own extraction needs a language model"
        ),
    ),
    Peer(
        name="LlamaIndex vector index",
        package="llama-index-core",
        requirements=("llama-index-core>=0.14,<0.15",),
        program="bench.peers.programs.llama_index",
        set_to=(
            "VectorStoreIndex over its in-memory store, one insert a session; nothing is written "
            "to a disk. Its VectorMemoryBlock returns one joined text, not messages"
        ),
    ),
    Peer(
        name="txtai",
        variant="hybrid",
        package="txtai-minimal",
        requirements=("txtai-minimal>=9.14,<10", "faiss-cpu", "msgpack", "pyyaml", "regex"),
        program="bench.peers.programs.txtai",
        set_to=(
            "hybrid=True (its BM25 and vectors, equal weights), one upsert a session; "
            "nothing is written to a disk"
        ),
    ),
)

_LLM = "needs a language model to store anything"
NOT_RUN = {
    "Zep": "needs its server and a key",
    "Graphiti": f"{_LLM}, and a graph database",
    "Letta": "needs its server and a language model",
    "Cognee": _LLM,
    "LangMem's memory manager": _LLM,
    "Memoripy": f"{_LLM} (concepts of each message)",
    "A-MEM": f"{_LLM} (notes and links)",
    "Supermemory": "needs a key",
}
