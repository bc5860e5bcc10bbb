"""Summaries of days and weeks by a language model: one call each, of bounded size."""

import asyncio
import re
from collections import Counter
from typing import Any, Final

from backstory.core.continuity.prose import sentences
from backstory.core.rendering import quote
from backstory.errors import ModelError, ModelUnavailableError, ReadingError
from backstory.language.extracts import joined
from backstory.ports.chat_model import ChatModel, Prompt
from backstory.reading.asking import ask
from backstory.reading.prompts.summarising import SCHEMA, TASK
from backstory.reading.quoting import said_words, unsaid_name

MAX_TOKENS: Final = 2_000
_FIRST_WORD: Final = re.compile(r"^\W*\w+")


class LLMSummariser:
    """Asks a model. A sentence that names what nobody said is left out.

    Attributes:
        usage: Calls and tokens so far.
    """

    def __init__(self, model: ChatModel, *, timeout_s: float = 60.0) -> None:
        """Take a model.

        Args:
            model: Asked once for a summary, twice where its first answer is of no use.
            timeout_s: Seconds for both.
        """
        self._model = model
        self._timeout_s = timeout_s
        self.usage: Counter[str] = Counter()

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._model.name

    async def summarise(self, source: str, most_chars: int) -> str:
        """Write a summary; see ``ports.summariser.Summariser``."""
        prompt = Prompt(
            system=TASK.replace("{most}", str(most_chars)),
            user=f"## What was said\n{quote(source)}",
            schema=SCHEMA,
            name="summary",
            max_tokens=MAX_TOKENS,
        )
        try:
            async with asyncio.timeout(self._timeout_s):
                text = await ask(self._model, prompt, _text, names=("summary",), usage=self.usage)
        except TimeoutError as error:
            message = f"{self._model.name} wrote no summary within {self._timeout_s:g} s"
            raise ModelUnavailableError(message) from error
        except ModelError:
            raise
        except ReadingError as error:
            raise ModelError(str(error)) from error
        except Exception as error:  # a caller's own model may raise anything
            name = type(error).__name__
            raise ModelError(f"{self._model.name} failed with {name}") from error
        said = [one.text for one in sentences(text)]
        return joined([one for one in said if _is_supported(one, source)])


def _is_supported(sentence: str, source: str) -> bool:
    # the first word has a capital whether it is a name or not
    checked = _FIRST_WORD.sub("", sentence)
    return unsaid_name(checked, said_words([source])) is None


def _text(value: dict[str, Any] | list[Any]) -> str:
    """The summary.

    Raises:
        ReadingError: There is none.
    """
    text = value.get("summary") if isinstance(value, dict) else None
    if not isinstance(text, str):
        raise ReadingError("the field 'summary' must be a text")
    return text
