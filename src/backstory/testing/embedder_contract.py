"""What every embedder must do, as a pytest class to derive from."""

import asyncio
import gc
import warnings
from collections.abc import Awaitable, Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from backstory.errors import EmbeddingError
from backstory.ports.embedder import Embedder

_Result = TypeVar("_Result")

SENTENCES = (
    "My sister moved to Tromso and works in a bakery there.",
    "The dentist is on Thursday at half past nine.",
    "We finally sold the old blue bicycle.",
    "ok",
    "Mañana vamos al mercado con los niños.",
    "私は毎朝コーヒーを飲みます。",
    "for i in range(10): print(i)",
)
ODD_TEXTS = (
    "🎉🎉🎉",
    "👩\u200d👩\u200d👧\u200d👦",
    "\x00",
    "before\x00after",
    "\ud83d",
    "a\udc00b",
    "...",
    "\u200b",
    "\u202eright to left",
    "e\u0301" * 50,
    "x" * 5000,
    "ภาษาไทยไม่มีช่องว่าง" * 30,
    "<|endoftext|>[CLS][MASK]",
    "{} {0} %s \\",
    "\t\n a",
)


class EmbedderContract:
    """Derive from this, name the class ``Test…`` and give ``make``; pytest does the rest."""

    def make(self) -> Embedder:
        """A new embedder under test, not yet used."""
        raise NotImplementedError

    def run(self, work: Callable[[Embedder], Awaitable[_Result]]) -> _Result:
        """Run a coroutine function with a new embedder that is closed afterwards."""

        async def whole() -> _Result:
            embedder = self.make()
            try:
                return await work(embedder)
            finally:
                await embedder.aclose()

        return asyncio.run(whole())

    def test_is_an_embedder_with_a_name(self) -> None:
        """It has the port's members and says who it is."""
        embedder = self.make()
        assert isinstance(embedder, Embedder)
        assert embedder.identity.provider
        assert embedder.identity.model
        assert isinstance(embedder.is_local, bool)

    def test_gives_one_unit_vector_for_each_text(self) -> None:
        """Shape, type, length 1, and the dimensions of its identity."""

        async def work(embedder: Embedder) -> tuple[NDArray[np.float32], int | None]:
            vectors = await embedder.embed(SENTENCES)
            return vectors, embedder.identity.dimensions

        vectors, dimensions = self.run(work)
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(SENTENCES), dimensions)
        _assert_unit(vectors)

    def test_no_texts_give_no_rows(self) -> None:
        """An empty call is allowed."""
        vectors = self.run(lambda embedder: embedder.embed([]))
        assert vectors.dtype == np.float32
        assert vectors.ndim == 2
        assert len(vectors) == 0

    def test_rows_are_in_the_order_of_the_texts(self) -> None:
        """A text's vector does not depend on its place or on the other texts."""

        async def work(embedder: Embedder) -> list[NDArray[np.float32]]:
            together = await embedder.embed(SENTENCES)
            backwards = await embedder.embed(SENTENCES[::-1])
            alone = [await embedder.embed([text]) for text in SENTENCES]
            return [together, backwards[::-1], np.concatenate(alone)]

        together, backwards, alone = self.run(work)
        assert np.array_equal(together, backwards)
        assert np.array_equal(together, alone)

    def test_another_embedder_of_the_kind_gives_the_same(self) -> None:
        """Vectors made today can be searched tomorrow."""
        first = self.run(lambda embedder: embedder.embed(SENTENCES))
        second = self.run(lambda embedder: embedder.embed(SENTENCES))
        assert np.array_equal(first, second)

    def test_shared_meaning_is_nearer_than_none(self) -> None:
        """Nearer texts have the larger cosine."""
        texts = (
            "The old blue bicycle was sold.",
            "We finally sold the old blue bicycle.",
            "Rain is expected in the mountains.",
        )
        one, near, far = self.run(lambda embedder: embedder.embed(texts))
        assert one @ near > one @ far

    def test_a_long_text_counts_to_its_end(self) -> None:
        """Nothing is cut: another end gives another vector."""
        body = "We walked along the river and talked about the harvest. " * 250
        texts = (body + "Nothing else.", body + "The volcano erupted! " * 30)
        vectors = self.run(lambda embedder: embedder.embed(texts))
        _assert_unit(vectors)
        assert not np.array_equal(vectors[0], vectors[1])

    def test_odd_texts_have_vectors(self) -> None:
        """Emoji, NUL, lone surrogates, scripts without spaces and control characters."""
        vectors = self.run(lambda embedder: embedder.embed(ODD_TEXTS))
        assert len(vectors) == len(ODD_TEXTS)
        _assert_unit(vectors)

    def test_calls_at_the_same_time_do_not_mix(self) -> None:
        """Each call gets its own texts' vectors."""

        async def work(embedder: Embedder) -> bool:
            groups = [[f"{text} {number}" for text in SENTENCES] for number in range(8)]
            together = await asyncio.gather(*(embedder.embed(group) for group in groups))
            later = [await embedder.embed(group) for group in groups]
            return all(np.array_equal(a, b) for a, b in zip(together, later, strict=True))

        assert self.run(work)

    def test_it_outlives_an_event_loop(self) -> None:
        """One object serves one loop after the other."""
        embedder = self.make()
        with warnings.catch_warnings():
            # Connections of a loop that has ended can only be dropped, which Python warns of.
            warnings.simplefilter("ignore", ResourceWarning)
            first = asyncio.run(_embed(embedder))
            second = asyncio.run(_embed_and_close(embedder))
            gc.collect()
        assert np.array_equal(first, second)

    def test_a_closed_embedder_says_so(self) -> None:
        """Closing twice is allowed; embedding afterwards is an EmbeddingError."""

        async def work(embedder: Embedder) -> str:
            await embedder.embed(["something"])
            await embedder.aclose()
            await embedder.aclose()
            try:
                await embedder.embed(["something"])
            except EmbeddingError as error:
                return str(error)
            return ""

        assert "closed" in self.run(work)


async def _embed(embedder: Embedder) -> NDArray[np.float32]:
    return await embedder.embed(SENTENCES)


async def _embed_and_close(embedder: Embedder) -> NDArray[np.float32]:
    vectors = await embedder.embed(SENTENCES)
    await embedder.aclose()
    return vectors


def _assert_unit(vectors: NDArray[np.float32]) -> None:
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    assert np.isfinite(vectors).all()
    assert np.abs(lengths - 1.0).max() < 1e-5
