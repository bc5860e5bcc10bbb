"""Requests to language models through pydantic-ai. Importing this costs over a second."""

import asyncio
import copy
import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast
from weakref import WeakKeyDictionary

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelHTTPError,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ThinkingPart
from pydantic_ai.models import Model, ModelRequestParameters, infer_model
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles import ModelProfile, merge_profile
from pydantic_ai.providers import Provider, infer_provider_class
from pydantic_ai.settings import ModelSettings

from backstory.errors import (
    ConfigurationError,
    MissingDependencyError,
    ModelError,
    TruncatedCompletionError,
)
from backstory.models._providers import harmless, not_set_up, open_provider
from backstory.models.chat._failures import translated
from backstory.models.chat.remote import Thinking
from backstory.ports.chat_model import Completion, Prompt

# Tags that no model writes: the adapters would drop an opening tag that is not closed, and
# with it the sign that what follows is no answer. See core.answers.
_NO_TAGS: Final = ("\x00reasoning\x00", "\x00/reasoning\x00")
_ABOUT_SCHEMA: Final = re.compile(
    r"response_?format|json_?schema|schema|structured|grammar|guided|text\.format", re.IGNORECASE
)
_ABOUT_THINKING: Final = re.compile(r"reasoning|thinking|effort", re.IGNORECASE)
# The adapters read some of an answer without checking its shape.
_WRONG_SHAPE: Final = (AssertionError, AttributeError, LookupError, TypeError, ValueError)
_REFUSED_SHAPE: Final = frozenset({400, 404, 415, 422, 501})


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is sent with each request, if the model takes it."""

    thinking: Thinking = False
    stream: bool = False
    temperature: float | None = None


@dataclass(frozen=True)
class _Opened:
    """What belongs to one event loop."""

    model: Model
    stack: AsyncExitStack


def wire_of_name(spec: str, base_url: str | None, options: Options) -> tuple["PydanticAIChat", str]:
    """Check that the provider, its package and its key are there; nothing is sent.

    Raises:
        MissingDependencyError: The provider's package is not installed.
        ConfigurationError: No such provider, no key, or it takes no ``base_url``.
    """
    kind, model = _kind(spec, base_url)
    full = f"{kind}:{model}"

    def build() -> tuple[Model, Provider[object] | None]:
        return _built(full, spec, base_url)

    return PydanticAIChat(spec, build, options, retain=False), spec


def wire_of_object(model: object, options: Options) -> tuple["PydanticAIChat", str]:
    """Take a model object of pydantic-ai as it is; its connections stay its owner's.

    Raises:
        ConfigurationError: It is none.
    """
    if not isinstance(model, Model):
        message = (
            "llm must be None, a name such as 'openai:gpt-5-mini', a model of pydantic-ai, or an "
            f"object with name, complete and aclose, not {type(model).__name__}"
        )
        raise ConfigurationError(message)
    name = model.model_id
    ready = _with_raw_text(copy.copy(model))
    own = model.settings or {}
    if any("think" in key or "reason" in key for key in own):
        options = Options(stream=options.stream, temperature=options.temperature, thinking=_LEFT)
    return PydanticAIChat(name, lambda: (ready, None), options, retain=True), name


_LEFT: Final = cast(Thinking, None)
"""No switch is sent: the object has one of its own."""


def _kind(spec: str, base_url: str | None) -> tuple[str, str]:
    """pydantic-ai's name of the provider, and the model's name."""
    provider, colon, model = spec.partition(":")
    if not colon:
        return "openai-chat", spec
    if provider == "openai":
        # The chat protocol is the one that other servers speak too; "openai-responses:" is there.
        return "openai-chat", model
    if base_url is not None and not _is_provider(provider):
        return "openai-chat", spec  # such as "qwen3:8b" of a server on this machine
    return provider, model


def _is_provider(name: str) -> bool:
    try:
        infer_provider_class(name)
    except ValueError:
        return False
    except ImportError:
        return True
    return True


def _built(full: str, spec: str, base_url: str | None) -> tuple[Model, Provider[object] | None]:
    made: list[Provider[object]] = []

    def provider(name: str) -> Provider[object]:
        made.append(open_provider(name, base_url))
        return made[0]

    what = f"The language model {spec!r}"
    try:
        model = infer_model(full, provider_factory=provider)
    except ImportError as error:
        message = f"{what} needs a package: pip install 'backstory[llm]' ({error})"
        raise MissingDependencyError(message) from error
    except UserError as error:
        raise ConfigurationError(not_set_up(what, error)) from None
    except ValueError as error:
        message = f"{what} cannot be used: {harmless(str(error))}"
        raise ConfigurationError(message) from None
    return _with_raw_text(model), made[0] if made else None


def _with_raw_text(model: Model) -> Model:
    """The model, not taking reasoning in tags out of texts, where that is its profile's doing."""
    if isinstance(getattr(type(model), "profile", None), cached_property):
        try:
            known = model.profile
        except NotImplementedError:  # a chain of models
            return model
        profile = merge_profile(known, ModelProfile(thinking_tags=_NO_TAGS))
        model.__dict__["profile"] = profile
    return model


