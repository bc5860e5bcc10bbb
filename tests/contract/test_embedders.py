"""The embedder contract on every embedder that ships."""

import asyncio
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from backstory.models.factory import make_embedder
from backstory.ports.embedder import Embedder
from backstory.testing.embedder_contract import EmbedderContract
from backstory.testing.embedders import HashEmbedder
from backstory.testing.wire import EmbeddingServer


class TestHashEmbedder(EmbedderContract):
    def make(self) -> Embedder:
        return HashEmbedder()


class TestLocalEmbedder(EmbedderContract):
    def make(self) -> Embedder:
        return make_embedder("local", threads=2)


class TestRemoteEmbedder(EmbedderContract):
    @pytest.fixture(autouse=True)
    def server(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-test")
        with EmbeddingServer() as server:
            self.url = server.url
            yield

    def make(self) -> Embedder:
        return make_embedder("openai:words", base_url=self.url)


class _Forgetful(HashEmbedder):
    """Breaks the contract: adds a different vector at each call."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = await super().embed(texts)
        return rows + np.float32(len(self.calls))


def test_the_contract_notices_a_broken_embedder() -> None:
    class Broken(EmbedderContract):
        def make(self) -> Embedder:
            return _Forgetful()

    for check in (
        Broken().test_gives_one_unit_vector_for_each_text,
        Broken().test_rows_are_in_the_order_of_the_texts,
        Broken().test_odd_texts_have_vectors,
        Broken().test_calls_at_the_same_time_do_not_mix,
    ):
        with pytest.raises(AssertionError):
            check()


def test_an_embedder_may_be_used_by_several_loops_at_once() -> None:
    embedder = make_embedder("local", threads=2)

    async def one(number: int) -> NDArray[np.float32]:
        return await embedder.embed([f"a text with the number {number}"])

    async def many() -> list[NDArray[np.float32]]:
        in_threads = (asyncio.to_thread(asyncio.run, one(number)) for number in range(6))
        return list(await asyncio.gather(*in_threads))

    parallel = asyncio.run(many())
    for number, row in enumerate(parallel):
        assert np.array_equal(row, asyncio.run(one(number)))
    asyncio.run(embedder.aclose())
