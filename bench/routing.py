"""How many queries are routed as a person labelled them.

The cases are JSON Lines with ``query`` and ``label``; those whose ``note`` says "doubtful" are
left out.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from backstory.functions import classify_retrieval
from bench.measure import RESULTS, Figure, Result

OWN = Path(__file__).with_name("data") / "routing.jsonl"


def run(path: Path, full: bool) -> tuple[Result, list[str]]:
    """Measure one file; also the queries that were routed otherwise."""
    lines = path.read_text(encoding="utf-8").splitlines()
    cases = [case for line in lines if "doubtful" not in (case := json.loads(line)).get("note", "")]
    right: Counter[str] = Counter()
    wrong: list[str] = []
    for case in cases:
        given = str(classify_retrieval(case["query"]))
        right[case["label"]] += given == case["label"]
        if given != case["label"]:
            wrong.append(f"{case['label']} routed as {given}: {case['query']}")
    number = Counter(case["label"] for case in cases)
    parameters = {"file": path.name, "queries": len(cases)}
    result = Result(name=f"routing-{path.stem}", parameters=parameters, full=full)
    for label in sorted(number):
        share = 100 * right[label] / number[label]
        result.add(Figure(label=f"routed right, {label}", values=[share], unit="%"))
    share = 100 * right.total() / len(cases)
    result.add(Figure(label="routed right", values=[share], unit="%", at_least=88.0))
    return result, wrong


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when the bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench routing", description=__doc__)
    parser.add_argument("--full", action="store_true", help="write into bench/results")
    parser.add_argument("--data", type=Path, default=OWN, help="a file of cases; default: our own")
    parser.add_argument("--wrong", action="store_true", help="print what was routed otherwise")
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")
    options = parser.parse_args(argv)
    result, wrong = run(options.data, options.full)
    folder = options.out or (RESULTS if options.full else None)
    result.write(folder / f"{result.name}.json" if folder else None)
    if options.wrong:
        print("\n".join(wrong))
    return int(any(figure.met is False for figure in result.figures))