class PydanticAIChat:
    """One request at a time to one model. Connections are kept for each event loop."""

    def __init__(
        self,
        name: str,
        build: Callable[[], tuple[Model, Provider[object] | None]],
        options: Options,
        *,
        retain: bool,
    ) -> None:
        """Make the first model at once, so that what is missing is said now.

        Args:
            name: For messages.
            build: Makes a model, and the provider whose connections are to be closed.
            options: Sent with each request.
            retain: Whether all event loops share one model.
        """
        self._name = name
        self._build = build
        self._options = options
        self._retain = retain
        self._open: WeakKeyDictionary[asyncio.AbstractEventLoop, _Opened] = WeakKeyDictionary()
        self._unused: tuple[Model, Provider[object] | None] | None = build()
        self._takes_schema = True
        self._takes_thinking = options.thinking is not _LEFT

    async def request(self, prompt: Prompt) -> Completion:
        """Send one request; see ``remote.ChatWire``.

        A server that refuses the schema, or the switch for reasoning, is asked again without it
        and from then on never with it.
        """
        model = (await self._opened()).model
        while True:
            try:
                return self._completion(await self._send(model, prompt), prompt)
            except ModelAPIError as error:
                if not self._take_less(error, prompt):
                    raise translated(error, self._name) from None
            except (UserError, ContentFilterError) as error:
                message = f"{self._name} cannot answer: {harmless(str(error))}"
                raise ModelError(message) from None
            except UnexpectedModelBehavior as error:
                raise self._no_format() from error
            except _WRONG_SHAPE as error:
                raise self._no_format() from error

    async def aclose(self) -> None:
        """Close the connections of the running event loop and forget the others."""
        mine = self._open.pop(asyncio.get_running_loop(), None)
        self._open.clear()
        if mine is not None:
            await mine.stack.aclose()

    async def _opened(self) -> _Opened:
        loop = asyncio.get_running_loop()
        if loop not in self._open:
            model, provider = self._unused or self._build()
            if not self._retain:
                self._unused = None
            entry = _Opened(model, AsyncExitStack())
            # Known before the first await, so that calls at the same time share it.
            self._open[loop] = entry
            if provider is not None:
                await entry.stack.enter_async_context(provider)
        return self._open[loop]

    async def _send(self, model: Model, prompt: Prompt) -> ModelResponse:
        messages: list[ModelMessage] = [
            ModelRequest.user_text_prompt(prompt.user, instructions=prompt.system)
        ]
        settings = ModelSettings(max_tokens=prompt.max_tokens)
        if self._takes_thinking:
            settings["thinking"] = self._options.thinking
        if self._options.temperature is not None:
            settings["temperature"] = self._options.temperature
        wanted = self._wanted(model, prompt)
        if not self._options.stream:
            return await model_request(
                model, messages, model_settings=settings, model_request_parameters=wanted
            )
        async with model_request_stream(
            model, messages, model_settings=settings, model_request_parameters=wanted
        ) as pieces:
            async for _ in pieces:
                pass
            return pieces.get()

    def _wanted(self, model: Model, prompt: Prompt) -> ModelRequestParameters:
        if prompt.schema is None:
            return ModelRequestParameters()
        try:
            can = bool(model.profile.get("supports_json_schema_output", False))
        except NotImplementedError:
            can = False  # a chain of models: the prompt is what all of them take
        return ModelRequestParameters(
            output_mode="native" if can and self._takes_schema else "prompted",
            output_object=OutputObjectDefinition(
                json_schema=copy.deepcopy(dict(prompt.schema)),
                name=prompt.name,
            ),
        )

    def _take_less(self, error: ModelAPIError, prompt: Prompt) -> bool:
        """Whether the request is worth sending again without what the server refused."""
        if not isinstance(error, ModelHTTPError) or error.status_code not in _REFUSED_SHAPE:
            return False
        said = str(error.body or error.message)
        if self._takes_thinking and _ABOUT_THINKING.search(said):
            self._takes_thinking = False
            return True
        if self._takes_schema and prompt.schema is not None and _ABOUT_SCHEMA.search(said):
            self._takes_schema = False
            return True
        return False

    def _completion(self, response: ModelResponse, prompt: Prompt) -> Completion:
        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        if not response.parts and response.finish_reason is None:
            raise self._no_format()
        reason = response.finish_reason or "stop"
        word = str((response.provider_details or {}).get("finish_reason") or reason)
        if reason == "length":
            raise TruncatedCompletionError(partial=text, finish_reason=word, cap=prompt.max_tokens)
        if reason == "content_filter":
            message = f"{self._name} refused to answer ({word}); the messages are kept"
            raise ModelError(message)
        if reason == "error":
            message = f"{self._name} broke off its answer ({word}); try again later"
            raise ModelError(message)
        usage = response.usage
        reasoned = any(isinstance(part, ThinkingPart) for part in response.parts)
        return Completion(
            text=text,
            finish_reason=word,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            details={"reasoned": reasoned},
        )

    def _no_format(self) -> ModelError:
        return ModelError(
            f"{self._name} gave an answer that is not in the provider's format; check that "
            "llm_url is the address of its API"
        )
