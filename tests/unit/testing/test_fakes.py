"""The fakes that ship: clock, ids, hash embedder."""

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.errors import EmbeddingError, EmbeddingUnavailableError
from backstory.ports.clock import Clock
from backstory.ports.ids import Ids
from backstory.testing.clock import FakeClock
from backstory.testing.embedders import HashEmbedder, hash_vector
from backstory.testing.ids import CountingIds


def test_the_clock_moves_only_when_told() -> None:
    clock = FakeClock()
    assert isinstance(clock.now(), datetime)
    port: Clock = clock
    start = port.now()
    assert port.now() == start
    assert clock.advance(90) == start + timedelta(seconds=90)
    clock.advance(timedelta(days=-1))
    assert clock.now() == start + timedelta(seconds=90) - timedelta(days=1)
    east = datetime(2026, 3, 1, 2, 0, tzinfo=timezone(timedelta(hours=5)))
    clock.set(east)
    assert clock.now() == east
    assert clock.now().tzinfo is UTC


def test_the_clock_refuses_naive_times() -> None:
    naive = datetime(2026, 1, 1)  # noqa: DTZ001 - the point of the test
    with pytest.raises(ValueError, match="timezone"):
        FakeClock(naive)
    with pytest.raises(ValueError, match="timezone"):
        FakeClock().set(naive)


def test_ids_count() -> None:
    ids: Ids = CountingIds("m")
    made = [ids.new() for _ in range(12)]
    assert made[0] == "m00000001"
    assert made[11] == "m00000012"
    assert made == sorted(made)


@given(st.text(), st.integers(1, 100))
def test_hash_vectors_are_unit_vectors(text: str, dimensions: int) -> None:
    vector = hash_vector(text, dimensions)
    assert vector.shape == (dimensions,)
    assert abs(float(np.linalg.norm(vector.astype(np.float64))) - 1.0) < 1e-5
    assert np.array_equal(vector, hash_vector(text, dimensions))


def test_hash_embedder_records_fails_and_refuses() -> None:
    embedder = HashEmbedder(8, is_local=False, max_chars=10, fail_times=2)
    assert not embedder.is_local

    async def work() -> None:
        for _ in range(2):
            with pytest.raises(EmbeddingUnavailableError):
                await embedder.embed(["a"])
        await embedder.embed(["a", "b"])
        with pytest.raises(EmbeddingError, match="11 characters"):
            await embedder.embed(["c", "x" * 11])
        await embedder.embed(["c"])

    asyncio.run(work())
    assert embedder.calls == [["a", "b"], ["c"]]
    assert embedder.texts == ["a", "b", "c"]
    assert str(embedder.identity) == "hash:words@1"
