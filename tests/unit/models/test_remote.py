"""Remote embedders against a scripted server: retries, refusals, wrong answers, settings."""

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from backstory.errors import (
    ConfigurationError,
    EmbeddingDimensionError,
    EmbeddingError,
    EmbeddingUnavailableError,
    MissingDependencyError,
)
from backstory.models.factory import make_embedder
from backstory.models.local import LocalEmbedder
from backstory.models.remote import RemoteEmbedder, RemoteLimits, TransientError
from backstory.ports.embedder import Embedder
from backstory.testing.embedders import hash_vector
from backstory.testing.wire import EmbeddingServer, Fault

KEY = "sk-test-0123456789abcdefghijklmnop"
QUICK = RemoteLimits(first_wait_s=0.01, longest_wait_s=0.05, attempts=4, total_s=20)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with EmbeddingServer(dimensions=16) as running:
        yield running


def remote(server: EmbeddingServer, limits: RemoteLimits = QUICK) -> Embedder:
    return make_embedder("openai:words", base_url=server.url, limits=limits)


def embed(embedder: Embedder, *calls: Sequence[str]) -> list[NDArray[np.float32]]:
    async def work() -> list[NDArray[np.float32]]:
        try:
            return [await embedder.embed(texts) for texts in calls]
        finally:
            await embedder.aclose()

    return asyncio.run(work())


def test_a_request_carries_texts_model_and_key(server: EmbeddingServer) -> None:
    embedder = remote(server)
    assert not embedder.is_local
    assert embedder.identity.dimensions is None
    (vectors,) = embed(embedder, ["one two", "three"])
    assert np.allclose(vectors, [hash_vector("one two", 16), hash_vector("three", 16)], atol=1e-6)
    assert str(embedder.identity) == "openai:words"
    assert embedder.identity.dimensions == 16
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.texts == ["one two", "three"]
    assert request.model == "words"
    assert request.authorization == f"Bearer {KEY}"


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=429, headers={"Retry-After": "0"}),
        Fault(status=500),
        Fault(status=503),
        Fault(status=408),
        Fault(cut=True),
        Fault(body=b"<html>gateway</html>"),
    ],
    ids=["429", "500", "503", "408", "cut", "no json"],
)
def test_what_may_pass_is_tried_again(server: EmbeddingServer, fault: Fault) -> None:
    server.script(fault, fault)
    (vectors,) = embed(remote(server), ["text"])
    assert vectors.shape == (1, 16)
    assert len(server.requests) == 3


def test_tries_are_counted_and_then_it_is_unavailable(server: EmbeddingServer) -> None:
    server.script(*[Fault(status=500)] * 10)
    with pytest.raises(EmbeddingUnavailableError, match="HTTP 500"):
        embed(remote(server), ["text"])
    assert len(server.requests) == QUICK.attempts


def test_the_wait_that_the_service_asks_for_is_kept(server: EmbeddingServer) -> None:
    server.script(Fault(status=429, headers={"Retry-After": "1"}))
    embed(remote(server), ["text"])
    refused, again = server.requests
    assert again.at_s - refused.at_s >= 1.0


def test_a_wait_longer_than_the_time_limit_is_not_begun(server: EmbeddingServer) -> None:
    server.script(Fault(status=429, headers={"Retry-After": "3600"}))
    started = time.perf_counter()
    with pytest.raises(EmbeddingUnavailableError, match="429"):
        embed(remote(server), ["text"])
    assert time.perf_counter() - started < 15
    assert len(server.requests) == 1


def test_an_absurd_wait_is_asked_of_later_calls_only_so_long() -> None:
    wire = _FailingWire([TransientError("busy", retry_after=1e9)])
    limits = RemoteLimits(total_s=0.05, longest_asked_s=0.2)
    embedder = RemoteEmbedder(wire, provider="p", model="m", limits=limits)

    async def ask() -> None:
        for problem in ("busy", "asked to wait"):
            with pytest.raises(EmbeddingUnavailableError, match=problem):
                await embedder.embed(["text"])
        await asyncio.sleep(0.25)
        assert len(await embedder.embed(["text"])) == 1

    asyncio.run(ask())


