"""The embedder port: texts in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from backstory.core.model.embedding import EmbedderIdentity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from backstory.core.model.calibration import Calibration


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors of length 1.

    An implementation splits and pools texts that are longer than its model reads; it never
    cuts one silently. It raises ``EmbeddingError`` (or a subclass) and nothing else.
    """

    @property
    def identity(self) -> EmbedderIdentity:
        """The model, so that vectors of different models never mix."""
        ...

    @property
    def is_local(self) -> bool:
        """Whether embedding needs no network: then a message's vector is made in the same call."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts.

        Args:
            texts: Non-blank texts of any length and script.

        Returns:
            A float32 array of shape (len(texts), dimensions); each row has length 1.

        Raises:
            EmbeddingError: The model failed; no vector of this call is given.
        """
        ...

    async def aclose(self) -> None:
        """Free what the embedder holds. Calling it twice is allowed."""
        ...


@runtime_checkable
class Loadable(Protocol):
    """What an embedder has too if it must read a model before its first answer."""

    async def load(self) -> None:
        """Read the model now; doing so twice costs nothing.

        Raises:
            EmbeddingError: It cannot be read.
        """
        ...


@runtime_checkable
class Calibrated(Protocol):
    """What an embedder has too if it is known what its cosines mean."""

    @property
    def calibration(self) -> Calibration:
        """The floors of its similarities, measured once by whoever made it."""
        ...
