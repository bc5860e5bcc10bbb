"""A context of all eleven sources over a large memory: each source alone, all, and one that hangs.

One user with 10,000 messages, 2,000 facts, and derived records as a year of daily talk leaves them:
a summary of each session, events, moments, observations, relations, an intention for each day.
"""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from backstory import AsyncMemory, Memory, Settings
from backstory.core.derived.book import DerivedPlan
from backstory.core.model.derived import (
    Derived,
    EmotionalMoment,
    Event,
    GraphEntity,
    Intention,
    Observation,
    Relation,
    Summary,
    SummaryKind,
    Texture,
)
from backstory.core.model.fact import Evidence
from backstory.core.model.scope import Scope
from backstory.services.recalling.context import ContextService
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources import Offer
from bench.fact_filled import START, Shape, fill_facts
from bench.filled import (
    DATABASES,
    TURNS_PER_SESSION,
    Conversations,
    RandomVectors,
    SameVector,
    fill,
    places,
    settle,
)
from bench.measure import RESULTS, Figure, Result, percentile, positive

USER: Final = "measured"
P50_BAR, P95_BAR = 40.0, 90.0
_LIMIT_S: Final = 0.25
_LATE_MS: Final = 150.0
_NAMES: Final = ("Mira", "Jonas", "Priya", "Tobias", "Noor", "Elif", "Hana", "Oskar")


class _Hanging:
    """A source that never answers."""

    name = "summaries"
    heading = "Never"
    share = 0.05
    priority = 9

    async def gather(self, question: Question) -> Offer:  # noqa: ARG002 - the port gives it
        """Wait for what never comes."""
        await asyncio.Event().wait()
        return Offer()


def run(messages: int, facts: int, rounds: int, calls: int, databases: Sequence[str]) -> Result:
    """Measure all of it.

    Args:
        messages: Of the user.
        facts: All of them current.
        rounds: Rounds; each gives one p50 and one p95.
        calls: Calls in a round, each with another question.
        databases: "sqlite", "postgresql" or both.
    """
    parameters = {"messages": messages, "facts": facts, "rounds": rounds, "calls": calls}
    result = Result(name="context-sources", parameters=parameters, full=messages >= 10_000)
    result.notes.append(
        "Questions ask for points, times and all of something in turn, so that every source has "
        "something to say; the query's vector is at hand, as in the line of that name in the "
        "bench of latency."
    )
    for database in databases:
        with places([database]) as found:
            _fill(found[database], messages, facts)
            asyncio.run(_measure(result, database, found[database], rounds, calls))
    return result


def _fill(url: str, messages: int, facts: int) -> None:
    fill_facts(url, [Shape(user=USER, slots=facts, versions=1)])
    settings = Settings(background=False)
    with Memory(url, embedder=RandomVectors(), settings=settings) as memory:
        fill(memory, USER, Conversations(seed=3).turns(messages))
        for name in _NAMES:
            memory.facts.store(
                user_id=USER, subject=f"friend.{name.lower()}", key="name", value=name
            )
    asyncio.run(_derive(url, messages))
    settle(url)


async def _derive(url: str, messages: int) -> None:
    settings = Settings(background=False)
    async with AsyncMemory(url, embedder=RandomVectors(), settings=settings) as memory:
        services = await memory._open()
        scope = Scope("default", USER)
        page = await memory.get_all(user_id=USER, limit=1)
        evidence = (Evidence(message_id=page.items[0].id, quote="seen"),)
        plan = DerivedPlan(put=tuple(_records(messages, evidence)))
        await services.store.derived.change(scope, lambda _: plan, START + timedelta(days=400))
        await memory.flush(timeout_s=600)


