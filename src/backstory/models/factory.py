"""Embedders by name: what the setting ``embedder`` means."""

from dataclasses import replace
from typing import TYPE_CHECKING

from backstory.errors import ConfigurationError, MissingDependencyError
from backstory.models.local import LocalEmbedder
from backstory.ports.embedder import Embedder

if TYPE_CHECKING:
    from backstory.models.remote import EmbeddingWire, RemoteLimits

LOCAL = "local"
# Models of these read 8,000 tokens, which 6,000 characters of any script hardly exceed. Others
# may read no more than 512 (about 2,000 characters of English) and cut the rest silently.
_MAX_CHARS = {"openai": 6000, "azure": 6000, "gateway/openai": 6000}


def make_embedder(
    spec: str,
    *,
    base_url: str | None = None,
    threads: int | None = None,
    limits: "RemoteLimits | None" = None,
) -> Embedder:
    """Make the embedder that a setting names.

    Args:
        spec: "local" for the model in the package, or "provider:model" for a service, for
            example "openai:text-embedding-3-small" or "ollama:nomic-embed-text".
        base_url: The address of the service, where it is not the provider's own. With "openai:"
            this may be any server that speaks OpenAI's protocol.
        threads: For "local": how many texts are worked on at once; None is one per processor.
        limits: For a service: sizes and times; None for the defaults.

    Raises:
        ConfigurationError: Unknown name, or the key of the service is not set; the message
            names the environment variable.
        MissingDependencyError: The package for services is not installed.
    """
    if spec == LOCAL:
        if base_url is not None:
            message = 'base_url does not go with the embedder "local"'
            raise ConfigurationError(message)
        return LocalEmbedder(threads=threads)
    provider, colon, model = spec.partition(":")
    if not (provider.strip() and colon and model.strip()):
        message = f'The embedder must be "local" or "provider:model", not {spec!r}'
        raise ConfigurationError(message)
    from backstory.models.remote import (  # noqa: PLC0415 - the local one needs no retries
        RemoteEmbedder,
        RemoteLimits,
    )

    if limits is None:
        default = RemoteLimits()
        limits = replace(default, max_chars=_MAX_CHARS.get(provider, default.max_chars))
    wire = open_wire(spec, base_url)
    return RemoteEmbedder(wire, provider=provider, model=model, limits=limits)


def open_wire(spec: str, base_url: str | None) -> "EmbeddingWire":
    """The connection to a provider. The import is here because it costs over a second.

    Raises:
        MissingDependencyError: pydantic-ai or the provider's package is not installed.
        ConfigurationError: Unknown provider, or no key.
    """
    try:
        from backstory.models._pydantic_ai import PydanticAIWire  # noqa: PLC0415 - factory
    except ImportError as error:
        message = (
            f"The embedder {spec!r} needs packages that are not installed: "
            f"pip install 'backstory[remote]' ({error})"
        )
        raise MissingDependencyError(message) from error
    return PydanticAIWire(spec, base_url)
