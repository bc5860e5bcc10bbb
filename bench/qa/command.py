"""Accuracy of answers from built contexts: any reader, any judge, several context sizes.

Contexts are built once and stored, so that all readers answer from the same bytes; answers and
verdicts are stored as they come, so that the same command goes on where it was stopped. The output
folder holds text of the data: it is not for publishing, but for ``summary.json``.
"""

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

from backstory.errors import ConfigurationError, MissingDependencyError
from backstory.models.chat.factory import make_chat_model
from backstory.models.chat.remote import ChatLimits
from backstory.ports.chat_model import ChatModel
from bench.measure import commit, positive, write_json
from bench.plot import lines
from bench.qa.asking import Caps
from bench.qa.contexts import FULL, GOLD, ROWS, Built, ContextsError, Key, builder_of, contexts_for
from bench.qa.datasets import LOADERS, Asked, Talk, load
from bench.qa.running import Asking, GivenUpError, Records, Task
from bench.qa.scoring import Price, summary


def sampled(talks: Sequence[Talk], count: int | None, seed: int) -> list[Asked]:
    """The questions of one rerun, in the order of the file: all, or as many as ``count``."""
    asked = [one for talk in talks for one in talk.asked]
    if count is None or count >= len(asked):
        return asked
    chosen = set(Random(seed).sample(range(len(asked)), count))  # noqa: S311 - a sample
    return [one for place, one in enumerate(asked) if place in chosen]


def tasks_of(
    reader: str, samples: dict[int, list[Asked]], rows: Sequence[str], built: dict[Key, Built]
) -> Iterator[Task]:
    """Every question of every rerun from every row that it has a context in."""
    for row in rows:
        for seed, asked in samples.items():
            for one in asked:
                context = built.get((one.id, row))
                if context is not None:
                    yield Task(asked=one, built=context, seed=seed, reader=reader)


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when it was given up."""
    parser = _parser()
    options = parser.parse_args(argv)
    format = next((name for name in LOADERS if getattr(options, name)), None)
    if format is None:
        parser.error(f"give the data: {' or '.join(f'--{name}' for name in LOADERS)}")
    if options.reader and not options.judge:
        parser.error("a reader needs a judge: --judge")
    if options.raised_cap <= options.cap:
        parser.error("--raised-cap must be above --cap")
    source: Path = getattr(options, format)
    talks = load(format, source)[: options.limit]
    samples = {seed: sampled(talks, options.sample, seed) for seed in options.seeds}
    wanted = sorted({asked.id for chosen in samples.values() for asked in chosen})
    path = options.contexts or options.out / "contexts.jsonl"
    try:
        built = contexts_for(path, source, talks, wanted, options.rows)
        options.built_by = builder_of(path)
        if options.built_by != commit():
            sys.stdout.write(f"  {path.name} was begun at commit {options.built_by}, not here\n")
        if options.reader:
            return asyncio.run(_answered(options, samples, built, format))
    except (ContextsError, ConfigurationError, MissingDependencyError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


async def _answered(
    options: argparse.Namespace,
    samples: dict[int, list[Asked]],
    built: dict[Key, Built],
    format: str,
) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    records = Records(path=options.out / "answers.jsonl").load()
    tasks: list[Task] = []
    failed = None
    async with AsyncExitStack() as stack:
        judge = _model(options.judge, options, stack)
        readers = [_model(spec, options, stack) for spec in options.reader]
        if len({reader.name for reader in readers}) < len(readers):
            message = "two readers have one name; run them into two folders with --contexts"
            raise ConfigurationError(message)
        for reader in readers:
            mine = list(tasks_of(reader.name, samples, options.rows, built))
            tasks += mine
            asking = Asking(
                reader=reader,
                judge=judge,
                records=records,
                caps=Caps(first=options.cap, raised=options.raised_cap),
                at_once=options.at_once,
            )
            try:
                await asking.run(mine)
            except GivenUpError as error:
                failed = str(error)
                break
    prices = dict(options.price or ())
    rows = summary(tasks, records, judge.name, prices)
    _write(options, rows, judge.name, format)
    if failed:
        sys.stderr.write(f"given up: {failed}\nThe same command goes on from here.\n")
    return int(failed is not None)


def _model(spec: str, options: argparse.Namespace, stack: AsyncExitStack) -> ChatModel:
    """A model by "provider:model", or "model@base-url" for a server of OpenAI's protocol."""
    name, at, url = spec.partition("@http")
    model = make_chat_model(
        name,
        base_url=f"http{url}" if at else None,
        thinking=options.thinking,
        temperature=options.temperature,
        limits=ChatLimits(
            attempts=options.attempts, total_s=options.patience, first_wait_s=options.first_wait
        ),
    )
    stack.push_async_callback(model.aclose)
    return model


