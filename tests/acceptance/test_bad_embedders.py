"""Embedders that break their contract: nothing raises, nothing bad is stored."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from backstory import Memory
from backstory.core.model.embedding import EmbedderIdentity
from backstory.testing.embedders import hash_vector
from tests.acceptance.places import ON_ONE, Place

SIZE = 8
Answer = Callable[[Any], Any]


class Foreign:
    """An embedder whose answer is changed after the first ``good`` calls."""

    is_local = True

    def __init__(self, answer: Answer, good: int = 0) -> None:
        self.identity = EmbedderIdentity(provider="me", model="m", version="1", dimensions=None)
        self._answer = answer
        self._good = good

    async def embed(self, texts: Sequence[str]) -> Any:
        vectors = np.array([hash_vector(text, SIZE) for text in texts])
        self._good -= 1
        return vectors if self._good >= 0 else self._answer(vectors)

    async def aclose(self) -> None:
        """Nothing is held."""


def raising(error: Exception) -> Answer:
    def answer(_: Any) -> Any:
        raise error

    return answer


BAD: dict[str, Answer] = {
    "value error": raising(ValueError("no")),
    "key error": raising(KeyError("no")),
    "timeout": raising(TimeoutError()),
    "no connection": raising(ConnectionError("refused")),
    "none": lambda vectors: None,
    "objects": lambda vectors: np.array([[object()] * SIZE] * len(vectors)),
    "words": lambda vectors: [["1.0"] * SIZE] * len(vectors),
    "ragged": lambda vectors: [[1.0], [1.0, 2.0]],
    "flat": lambda vectors: vectors[0],
    "deep": lambda vectors: vectors[:, :, None],
    "too few": lambda vectors: vectors[:-1],
    "too many": lambda vectors: np.vstack([vectors, vectors]),
    "no columns": lambda vectors: vectors[:, :0],
    "nan": lambda vectors: vectors * np.nan,
    "infinite": lambda vectors: np.full_like(vectors, np.inf),
    "zeros": lambda vectors: vectors * 0,
}
ODD: dict[str, Answer] = {
    "float64": lambda vectors: vectors.astype(np.float64),
    "float16": lambda vectors: vectors.astype(np.float16),
    "lists": lambda vectors: vectors.tolist(),
    "long": lambda vectors: vectors * np.float32(1e30),
    "short": lambda vectors: vectors.astype(np.float64) * 1e-200,
}


def stored(place: Place) -> list[bytes]:
    return [bytes(row[0]) for row in place.sql("SELECT vector FROM message_vectors")]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_answer_leaves_the_messages_pending(place: Place, name: str) -> None:
    memory = place.open(embedder=Foreign(BAD[name]))
    added = memory.add(["one fish", "two fish"], user_id="u", session_id="s")
    assert added.pending == 2
    assert added.degraded
    assert memory.get_all(user_id="u").total == 2
    assert stored(place) == []
    assert memory.flush("u").failed == 2
    check = next(check for check in memory.doctor().checks if check.name == "embedder")
    assert not check.ok
    assert len(memory.context("u", "fish", session_id="other").items) == 2


@ON_ONE
@pytest.mark.parametrize("name", BAD)
def test_search_goes_on_with_keywords(place: Place, name: str) -> None:
    memory = place.open(embedder=Foreign(BAD[name], good=1))
    assert memory.add(["one fish", "two fish"], user_id="u").pending == 0
    hits = memory.search("fish", user_id="u")
    assert len(hits) == 2
    assert "keywords only" in str(hits.degraded)
    edited = memory.update(hits[0].id, text="three fish")
    assert edited.text == "three fish"
    assert memory.search("three", user_id="u")[0].text == "three fish"


@pytest.mark.parametrize("name", ODD)
def test_an_odd_answer_is_made_right(place: Place, name: str) -> None:
    memory = place.open(embedder=Foreign(ODD[name]))
    assert memory.add(["one fish", "two birds"], user_id="u").pending == 0
    rows = np.array([np.frombuffer(blob, "<f4") for blob in stored(place)])
    assert rows.shape == (2, SIZE)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3)
    assert cosine(memory, "one fish") == pytest.approx(1, abs=1e-3)


def cosine(memory: Memory, text: str) -> float:
    hit = memory.search(text, user_id="u", explain=True)[0]
    assert hit.why is not None
    assert hit.why.cosine is not None
    return hit.why.cosine


@ON_ONE
def test_one_bad_row_does_not_spoil_the_others(place: Place) -> None:
    def one_nan(vectors: Any) -> Any:
        if len(vectors) > 1:
            vectors[0] = np.nan
        return vectors

    memory = place.open(embedder=Foreign(one_nan))
    assert memory.add(["one fish", "two fish", "red fish"], user_id="u").pending == 0
    assert len(stored(place)) == 3


@ON_ONE
def test_another_size_than_it_says_is_refused(place: Place) -> None:
    embedder = Foreign(lambda vectors: vectors)
    embedder.identity = EmbedderIdentity(provider="me", model="m", version="1", dimensions=SIZE + 1)
    memory = place.open(embedder=embedder)
    assert memory.add("one fish", user_id="u").pending == 1
    assert stored(place) == []


@pytest.mark.parametrize(
    "blob",
    [np.full(SIZE, np.nan, "<f4").tobytes(), bytes(4 * (SIZE + 1)), b"abc", b""],
    ids=["nan", "longer", "no floats", "empty"],
)
def test_a_damaged_vector_in_the_store_spoils_no_search(place: Place, blob: bytes) -> None:
    memory = place.open(embedder=Foreign(lambda vectors: vectors))
    memory.add(["one fish", "two fish", "red fish"], user_id="u")
    value = f"'\\x{blob.hex()}'" if place.is_postgres else f"x'{blob.hex()}'"
    place.sql(
        f"UPDATE message_vectors SET vector = {value} "  # noqa: S608 - no foreign text
        "WHERE message_id = (SELECT max(id) FROM messages)"
    )
    memory = place.open(embedder=Foreign(lambda vectors: vectors))
    hits = memory.search("one fish", user_id="u")
    assert len(hits) == 3
    assert hits.degraded is None
    assert hits[0].text == "one fish"
    assert cosine(memory, "one fish") == pytest.approx(1, abs=1e-3)
    memory.add("more fish", user_id="u")
    assert len(memory.search("fish", user_id="u")) == 4
