"""Work done while the store is asked which generation is active is done again for another one."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.errors import EmbeddingError, EmbeddingUnavailableError
from backstory.ports.store import Store
from backstory.services.embedding.embedders import Embedders
from backstory.services.embedding.vectors import VectorMaker

MODEL = EmbedderIdentity(provider="test", model="m", version="1", dimensions=2)


class Slow:
    """An embedder that counts its calls and the texts of each."""

    is_local = True
    identity = MODEL

    def __init__(self, problem: str | None = None) -> None:
        self.calls: list[list[str]] = []
        self._problem = problem

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        await asyncio.sleep(0.01)
        if self._problem is not None:
            raise EmbeddingUnavailableError(self._problem)
        return np.tile(np.array([0.6, 0.8], dtype=np.float32), (len(texts), 1))

    async def aclose(self) -> None:
        """Do nothing."""


class Changing:
    """A store whose active generation is of the given ids, one after the other."""

    def __init__(self, ids: Sequence[int]) -> None:
        self._ids = list(ids)
        self.generations = self

    async def active(self) -> Generation:
        await asyncio.sleep(0)
        number = self._ids.pop(0) if len(self._ids) > 1 else self._ids[0]
        return Generation(id=number, identity=MODEL)


class Clock:
    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)


def maker(ids: Sequence[int], embedder: Slow) -> VectorMaker:
    return VectorMaker(cast("Store", Changing(ids)), Embedders(embedder), Clock())


@pytest.mark.parametrize(("ids", "done"), [([1], [1]), ([1, 2], [1, 2]), ([2, 1], [2, 1])])
def test_work_is_done_again_for_another_generation(ids: list[int], done: list[int]) -> None:
    async def run() -> tuple[Any, list[int]]:
        vectors, worked = maker(ids, Slow()), list[int]()

        async def work(generation: Generation | None) -> int:
            assert generation is not None
            worked.append(generation.id)
            return generation.id

        await vectors.generation()
        vectors.look_again()
        found, answer = await vectors.meanwhile(work)
        assert found is not None
        assert answer == found.id == ids[-1]
        return found, worked

    assert asyncio.run(run())[1] == done


def test_a_text_that_is_being_embedded_is_not_embedded_twice() -> None:
    async def run() -> None:
        embedder = Slow()
        vectors = maker([1], embedder)
        generation = await vectors.generation()
        assert generation is not None
        queries = ("\u6c49\u5b57", "\u6c49\u5b57", "\u05e9\u05dc\u05d5\u05dd")
        found = await asyncio.gather(*(vectors.embed_query(q, generation) for q in queries))
        assert len(found) == 3
        # each alone, and nothing is kept behind the call
        assert embedder.calls == [["\u6c49\u5b57"], ["\u05e9\u05dc\u05d5\u05dd"]]
        await vectors.embed_query("\u6c49\u5b57", generation)
        assert len(embedder.calls) == 3

    asyncio.run(run())


def test_who_gives_up_does_not_take_the_vector_from_others() -> None:
    async def run() -> None:
        vectors = maker([1], Slow())
        generation = await vectors.generation()
        assert generation is not None
        first = asyncio.create_task(vectors.embed_query("x", generation))
        second = asyncio.create_task(vectors.embed_query("x", generation))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).shape == (2,)

    asyncio.run(run())


def test_a_failure_reaches_all_who_wait() -> None:
    async def run() -> None:
        vectors = maker([1], Slow("down"))
        generation = await vectors.generation()
        assert generation is not None
        asked = (vectors.embed_query("x", generation) for _ in range(2))
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(one, EmbeddingError) for one in found)

    asyncio.run(run())
