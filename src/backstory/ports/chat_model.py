"""The chat-model port: one prompt in, one whole answer out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from backstory.errors import TruncatedCompletionError

_CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "MAX_TOKENS"})


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """What a model is asked.

    Attributes:
        system: The task.
        user: The data, quoted.
        schema: JSON schema of the answer, or None for prose.
        name: Names the schema, for providers that want a name.
        max_tokens: Cap of the answer.
    """

    system: str
    user: str
    schema: Mapping[str, Any] | None = None
    name: str = "answer"
    max_tokens: int = 4096


@dataclass(frozen=True, kw_only=True)
class Completion:
    """A whole answer.

    Attributes:
        text: As the model wrote it.
        finish_reason: Why it stopped, in the provider's word.
        input_tokens, output_tokens: As the provider counted, 0 where it does not say.
    """

    text: str
    finish_reason: str = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)


class ChatModel(Protocol):
    """A language model. Calls are retried by it on overload, bounded in count and time."""

    @property
    def name(self) -> str:
        """Provider and model, such as "openai:gpt-5-mini"."""
        ...

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask once.

        Raises:
            TruncatedCompletionError: The answer hit its cap; see ``assert_complete``.
            ModelUnavailableError: It did not answer in time, or is overloaded; try again.
            ModelError: It refused, or failed otherwise.
        """
        ...

    async def aclose(self) -> None:
        """Give connections back."""
        ...


def assert_complete(completion: Completion, max_tokens: int) -> Completion:
    """Refuse an answer that was cut off. Bundled models do this; a caller's own can use it.

    Raises:
        TruncatedCompletionError: The finish reason says that the answer hit its cap.
    """
    if completion.finish_reason in _CUT_OFF:
        raise TruncatedCompletionError(
            partial=completion.text, finish_reason=completion.finish_reason, cap=max_tokens
        )
    return completion
