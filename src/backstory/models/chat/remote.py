"""Chat models of a provider: retries, limits, whole answers. The wire is in ``_pydantic_ai``."""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol, TypeAlias

from backstory.errors import ModelError, ModelUnavailableError
from backstory.models._retries import Transient, retrying
from backstory.ports.chat_model import Completion, Prompt, assert_complete

_MOST_DOUBLINGS: Final = 10
_APART_S: Final = 0.05
Thinking: TypeAlias = bool | Literal["minimal", "low", "medium", "high", "xhigh", "max"]
"""Whether a model reasons before it answers, and how much."""


class TransientModelError(Transient, ModelUnavailableError):
    """The language model did not answer or is overloaded; try again."""

    def __init__(
        self,
        message: str | None = None,
        *,
        retry_after: float | None = None,
        is_limit: bool = False,
    ) -> None:
        """Describe the failure.

        Args:
            message: What happened.
            retry_after: Seconds that the service asked to wait, if it said so.
            is_limit: Whether the service says that it is asked too often.
        """
        super().__init__(message)
        self.retry_after = retry_after
        self.is_limit = is_limit


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
    A service that says that it is asked too often is left alone by all calls for that wait.
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
        self._quiet = _Quiet()

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
        await self._quiet.over()
        try:
            async with asyncio.timeout(self._limits.request_s):
                answer = await self._wire.request(prompt)
        except TransientModelError as error:
            if error.is_limit:
                self._quiet.begin(error.retry_after, self._limits)
            raise
        except TimeoutError as error:
            message = (
                f"{self._name} did not answer within {self._limits.request_s:g} s; try again "
                "later, or raise llm= of the setting time_limits"
            )
            raise TransientModelError(message) from error
        self._quiet.refused = 0
        return answer


class _Quiet:
    """A time in which a service is left alone, because it refused a call as one too many."""

    def __init__(self) -> None:
        self.refused = 0
        self._until = 0.0
        self._waiting = 0

    def begin(self, seconds: float | None, limits: ChatLimits) -> None:
        """Let no call begin for a time; a growing one if the service gave none."""
        if seconds is None:
            seconds = min(limits.first_wait_s * 2**self.refused, limits.longest_wait_s)
            self.refused = min(self.refused + 1, _MOST_DOUBLINGS)
        self._until = max(self._until, time.monotonic() + seconds)

    async def over(self) -> None:
        """Wait for the end of it; calls that wait go on one after the other."""
        left = self._until - time.monotonic()
        if left <= 0:
            return
        self._waiting += 1
        try:
            await asyncio.sleep(left + _APART_S * (self._waiting - 1))
        finally:
            self._waiting -= 1
        await self.over()  # another call may have been refused meanwhile
