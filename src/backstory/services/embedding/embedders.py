"""Which embedder belongs to which generation: vectors of different models never mix."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from backstory.core.model.embedding import EmbedderIdentity
from backstory.errors import ConfigurationError, EmbeddingError
from backstory.ports.embedder import Embedder


class Embedders:
    """The embedders of one open memory, made when they are needed.

    Args:
        wanted: The one that the memory was opened with; None = keywords only.
        make: Makes one by its name; raises ConfigurationError if it cannot.
        owned: Whether ``wanted`` is closed with this; a caller's object is not.
    """

    def __init__(
        self,
        wanted: Embedder | None = None,
        make: Callable[[str], Awaitable[Embedder]] | None = None,
        *,
        owned: bool = True,
    ) -> None:
        self.wanted = wanted
        self._make = make
        self._known: list[Embedder] = [] if wanted is None else [wanted]
        self._owned = [wanted] if owned and wanted is not None else []

    async def of(self, identity: EmbedderIdentity) -> tuple[Embedder | None, str | None]:
        """The embedder of a model, or None and the reason why there is none."""
        for known in self._known:
            if known.identity.same_model(identity):
                size = known.identity.dimensions
                if size not in {None, identity.dimensions}:
                    return None, (
                        f"the store holds vectors of {identity.dimensions} dimensions from "
                        f"{identity}, the embedder yields {size}; {_WAITING}"
                    )
                return known, None
        return await self._made_for(identity)

    async def _made_for(self, identity: EmbedderIdentity) -> tuple[Embedder | None, str | None]:
        spec = name_of(identity)
        try:
            found = await self.named(spec)
        except ConfigurationError as error:
            return None, (
                f"the store's vectors are of {identity}, which cannot be used here ({error}); "
                f"{_WAITING}"
            )
        if not found.identity.same_model(identity):
            return None, (
                f"the store's vectors are of {identity}, and {spec!r} is {found.identity} here; "
                f"{_WAITING}"
            )
        return found, None

    async def named(self, spec: str) -> Embedder:
        """An embedder by its name.

        Raises:
            ConfigurationError: There is none, or it is not set up.
        """
        for known in self._owned:
            if name_of(known.identity) == spec:
                return known
        if self._make is None:
            raise ConfigurationError(f"there is no embedder {spec!r}")
        made = await self._make(spec)
        self._known.append(made)
        self._owned.append(made)
        return made

    def adopt(self, embedder: Embedder) -> None:
        """Know an embedder of the caller's, which stays the caller's to close."""
        if not any(known is embedder for known in self._known):
            self._known.insert(0, embedder)

    async def aclose(self) -> None:
        """Free what was made here."""
        owned, self._owned = self._owned, []
        for embedder in owned:
            await embedder.aclose()


_WAITING = "search uses keywords only and new messages wait for their vectors"


def name_of(identity: EmbedderIdentity) -> str:
    """The name that an embedder is asked for by."""
    local = identity.provider == "local"
    return "local" if local else f"{identity.provider}:{identity.model}"


def why_none(problem: str | None) -> EmbeddingError:
    """The error of a call that needs an embedder where there is none."""
    return EmbeddingError(problem or "there is no embedder")
