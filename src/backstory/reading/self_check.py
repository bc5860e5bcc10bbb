"""The self-check by a language model: one structured call for all responses."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from backstory.core.rendering import render_message
from backstory.core.scripts import same_writing
from backstory.core.text import abridge, clean, one_line
from backstory.errors import ModelUnavailableError, ReadingError
from backstory.ports.chat_model import ChatModel, Prompt
from backstory.ports.self_check import Given
from backstory.reading.asking import ask
from backstory.reading.prompts.self_check import SCHEMA, TASK

MAX_CHARS: Final = 12_000
"""Of all responses of a call together, with what they answer."""
MAX_TOKENS: Final = 3_000
_NOTE_CHARS: Final = 300
_NAMES: Final = ("checks",)


class LLMSelfChecker:
    """Asks a model about responses, all in one call.

    Attributes:
        usage: Calls and tokens so far.
    """

    def __init__(self, model: ChatModel, *, timeout_s: float = 60.0) -> None:
        """Take a model.

        Args:
            model: Asked once, and once more if its answer cannot be read.
            timeout_s: Seconds for both tries together.
        """
        self._model = model
        self._timeout_s = timeout_s
        self.usage: Counter[str] = Counter()

    async def check(self, given: Sequence[Given]) -> Mapping[int, tuple[float, str]]:
        """Judge responses; see ``ports.self_check.SelfChecker``.

        Raises:
            ReadingError: The answer could not be read.
            TruncatedCompletionError: It was cut off; it is not asked for again.
            ModelError: The model is down or slow.
        """
        room = MAX_CHARS // max(1, len(given))
        prompt = Prompt(
            system=TASK,
            user="\n\n".join(_shown(n, one, room) for n, one in enumerate(given, start=1)),
            schema=SCHEMA,
            name="checks",
            max_tokens=MAX_TOKENS,
        )
        try:
            async with asyncio.timeout(self._timeout_s):
                answers = await ask(
                    self._model, prompt, _by_response, names=_NAMES, usage=self.usage
                )
        except TimeoutError as error:
            message = f"{self._model.name} did not answer within {self._timeout_s:g} s"
            raise ModelUnavailableError(message) from error
        return {
            number - 1: (score, note if same_writing(note, _source(given[number - 1])) else "")
            for number, (score, note) in sorted(answers.items())
            if 1 <= number <= len(given)
        }


def _shown(number: int, one: Given, room: int) -> str:
    third = room // 3
    asked = abridge(one.prompt, third * 2 // 3, third // 3)
    answered = abridge(one.response, third * 4 // 3, third * 2 // 3)
    said = render_message(asked, role="user") if asked.strip() else "- user: (nothing)"
    return f"## Response {number}\n{said}\n{render_message(answered, role='assistant')}"


def _source(one: Given) -> str:
    return f"{one.prompt}\n{one.response}"


def _by_response(value: dict[str, Any] | list[Any]) -> Mapping[int, tuple[float, str]]:
    """The checks by the number of their response.

    Raises:
        ReadingError: They are of another shape.
    """
    items = value.get("checks") if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise ReadingError("the field 'checks' must be a list")
    found: dict[int, tuple[float, str]] = {}
    for index, item in enumerate(items):
        where = f"checks[{index}]"
        if not isinstance(item, dict):
            raise ReadingError(f"{where} must be an object")
        number = item.get("response")
        if not isinstance(number, int) or isinstance(number, bool) or number in found:
            raise ReadingError(f"{where}.response must be the number of a response, each once")
        found[number] = (_score(item.get("score"), where), _note(item.get("note")))
    return found


def _score(value: object, where: str) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise ReadingError(f"{where}.score must be a number from 0 to 1")


def _note(value: object) -> str:
    return one_line(clean(value))[:_NOTE_CHARS] if isinstance(value, str) else ""
