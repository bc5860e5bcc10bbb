"""How long reading facts takes, and what reading messages for facts adds to ``add``.

Two users: one whose facts are mostly history (many values of few slots), one whose facts are all
current. Beside the library's calls runs a plain SELECT of the same rows, in the same store, on a
connection without anything around it.
"""

import argparse
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from backstory import Memory
from backstory.settings import Settings
from backstory.storage.facts.hashes import hash_of
from bench.fact_filled import Shape, fill_facts
from bench.filled import DATABASES, Conversations, SameVector, places
from bench.latency import rounds_of
from bench.measure import RESULTS, Figure, Result, percentile, positive, timed

GET_BAR, AS_OF_BAR = 3.0, 10.0
VERSIONS = 20
STATED = "I live in {} now."
_EACH = 4
CHAT = "Could you tell me more about {}, please?"
_LATEST = """
    SELECT * FROM facts WHERE tenant_id = 'default' AND user_id = ?
    AND status IN ('active', 'disputed') ORDER BY seq DESC LIMIT 100
"""
_SLOT = """
    SELECT * FROM facts WHERE tenant_id = 'default' AND user_id = ? AND key_hash = ?
    AND status IN ('active', 'disputed') ORDER BY seq
"""
_AS_OF = """
    SELECT * FROM facts WHERE tenant_id = 'default' AND user_id = ? AND valid_from <= ?
    AND (valid_until IS NULL OR valid_until > ?)
"""
_STARTS = """
    SELECT DISTINCT valid_from FROM facts WHERE tenant_id = 'default' AND user_id = ?
    ORDER BY valid_from
"""
_Call = Callable[[str], object]
_Select = Callable[[str, Sequence[Any]], list[Any]]


