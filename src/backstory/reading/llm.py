"""The reader that asks a language model: one call for each batch of turns."""

from collections import Counter
from typing import Final

from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Reading
from backstory.ports.chat_model import ChatModel, Prompt
from backstory.reading.asking import ask
from backstory.reading.calls import split_into_calls
from backstory.reading.prompting import MAX_BEFORE, render_batch
from backstory.reading.prompts.facts import schema, task
from backstory.reading.shapes import LISTS, Stated, read_answer
from backstory.reading.statements import Findings, Statements

MAX_TOKENS: Final = 4096
_READ: Final = frozenset({Role.USER, Role.ASSISTANT})


class LLMReader:
    """Reads facts with a language model.

    A batch is one call, up to 12 turns and 12,000 characters; more turns are more calls, see
    ``calls.split_into_calls``. The prompt names at most 40 known facts, so it does not grow with
    the store. What the turns do not support is rejected. An answer of a wrong shape is asked for
    once more, with the error; then the batch has failed, and nothing of it is kept.
    """

    def __init__(
        self, model: ChatModel, *, max_tokens: int = MAX_TOKENS, behavioural: bool = True
    ) -> None:
        """Take a model.

        Args:
            model: Asked once for each batch.
            max_tokens: Cap of an answer. One that hits it is an error, never half an answer.
            behavioural: Whether to look for what the user does against known facts, in the same
                call.
        """
        self._model = model
        self._max_tokens = max_tokens
        self._behavioural = behavioural

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
        return role in _READ and any(char.isalnum() for char in text)

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
        for call in split_into_calls(batch.turns):
            turns = [piece.turn for piece in call]
            if any(turn.role is Role.USER for turn in turns):
                shown = before[-MAX_BEFORE:]
                user = render_batch(batch, call, shown)
                stated = await self._ask(user, usage)
                part = Statements(batch, call, shown, self.name).read(stated)
                found.claims += part.claims
                found.rejections += part.rejections
                found.behaviours += part.behaviours
            before += turns
        return Reading(
            claims=tuple(found.claims),
            rejections=tuple(found.rejections),
            behaviours=tuple(found.behaviours),
            usage=dict(usage),
        )

    async def _ask(self, user: str, usage: "Counter[str]") -> Stated:
        prompt = Prompt(
            system=task(behavioural=self._behavioural),
            user=user,
            schema=schema(behavioural=self._behavioural),
            name="facts",
            max_tokens=self._max_tokens,
        )
        return await ask(self._model, prompt, read_answer, names=LISTS, usage=usage)
