"""What an embedding is made by, so that vectors of different models never mix."""

from collections.abc import Iterable
from dataclasses import dataclass

from backstory.errors import EmbeddingDimensionError


@dataclass(frozen=True, kw_only=True)
class EmbedderIdentity:
    """Names the model behind an embedding generation.

    Two identities that differ in provider, model or version belong to different
    generations. ``dimensions`` is None while it is not known (a remote model that
    has not answered yet).
    """

    provider: str
    model: str
    version: str = ""
    dimensions: int | None = None

    def same_model(self, other: "EmbedderIdentity") -> bool:
        """Whether both name the same model, whatever the dimensions."""
        return (self.provider, self.model, self.version) == (
            other.provider,
            other.model,
            other.version,
        )

    def __str__(self) -> str:
        version = f"@{self.version}" if self.version else ""
        return f"{self.provider}:{self.model}{version}"


@dataclass(frozen=True, kw_only=True)
class Generation:
    """One embedding generation of a store.

    Attributes:
        id: Its number in the store.
        identity: The model behind it.
        calibration: JSON text: what cosines of this model mean in this store; None = not measured.
    """

    id: int
    identity: EmbedderIdentity
    calibration: str | None = None


def find_model(known: Iterable[Generation], identity: EmbedderIdentity) -> Generation | None:
    """The generation of a model, if there is one.

    Raises:
        EmbeddingDimensionError: It is of another size.
    """
    for generation in known:
        if generation.identity.same_model(identity):
            if generation.identity.dimensions != identity.dimensions:
                raise EmbeddingDimensionError(
                    f"the store holds vectors of {generation.identity.dimensions} dimensions from "
                    f"{identity}, the embedder yields {identity.dimensions}; an embedder whose "
                    "vectors changed needs another version"
                )
            return generation
    return None
