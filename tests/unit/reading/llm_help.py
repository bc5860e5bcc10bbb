"""What the tests of the model's reader share: turns, answers, a reader on a scripted server."""

import asyncio
import json
from collections import deque
from datetime import UTC, datetime, timedelta
from typing import Any

from backstory.core.model.fact import Fact
from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Reading, Turn
from backstory.core.tokens import token_upper_bound
from backstory.models.chat.factory import make_chat_model
from backstory.models.chat.remote import ChatLimits
from backstory.ports.chat_model import Completion, Prompt
from backstory.reading.llm import LLMReader
from backstory.testing.chat_server import ChatServer

AT = datetime(2026, 5, 14, 12, tzinfo=UTC)
QUICK = ChatLimits(first_wait_s=0.01, longest_wait_s=0.05, attempts=3, total_s=20, request_s=5)


def turn(number: int, text: str, role: Role = Role.USER, **changes: Any) -> Turn:
    values: dict[str, Any] = {
        "message_id": f"m{number}",
        "revision": 1,
        "role": role,
        "text": text,
        "timestamp": AT + timedelta(minutes=number),
        "is_user": role is Role.USER,
        "session_id": "s",
    }
    return Turn(**{**values, **changes})


def batch(*texts: str, **changes: Any) -> Batch:
    turns = tuple(turn(number, text) for number, text in enumerate(texts, start=1))
    return Batch(**{"turns": turns, **changes})


def known(count: int, value: str = "a blue kettle") -> tuple[Fact, ...]:
    return tuple(
        Fact(
            id=f"f{number}",
            user_id="nora",
            key=f"possession.thing_{number}",
            value=value,
            recorded_at=AT,
            believed_at=AT,
        )
        for number in range(count)
    )


def fact(**changes: Any) -> dict[str, Any]:
    """One fact as a model gives it."""
    given = {
        "message": 1,
        "quote": "I play the cello",
        "language": "en",
        "subject": "user",
        "key": "hobby.instrument",
        "act": "state",
        "value": "the cello",
        "replaces": "",
        "changed": False,
        "since": "",
        "until": "",
        "cardinality": "many",
        "kind": "permanent",
        "category": "hobby",
        "confidence": 0.9,
    }
    return {name: value for name, value in {**given, **changes}.items() if value is not None}


def answer(*facts: dict[str, Any], **others: Any) -> str:
    return json.dumps({"facts": list(facts), "contradictions": [], **others})


def read(server: ChatServer, given: Batch, **options: Any) -> Reading:
    model = make_chat_model("shades", base_url=server.url, limits=QUICK)
    reader = LLMReader(model, **options)

    async def work() -> Reading:
        try:
            return await reader.read(given)
        finally:
            await model.aclose()

    return asyncio.run(work())


class ScriptedModel:
    """A model of the port in this process: the next answers of a script, else always the same.

    Attributes:
        calls: The prompts that came.
        answer: What is answered without a script.
    """

    name = "shades"

    def __init__(self, answer: str) -> None:
        self.calls: list[Prompt] = []
        self.answer = answer
        self._script: deque[str] = deque()

    def script(self, *answers: str) -> None:
        """Let the next calls get these answers, one each."""
        self._script.extend(answers)

    async def complete(self, prompt: Prompt) -> Completion:
        """Answer; see ``ports.chat_model.ChatModel``."""
        self.calls.append(prompt)
        return Completion(text=self._script.popleft() if self._script else self.answer)

    async def aclose(self) -> None:
        """Do nothing."""


def read_with(model: ScriptedModel, given: Batch, **options: Any) -> Reading:
    """Read with a scripted model."""
    return asyncio.run(LLMReader(model, **options).read(given))


def size_of(prompt: Prompt) -> int:
    """Tokens of a prompt, from above."""
    return token_upper_bound(prompt.system) + token_upper_bound(prompt.user)
