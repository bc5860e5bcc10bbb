"""Importing past conversations with a language model: messages a second, and calls.

The model is a server on this machine that speaks OpenAI's protocol, takes a second for each answer
and says what the rules read in the turns that it is shown, with a summary of each session. What is
measured is the whole way: storing, embedding, reading, digesting. Beside it the same messages
live, one call for each.
"""

import argparse
import json
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from backstory import Memory
from backstory.reading.timeline import find_events
from backstory.settings import Settings
from backstory.testing.chat_server import Call, ChatServer, Reply
from bench import fact_ingest
from bench.fact_cases import load_cases
from bench.facts import SETS
from bench.filled import DATABASES, places
from bench.measure import RESULTS, Figure, Result, positive, rate

LATENCY_S: Final = 1.0
USER: Final = "imported"
PER_SECOND_BAR, CALLS_BAR = 20.0, 0.1
_SESSION_SIZES: Final = (4, 18, 7, 31, 12, 3, 22)
_START: Final = datetime(2024, 1, 3, 19, tzinfo=UTC)
_ADDED_AT_ONCE: Final = 64
_PUBLISHED: Final = (
    "Published by the makers of another memory on the same kind of work, with a model of their own "
    "choice, and not measured here: 0.42 messages/s live, 3.20 messages/s in bulk."
)


class SlowServer(ChatServer):
    """Answers as the rules read, after a time, and counts the calls that it holds at once.

    Attributes:
        most: The most calls at once.
    """

    def __init__(self, latency_s: float) -> None:
        """Prepare a server.

        Args:
            latency_s: Seconds of each call.
        """
        super().__init__(lambda call: Reply(text=answer(call), delay_s=latency_s))
        self.most = 0
        self._now = 0
        self._counting = threading.Lock()

    def take(self, call: Call) -> Reply:
        """Answer one call."""
        with self._counting:
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            return super().take(call)
        finally:
            with self._counting:
                self._now -= 1


def answer(call: Call) -> str:
    """What the model says: facts and dated events as rules find them, and summaries."""
    said = fact_ingest.answer(call)
    if "## Turns to read" not in call.user:
        return said
    turns = list(fact_ingest.turns_of(call.user))
    users = [turn for turn in turns if turn.is_user]
    events = [
        {
            "message": int(turn.message_id),
            "quote": found.quote,
            "subject": found.subject,
            "what": found.predicate,
            "when": found.expression,
        }
        for turn in users
        for found in find_events(turn.text, turn.timestamp)
    ]
    return json.dumps(
        {**json.loads(said), "events": events, "summaries": list(_summaries(call.user))}
    )


def _summaries(prompt: str) -> Iterator[dict[str, Any]]:
    """The first words of each session."""
    read = prompt.partition("## Turns to read\n")[2]
    for number, part in enumerate(re.split(r"^### Session \d+\n", read, flags=re.MULTILINE), 1):
        turns = list(fact_ingest.turns_of(f"## Turns to read\n{part}"))
        if turns:
            place = number - 1 if read.startswith("### Session") else number
            yield {"session": place, "text": turns[0].text[:200]}


