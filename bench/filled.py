"""Stores to measure: seeded conversations, cheap vectors, both databases.

Vectors are seeded random unit vectors, not embeddings: a million real ones would take hours, and
what a search costs does not depend on what they mean. The texts are drawn from a word list whose
frequencies fall like those of language, so that postings have realistic lengths.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

from backstory import Memory
from backstory.core.model.embedding import EmbedderIdentity
from backstory.models.local import IDENTITY
from tools.local_postgres import LocalPostgres

DATABASES = ("sqlite", "postgresql")
TURNS_PER_SESSION = 20
_START = datetime(2025, 1, 1, 9, tzinfo=UTC)
_SYLLABLES = [c + v for c in "bdgklmnrst" for v in "aeio"]
_COMMON = (
    "I",
    "the",
    "a",
    "to",
    "and",
    "my",
    "it",
    "was",
    "for",
    "with",
    "you",
    "we",
    "that",
    "in",
    "of",
)
_NAMES = ("Vera", "Lena", "Tomas", "Ines", "Ruth", "Omar")


class RandomVectors:
    """An embedder that gives seeded random unit vectors under the local model's name.

    A store filled with it can be searched with the real local embedder.
    """

    is_local = True
    identity: EmbedderIdentity = IDENTITY

    def __init__(self, seed: int = 1) -> None:
        """Start the generator."""
        self._random = np.random.default_rng(seed)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give a random direction for each text."""
        size = (len(texts), IDENTITY.dimensions or 0)
        rows: NDArray[np.float32] = self._random.standard_normal(size, dtype=np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    async def aclose(self) -> None:
        """Do nothing."""


def directions(count: int, seed: int = 1) -> NDArray[np.float32]:
    """Random unit vectors of the local model's size."""
    size = (count, IDENTITY.dimensions or 0)
    rows: NDArray[np.float32] = np.random.default_rng(seed).standard_normal(size, dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


class SameVector:
    """An embedder that gives one vector made before: a query whose embedding costs nothing."""

    is_local = True
    identity: EmbedderIdentity = IDENTITY

    def __init__(self, seed: int = 7) -> None:
        """Make the vector."""
        row = np.random.default_rng(seed).standard_normal((1, IDENTITY.dimensions or 0))
        self._row = (row / np.linalg.norm(row)).astype(np.float32)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give the vector once for each text."""
        return np.repeat(self._row, len(texts), axis=0)

    async def aclose(self) -> None:
        """Do nothing."""


class Conversations:
    """Seeded messages in sessions of twenty turns, with names, dates and message ids."""

    def __init__(self, seed: int = 1, words: int = 8000) -> None:
        """Draw the vocabulary."""
        self._random = Random(seed)  # noqa: S311 - texts, not secrets
        self._words = [
            "".join(self._random.choices(_SYLLABLES, k=self._random.randint(1, 4)))
            for _ in range(words)
        ]
        # Zipf: the frequency of the nth word falls with n
        self._weights = [1 / (rank + 2) for rank in range(words)]

    def text(self, words: int) -> str:
        """One sentence of so many words."""
        drawn = self._random.choices(self._words, self._weights, k=words)
        places = range(0, words, 3)
        for place in places:
            drawn[place] = self._random.choice(_COMMON)
        return " ".join(drawn).capitalize() + self._random.choice((".", ".", ".", "?"))

    def turn(self, number: int) -> dict[str, Any]:
        """One message as the API takes it."""
        user = number % 2 == 0
        return {
            "role": "user" if user else "assistant",
            "content": self.text(self._random.randint(6, 22)),
            "message_id": f"m{number}",
            "speaker": _NAMES[0] if user else None,
            "timestamp": _START + timedelta(hours=number // TURNS_PER_SESSION * 9, seconds=number),
        }

    def turns(self, count: int) -> list[dict[str, Any]]:
        """So many messages, in order."""
        return [self.turn(number) for number in range(count)]

    def queries(self, count: int) -> list[str]:
        """Questions in words of the same list."""
        name = self._random.choice(_NAMES)
        return [f"What did {name} say about {self.text(4).lower()[:-1]}?" for _ in range(count)]


def fill(memory: Memory, user_id: str, turns: Sequence[dict[str, Any]]) -> None:
    """Add messages of one user through the public API: sessions of twenty turns, in batches."""
    for number, start in enumerate(range(0, len(turns), TURNS_PER_SESSION)):
        with memory.session(user_id=user_id, session_id=f"s{number}", bulk_import=True) as session:
            session.add_many(turns[start : start + TURNS_PER_SESSION])


def settle(url: str) -> None:
    """Let PostgreSQL count what was filled in, as its autovacuum does within a minute."""
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ANALYZE")


@contextmanager
def places(databases: Sequence[str] = DATABASES) -> Iterator[dict[str, str]]:
    """A new place for a store in each database; all is removed at the end."""
    with ExitStack() as stack:
        found: dict[str, str] = {}
        if "sqlite" in databases:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="backstory-bench-"))
            found["sqlite"] = str(Path(folder) / "memory.db")
        if "postgresql" in databases:
            found["postgresql"] = stack.enter_context(LocalPostgres()).take_database()
        yield found