def _write(
    options: argparse.Namespace, rows: Sequence[dict[str, Any]], judge: str, format: str
) -> None:
    for row in rows:
        sys.stdout.write(f"{line_of(row)}\n")
    parameters = {
        "set": format,
        "judge": judge,
        "seeds": options.seeds,
        "sample": options.sample,
        "caps": [options.cap, options.raised_cap],
        "contexts_commit": options.built_by,
    }
    write_json(options.out / "summary.json", {"parameters": parameters, "rows": list(rows)})
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row["score"] and row["row"].isdecimal():
            point = (float(row["row"]), row["score"]["mean"])
            series.setdefault(row["reader"], []).append(point)
    if series:
        ordered = {name: sorted(points) for name, points in series.items()}
        path = options.out / "accuracy.svg"
        lines(path, f"Answers, {format}", "budget, tokens", "right, %", ordered, log_x=True)


def line_of(row: dict[str, Any]) -> str:
    """A row for a reader's eyes."""
    outcomes = ", ".join(f"{count} {name}" for name, count in row["outcomes"].items() if count)
    return (
        f"{row['reader']}, {row['row']}: {_shown(row['score'])} of all, "
        f"{_shown(row['completed'])} of completed ({outcomes}); "
        f"context {row['context_tokens']['median']:g} tokens; ${row['dollars']:g}"
    )


def _shown(value: dict[str, float] | None) -> str:
    if value is None:
        return "-"
    if value["reruns"] == 1:
        return f"{value['mean']:.1f} %"
    return f"{value['mean']:.1f} % ({value['min']:.1f} to {value['max']:.1f})"


def _price(text: str) -> tuple[str, Price]:
    name, _, prices = text.rpartition("=")
    given, _, taken = prices.partition(",")
    if not name or not taken:
        message = "must be MODEL=IN,OUT in dollars for a million tokens"
        raise argparse.ArgumentTypeError(message)
    return name, Price(input=float(given), output=float(taken))


def _row(text: str) -> str:
    if text not in {GOLD, FULL} and not (text.isdecimal() and int(text) > 0):
        message = f"must be a number of tokens, {GOLD} or {FULL}, not {text!r}"
        raise argparse.ArgumentTypeError(message)
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench qa", description=__doc__)
    add = parser.add_argument
    add("--locomo", type=Path, help="a file in the format of locomo10.json")
    add("--longmemeval", type=Path, help="a file in the format of longmemeval_s.json")
    add("--out", type=Path, required=True, help="a folder; it will hold text of the data")
    add("--contexts", type=Path, help="a file of contexts to use; default: OUT/contexts.jsonl")
    add("--rows", nargs="+", type=_row, default=list(ROWS), help=f"default: {' '.join(ROWS)}")
    add("--reader", action="append", help="provider:model or model@base-url; may be repeated")
    add("--judge", help="provider:model or model@base-url")
    add("--seeds", nargs="+", type=int, default=[1], help="one rerun for each; default: 1")
    add("--sample", type=positive, help="questions of a rerun, drawn by its seed; default: all")
    add("--limit", type=positive, help="only so many conversations of the file")
    add("--cap", type=positive, default=256, help="tokens of an answer; default: 256")
    add("--raised-cap", type=int, default=2048, help="after an answer was cut off; default: 2048")
    add("--at-once", type=positive, default=4, help="calls at the same time; default: 4")
    add("--attempts", type=positive, default=6, help="tries of a call; default: 6")
    add("--patience", type=float, default=300.0, help="seconds for a call with its tries")
    add("--first-wait", type=float, default=1.0, help="seconds before the second try")
    add("--thinking", default="off", help="off, on, or an effort; default: off")
    add("--temperature", type=float, help="sent only if given")
    add("--price", type=_price, action="append", help="MODEL=IN,OUT, dollars a million tokens")
    return parser