def run(facts: int, rounds: int, calls: int, databases: Sequence[str]) -> Result:
    """Measure all of it.

    Args:
        facts: Rows of each user, history included.
        rounds: Rounds; each gives one p50 and one p95.
        calls: Calls in a round.
        databases: "sqlite", "postgresql" or both.
    """
    parameters = {"facts": facts, "rounds": rounds, "calls": calls, "versions": VERSIONS}
    result = Result(name="fact-latency", parameters=parameters, full=facts >= 10_000)
    result.notes.append(
        f"Of the first user each slot had {VERSIONS} values, of the second one. facts.get gives "
        "the latest 100 facts, as_of all that held. A plain SELECT gives raw rows without their "
        "evidence and states; vectors are random."
    )
    shapes = (
        Shape(user="history", slots=facts // VERSIONS, versions=VERSIONS),
        Shape(user="current", slots=facts, versions=1),
    )
    for database in databases:
        with places([database]) as found:
            url = found[database]
            fill_facts(url, shapes)
            for shape in shapes:
                _reading(result, database, url, shape, rounds, calls)
            _recalling(result, database, url, shapes[1], rounds, calls)
            full = f"{facts:,} facts stored"
            _adding(result, f"{database}, {full}", url, rounds, calls, user=shapes[1].user)
        with places([database]) as found:
            _adding(result, database, found[database], rounds, calls)
    return result


def _reading(
    result: Result, database: str, url: str, shape: Shape, rounds: int, calls: int
) -> None:
    """Lists and times past, each beside a plain SELECT of its rows."""
    keys = [shape.key(slot * 7919 % shape.slots) for slot in range(calls)]
    get, as_of = f"facts.get, {_size(shape)}", f"as_of, {_size(shape)}"
    moments = (shape.middle + n * timedelta(microseconds=1) for n in count())
    with Memory(url, embedder=None) as memory, _selecting(url) as select:
        facts, user = memory.facts, shape.user
        begun = time.perf_counter()
        every = len(facts.as_of(user, valid_at=shape.middle))
        cold = (time.perf_counter() - begun) * 1000
        result.add(Figure(label=f"{database}, {as_of}, first call of a process", values=[cold]))
        whole = AS_OF_BAR if every <= facts_at_most(shape) else None

        def at(key: str | None, *, both: bool) -> object:
            # no time is asked twice, so that no answer can be one that was kept
            then = next(moments)
            known = then if both else None
            return facts.as_of(user, valid_at=then, known_at=known, key=key)

        lines: list[tuple[str, _Call, float | None]] = [
            (f"{get}, the latest", lambda _: facts.get(user), GET_BAR),
            (f"{get}, one slot", lambda key: facts.get(user, key=key), GET_BAR),
            (f"{as_of}, one slot", partial(at, both=False), AS_OF_BAR),
            (f"{as_of}, one slot, both times", partial(at, both=True), AS_OF_BAR),
            (f"{as_of}, all {every:,}", lambda _: at(None, both=False), whole),
            (f"{as_of}, all {every:,}, both times", lambda _: at(None, both=True), whole),
        ]
        for name, call, bar in lines:
            some = keys if whole or ", all" not in name else keys[: max(calls // 8, 2)]
            _measure(result, f"{database}, {name}", call, some, rounds, bar)
        for name, call in _plain(select, shape):
            _measure(
                result, f"{database}, plain SELECT, {_size(shape)}, {name}", call, keys, rounds
            )


def facts_at_most(shape: Shape) -> int:
    """So many facts at one time are still held to the bar."""
    return max(shape.rows // VERSIONS, 1)


def _size(shape: Shape) -> str:
    return f"{shape.rows:,} facts, {shape.slots:,} current"


def _measure(
    result: Result,
    label: str,
    call: _Call,
    given: Sequence[str],
    rounds: int,
    bar: float | None = None,
) -> float:
    times = rounds_of(call, given, rounds)
    p50 = Figure(label=f"{label}, p50", values=[percentile(t, 50) for t in times], at_most=bar)
    result.add(p50)
    result.add(Figure(label=f"{label}, p95", values=[percentile(t, 95) for t in times]))
    return p50.value


def _plain(select: _Select, shape: Shape) -> Iterator[tuple[str, _Call]]:
    user = [shape.user]
    starts = [row[0] for row in select(_STARTS, user)]
    # in the store's own unit of time
    then = starts[len(starts) // 2]
    yield "the latest", lambda _: select(_LATEST, user)
    yield "one slot", lambda key: select(_SLOT, [*user, hash_of(key)])
    yield "as of", lambda _: select(_AS_OF, [*user, then, then])


@contextmanager
def _selecting(url: str) -> Iterator[_Select]:
    """Runs a statement on a bare connection."""
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as server:
            yield lambda query, given: server.execute(query.replace("?", "%s"), given).fetchall()
    else:
        with closing(sqlite3.connect(url)) as file:
            yield lambda query, given: file.execute(query, given).fetchall()


def _recalling(
    result: Result, database: str, url: str, shape: Shape, rounds: int, calls: int
) -> None:
    """Search among facts, and a context with them."""
    queries = Conversations(seed=5).queries(calls)
    with Memory(url, embedder=SameVector()) as memory:
        memory.add(["Hello again.", {"role": "assistant", "content": "Hi!"}], user_id=shape.user)
        search = partial(memory.search, user_id=shape.user, kind="facts")
        label = f"{database}, {_size(shape)}"
        _measure(result, f"{label}, search of facts, vector at hand", search, queries, rounds)
        context = partial(memory.context, shape.user)
        _measure(result, f"{label}, context with facts", context, queries, rounds)


def _adding(
    result: Result, place: str, url: str, rounds: int, calls: int, user: str | None = None
) -> None:
    """One message at a time, in turn with and without reading, so that both see the same load.

    Without ``user`` somebody new speaks after every few messages: the more values a slot had, the
    more a further one has to look at.
    """
    kinds = {
        "no reading": ("none", CHAT),
        "reading, nothing stated": ("auto", CHAT),
        "reading, a fact stated": ("auto", STATED),
    }
    memories = {
        reading: Memory(url, embedder=None, settings=Settings(reading=reading, background=False))
        for reading in ("none", "auto")
    }
    names = Conversations(seed=3)
    times: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    try:
        for number in range(rounds + 1):
            here: dict[str, list[float]] = {kind: [] for kind in kinds}
            for call in range(calls):
                name = "".join(names.text(3)[:-1].split()).capitalize()
                for kind, (reading, form) in kinds.items():
                    new = f"{kind} {number}.{call // _EACH}"
                    add = partial(memories[reading].add, user_id=user or new, session_id=new)
                    here[kind].append(timed(add, form.format(name)))
            if number:  # the first one only warms up
                for kind, some in here.items():
                    times[kind].append(some)
    finally:
        for memory in memories.values():
            memory.close()
    medians = {k: [percentile(some, 50) for some in parts] for k, parts in times.items()}
    for kind, values in medians.items():
        result.add(Figure(label=f"{place}, add of one message, {kind}, p50", values=values))
    for kind in list(kinds)[1:]:
        ratios = [b / a for a, b in zip(medians["no reading"], medians[kind], strict=True)]
        label = f"{place}, add of one message, {kind}, ratio to no reading"
        result.add(Figure(label=label, values=ratios, unit="times"))


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench fact-latency", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--facts", type=positive)
    parser.add_argument("--rounds", type=positive, default=5)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="default: bench/results/fact-latency.json")
    options = parser.parse_args(argv)
    facts = options.facts or (10_000 if options.full else 400)
    calls = 40 if options.full else 5
    result = run(facts, options.rounds, calls, options.database or DATABASES)
    result.write(options.out or (RESULTS / "fact-latency.json" if options.full else None))
    return int(options.full and any(figure.met is False for figure in result.figures))
