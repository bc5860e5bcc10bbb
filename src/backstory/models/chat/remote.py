"""Chat models of a provider: retries, limits, whole answers. The wire is in ``_pydantic_ai``."""

import asyncio
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

from backstory.errors import ModelError, ModelUnavailableError
from backstory.models._retries import Transient, retrying
from backstory.ports.chat_model import Completion, Prompt, assert_complete

Thinking: TypeAlias = bool | Literal["minimal", "low", "medium", "high", "xhigh", "max"]
"""Whether a model reasons before it answers, and how much."""


class TransientModelError(Transient, ModelUnavailableError):
    """The language model did not answer or is overloaded; try again."""

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        """Describe the failure.

        Args:
            message: What happened.
            retry_after: Seconds that the service asked to wait, if it said so.
        """
        super().__init__(message)
        self.retry_after = retry_after


class ChatWire(Protocol):
    """One request to a provider, without retries."""

    async def request(self, prompt: Prompt) -> Completion:
        """The model's answer, which may be cut off.

        Raises:
            TransientModelError: Another try may succeed.
            ModelError: The provider refused; another try would not help.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True, kw_only=True)
class ChatLimits:
    """How long a call keeps trying.

    Attributes:
        attempts: Tries in all, 1 or more.
        request_s: Seconds for one try.
        total_s: Seconds for the whole call, waits and tries together.
        first_wait_s, longest_wait_s: The growing waits between tries.
        max_tokens: The most tokens of an answer, whatever a prompt asks for; None = no other cap.
    """

    attempts: int = 4
    request_s: float = 60.0
    total_s: float = 180.0
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0
    max_tokens: int | None = None


class RemoteChatModel:
    """Asks a provider's service over a ``ChatWire``.

    Failures that may pass (429, 5xx, no connection, no answer in time) are tried again with growing
    waits, or after the wait that the service asks for, up to the limits' attempts and time.
    An answer that was cut off is an error, and is not tried again.
    """

    def __init__(self, wire: ChatWire, *, name: str, limits: ChatLimits | None = None) -> None:
        """Wrap a connection to a provider.

        Args:
            wire: Sends one request.
            name: Provider and model.
            limits: Sizes and times; None for the defaults.
        """
        self._wire = wire
        self._name = name
        self._limits = limits or ChatLimits()
        self._closed = False

    @property
    def name(self) -> str:
        """Provider and model, such as "openai:gpt-5-mini"."""
        return self._name

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask once; see ``ports.chat_model.ChatModel``.

        Raises:
            TruncatedCompletionError: The answer hit its cap.
            ModelUnavailableError: No answer within the attempts and time.
            ModelError: The service refused, or the model was closed.
        """
        if self._closed:
            message = "This language model was closed; make a new one."
            raise ModelError(message)
        cap = self._limits.max_tokens
        if cap is not None and cap < prompt.max_tokens:
            prompt = replace(prompt, max_tokens=cap)
        try:
            async with asyncio.timeout(self._limits.total_s):
                completion: Completion = await retrying(self._limits)(self._request, prompt)
        except TimeoutError as error:
            message = (
                f"{self._name} did not answer within {self._limits.total_s:g} s, all tries "
                "together; try again later, or raise the limit"
            )
            raise ModelUnavailableError(message) from error
        return assert_complete(completion, prompt.max_tokens)

    async def aclose(self) -> None:
        """Close the connections. Calling it twice is allowed."""
        if not self._closed:
            self._closed = True
            await self._wire.aclose()

    async def _request(self, prompt: Prompt) -> Completion:
        try:
            async with asyncio.timeout(self._limits.request_s):
                return await self._wire.request(prompt)
        except TimeoutError as error:
            message = (
                f"{self._name} did not answer within {self._limits.request_s:g} s; try again "
                "later, or raise llm= of the setting time_limits"
            )
            raise TransientModelError(message) from error
