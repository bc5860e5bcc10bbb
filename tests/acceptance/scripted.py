"""Memories that read with a scripted model, and answers for it."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from backstory.models.chat.factory import make_chat_model
from backstory.ports.chat_model import Completion, Prompt
from backstory.settings import Settings
from backstory.testing.chat_server import Call, ChatServer
from backstory.threads import run_in_thread
from tests.acceptance.places import Place
from tests.acceptance.talks import VERA, Said, Talk
from tests.unit.reading.llm_help import QUICK, answer, fact

TURN = re.compile(r"^- \[(\d+)\] \S+ \S+ (?:user|\w+): (.*)$", re.MULTILINE)


class QuickModel:
    """A model on a scripted server that tries again at once, and is closed after each call."""

    name = "shades"

    def __init__(self, server: ChatServer) -> None:
        self._url = server.url

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask; see ``ports.chat_model.ChatModel``."""
        model = await run_in_thread(make_chat_model, "shades", base_url=self._url, limits=QUICK)
        try:
            return await model.complete(prompt)
        finally:
            await model.aclose()

    async def aclose(self) -> None:
        """Do nothing."""


class ModelTalk(Talk):
    """A talk that a scripted model reads when it is told to."""

    def __init__(self, place: Place, server: ChatServer, user: str = VERA, **options: Any) -> None:
        options.setdefault("llm", QuickModel(server))
        options.setdefault("settings", Settings(background=False))
        super().__init__(place, user, **options)
        self.server = server

    def tell(self, *said: Said) -> list[str]:
        """Add messages and let them be read; gives the reasons of failures."""
        self.clock.advance(timedelta(minutes=1))
        self.memory.add(list(said), user_id=self.user)
        return list(self.memory.flush(self.user).reasons)


def reads(call: Call) -> bool:
    """Whether a call asks for a reading, not for judgements."""
    return "## Turns to read" in call.user


def turns_of(call: Call) -> list[tuple[int, str]]:
    """The numbered turns that a call asks to read."""
    text = call.user.partition("## Turns to read")[2]
    return [(int(number), text) for number, text in TURN.findall(text)]


def judged(*, compatible: bool = False) -> str:
    """An answer of the judge about up to twelve pairs."""
    one = {"compatible": compatible, "separation": "", "reason": "scripted"}
    return json.dumps({"judgements": [{"pair": number, **one} for number in range(1, 13)]})


def by_turn(find: Callable[[int, str], list[dict[str, Any]]]) -> Callable[[Call], str]:
    """What a model answers that makes facts of single turns, and judges nothing compatible."""

    def reply(call: Call) -> str:
        if not reads(call):
            return judged()
        return answer(*(one for number, text in turns_of(call) for one in find(number, text)))

    return reply


def stated(quote: str, key: str, value: str, **more: Any) -> dict[str, Any]:
    """One fact of a model's answer."""
    return fact(quote=quote, key=key, value=value, **{"cardinality": "one", **more})
