"""Requests to embedding providers through pydantic-ai. Importing this costs over a second."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TypeAlias
from weakref import WeakKeyDictionary

from pydantic_ai.embeddings import EmbeddingModel, infer_embedding_model
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelQuotaExceededError,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.providers import Provider

from backstory.errors import ConfigurationError, EmbeddingError, MissingDependencyError
from backstory.models._providers import (
    harmless,
    may_pass,
    not_set_up,
    open_provider,
    reason_of,
    status_of,
)
from backstory.models.remote import TransientError

_REFUSED_KEY = frozenset({401, 403})


_Built: TypeAlias = tuple[EmbeddingModel, Provider[object]]


@dataclass(frozen=True)
class _Open:
    """What belongs to one event loop."""

    model: EmbeddingModel
    stack: AsyncExitStack


class PydanticAIWire:
    """One request at a time to one model. Connections are kept for each event loop."""

    def __init__(self, spec: str, base_url: str | None) -> None:
        """Check that the provider, its package and its key are there; nothing is sent.

        Args:
            spec: ``provider:model``.
            base_url: The address of the service, or None for the provider's own.

        Raises:
            MissingDependencyError: The provider's package is not installed.
            ConfigurationError: No such provider, no key, or it takes no ``base_url``.
        """
        self._spec = spec
        self._base_url = base_url
        self._open: WeakKeyDictionary[asyncio.AbstractEventLoop, _Open] = WeakKeyDictionary()
        self._unused: _Built | None = self._build()

    async def request(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Send one request; see ``remote.EmbeddingWire``."""
        model = (await self._opened()).model
        try:
            result = await model.embed(list(texts), input_type="document")
        except ModelAPIError as error:
            raise self._translated(error) from None
        except (UserError, UnexpectedModelBehavior) as error:
            message = f"{self._spec} cannot embed: {harmless(str(error))}"
            raise EmbeddingError(message) from None
        except (TypeError, AttributeError, ValueError) as error:
            # The adapters read the answer without checking its shape.
            message = f"{self._spec} gave an answer that is not in the provider's format"
            raise EmbeddingError(message) from error
        return result.embeddings

    async def aclose(self) -> None:
        """Close the connections of the running event loop and forget the others."""
        mine = self._open.pop(asyncio.get_running_loop(), None)
        self._open.clear()
        if mine is not None:
            await mine.stack.aclose()

    async def _opened(self) -> _Open:
        loop = asyncio.get_running_loop()
        if loop not in self._open:
            model, provider = self._unused or self._build()
            self._unused = None
            entry = _Open(model, AsyncExitStack())
            # Known before the first await, so that calls at the same time share it.
            self._open[loop] = entry
            await entry.stack.enter_async_context(provider)
        return self._open[loop]

    def _build(self) -> _Built:
        made: list[Provider[object]] = []

        def provider(name: str) -> Provider[object]:
            made.append(open_provider(name, self._base_url))
            return made[0]

        try:
            model = infer_embedding_model(self._spec, provider_factory=provider)
        except ImportError as error:
            message = (
                f"The embedder {self._spec!r} needs a package that is not installed: "
                f"pip install 'backstory[remote]' ({error})"
            )
            raise MissingDependencyError(message) from error
        except UserError as error:
            message = not_set_up(f"The embedder {self._spec!r}", error)
            raise ConfigurationError(message) from None
        except ValueError as error:
            message = f"The embedder {self._spec!r} cannot be used: {harmless(str(error))}"
            raise ConfigurationError(message) from None
        return model, made[0]

    def _translated(self, error: ModelAPIError) -> EmbeddingError:
        if isinstance(error, ModelQuotaExceededError):
            return EmbeddingError(f"{self._spec} refused: the account's quota is used up")
        status = status_of(error)
        if status is None:
            return self._unreachable(error)
        if may_pass(error, status):
            message = f"{self._spec} is overloaded or failed (HTTP {status})"
            return TransientError(message, retry_after=error.retry_after)
        if status in _REFUSED_KEY:
            # The provider's own text may repeat a part of the key.
            return EmbeddingError(f"{self._spec} refused the key (HTTP {status})")
        return EmbeddingError(f"{self._spec} refused (HTTP {status}): {reason_of(error)}")

    def _unreachable(self, error: ModelAPIError) -> TransientError:
        if isinstance(error, ModelConnectionError):
            return TransientError(f"{self._spec} cannot be reached: {harmless(error.message)}")
        return TransientError(f"{self._spec} gave no usable answer: {harmless(error.message)}")
