"""What reading messages for facts costs: messages a second, and the calls of a language model.

The model is a server on this machine that speaks OpenAI's protocol and answers with what the rules
read in the turns that it is shown, so that statements, repeats and clashes are those of a real
conversation. What is counted is what goes over the wire: calls and tokens, not how good they are.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from backstory import Memory
from backstory.cli import tour
from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Claim, Turn
from backstory.core.tokens import token_upper_bound
from backstory.reading.prompts.judging import TASK as JUDGING
from backstory.reading.rules.reader import read_turns
from backstory.settings import Settings
from backstory.testing.chat_server import Call, ChatServer
from bench.fact_cases import load_cases
from bench.fact_filled import Shape, fill_facts
from bench.facts import SETS
from bench.filled import DATABASES, places
from bench.measure import RESULTS, Figure, Result, positive, rate

BATCH, PER_CALL, JUDGED_BAR = 256, 12, 0.1
_QUIET = Settings(background=False)
_NOW = datetime(2026, 11, 30, tzinfo=UTC)
_TURN = re.compile(
    r"- \[(\d+)\] (?:\d{4}-\d\d-\d\d \d\d:\d\d )?(user|assistant|tool|system): ?(.*)"
)
_PAIR = re.compile(r"^- \[(\d+)\] noted", re.MULTILINE)


def run(messages: int, stored: int, rounds: int, databases: Sequence[str]) -> Result:
    """Measure all of it.

    Args:
        messages: Messages of one round of ingestion.
        stored: Facts of the full store that prompts are compared in; the other has 10.
        rounds: Rounds of ingestion, each for a user of its own.
        databases: "sqlite", "postgresql" or both.
    """
    parameters = {"messages": messages, "stored": stored, "rounds": rounds, "batch": BATCH}
    result = Result(name="fact-ingest", parameters=parameters, full=messages >= 5_000)
    result.notes.append(
        "Messages are those of the written cases, again and again; about half of them state "
        "something. No embedder."
    )
    texts = _texts(messages)
    for database in databases:
        _rates(result, database, texts, rounds)
    _imported(result)
    _prompts(result, stored)
    return result


def _texts(count: int) -> list[dict[str, Any]]:
    said = [m for path in SETS for case in load_cases(path) for m in case["messages"]]
    chosen = (said[number % len(said)] for number in range(count))
    return [{"role": m["role"], "content": m["text"]} for m in chosen]


def _rates(result: Result, database: str, texts: Sequence[dict[str, Any]], rounds: int) -> None:
    """Messages a second with and without reading, in turn, so that both see the same load."""
    found: dict[str, list[float]] = {"none": [], "auto": []}
    with places([database]) as where:
        for number in range(rounds):
            for reading, rates in found.items():
                settings = Settings(reading=reading, background=False)
                with Memory(where[database], embedder=None, settings=settings) as memory:
                    memory.add("Hello.", user_id="first")
                    adding = partial(_add, memory, f"{reading}{number}", texts)
                    rates.append(rate(len(texts), adding))
    for reading, rates in found.items():
        label = f'{database}, add_many of {BATCH}, reading="{reading}"'
        result.add(Figure(label=label, values=rates, unit="messages/s"))
    ratios = [a / b for a, b in zip(found["none"], found["auto"], strict=True)]
    label = f"{database}, time with reading, ratio to without"
    result.add(Figure(label=label, values=ratios, unit="times"))


def _add(memory: Memory, user: str, texts: Sequence[dict[str, Any]]) -> None:
    """Sessions of one batch each, as many people would fill them."""
    for start in range(0, len(texts), BATCH):
        with memory.session(user_id=f"{user}.{start}", session_id="s") as session:
            session.add_many(texts[start : start + BATCH])


def answer(call: Call) -> str:
    """What the model of the benchmark says: the rules' reading of the turns of a prompt."""
    if call.system.startswith(JUDGING[:40]):
        pairs = [int(number) for number in _PAIR.findall(call.user)]
        verdict = {"compatible": False, "separation": "", "reason": "they differ"}
        return json.dumps({"judgements": [{"pair": number, **verdict} for number in pairs]})
    turns = list(turns_of(call.user))
    found = read_turns(Batch(turns=tuple(turns)))
    stated = [c for c in found.claims if c.key and c.evidence]
    return json.dumps({"facts": [_stated(claim) for claim in stated], "contradictions": []})


