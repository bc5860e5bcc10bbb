"""One structured question to a language model, with one more try for an answer of no use."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, TypeVar

from backstory.core.answers import NoAnswer, find_answer
from backstory.errors import ReadingError
from backstory.ports.chat_model import ChatModel, Prompt, assert_complete

_Read = TypeVar("_Read")


async def ask(
    model: ChatModel,
    prompt: Prompt,
    read: Callable[[dict[str, Any] | list[Any]], _Read],
    *,
    names: Collection[str],
    usage: "Counter[str]",
    tries: int = 2,
) -> _Read:
    """Ask, find the JSON in the answer, and read it.

    Args:
        model: The model.
        prompt: With a schema.
        read: Makes a value of the JSON, or raises ``ReadingError`` with what is wrong with it.
        names: Fields of the wanted object.
        usage: Calls and tokens are added to it.
        tries: Answers to look at. From the second on, the model is told what was wrong.

    Raises:
        ReadingError: No answer could be read.
        TruncatedCompletionError: An answer hit its cap; it is not asked for again.
        ModelError: The model did not answer.
    """
    asked = prompt
    wrong = ""
    for _ in range(tries):
        completion = await model.complete(asked)
        usage.update(
            calls=1, input_tokens=completion.input_tokens, output_tokens=completion.output_tokens
        )
        assert_complete(completion, prompt.max_tokens)
        try:
            return _read(completion.text, read, names)
        except ReadingError as error:
            wrong = str(error)
        asked = replace(prompt, user=f"{prompt.user}\n\n{_correction(wrong)}")
    raise ReadingError(f"{model.name} gave no answer that can be read: {wrong}")


def _read(
    text: str, read: Callable[[dict[str, Any] | list[Any]], _Read], names: Collection[str]
) -> _Read:
    answer = find_answer(text, names=names)
    if isinstance(answer, NoAnswer):
        raise ReadingError(answer.reason)
    return read(answer.value)


def _correction(wrong: str) -> str:
    return (
        f"## Your last answer could not be used\n{wrong[:300]}\n"
        "Answer again, with one JSON object of the wanted shape and nothing else."
    )
