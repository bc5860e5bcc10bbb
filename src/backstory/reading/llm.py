"""The reader that asks a language model: one call for each batch of turns."""

from collections import Counter
from collections.abc import Collection
from functools import partial
from typing import Final

from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Reading
from backstory.ports.chat_model import ChatModel, Prompt
from backstory.reading.asking import ask
from backstory.reading.beside import Beside
from backstory.reading.calls import split_into_calls
from backstory.reading.findings import Findings
from backstory.reading.prompting import MAX_BEFORE, render_batch, shown_summaries
from backstory.reading.prompts.facts import schema, task
from backstory.reading.shapes import CONTRADICTIONS, FACTS, Stated, read_answer
from backstory.reading.shapes_beside import (
    ENTITIES,
    EVENTS,
    INTENTIONS,
    MOMENTS,
    RELATIONS,
    SUMMARIES,
)
from backstory.reading.statements import Statements

MAX_TOKENS: Final = 4096
"""The cap of an answer that holds facts only."""
MAX_TOKENS_BESIDE: Final = 6144
"""The cap of an answer that holds more."""
_READ: Final = frozenset({Role.USER, Role.ASSISTANT})
LISTS: Final = {
    "facts": (FACTS, CONTRADICTIONS),
    "timeline": (EVENTS,),
    "emotions": (MOMENTS,),
    "intentions": (INTENTIONS,),
    "graph": (ENTITIES, RELATIONS),
    "summaries": (SUMMARIES,),
}
"""The lists of the answer that each part of a memory is read from."""
# What is not looked for in an import: what was felt and done then is long over.
_LIVE: Final = frozenset({CONTRADICTIONS, MOMENTS})


class LLMReader:
    """Reads everything that a memory keeps with a language model, in one call.

    A batch is one call, up to 12 turns and 12,000 characters; more turns are more calls, see
    ``calls.split_into_calls``. The prompt names at most 40 known facts, so it does not grow with
    the store. What the turns do not support is rejected. An answer of a wrong shape is asked for
    once more, with the error; then the batch has failed, and nothing of it is kept.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        parts: Collection[str] = LISTS.keys(),
        max_tokens: int | None = None,
        behavioural: bool = True,
    ) -> None:
        """Take a model.

        Args:
            model: Asked once for each batch.
            parts: What is read, of the names in ``LISTS``; others are not looked at. What is not
                read is not asked for.
            max_tokens: Cap of an answer; None for the default. One that hits it is an error, never
                half an answer.
            behavioural: Whether to look for what the user does against known facts, in the same
                call.
        """
        self._model = model
        asked = {name for part in parts for name in LISTS.get(part, ())}
        self._asked = frozenset(asked if behavioural else asked - {CONTRADICTIONS})
        beside = self._asked - {FACTS, CONTRADICTIONS}
        self._max_tokens = max_tokens or (MAX_TOKENS_BESIDE if beside else MAX_TOKENS)

    @property
    def name(self) -> str:
        """For the log."""
        return f"model:{self._model.name}"

    @property
    def reads_at_once(self) -> bool:
        """It costs calls."""
        return False

    def wants(self, role: Role, text: str) -> bool:
        """Whether a message can hold anything: a user's words, an assistant's for their sense."""
        return bool(self._asked) and role in _READ and any(char.isalnum() for char in text)

    async def read(self, batch: Batch) -> Reading:
        """Read a batch; see ``ports.reader.Reader``.

        Raises:
            ReadingError: Two answers in a row could not be understood.
            TruncatedCompletionError: The answer hit its cap.
            ModelError: The model did not answer.
        """
        found = Findings()
        usage: Counter[str] = Counter()
        before = list(batch.before)
        summaries = dict(batch.summaries)
        asked = self._asked - _LIVE if batch.bulk else self._asked
        for call in split_into_calls(batch.turns):
            turns = [piece.turn for piece in call]
            if asked and any(turn.role is Role.USER for turn in turns):
                shown = before[-MAX_BEFORE:]
                told = shown_summaries(call, summaries) if SUMMARIES in asked else {}
                user = render_batch(batch, call, shown, told)
                stated = await self._ask(user, asked, usage)
                found.add(Statements(batch, call, shown, self.name).read(stated))
                beside = Beside(batch, call, shown, told).read(stated.beside)
                summaries |= {one.session_id: one.text for one in beside.summaries}
                found.add(beside)
            before += turns
        return found.reading(usage)

    async def _ask(self, user: str, asked: frozenset[str], usage: "Counter[str]") -> Stated:
        prompt = Prompt(
            system=task(asked),
            user=user,
            schema=schema(asked),
            name="facts",
            max_tokens=self._max_tokens,
        )
        read = partial(read_answer, asked=asked)
        return await ask(self._model, prompt, read, names=asked, usage=usage)
