"""What the demo does: remembers a conversation, searches it, and builds contexts. Shows nothing."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

from backstory.api import Context, Contradiction, Fact, FactHistory, Hits, Memory

QUESTIONS: Final = (
    "When does Vera fly to Lisbon?",
    "What nuts is Vera allergic to?",
    "What is the address of the new flat?",
)
CONTEXT_QUESTION: Final = "What is her new job at Tallhaven?"
BUDGETS: Final = (300, 800, 2000)
HITS: Final = 2
SLOTS: Final = ("home.place", "work.employer")
DISPUTED: Final = "health.diet"
NOTE: Final = "asked her: no meat, but fish"
DATED_QUESTION: Final = "Where is her home?"
DATES: Final = ("2026-09-15T12:00:00+02:00", "2026-11-08T18:00:00+01:00")


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


@dataclass(frozen=True, kw_only=True)
class Dispute:
    """A contradiction as it was found and as it was decided, and what the slot says after it."""

    raised: Contradiction
    resolved: Contradiction
    history: FactHistory


@dataclass(frozen=True, kw_only=True)
class Dated:
    """The best answer to a question as of a time, or None."""

    valid_at: datetime
    fact: Fact | None


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


def facts(memory: Memory, conversation: Conversation) -> list[Fact]:
    """What is true at the end of the conversation."""
    return memory.facts.get(conversation.user)


def histories(memory: Memory, conversation: Conversation) -> list[FactHistory]:
    """The slots that changed in the course of the conversation."""
    found = [memory.facts.get(conversation.user, subject="user", key=key) for key in SLOTS]
    return [memory.facts.history(slot[-1].id) for slot in found if slot]


def settle(memory: Memory, conversation: Conversation) -> Dispute | None:
    """Decide the contradiction that the conversation raised; None if it was decided before."""
    user = conversation.user
    raised = [one for one in memory.contradictions.list_open(user) if one.key == DISPUTED]
    if not raised:
        return None
    resolved = memory.contradictions.resolve(raised[0].id, "user_stated", note=NOTE, user_id=user)
    holds = memory.facts.get(user, subject="user", key=DISPUTED)
    history = memory.facts.history(holds[-1].id)
    return Dispute(raised=raised[0], resolved=resolved, history=history)


def ask_as_of(memory: Memory, conversation: Conversation) -> list[Dated]:
    """Ask the same question as of two dates."""
    answers = []
    for date in DATES:
        hits = memory.search(
            DATED_QUESTION, user_id=conversation.user, kind="facts", top_k=1, valid_at=date
        )
        fact = hits[0].fact if hits else None
        answers.append(Dated(valid_at=datetime.fromisoformat(date), fact=fact))
    return answers


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