def test_a_service_that_does_not_answer_is_given_up(server: EmbeddingServer) -> None:
    server.script(*[Fault(delay_s=30)] * 4)
    limits = RemoteLimits(first_wait_s=0.01, attempts=2, request_s=0.3)
    with pytest.raises(EmbeddingUnavailableError, match="did not answer"):
        embed(remote(server, limits), ["text"])
    assert len(server.requests) == 2


def test_no_server_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with EmbeddingServer() as gone:
        url = gone.url
    limits = RemoteLimits(first_wait_s=0.01, longest_wait_s=0.02, attempts=2)
    with pytest.raises(EmbeddingUnavailableError, match="reached"):
        embed(make_embedder("openai:words", base_url=url, limits=limits), ["text"])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_final_and_holds_no_key(server: EmbeddingServer, status: int) -> None:
    server.script(Fault(status=status, message=f"Incorrect API key provided: {KEY}"))
    with pytest.raises(EmbeddingError, match=f"HTTP {status}") as failure:
        embed(remote(server), ["text"])
    assert not isinstance(failure.value, EmbeddingUnavailableError)
    assert len(server.requests) == 1
    shown = str(failure.value) + str(failure.value.__cause__)
    assert KEY not in shown
    assert "0123456789" not in shown


def test_the_reason_of_a_refusal_is_told(server: EmbeddingServer) -> None:
    server.script(Fault(status=400, message="the model 'words' is retired"))
    with pytest.raises(EmbeddingError, match="is retired"):
        embed(remote(server), ["text"])


def test_one_refused_text_fails_the_batch_and_is_found_alone(server: EmbeddingServer) -> None:
    server.max_chars = 20
    texts = ["fine", "much too long for this model"]

    async def work() -> list[str]:
        embedder = remote(server)
        outcomes = []
        for call in (texts, [texts[0]], [texts[1]]):
            try:
                outcomes.append(str((await embedder.embed(call)).shape))
            except EmbeddingError as error:
                outcomes.append(type(error).__name__)
        await embedder.aclose()
        return outcomes

    assert asyncio.run(work()) == ["EmbeddingError", "(1, 16)", "EmbeddingError"]


def test_another_size_than_before_is_a_dimension_error(server: EmbeddingServer) -> None:
    async def work() -> None:
        embedder = remote(server)
        await embedder.embed(["first"])
        server.script(Fault(vectors=np.ones((1, 8), dtype=np.float32)))
        with pytest.raises(EmbeddingDimensionError, match="8 dimensions instead of 16"):
            await embedder.embed(["second"])
        assert embedder.identity.dimensions == 16
        await embedder.aclose()

    asyncio.run(work())


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (np.zeros((1, 16)), "zeros"),
        (np.full((1, 16), np.nan), "finite"),
        (np.full((1, 16), np.inf), "finite"),
        (np.ones((2, 16)), "2 vectors for 1"),
        (np.ones((0, 16)), "0 vectors for 1|format|usable|No embedding"),
    ],
    ids=["zeros", "nan", "inf", "too many", "none"],
)
def test_vectors_that_are_no_use_are_refused(
    server: EmbeddingServer,
    vectors: NDArray[np.float32],
    message: str,
) -> None:
    server.script(*[Fault(vectors=vectors.astype(np.float32))] * 4)
    with pytest.raises(EmbeddingError, match=message):
        embed(remote(server), ["text"])


@pytest.mark.parametrize("body", [b"{}", b'{"data": 5}', b"[]", b'{"data": [{"embedding": 3}]}'])
def test_an_answer_in_another_format_is_an_embedding_error(
    server: EmbeddingServer, body: bytes
) -> None:
    server.script(*[Fault(body=body)] * 4)
    with pytest.raises(EmbeddingError):
        embed(remote(server), ["text"])


def test_vectors_are_scaled_to_length_one(server: EmbeddingServer) -> None:
    huge, tiny = np.full((1, 16), 1e30), np.full((1, 16), 1e-30)
    server.script(*(Fault(vectors=rows.astype(np.float32)) for rows in (huge, tiny)))
    for vectors in embed(remote(server), ["one"], ["two"]):
        assert np.allclose(vectors, 0.25)