def history(count: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Sessions of a past conversation, some hours apart, in all so many messages."""
    said = [m for path in SETS for case in load_cases(path) for m in case["messages"]]
    at, place, number = _START, 0, 0
    while place < count:
        size = min(_SESSION_SIZES[number % len(_SESSION_SIZES)], count - place)
        messages = []
        for offset in range(size):
            one = said[(place + offset) % len(said)]
            at += timedelta(minutes=1)
            messages.append(
                {
                    "role": one["role"],
                    "content": one["text"],
                    "id": f"m{offset}",
                    "timestamp": at.isoformat(),
                }
            )
        yield f"talk {number}", messages
        at += timedelta(hours=19)
        place, number = place + size, number + 1


def run(messages: int, live: int, databases: Sequence[str], latency_s: float = LATENCY_S) -> Result:
    """Measure all of it.

    Args:
        messages: Messages of the import.
        live: Messages of the conversation that is read one by one.
        databases: "sqlite", "postgresql" or both.
        latency_s: Seconds of each call of the model.
    """
    full = messages >= 1_200
    parameters = {"messages": messages, "live": live, "latency_s": latency_s}
    result = Result(name="bulk", parameters=parameters, full=full)
    result.notes.append(_PUBLISHED)
    result.notes.append(
        "The simulated model costs the same two cores as the memory: what it reads, the rules read."
    )
    for database in databases:
        with _opened(database, latency_s) as (memory, server):
            _imported(result, database, memory, server, messages)
    with _opened(databases[0], latency_s) as (memory, server):
        _live(result, memory, server, live)
    return result


@contextmanager
def _opened(database: str, latency_s: float) -> Iterator[tuple[Memory, SlowServer]]:
    with places([database]) as where, SlowServer(latency_s) as server:
        settings = Settings(background=False, llm="openai:bench", llm_url=server.url)
        with Memory(where[database], settings=settings) as memory:
            memory.add("Hello.", user_id="first", infer=False)  # loads the embedder
            yield memory, server


def _imported(
    result: Result, database: str, memory: Memory, server: SlowServer, count: int
) -> None:
    def whole() -> None:
        add(memory, count)
        done = memory.flush(USER, timeout_s=3_600)
        if done.failed or done.pending:
            raise RuntimeError(str(done))

    speed = rate(count, whole)
    calls = len(server.calls)
    judged = sum("## Turns to read" not in call.user for call in server.calls)
    figures = [
        _one(f"{database}, import, embedded and read", speed, "messages/s", least=PER_SECOND_BAR),
        _one(f"{database}, calls per message", calls / count, "calls", most=CALLS_BAR),
        _one(f"{database}, of these of the merge judge", judged / count, "calls"),
        _one(f"{database}, calls at once, at most", float(server.most), "calls"),
        _one(f"{database}, sessions with a summary by the model", _told(memory), "%"),
    ]
    before = _counts(memory)
    again = rate(count, whole)
    more = len(server.calls) - calls
    figures += [
        _one(f"{database}, the same import again", again, "messages/s"),
        _one(f"{database}, the same import again, calls", float(more), "calls", most=0.0),
        _one(
            f"{database}, the same import again, records that are new",
            float(sum(_counts(memory)) - sum(before)),
            "records",
            most=0.0,
        ),
    ]
    for figure in figures:
        result.add(figure)


def add(memory: Memory, count: int) -> None:
    """Store the history, session by session."""
    for name, messages in history(count):
        with memory.session(user_id=USER, session_id=name, bulk_import=True) as session:
            for start in range(0, len(messages), _ADDED_AT_ONCE):
                session.add_many(messages[start : start + _ADDED_AT_ONCE])


def _counts(memory: Memory) -> tuple[int, ...]:
    """How much is there: messages, facts, and what is derived, by what an export holds."""
    with TemporaryDirectory() as folder:
        done = memory.export_user(USER, Path(folder) / "all.jsonl")
    return tuple(done.records.values())


def _told(memory: Memory) -> float:
    """The share of sessions whose summary the model made, in percent."""
    sessions = memory.sessions(USER)
    made = [memory.summaries.for_session(USER, session.id) for session in sessions]
    by_model = sum(one is not None and one.made_by.startswith("model:") for one in made)
    return 100 * by_model / len(sessions)


def _live(result: Result, memory: Memory, server: SlowServer, count: int) -> None:
    said = (one for _, some in history(3 * count) for one in some)
    texts = [one["content"] for one in said if one["role"] == "user"]

    def talk() -> None:
        for text in texts[:count]:
            memory.add(text, user_id="live")
            memory.flush("live")

    speed = rate(count, talk)
    result.add(_one("live, each message read at once", speed, "messages/s"))
    result.add(_one("live, calls per message", len(server.calls) / count, "calls"))


def _one(
    label: str, value: float, unit: str, *, least: float | None = None, most: float | None = None
) -> Figure:
    return Figure(label=label, values=[value], unit=unit, at_least=least, at_most=most)


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench bulk", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--messages", type=positive, help="default: 1200 with --full, else 240")
    parser.add_argument("--latency", type=float, default=LATENCY_S, help="seconds of each call")
    parser.add_argument("--out", type=Path, help="default: bench/results/bulk.json")
    options = parser.parse_args(argv)
    messages = options.messages or (1_200 if options.full else 240)
    live = 20 if options.full else 5
    result = run(messages, live, options.database or DATABASES, options.latency)
    result.write(options.out or (RESULTS / "bulk.json" if options.full else None))
    return int(options.full and any(figure.met is False for figure in result.figures))
