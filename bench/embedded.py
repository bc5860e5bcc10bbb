"""The local embedder with a file of vectors made before: long data sets take most of an hour."""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backstory.core.model.embedding import EmbedderIdentity
from backstory.models.local import IDENTITY, LocalEmbedder


class KeptVectors:
    """Embeds by the local model, each text of a batch once and for all.

    A text alone, as a query is, is embedded anew, so that the times of searches stay true; where
    none are taken, ``queries=True`` keeps those too.
    """

    is_local = True
    identity: EmbedderIdentity = IDENTITY

    def __init__(self, path: Path | None, *, queries: bool = False) -> None:
        """Read the file; None keeps the vectors for this process only."""
        self._path = path
        self._queries = queries
        self._model = LocalEmbedder()
        self._known: dict[bytes, NDArray[np.float32]] = {}
        self._read = 0
        if path is not None and path.exists():
            with np.load(path) as file:
                keys, rows = file["keys"], file["rows"]
            self._known = {key.tobytes(): row for key, row in zip(keys, rows, strict=True)}
            self._read = len(self._known)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of the texts."""
        if len(texts) == 1 and not self._queries:
            return await self._model.embed(texts)
        keys = [_key(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            rows = await self._model.embed(list(new.values()))
            self._known.update(zip(new, rows, strict=True))
        return np.stack([self._known[key] for key in keys]) if keys else np.empty((0, 384), "<f4")

    async def load(self) -> None:
        """Read the model."""
        await self._model.load()

    async def aclose(self) -> None:
        """Free nothing: the next memory uses it too."""

    def save(self) -> None:
        """Write the file, if there are new vectors and there is a file."""
        if self._path is None or len(self._known) == self._read:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        keys = np.frombuffer(b"".join(self._known), dtype=np.uint8).reshape(len(self._known), -1)
        np.savez(self._path, keys=keys, rows=np.stack(list(self._known.values())))
        self._read = len(self._known)


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