def turns_of(prompt: str) -> Iterator[Turn]:
    """The turns that a prompt asks to read, numbered as there."""
    for line in prompt.partition("## Turns to read\n")[2].splitlines():
        found = _TURN.match(line)
        if found is None:
            continue
        number, role, text = found.groups()
        yield Turn(
            message_id=number,
            revision=1,
            role=Role(role),
            text=text,
            timestamp=_NOW,
            is_user=role == "user",
        )


def _stated(claim: Claim) -> dict[str, Any]:
    said = claim.evidence[0]
    return {
        "message": int(said.message_id),
        "quote": said.quote,
        "language": "en",
        "subject": claim.subject,
        "key": claim.key,
        "act": str(claim.act),
        "value": claim.value or "",
        "replaces": claim.replaces or "",
        "changed": claim.changed,
        "since": "",
        "until": "",
        "cardinality": str(claim.cardinality or "one"),
        "kind": str(claim.kind),
        "category": str(claim.category or "context"),
        "confidence": claim.confidence,
    }


@contextmanager
def _modelled(url: str, server: ChatServer) -> Iterator[Memory]:
    settings = Settings(background=False, llm="openai:bench", llm_url=server.url)
    with Memory(url, embedder=None, settings=settings) as memory:
        yield memory


def _kinds(calls: Sequence[Call]) -> Counter[str]:
    return Counter("judge" if c.system.startswith(JUDGING[:40]) else "read" for c in calls)


def _imported(result: Result) -> None:
    """The demo conversation, read by a model over the wire."""
    conversation = tour.read_conversation()
    size = conversation.size
    with ChatServer(answer) as server, _modelled(":memory:", server) as memory:
        tour.remember(memory, conversation, lambda _: None)
        done = memory.flush(conversation.user)
        calls = list(server.calls)
        kinds = _kinds(calls)
        least = sum(-(-len(talk.messages) // PER_CALL) for talk in conversation.talks)
        per_batch = kinds["read"] / least
        add = result.add
        add(_one("demo import, calls of the reader per batch of 12", per_batch, at_most=1.0))
        add(_one("demo import, merge judge calls per message", kinds["judge"] / size, JUDGED_BAR))
        add(_one("demo import, calls per 100 messages", 100 * len(calls) / size))
        tokens = 100 * sum(call.tokens for call in calls) / size
        add(_one("demo import, prompt tokens per 100 messages", tokens, unit="tokens"))
        unread = float(size - done.read if done.failed else 0)
        add(_one("demo import, messages that could not be read", unread, at_most=0.0))
        facts = memory.facts.get(conversation.user, limit=1000)
        add(_one("demo import, current facts", float(len(facts)), unit=""))
        for question in (*tour.QUESTIONS, tour.CONTEXT_QUESTION):
            memory.search(question, user_id=conversation.user)
            memory.context(conversation.user, question)
        asked = float(len(server.calls) - len(calls))
        add(_one("calls of a model by searches and contexts", asked, at_most=0.0, unit="calls"))


def _prompts(result: Result, stored: int) -> None:
    """The same twelve messages, in a store of few facts and in one of many."""
    sizes = {}
    for count in (10, stored):
        with places(["sqlite"]) as where, ChatServer(answer) as server:
            url = where["sqlite"]
            fill_facts(url, [Shape(user="many", slots=count, versions=1)])
            with _modelled(url, server) as memory:
                turns = [f"I went to the market {n} times and saw my friend." for n in range(12)]
                memory.add(turns, user_id="many", session_id="s")
                memory.flush("many")
            read = [call for call in server.calls if _kinds([call])["read"]]
            sizes[count] = max(
                token_upper_bound(c.system) + token_upper_bound(c.user) for c in read
            )
            label = f"prompt for 12 messages, {count:,} facts stored"
            result.add(_one(label, float(sizes[count]), unit="tokens"))
    ratio = sizes[stored] / sizes[10]
    result.add(_one(f"prompt, {stored:,} facts to 10", ratio, at_most=1.3, unit="times"))


def _one(label: str, value: float, at_most: float | None = None, unit: str = "calls") -> Figure:
    return Figure(label=label, values=[value], at_most=at_most, unit=unit)


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench fact-ingest", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--rounds", type=positive, default=3)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="default: bench/results/fact-ingest.json")
    options = parser.parse_args(argv)
    messages, stored = (5_120, 10_000) if options.full else (256, 200)
    result = run(messages, stored, options.rounds, options.database or DATABASES)
    result.write(options.out or (RESULTS / "fact-ingest.json" if options.full else None))
    return int(options.full and any(figure.met is False for figure in result.figures))
