"""Whether one user's calls cost more beside a thousand other users."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, Insert, Table, create_engine, event, insert, literal, select

from backstory import Memory
from backstory.storage.building import USER_KEY
from backstory.storage.tables import Tables, build_tables
from bench.filled import DATABASES, Conversations, RandomVectors, SameVector, fill, places, settle
from bench.latency import USER, rounds_of
from bench.measure import RESULTS, Figure, Result, percentile, timed

TEMPLATES = 4
_BAR = 1.2
_BATCH = 25


def run(users: int, messages: int, rounds: int, calls: int, databases: Sequence[str]) -> Result:
    """Measure one user alone and beside the others, in turns.

    Args:
        users: How many users the crowded store has.
        messages: Messages of each.
        rounds: Rounds; each gives one ratio of p50s.
        calls: Calls in a round, each with another query.
        databases: "sqlite", "postgresql" or both.
    """
    parameters = {"users": users, "messages": messages, "rounds": rounds, "calls": calls}
    result = Result(name="scale", parameters=parameters, full=users * messages >= 1_000_000)
    result.notes += [
        "Stored vectors are seeded random unit vectors of 384 dimensions.",
        f"The other users hold copies of {TEMPLATES} users' messages, made inside the database.",
    ]
    for database in databases:
        with places([database]) as alone, places([database]) as crowded:
            lone, many = alone[database], crowded[database]
            _fill(lone, messages, ())
            _fill(many, messages, [f"template{n}" for n in range(TEMPLATES)])
            took = timed(copy_users, database, many, users - 1 - TEMPLATES)
            label = f"{database}, copying to {users:,} users of {messages:,} messages"
            result.add(Figure(label=label, values=[took / 1000], unit="s"))
            settle(lone)
            settle(many)
            _compare(result, database, lone, many, Conversations(5).queries(calls), rounds)
    return result


def _fill(url: str, messages: int, others: Sequence[str]) -> None:
    with Memory(url, embedder=RandomVectors()) as memory:
        for seed, user in enumerate((USER, *others)):
            fill(memory, user, Conversations(seed=seed).turns(messages))


def copy_users(database: str, url: str, count: int) -> None:
    """Give further users the messages of the templates, by statements inside the database."""
    server = database == "postgresql"
    engine = create_engine(
        url.replace("postgresql", "postgresql+psycopg", 1) if server else f"sqlite:///{url}"
    )
    if not server:

        @event.listens_for(engine, "connect")
        def _fast(raw: object, _: object) -> None:
            raw.execute("PRAGMA synchronous=OFF")  # type: ignore[attr-defined]

    tables = build_tables("", None, (database,))
    for start in range(0, max(count, 0), _BATCH):
        with engine.begin() as connection:
            for number in range(start, min(start + _BATCH, count)):
                _copy_user(connection, tables, f"template{number % TEMPLATES}", f"other{number}")
    engine.dispose()


def _copy_user(connection: Connection, tables: Tables, source: str, target: str) -> None:
    for table in (tables.users, tables.sessions, tables.messages, tables.message_vectors):
        connection.execute(_copying(table, source, target))


def _copying(table: Table, source: str, target: str) -> Insert:
    owner = USER_KEY[1]
    columns = [
        literal(target).label(owner) if column.name == owner else column for column in table.c
    ]
    rows = select(*columns).where(table.c[owner] == source)
    return insert(table).from_select([column.name for column in table.c], rows)


def _compare(
    result: Result, database: str, lone: str, many: str, queries: Sequence[str], rounds: int
) -> None:
    with (
        Memory(lone, embedder=SameVector()) as alone,
        Memory(many, embedder=SameVector()) as crowded,
    ):
        for name in ("search", "context"):
            pairs = [
                [_p50(memory, name, queries) for memory in (alone, crowded)] for _ in range(rounds)
            ]
            label = f"{database}, {name}, one user"
            for place, where in enumerate(("alone", "beside the others")):
                values = [pair[place] for pair in pairs]
                result.add(Figure(label=f"{label} {where}, p50", values=values))
            ratios = [beside / by_itself for by_itself, beside in pairs]
            result.add(Figure(label=f"{label}, ratio", values=ratios, unit="times", at_most=_BAR))


def _p50(memory: Memory, name: str, queries: Sequence[str]) -> float:
    calls: dict[str, Callable[[str], object]] = {
        "search": partial(memory.search, user_id=USER),
        "context": partial(memory.context, USER),
    }
    return percentile(rounds_of(calls[name], queries, 1)[0], 50)


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench scale", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--users", type=int)
    parser.add_argument("--messages", type=int)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="default: bench/results/scale.json if --full")
    options = parser.parse_args(argv)
    users = options.users or (1000 if options.full else 50)
    messages = options.messages or (1000 if options.full else 200)
    calls = 40 if options.full else 10
    result = run(users, messages, options.rounds, calls, options.database or DATABASES)
    result.write(options.out or (RESULTS / "scale.json" if options.full else None))
    return int(options.full and any(figure.met is False for figure in result.figures))