def _records(messages: int, evidence: tuple[Evidence, ...]) -> Iterator[Derived]:
    texts = Conversations(seed=4)
    sessions = max(1, messages // TURNS_PER_SESSION)
    for number in range(sessions):
        at = START + timedelta(hours=9 * number)
        common: dict[str, Any] = {"user_id": USER, "at": at, "recorded_at": at}
        session = f"s{number}"
        yield Summary(
            id=f"summary{number}",
            kind=SummaryKind.SESSION,
            text=texts.text(40),
            starts_on=at.date(),
            ends_on=at.date(),
            messages=TURNS_PER_SESSION,
            sessions=(session,),
            session_id=session,
            evidence=evidence,
            **common,
        )
        for place in range(3):
            yield Event(
                id=f"event{number}.{place}",
                predicate=texts.text(6),
                occurred_on=at.date() - timedelta(days=place),
                evidence=evidence,
                **common,
            )
        yield EmotionalMoment(
            id=f"moment{number}",
            valence=-0.7 if number % 2 else 0.8,
            arousal=None,
            dominance=None,
            intensity=0.8,
            tags=("joy",),
            quote=texts.text(8),
            evidence=evidence,
            **common,
        )
    yield from _few(START + timedelta(days=399), evidence)


def _few(at: datetime, evidence: tuple[Evidence, ...]) -> Iterator[Derived]:
    """What there are few of, whatever the number of messages."""
    common: dict[str, Any] = {
        "user_id": USER,
        "at": at,
        "recorded_at": at,
        "evidence": evidence,
    }
    for number in range(12):
        yield Observation(
            id=f"observation{number}",
            pattern=f"topic:{number}",
            text=f"Talks about topic {number} in many conversations.",
            confidence=0.6,
            first_seen=START,
            last_seen=at,
            sessions=("s1", "s2", "s3"),
            **common,
        )
    for number in range(200):
        yield Intention(id=f"intention{number}", what=f"call person {number}", **common)
    for number, name in enumerate(_NAMES):
        yield GraphEntity(id=f"entity{number}", kind="person", label=name, **common)
    for number in range(len(_NAMES) - 1):
        yield Relation(
            id=f"relation{number}",
            type="friend_of",
            subject_id=f"entity{number}",
            object_id=f"entity{number + 1}",
            **common,
        )
    yield Texture(
        id="texture", session_id="s0", throughline="the move", register="tired, hopeful", **common
    )


def _questions(calls: int) -> list[str]:
    texts = Conversations(seed=5)
    words = [texts.text(4).lower()[:-1] for _ in range(calls)]
    forms = (
        "What did {} say about {}?",
        "When did {} first talk of {}?",
        "List all {} said on {}.",
    )
    return [
        forms[number % len(forms)].format(_NAMES[number % len(_NAMES)], some)
        for number, some in enumerate(words)
    ]


async def _measure(result: Result, database: str, url: str, rounds: int, calls: int) -> None:
    settings = Settings(background=False)
    async with AsyncMemory(url, embedder=SameVector(), settings=settings) as memory:
        await memory.add(["Hello.", {"role": "assistant", "content": "Hi!"}], user_id=USER)
        services = await memory._open()
        names = services.context.names
        count = f"all {len(names)} sources"
        _add(result, f"{database}, {count}", await _times(memory, None, rounds, calls), bars=True)
        for name in names:
            times = await _times(memory, [name], rounds, calls)
            _add(result, f"{database}, {name} alone", times, bars=False)
        await _hang(result, database, memory, count)


async def _times(
    memory: AsyncMemory, names: Sequence[str] | None, rounds: int, calls: int
) -> list[list[float]]:
    """The times of each round in ms, after one round that does not count."""
    questions = _questions(calls)
    found = [[await _time(memory, one, names) for one in questions] for _ in range(rounds + 1)]
    return found[1:]


async def _time(memory: AsyncMemory, question: str, names: Sequence[str] | None) -> float:
    begun = perf_counter()
    await memory.context(
        USER,
        question,
        sources=names,
        include_intention=True,
        now=datetime.combine(START.date() + timedelta(days=400), START.timetz()),
    )
    return (perf_counter() - begun) * 1000


def _add(result: Result, label: str, times: Sequence[Sequence[float]], *, bars: bool) -> None:
    for percent, bar in ((50, P50_BAR), (95, P95_BAR)):
        values = [percentile(some, percent) for some in times]
        limit = bar if bars else None
        result.add(Figure(label=f"context, {label}, p{percent}", values=values, at_most=limit))


async def _hang(result: Result, database: str, memory: AsyncMemory, count: str) -> None:
    """One source hangs for ever: its time limit and its section are all that is lost."""
    services = await memory._open()
    whole = services.context
    others = [one for one in whole.sources if one.name != _Hanging.name]
    services.context = ContextService(services.store, [*others, _Hanging()])
    begun = perf_counter()
    context = await memory.context(USER, "What is new?", timeout_s=_LIMIT_S)
    took = (perf_counter() - begun) * 1000
    services.context = whole
    label = f"context, {database}, {count}, one hangs, limit {_LIMIT_S * 1000:g} ms: more than that"
    result.add(Figure(label=label, values=[took - _LIMIT_S * 1000], at_most=_LATE_MS))
    lost = [section.name for section in context.sections if section.problem]
    label = f"context, {database}, {count}, one hangs: sections lost"
    result.add(Figure(label=label, values=[len(lost)], unit="sections", at_most=1))


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench context-sources", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--rounds", type=positive, default=5)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="default: bench/results/context-sources.json")
    options = parser.parse_args(argv)
    messages, facts, calls = (10_000, 2_000, 40) if options.full else (400, 50, 6)
    result = run(messages, facts, options.rounds, calls, options.database or DATABASES)
    default = RESULTS / "context-sources.json" if options.full else None
    result.write(options.out or default)
    return int(options.full and any(figure.met is False for figure in result.figures))
