"""Embedders of a provider: batches, retries, checks. The wire itself is in ``_pydantic_ai``."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.text import clean
from backstory.errors import EmbeddingDimensionError, EmbeddingError, EmbeddingUnavailableError
from backstory.models._retries import Transient, retrying
from backstory.models.splitting import normalised, pool, split_text


class TransientError(Transient, EmbeddingUnavailableError):
    """The embedding service did not answer or is overloaded; try again."""

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        """Describe the failure.

        Args:
            message: What happened.
            retry_after: Seconds that the service asked to wait, if it said so.
        """
        super().__init__(message)
        self.retry_after = retry_after


class EmbeddingWire(Protocol):
    """One request to a provider, without retries."""

    async def request(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """The provider's vectors, one for each text, in order.

        Raises:
            TransientError: Another try may succeed.
            EmbeddingError: The provider refused; another try would not help.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True, kw_only=True)
class RemoteLimits:
    """How much one request holds and how long a call keeps trying.

    ``max_chars`` is the longest text that goes out whole; a longer one is split and pooled. It
    has to be safe for the densest script, because many services cut a text that is too long
    without a word. ``longest_asked_s`` bounds the wait that a service may ask of calls to come:
    one absurd answer must not switch the embedder off until the process ends.
    """

    max_chars: int = 2000
    batch_texts: int = 64
    batch_chars: int = 100_000
    attempts: int = 5
    total_s: float = 60.0
    request_s: float = 30.0
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0
    longest_asked_s: float = 3600.0


class RemoteEmbedder:
    """Embeds with a provider's service over an ``EmbeddingWire``.

    Failures that may pass (429, 5xx, no connection, no answer in time) are tried again with
    growing waits, or after the wait that the service asks for, up to the limits' attempts and
    time. A wait that the service asks for holds for all calls. The number of dimensions is known
    from the first answer on.
    """

    is_local = False

    def __init__(
        self, wire: EmbeddingWire, *, provider: str, model: str, limits: RemoteLimits | None = None
    ) -> None:
        """Wrap a connection to a provider.

        Args:
            wire: Sends one request.
            provider: The provider's name, part of the identity.
            model: The model's name, part of the identity.
            limits: Sizes and times; None for the defaults.
        """
        self._wire = wire
        self._limits = limits or RemoteLimits()
        self._identity = EmbedderIdentity(provider=provider, model=model)
        self._closed = False
        self._not_before = 0.0

    @property
    def identity(self) -> EmbedderIdentity:
        """The model; its dimensions are None until the first answer."""
        return self._identity

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; see ``ports.embedder.Embedder``.

        Raises:
            EmbeddingUnavailableError: The service did not answer within the attempts and time.
            EmbeddingDimensionError: Vectors of another size than before.
            EmbeddingError: The service refused, answered with vectors that are no use, or the
                embedder was closed. When one text of a batch is refused the call fails as a
                whole; calling with the texts one by one finds it.
        """
        if self._closed:
            message = "This embedder was closed; make a new one."
            raise EmbeddingError(message)
        if not texts:
            return np.empty((0, self._identity.dimensions or 0), dtype=np.float32)
        parts = [split_text(clean(text), self._limits.max_chars) for text in texts]
        flat = [part for group in parts for part in group]
        rows = [await self._batch(batch) for batch in self._batches(flat)]
        return _joined(np.concatenate(rows), parts)

    async def aclose(self) -> None:
        """Close the connections. Calling it twice is allowed."""
        if not self._closed:
            self._closed = True
            await self._wire.aclose()

    def _batches(self, texts: list[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        size = 0
        for text in texts:
            full = len(batch) == self._limits.batch_texts
            if batch and (full or size + len(text) > self._limits.batch_chars):
                yield batch
                batch, size = [], 0
            batch.append(text)
            size += len(text)
        yield batch

    async def _batch(self, texts: list[str]) -> NDArray[np.float32]:
        again = retrying(self._limits)
        vectors: Sequence[Sequence[float]] = await again(self._request, texts)
        return self._checked(vectors, len(texts))

    async def _request(self, texts: list[str]) -> Sequence[Sequence[float]]:
        await self._until_welcome()
        try:
            async with asyncio.timeout(self._limits.request_s):
                return await self._wire.request(texts)
        except TimeoutError as error:
            message = f"{self._identity} did not answer within {self._limits.request_s:g} s"
            raise TransientError(message) from error
        except TransientError as error:
            if error.retry_after is not None:
                wait = min(error.retry_after, self._limits.longest_asked_s)
                self._not_before = asyncio.get_running_loop().time() + wait
            raise

    async def _until_welcome(self) -> None:
        """Wait as long as the service has asked another call to wait."""
        left = self._not_before - asyncio.get_running_loop().time()
        if left > self._limits.total_s:
            message = f"{self._identity} has asked to wait for {left:.0f} s more"
            raise TransientError(message, retry_after=left)
        if left > 0:
            await asyncio.sleep(left)

    def _checked(self, vectors: Sequence[Sequence[float]], count: int) -> NDArray[np.float32]:
        """The vectors as unit rows, if they are what was asked for."""
        if len(vectors) != count:
            message = f"{self._identity} gave {len(vectors)} vectors for {count} texts"
            raise EmbeddingError(message)
        try:
            sizes = [len(vector) for vector in vectors]
            known = self._identity.dimensions or sizes[0]
            if any(size != known for size in sizes):
                other = next(size for size in sizes if size != known)
                message = f"{self._identity} gave a vector of {other} dimensions instead of {known}"
                raise EmbeddingDimensionError(message)
            rows = np.array(vectors, dtype=np.float64)
        except (TypeError, ValueError) as error:
            message = f"{self._identity} gave vectors that are not lists of numbers"
            raise EmbeddingError(message) from error
        if not np.isfinite(rows).all() or not rows.any(axis=1).all():
            message = f"{self._identity} gave a vector of zeros or one that is not finite"
            raise EmbeddingError(message)
        self._identity = EmbedderIdentity(
            provider=self._identity.provider, model=self._identity.model, dimensions=known
        )
        # Scaling by the largest value first keeps the squares of huge or tiny numbers finite.
        return normalised(rows / np.abs(rows).max(axis=1, keepdims=True))


def _joined(rows: NDArray[np.float32], parts: list[list[str]]) -> NDArray[np.float32]:
    """One row for each text from the rows of its parts, weighted by their characters."""
    result = np.empty((len(parts), rows.shape[1]), dtype=np.float32)
    start = 0
    for place, group in enumerate(parts):
        end = start + len(group)
        weights = [len(part) for part in group]
        result[place] = rows[start] if len(group) == 1 else pool(rows[start:end], weights)
        start = end
    return result
