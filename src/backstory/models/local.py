"""The embedder that the package carries: all-MiniLM-L6-v2, 8 bit, no network, no key."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from backstory.core.model.calibration import Calibration
from backstory.core.model.embedding import EmbedderIdentity
from backstory.errors import ConfigurationError, EmbeddingError
from backstory.threads import Workers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from backstory.models._onnx import OnnxEncoder

MODEL_FOLDER = Path(__file__).resolve().parent.parent / "data" / "minilm"
IDENTITY = EmbedderIdentity(
    provider="local", model="all-MiniLM-L6-v2", version="int8-1", dimensions=384
)
# By ``python -m bench calibration``, on the demo conversation; docs/explanation/floors.md.
CALIBRATION = Calibration(low=0.3629, high=0.5183, pairs=33_948, related=155, measured=False)
# About 30 ms of work: a query waits for no more than that behind a large import.
_SLICE = 8


def available_cores() -> int:
    """How many processors this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


class LocalEmbedder:
    """Embeds on the processor, in threads of its own; the event loop is never blocked.

    Creating one costs nothing: the model (23 MB) is read at the first ``embed``. The same text
    gives the same vector at every call. Texts longer than the model's window of 256 word pieces
    are read in several windows, and the mean of those, weighted by their tokens, is the vector.
    One object may be used from several event loops and threads.
    """

    is_local = True
    identity = IDENTITY
    calibration = CALIBRATION

    def __init__(self, *, threads: int | None = None, folder: Path = MODEL_FOLDER) -> None:
        """Prepare an embedder.

        Args:
            threads: How many texts are worked on at once, 1 or more; None is one for each
                processor.
            folder: The folder of the model; another one only for tests.

        Raises:
            ConfigurationError: ``threads`` is below 1.
        """
        if threads is not None and threads < 1:
            message = f"threads must be 1 or more, not {threads}"
            raise ConfigurationError(message)
        self._threads = threads or available_cores()
        self._folder = folder
        # The first lock is held for moments only, so the event loop may take it; the second is
        # held while the model loads, and only the worker threads take it.
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self._encoder: OnnxEncoder | None = None
        self._pool: Workers | None = None
        self._closed = False

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; see ``ports.embedder.Embedder``.

        Raises:
            ModelFileError: A file of the model is missing or damaged; the message names it.
            EmbeddingError: The model failed, or the embedder was closed.
        """
        result = _room_for(len(texts))
        if not texts:
            return result
        pool = self._workers()
        try:
            windows = await pool.run(self._tokenize, list(texts))
            order = sorted(range(len(texts)), key=lambda place: len(windows[place][0]))
            slices = iter([order[at : at + _SLICE] for at in range(0, len(order), _SLICE)])

            async def work(mine: Iterator[list[int]]) -> None:
                for places in mine:
                    await pool.run(self._fill, result, windows, places)

            await asyncio.gather(*(work(slices) for _ in range(self._threads)))
        except RuntimeError as error:
            if self._closed:
                raise _closed() from error
            raise
        return result

    async def load(self) -> None:
        """Read the model now, so that the first ``embed`` does not have to.

        Raises:
            ModelFileError: A file of the model is missing or damaged; the message names it.
        """
        await self._workers().run(self._loaded)

    async def aclose(self) -> None:
        """Free the model and the threads. Calling it twice is allowed."""
        with self._lock:
            pool, self._pool, self._encoder = self._pool, None, None
            self._closed = True
        if pool is not None:
            pool.end()

    def _workers(self) -> Workers:
        with self._lock:
            if self._closed:
                raise _closed()
            if self._pool is None:
                self._pool = Workers(self._threads, "backstory-embed")
            return self._pool

    def _loaded(self) -> OnnxEncoder:
        with self._loading:
            encoder = self._encoder
            if encoder is None:
                encoder = load_encoder(self._folder)
            with self._lock:
                if self._closed:
                    raise _closed()
                self._encoder = encoder
        return encoder

    def _tokenize(self, texts: list[str]) -> list[list[list[int]]]:
        return self._loaded().windows(texts)

    def _fill(
        self, result: NDArray[np.float32], windows: list[list[list[int]]], places: list[int]
    ) -> None:
        encoder = self._loaded()
        for place in places:
            result[place] = encoder.vector(windows[place])


def _room_for(texts: int) -> NDArray[np.float32]:
    """Space for vectors. Like the model, numpy loads with the first text."""
    import numpy as np  # noqa: PLC0415 - opening a memory does not need it

    return np.empty((texts, IDENTITY.dimensions or 0), dtype=np.float32)


def load_encoder(folder: Path) -> OnnxEncoder:
    """Read the model. The imports are here because they cost as much as all of backstory.

    Raises:
        ModelFileError: A file is missing or damaged.
    """
    from backstory.models._onnx import OnnxEncoder  # noqa: PLC0415 - the adapter's factory

    return OnnxEncoder(folder)


def _closed() -> EmbeddingError:
    return EmbeddingError("This embedder was closed; make a new one.")
