"""What embedders and chat models share of pydantic-ai. Importing this costs over a second."""

import inspect
import re
from typing import Final

from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError, ModelRateLimitError, UserError
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class

_VARIABLE: Final = re.compile(r"`([A-Z][A-Z0-9_]+)`")
_SECRET: Final = re.compile(r"[A-Za-z0-9_\-+/=*.]{20,}")
_REASON_CHARS: Final = 200
_TRANSIENT_STATUS: Final = frozenset({408, 425, 429})


def open_provider(name: str, base_url: str | None) -> Provider[object]:
    """The connection to a provider, which does not try again by itself.

    Args:
        name: As in ``name:model``.
        base_url: The address of the service, or None for the provider's own.

    Raises:
        ImportError: The provider's package is not installed.
        UserError: It is not set up.
        ValueError: There is no such provider, or it takes no ``base_url``.
    """
    if base_url is None:
        provider: Provider[object] = infer_provider(name)
    else:
        kind = infer_provider_class(name)
        known = inspect.signature(kind.__init__).parameters
        argument = next(
            (one for one in ("base_url", "api_base", "azure_endpoint") if one in known), None
        )
        provider = kind(**{argument: base_url}) if argument else infer_provider(name)
        if argument is None:
            # A provider of one address: its client speaks OpenAI's protocol, so it can be moved.
            if not hasattr(provider.client, "base_url"):
                message = f"the provider {name!r} takes no base_url"
                raise ValueError(message)
            provider.client.base_url = base_url
    client = provider.client
    if hasattr(client, "max_retries"):
        # Tries are counted and timed in one place, around the requests.
        client.max_retries = 0
    return provider


def not_set_up(what: str, error: UserError) -> str:
    """Say what a provider lacks; the environment variables that would give it are named.

    Args:
        what: Such as "The embedder 'openai:words'".
        error: What the provider said.
    """
    names = [name for name in _VARIABLE.findall(str(error)) if "_" in name]
    if not names:
        return f"{what} cannot be used: {harmless(str(error))}"
    wanted = " or ".join(dict.fromkeys(names))
    return f"{what} is not set up: set the environment variable {wanted}"


def status_of(error: ModelAPIError) -> int | None:
    """The HTTP status of a failed request, if there was one."""
    return error.status_code if isinstance(error, ModelHTTPError) else None


def may_pass(error: ModelAPIError, status: int) -> bool:
    """Whether the same request may succeed later."""
    return status >= 500 or status in _TRANSIENT_STATUS or isinstance(error, ModelRateLimitError)


def reason_of(error: ModelAPIError) -> str:
    """The provider's own words, if there are any, without anything that looks like a key."""
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error")
        source = inner if isinstance(inner, dict) else body
        body = source.get("message", "")
    return harmless(str(body or error.message))


def harmless(text: str) -> str:
    """One short line without anything that looks like a key."""
    return _SECRET.sub("…", " ".join(text.split()))[:_REASON_CHARS]
