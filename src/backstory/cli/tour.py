"""What the demo does: remembers a conversation, searches it, and builds contexts. Shows nothing."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

from backstory.api import Context, Hits, Memory

QUESTIONS: Final = (
    "When does Vera fly to Lisbon?",
    "What nuts is Vera allergic to?",
    "What is the address of the new flat?",
)
CONTEXT_QUESTION: Final = "What is her new job at Tallhaven?"
BUDGETS: Final = (300, 800, 2000)
HITS: Final = 2


@dataclass(frozen=True, kw_only=True)
class Talk:
    """One session of the conversation."""

    name: str
    messages: list[dict[str, Any]]

    @property
    def began(self) -> datetime:
        """When its first message was said, in the zone it was said in."""
        return datetime.fromisoformat(self.messages[0]["timestamp"])


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """The conversation that the package carries."""

    user: str
    title: str
    timezone: str
    talks: list[Talk]

    @property
    def size(self) -> int:
        """How many messages it has."""
        return sum(len(talk.messages) for talk in self.talks)


@dataclass(frozen=True, kw_only=True)
class Timed:
    """A result, what it was asked for, and how many milliseconds it took."""

    ms: float
    question: str
    hits: Hits | None = None
    context: Context | None = None


def read_conversation() -> Conversation:
    """Read the conversation from the package."""
    path = files("backstory").joinpath("data", "demo", "conversation.jsonl")
    head, *lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    talks = [
        Talk(
            name=f"s{number:02}",
            messages=[{k: v for k, v in line.items() if k != "session"} for line in group],
        )
        for number, group in groupby(lines, key=lambda line: int(line["session"]))
    ]
    return Conversation(
        user=head["user"], title=head["title"], timezone=head["timezone"], talks=talks
    )


def remember(memory: Memory, conversation: Conversation, done: Callable[[Talk], None]) -> float:
    """Store the conversation session by session; gives the milliseconds."""
    start = time.perf_counter()
    for talk in conversation.talks:
        with memory.session(
            user_id=conversation.user, session_id=talk.name, bulk_import=True
        ) as session:
            session.add_many(talk.messages, speaker="Vera")
        done(talk)
    return _since(start)


def search(memory: Memory, conversation: Conversation, question: str) -> Timed:
    """Search, with reasons."""
    start = time.perf_counter()
    hits = memory.search(question, user_id=conversation.user, top_k=HITS, explain=True)
    return Timed(ms=_since(start), question=question, hits=hits)


def build(memory: Memory, conversation: Conversation, budget: int) -> Timed:
    """Build the context for a question asked in the last session."""
    start = time.perf_counter()
    context = memory.context(
        conversation.user,
        query=CONTEXT_QUESTION,
        max_tokens=budget,
        session_id=conversation.talks[-1].name,
        now=conversation.talks[-1].messages[-1]["timestamp"],
        timezone=conversation.timezone,
    )
    return Timed(ms=_since(start), question=CONTEXT_QUESTION, context=context)


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
