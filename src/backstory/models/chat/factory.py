"""Chat models by name: what the setting ``llm`` means. Import it only where a model is wanted."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from backstory.errors import ConfigurationError, MissingDependencyError
from backstory.models.chat.remote import ChatLimits, ChatWire, RemoteChatModel, Thinking
from backstory.ports.chat_model import ChatModel

if TYPE_CHECKING:
    from pydantic_ai.models import Model

_SWITCH: Final[Mapping[str, Thinking]] = {
    "off": False,
    "on": True,
    "minimal": "minimal",
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "xhigh",
    "max": "max",
}
_PORT: Final = ("complete", "aclose", "name")
_INSTALL: Final = "pip install 'backstory[llm]'"


def make_chat_model(
    spec: "str | Model | ChatModel",
    *,
    base_url: str | None = None,
    max_tokens: int | None = None,
    thinking: bool | str = False,
    timeout_s: float | None = None,
    stream: bool = False,
    temperature: float | None = None,
    limits: ChatLimits | None = None,
) -> ChatModel:
    """Make the language model that a setting names. Nothing is sent.

    Args:
        spec: "provider:model", such as "openai:gpt-5-mini", "anthropic:claude-haiku-4-5",
            "google:gemini-2.5-flash", "ollama:qwen3" or "openrouter:meta-llama/llama-3-70b"; or a
            model of pydantic-ai; or any object of the port, which is given back as it is.
        base_url: The address of the service, where it is not the provider's own. With "openai:",
            or with the bare name of a model, any server that speaks OpenAI's chat protocol.
        max_tokens: The most tokens of an answer, whatever a prompt asks for.
        thinking: Whether a model reasons before it answers: False, True, an effort ("low"), or as
            text "off", "on", an effort, and for single providers "anthropic=high,openai=off". It is
            sent only to models that are known to take it. Reasoning counts towards the answer's
            cap.
        timeout_s: Seconds for one try; None for the limits' own.
        stream: Ask for the answer in pieces, where a proxy closes silent connections.
        temperature: Sent only if given; some models refuse it.
        limits: Tries and times; None for the defaults.

    Raises:
        ConfigurationError: The name, or a combination, cannot be used, or the key is not set; the
            message names the environment variable.
        MissingDependencyError: The package for the provider is not installed.
    """
    if not isinstance(spec, str) and all(hasattr(spec, part) for part in _PORT):
        return cast(ChatModel, spec)
    limits = limits or ChatLimits()
    if timeout_s is not None:
        limits = replace(limits, request_s=timeout_s, total_s=max(limits.total_s, timeout_s))
    if max_tokens is not None:
        limits = replace(limits, max_tokens=max_tokens)
    wire, name = open_wire(
        cast("str | Model", spec),
        base_url,
        thinking=thinking,
        stream=stream,
        temperature=temperature,
    )
    return RemoteChatModel(wire, name=name, limits=limits)


def open_wire(
    spec: "str | Model",
    base_url: str | None,
    *,
    thinking: bool | str = False,
    stream: bool = False,
    temperature: float | None = None,
) -> tuple[ChatWire, str]:
    """The connection to a provider, and its name. The import is here: it costs over a second.

    Raises:
        MissingDependencyError: pydantic-ai or the provider's package is not installed.
        ConfigurationError: Unknown provider, no key, or no such model object.
    """
    try:
        from backstory.models.chat._pydantic_ai import (  # noqa: PLC0415 - factory
            Options,
            wire_of_name,
            wire_of_object,
        )
    except ImportError as error:
        shown = spec if isinstance(spec, str) else type(spec).__name__
        message = f"The language model {shown!r} needs a package: {_INSTALL} ({error})"
        raise MissingDependencyError(message) from error
    options = Options(stream=stream, temperature=temperature)
    if not isinstance(spec, str):
        if base_url is not None:
            message = "llm_url does not go with a model object; give the address to the object"
            raise ConfigurationError(message)
        return wire_of_object(spec, replace(options, thinking=thinking_for("", switch=thinking)))
    provider, colon, model = spec.partition(":")
    if not spec.strip() or (colon and not (provider.strip() and model.strip())):
        message = f'The language model must be "provider:model", not {spec!r}'
        raise ConfigurationError(message)
    if not colon and base_url is None:
        message = (
            f'The language model must be "provider:model", not {spec!r}; the bare name of a '
            "model goes with llm_url, the address of a server that speaks OpenAI's protocol"
        )
        raise ConfigurationError(message)
    return wire_of_name(
        spec, base_url, replace(options, thinking=thinking_for(provider, switch=thinking))
    )


def thinking_for(provider: str, *, switch: bool | str) -> Thinking:
    """What the switch for reasoning says of one provider.

    Raises:
        ConfigurationError: It is none of the words.
    """
    if isinstance(switch, bool):
        return switch
    chosen = "off"
    for part in filter(None, (part.strip().lower() for part in switch.split(","))):
        name, equals, effort = part.rpartition("=")
        if effort.strip() not in _SWITCH:
            message = (
                f"llm_thinking is {switch!r}; it must be one of {', '.join(_SWITCH)}, or for "
                'single providers such as "anthropic=high,openai=off"'
            )
            raise ConfigurationError(message)
        if not equals or name.strip() == provider:
            chosen = effort.strip()
    return _SWITCH[chosen]
