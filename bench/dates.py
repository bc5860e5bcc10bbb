"""How many dates of messages are read right, how many dated events are found, and how fast.

Cases of dates are JSON Lines with ``text``, ``at``, ``expect`` (date and precision, or null),
``alternatives`` and ``note``; those whose note says "doubtful" are counted apart. By default they
are our own: ``dates.jsonl`` was written before the rules, ``dates_second.jsonl`` long after them
and before it was run; so were ``events.jsonl`` and ``events_second.jsonl``. With BACKSTORY_SHARED,
the gold cases of that folder are read too.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from backstory.functions import resolve_date
from backstory.reading.timeline import find_events
from bench.measure import RESULTS, ROOT, Figure, Result, timed

DATA = ROOT / "tests" / "data"
OWN = (DATA / "dates.jsonl", DATA / "dates_second.jsonl")
EVENTS = (DATA / "events.jsonl", DATA / "events_second.jsonl")
_BAR = 92.0
_DAY_CHARS = {"day": 10, "month": 7, "year": 4}


def cases(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def is_right(case: dict[str, Any]) -> bool:
    """Whether a date is read as expected, or as one of the alternatives."""
    found = resolve_date(case["text"], datetime.fromisoformat(case["at"]))
    answer = None if found is None else (found.date, str(found.precision))
    options = [case["expect"], *case.get("alternatives", [])]
    return answer in [one and (one["date"], one["precision"]) for one in options]


def events_of(case: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Subject, predicate and date of each event that is found, in lower case."""
    return [
        (
            event.subject,
            event.predicate.lower(),
            event.occurred_on.isoformat()[: _DAY_CHARS[event.precision]],
        )
        for event in find_events(case["text"], datetime.fromisoformat(case["at"]))
    ]


def expected(case: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What should be found."""
    wanted = case["expect"]
    return [(one["subject"], one["predicate"].lower(), one["date"]) for one in wanted]


def run(paths: Sequence[Path], full: bool) -> tuple[Result, list[str]]:
    """Measure; also the texts that were read otherwise."""
    result = Result(name="dates", parameters={"files": [path.name for path in paths]}, full=full)
    wrong: list[str] = []
    for path in paths:
        _dates(path, result, wrong)
    for path in EVENTS:
        _events(path, result, wrong)
    return result, wrong


def _dates(path: Path, result: Result, wrong: list[str]) -> None:
    name = f"{path.parent.name}/{path.stem}"
    number: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for case in cases(path):
        kind = "a date" if case["expect"] else "no date"
        if "doubtful" in case["note"]:
            kind = "doubtful"
        number[kind] += 1
        right[kind] += is_right(case)
        if not is_right(case):
            wrong.append(f"{name}, {kind}: {case['text']}")
    sure = number.total() - number["doubtful"]
    share = 100 * (right.total() - right["doubtful"]) / sure
    result.add(Figure(label=f"{name}: {sure} right", values=[share], unit="%", at_least=_BAR))
    for kind in sorted(number):
        share = 100 * right[kind] / number[kind]
        result.add(Figure(label=f"{name}, {number[kind]} with {kind}", values=[share], unit="%"))


def _events(path: Path, result: Result, wrong: list[str]) -> None:
    all_cases = cases(path)
    found = [(case, events_of(case)) for case in all_cases]
    good = sum(len(set(events) & set(expected(case))) for case, events in found)
    made = sum(len(events) for _, events in found)
    wanted = sum(len(expected(case)) for case in all_cases)
    wrong += [f"{path.stem}: {case['text']}" for case, events in found if events != expected(case)]
    name = path.stem
    result.add(Figure(label=f"{name}: {made} found, right", values=[100 * good / made], unit="%"))
    result.add(
        Figure(label=f"{name}: {wanted} told, found", values=[100 * good / wanted], unit="%")
    )
    took = timed(lambda: [events_of(case) for case in all_cases])
    result.add(Figure(label=f"{name}: one message", values=[took / len(all_cases)]))


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when the bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench dates", description=__doc__)
    parser.add_argument("--full", action="store_true", help="write into bench/results")
    parser.add_argument("--data", type=Path, action="append", help="a file of cases of dates")
    parser.add_argument("--wrong", action="store_true", help="print what was read otherwise")
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")
    options = parser.parse_args(argv)
    shared = os.environ.get("BACKSTORY_SHARED")
    gold = (Path(shared) / "gold" / "dates.jsonl",) if shared else ()
    result, wrong = run(options.data or (*OWN, *gold), options.full)
    folder = options.out or (RESULTS if options.full else None)
    result.write(folder / f"{result.name}.json" if folder else None)
    if options.wrong:
        print("\n".join(wrong))
    return int(any(figure.met is False for figure in result.figures))
