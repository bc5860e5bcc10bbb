"""An embedder without a model: for tests of everything around one."""

import asyncio
import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.text import clean
from backstory.errors import EmbeddingError, EmbeddingUnavailableError

_WORD = re.compile(r"\w+")
_PLACES_PER_WORD = 4


def hash_vector(text: str, dimensions: int) -> NDArray[np.float32]:
    """A unit vector from the words of a text; texts that share words are near each other.

    Args:
        text: Any text; without words, all of it counts as one.
        dimensions: The length of the vector, 1 or more.
    """
    text = clean(text)
    vector = np.zeros(dimensions, dtype=np.float64)
    for word in _WORD.findall(text.casefold()) or [text]:
        _add(vector, word)
    if not vector.any():
        vector[0] = 1.0
    result: NDArray[np.float32] = (vector / np.linalg.norm(vector)).astype(np.float32)
    return result


def _add(vector: NDArray[np.float64], word: str) -> None:
    digest = hashlib.blake2b(word.encode(), digest_size=4 * _PLACES_PER_WORD).digest()
    for at in range(0, len(digest), 4):
        number = int.from_bytes(digest[at : at + 4], "little")
        vector[(number >> 1) % len(vector)] += 1.0 if number & 1 else -1.0


class HashEmbedder:
    """Bag-of-words vectors by hashing: the same on every machine, no file, no network.

    Attributes:
        calls: The texts of each call that was not made to fail, in order.
        fail_times: How many more calls fail with EmbeddingUnavailableError; may be set.
    """

    def __init__(
        self,
        dimensions: int = 64,
        *,
        is_local: bool = True,
        model: str = "words",
        max_chars: int | None = None,
        fail_times: int = 0,
        delay_s: float = 0.0,
    ) -> None:
        """Make an embedder.

        Args:
            dimensions: The length of its vectors, 1 or more.
            is_local: What it says of itself; False makes callers treat it as a service.
            model: The model's name, so that a test can have several generations.
            max_chars: A call with a longer text is refused with EmbeddingError; None for never.
            fail_times: How many calls fail before the first succeeds.
            delay_s: Seconds that each call waits, without blocking the event loop.
        """
        self.is_local = is_local
        self.identity = EmbedderIdentity(
            provider="hash", model=model, version="1", dimensions=dimensions
        )
        self.calls: list[list[str]] = []
        self.fail_times = fail_times
        self._delay_s = delay_s
        self._max_chars = max_chars
        self._dimensions = dimensions
        self._closed = False

    @property
    def texts(self) -> list[str]:
        """All texts that were embedded, in order."""
        return [text for call in self.calls for text in call]

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; see ``ports.embedder.Embedder``.

        Raises:
            EmbeddingUnavailableError: ``fail_times`` is above 0.
            EmbeddingError: A text is longer than ``max_chars``, or the embedder was closed.
        """
        if self._closed:
            message = "This embedder was closed; make a new one."
            raise EmbeddingError(message)
        await asyncio.sleep(self._delay_s)
        if self.fail_times > 0:
            self.fail_times -= 1
            raise EmbeddingUnavailableError
        longest = max((len(text) for text in texts), default=0)
        if self._max_chars is not None and longest > self._max_chars:
            message = f"a text of {longest} characters is longer than {self._max_chars}"
            raise EmbeddingError(message)
        self.calls.append(list(texts))
        rows = [hash_vector(text, self._dimensions) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self._dimensions)

    async def aclose(self) -> None:
        """Refuse further calls. Calling it twice is allowed."""
        self._closed = True
