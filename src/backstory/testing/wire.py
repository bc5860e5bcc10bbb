"""A server on this machine that speaks OpenAI's protocol for embeddings, with scripted faults."""

import base64
import json
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from backstory.testing._loopback import Loopback, LoopbackHandler
from backstory.testing.embedders import hash_vector


@dataclass(frozen=True, eq=False)
class Fault:
    """What the server does with a request instead of answering it properly.

    Attributes:
        status: The HTTP status; 200 with ``vectors`` or ``body`` is a wrong answer.
        headers: Extra headers.
        message: The text in the error body.
        vectors: Answer with these instead of the right ones, whatever was asked for.
        body: Answer with exactly these bytes.
        cut: Close the connection in the middle of the answer.
        delay_s: Wait so long first.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = "scripted fault"
    vectors: NDArray[np.float32] | None = None
    body: bytes | None = None
    cut: bool = False
    delay_s: float = 0.0


@dataclass(frozen=True)
class Request:
    """A request that the server got.

    Attributes:
        path: The path of the URL.
        texts: The texts to embed.
        model: The model's name.
        authorization: The header with the key, empty if there was none.
        at_s: When it came, in seconds of ``time.monotonic``.
    """

    path: str
    texts: list[str]
    model: str
    authorization: str
    at_s: float


class EmbeddingServer(Loopback):
    """Use it with ``with``; ``url`` is the base URL, ``requests`` is what came in.

    Without a script it answers with the vectors of ``HashEmbedder``.
    """

    def __init__(self, *, dimensions: int = 32, max_chars: int | None = None) -> None:
        """Prepare a server.

        Args:
            dimensions: The length of its vectors.
            max_chars: A request with a longer text is refused with 400; None for never.
        """
        super().__init__(_Handler)
        self.dimensions = dimensions
        self.max_chars = max_chars
        self.requests: list[Request] = []
        self._script: deque[Fault] = deque()
        self._lock = threading.Lock()

    def script(self, *faults: Fault) -> None:
        """Let the next requests meet these faults, one each."""
        with self._lock:
            self._script.extend(faults)

    def take(self, request: Request) -> Fault:
        """Record a request and give what to do with it. For the handler."""
        with self._lock:
            self.requests.append(request)
            fault = self._script.popleft() if self._script else self._unscripted(request.texts)
        if fault.delay_s:
            self.wait(fault.delay_s)
        return fault

    def _unscripted(self, texts: list[str]) -> Fault:
        longest = max((len(text) for text in texts), default=0)
        if self.max_chars is not None and longest > self.max_chars:
            return Fault(status=400, message="This model's maximum context length is exceeded")
        return Fault()


class _Handler(LoopbackHandler):
    def respond(self) -> None:
        """Answer one request."""
        asked = json.loads(self.body())
        given = asked.get("input", [])
        texts = [given] if isinstance(given, str) else list(given)
        owner = cast(EmbeddingServer, self.server.owner)
        key = self.headers.get("Authorization", "")
        fault = owner.take(
            Request(self.path, texts, str(asked.get("model", "")), key, time.monotonic())
        )
        if fault.cut:
            self.answer(200, b'{"data": [' * 2, fault.headers, cut=True)
        elif fault.status != 200:
            error = {"message": fault.message, "type": "scripted", "code": None}
            self.answer(fault.status, json.dumps({"error": error}).encode(), fault.headers)
        elif fault.body is not None:
            self.answer(200, fault.body, fault.headers)
        else:
            vectors = fault.vectors
            if vectors is None:
                rows = [hash_vector(text, owner.dimensions) for text in texts]
                vectors = np.array(rows, dtype=np.float32)
            self.answer(200, _answer(asked, vectors), fault.headers)


def _answer(asked: Mapping[str, Any], vectors: NDArray[np.float32]) -> bytes:
    """The body of a proper answer, with numbers or base64 as the client asked for."""
    packed = asked.get("encoding_format") == "base64"
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(row.astype("<f4").tobytes()).decode()
            if packed
            else [float(value) for value in row],
        }
        for index, row in enumerate(vectors)
    ]
    usage = {"prompt_tokens": len(data), "total_tokens": len(data)}
    body = {"object": "list", "data": data, "model": asked.get("model"), "usage": usage}
    return json.dumps(body).encode()
