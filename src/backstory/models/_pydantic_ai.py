"""Requests to embedding providers through pydantic-ai. Importing this costs over a second."""

import asyncio
import inspect
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TypeAlias
from weakref import WeakKeyDictionary

from pydantic_ai.embeddings import EmbeddingModel, infer_embedding_model
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class

from backstory.errors import ConfigurationError, EmbeddingError, MissingDependencyError
from backstory.models.remote import TransientError

_VARIABLE = re.compile(r"`([A-Z][A-Z0-9_]+)`")
_SECRET = re.compile(r"[A-Za-z0-9_\-+/=*.]{20,}")
_REASON_CHARS = 200
_TRANSIENT_STATUS = frozenset({408, 425, 429})
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
            message = f"{self._spec} cannot embed: {_harmless(str(error))}"
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
            made.append(self._provider(name))
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
            raise ConfigurationError(self._unusable(error)) from None
        except ValueError as error:
            message = f"The embedder {self._spec!r} cannot be used: {_harmless(str(error))}"
            raise ConfigurationError(message) from None
        return model, made[0]

    def _provider(self, name: str) -> Provider[object]:
        if self._base_url is None:
            provider: Provider[object] = infer_provider(name)
        else:
            kind = infer_provider_class(name)
            known = inspect.signature(kind.__init__).parameters
            argument = next(
                (one for one in ("base_url", "api_base", "azure_endpoint") if one in known), None
            )
            if argument is None:
                message = f"the provider {name!r} takes no base_url"
                raise ValueError(message)
            provider = kind(**{argument: self._base_url})
        client = provider.client
        if hasattr(client, "max_retries"):
            # Tries are counted and timed in one place, RemoteEmbedder.
            client.max_retries = 0
        return provider

    def _unusable(self, error: UserError) -> str:
        names = [name for name in _VARIABLE.findall(str(error)) if "_" in name]
        if not names:
            return f"The embedder {self._spec!r} cannot be used: {_harmless(str(error))}"
        wanted = " or ".join(dict.fromkeys(names))
        return f"The embedder {self._spec!r} is not set up: set the environment variable {wanted}"

    def _translated(self, error: ModelAPIError) -> EmbeddingError:
        if isinstance(error, ModelQuotaExceededError):
            return EmbeddingError(f"{self._spec} refused: the account's quota is used up")
        status = error.status_code if isinstance(error, ModelHTTPError) else None
        if status is None:
            return self._unreachable(error)
        if status >= 500 or status in _TRANSIENT_STATUS or isinstance(error, ModelRateLimitError):
            message = f"{self._spec} is overloaded or failed (HTTP {status})"
            return TransientError(message, retry_after=error.retry_after)
        if status in _REFUSED_KEY:
            # The provider's own text may repeat a part of the key.
            return EmbeddingError(f"{self._spec} refused the key (HTTP {status})")
        return EmbeddingError(f"{self._spec} refused (HTTP {status}): {_reason(error)}")

    def _unreachable(self, error: ModelAPIError) -> TransientError:
        if isinstance(error, ModelConnectionError):
            return TransientError(f"{self._spec} cannot be reached: {_harmless(error.message)}")
        return TransientError(f"{self._spec} gave no usable answer: {_harmless(error.message)}")


def _reason(error: ModelAPIError) -> str:
    """The provider's own words, if there are any."""
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error")
        source = inner if isinstance(inner, dict) else body
        body = source.get("message", "")
    return _harmless(str(body or error.message))


def _harmless(text: str) -> str:
    """One short line without anything that looks like a key."""
    return _SECRET.sub("…", " ".join(text.split()))[:_REASON_CHARS]