def test_batches_are_bounded_in_texts_and_characters(server: EmbeddingServer) -> None:
    limits = RemoteLimits(batch_texts=3, batch_chars=50, max_chars=40)
    texts = ["a" * 10, "b" * 10, "c" * 10, "d" * 10, "e" * 30, "f" * 30, "g" * 5]
    (vectors,) = embed(remote(server, limits), texts)
    sent = [request.texts for request in server.requests]
    assert [text for batch in sent for text in batch] == texts
    assert [len(batch) for batch in sent] == [3, 2, 2]
    assert np.allclose(vectors[5], hash_vector("f" * 30, 16), atol=1e-6)


def test_long_texts_are_split_and_pooled(server: EmbeddingServer) -> None:
    limits = RemoteLimits(max_chars=30)
    text = "We met in Oslo. Then the rain came down. We left."
    (vectors,) = embed(remote(server, limits), ["short", text])
    sent = [one for request in server.requests for one in request.texts]
    assert "".join(sent[1:]) == text
    assert len(sent) > 2
    parts = np.stack([hash_vector(part, 16) for part in sent[1:]])
    mean = np.array([len(part) for part in sent[1:]]) @ parts
    assert np.allclose(vectors[1], mean / np.linalg.norm(mean), atol=1e-6)


def test_no_key_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("OLLAMA_BASE_URL", raising=False)
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        make_embedder("openai:text-embedding-3-small")
    with pytest.raises(ConfigurationError, match="GOOGLE_API_KEY"):
        make_embedder("google:gemini-embedding-001")
    with pytest.raises(ConfigurationError, match="OLLAMA_BASE_URL"):
        make_embedder("ollama:nomic-embed-text")


def test_an_openai_compatible_server_needs_no_key(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    (vectors,) = embed(make_embedder("ollama:words", base_url=server.url), ["text"])
    assert vectors.shape == (1, 16)


@pytest.mark.parametrize("spec", ["", "locale", "openai:", ":model", "nobody:model", "anthropic:x"])
def test_unknown_names_are_configuration_errors(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with pytest.raises(ConfigurationError):
        make_embedder(spec)


def test_local_takes_threads_but_no_address() -> None:
    assert isinstance(make_embedder("local", threads=1), LocalEmbedder)
    with pytest.raises(ConfigurationError, match="base_url"):
        make_embedder("local", base_url="http://localhost")


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CO_API_KEY", KEY)
    with pytest.raises(MissingDependencyError, match=r"backstory\[remote\]"):
        make_embedder("cohere:embed-v4.0")
    monkeypatch.setitem(sys.modules, "pydantic_ai.embeddings", None)
    monkeypatch.delitem(sys.modules, "backstory.models._pydantic_ai", raising=False)
    with pytest.raises(MissingDependencyError, match=r"pip install 'backstory\[remote\]'"):
        make_embedder("openai:text-embedding-3-small")


class _FailingWire:
    """Fails as often as told; for waits without a server."""

    def __init__(self, failures: list[TransientError]) -> None:
        self.failures = failures
        self.closed = 0

    async def request(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        if self.failures:
            raise self.failures.pop(0)
        return [[1.0, 0.0] for _ in texts]

    async def aclose(self) -> None:
        self.closed += 1


def test_waits_grow_and_stay_below_the_limit() -> None:
    wire = _FailingWire([TransientError("busy") for _ in range(6)])
    limits = RemoteLimits(first_wait_s=0.02, longest_wait_s=0.05, attempts=7, total_s=30)
    embedder = RemoteEmbedder(wire, provider="p", model="m", limits=limits)
    started = time.perf_counter()
    embed(embedder, ["text"])
    assert time.perf_counter() - started >= 0.02 + 0.04 + 4 * 0.05
    assert wire.closed == 1


def test_the_total_time_is_bounded() -> None:
    wire = _FailingWire([TransientError("busy", retry_after=0.05) for _ in range(1000)])
    limits = RemoteLimits(attempts=1000, total_s=0.4)
    with pytest.raises(EmbeddingUnavailableError, match="busy"):
        embed(RemoteEmbedder(wire, provider="p", model="m", limits=limits), ["text"])
    assert len(wire.failures) > 985
