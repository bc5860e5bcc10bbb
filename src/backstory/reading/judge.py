"""Judges: are two statements the same claim? By rules, or by a language model."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from backstory.core.judging import Axis, Judgement, Separation, decide_compatible
from backstory.core.rendering import display, escape
from backstory.core.text import one_line
from backstory.errors import ModelError, ModelUnavailableError, ReadingError
from backstory.ports.chat_model import ChatModel, Prompt
from backstory.ports.judge import Pair
from backstory.reading.asking import ask
from backstory.reading.prompts.judging import SCHEMA, TASK

MAX_PAIRS: Final = 30
MAX_TOKENS: Final = 3000
NEAR: Final = 0.6
_CHARS: Final = 240
_SEPARATIONS: Final = frozenset({"different_question", "conflicting_answer"})
_SILENT: Final = "the judge did not say"


class RuleJudge:
    """Merges only what is equal after normalisation; see ``core.judging``."""

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement for each pair. It never fails."""
        return [decide_compatible(pair.stored, pair.stated) for pair in pairs]


class LLMJudge:
    """Asks a model about the pairs that share a slot or are near, all in one call.

    Not asked is what the rules are sure of (equal; another number; a denial), and what shares no
    slot and is not near. More than 30 pairs are more than one call; each prompt is bounded.

    Attributes:
        usage: Calls and tokens so far.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        near: float = NEAR,
        timeout_s: float = 20.0,
        max_tokens: int = MAX_TOKENS,
    ) -> None:
        """Take a model.

        Args:
            model: Asked at most once for 30 pairs.
            near: The cosine from which pairs of different slots are asked about, -1 to 1.
            timeout_s: Seconds for one call, all its tries together.
            max_tokens: Cap of an answer.
        """
        self._model = model
        self._near = near
        self._timeout_s = timeout_s
        self._max_tokens = max_tokens
        self.usage: Counter[str] = Counter()

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement for each pair; see ``ports.judge.Judge``.

        Raises:
            ModelError: The model is down or slow, or its answer could not be read.
        """
        judged = [decide_compatible(pair.stored, pair.stated) for pair in pairs]
        asked = [number for number, pair in enumerate(pairs) if self._is_open(pair, judged[number])]
        for start in range(0, len(asked), MAX_PAIRS):
            numbers = asked[start : start + MAX_PAIRS]
            answers = await self._ask([pairs[number] for number in numbers])
            for place, number in enumerate(numbers, start=1):
                judged[number] = _judgement(answers.get(place), judged[number].axis)
        return judged

    def _is_open(self, pair: Pair, ruled: Judgement) -> bool:
        """Whether the rules leave the pair open, and it is worth asking about."""
        if ruled.compatible or ruled.separation is not None:
            return False
        near = pair.similarity is not None and pair.similarity >= self._near
        return ruled.axis == "value" or near

    async def _ask(self, pairs: Sequence[Pair]) -> Mapping[int, Mapping[str, Any]]:
        lines = (
            f"- [{number}] noted: {_shown(pair.stored)}\n  new: {_shown(pair.stated)}"
            for number, pair in enumerate(pairs, start=1)
        )
        prompt = Prompt(
            system=TASK,
            user="\n".join(("## Pairs", *lines)),
            schema=SCHEMA,
            name="judgements",
            max_tokens=self._max_tokens,
        )
        try:
            async with asyncio.timeout(self._timeout_s):
                return await ask(
                    self._model, prompt, _by_pair, names=_NAMES, usage=self.usage, tries=1
                )
        except TimeoutError as error:
            message = f"{self._model.name} did not judge within {self._timeout_s:g} s"
            raise ModelUnavailableError(message) from error
        except ReadingError as error:
            raise ModelError(str(error)) from error


_NAMES: Final = ("judgements",)


def _shown(statement: str) -> str:
    text = escape(one_line(display(statement)))
    return text if len(text) <= _CHARS else f"{text[:_CHARS]}…"


def _by_pair(value: dict[str, Any] | list[Any]) -> Mapping[int, Mapping[str, Any]]:
    """The judgements by the number of their pair.

    Raises:
        ReadingError: They are of another shape.
    """
    items = value.get("judgements") if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise ReadingError("the field 'judgements' must be a list")
    found: dict[int, Mapping[str, Any]] = {}
    for index, item in enumerate(items):
        where = f"judgements[{index}]"
        if not isinstance(item, dict) or not isinstance(item.get("compatible"), bool):
            raise ReadingError(f"{where}.compatible must be true or false")
        number = item.get("pair")
        if not isinstance(number, int) or isinstance(number, bool) or number in found:
            raise ReadingError(f"{where}.pair must be the number of a pair, each once")
        found[number] = item
    return found


def _judgement(item: Mapping[str, Any] | None, axis: Axis) -> Judgement:
    if item is None:
        return Judgement(compatible=False, separation=None, axis=axis, reason=_SILENT)
    separation = item.get("separation")
    known = cast(Separation, separation) if separation in _SEPARATIONS else None
    said = item.get("reason")
    reason = one_line(said)[:300] if isinstance(said, str) and said.strip() else "the judge said so"
    compatible = item["compatible"] and known is None
    return Judgement(
        compatible=compatible, separation=None if compatible else known, axis=axis, reason=reason
    )
