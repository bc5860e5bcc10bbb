"""Which relations are seen in short conversations that are read by rules.

The conversations and the edges that follow from them were written before the rules of the graph.
"found" is the share of these edges that is there, "expected" the share of those there that follow.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from backstory import Memory
from backstory.core.graph.merging import graph_of
from backstory.core.graph.value import Graph, holds
from backstory.core.model.fact import USER
from backstory.settings import Settings
from bench.measure import RESULTS, Figure, Result

CASES = Path(__file__).parent / "data" / "graph.jsonl"
_NOW = datetime(2025, 1, 1, tzinfo=UTC)
Edge = tuple[str, str, str]


@dataclass
class Score:
    """How many edges were expected, found, and found though not expected."""

    expected: int = 0
    found: int = 0
    wrong: int = 0
    perfect: int = 0
    cases: int = 0

    @property
    def recall(self) -> float:
        """Part of the expected edges that were found."""
        return self.found / max(1, self.expected)

    @property
    def precision(self) -> float:
        """Part of the found edges that were expected."""
        return self.found / max(1, self.found + self.wrong)


def edges_of(graph: Graph) -> list[Edge]:
    """The current edges by label."""
    names = {name: USER if name == USER else e.label for name, e in graph.entities.items()}
    return [
        (names[r.subject_id], r.type, names[r.object_id]) for r in graph.relations if holds(r, _NOW)
    ]


def run(given: Iterable[Mapping[str, Any]], *, shows: bool = False) -> Score:
    """Read each conversation as one of another user."""
    with Memory(":memory:", embedder=None, settings=Settings(background=False)) as memory:
        return _run(memory, given, shows=shows)


def _run(memory: Memory, given: Iterable[Mapping[str, Any]], *, shows: bool) -> Score:
    score = Score()
    for case in given:
        found = Counter(map(_either, _read(memory, case)))
        expected = Counter(_either(tuple(edge)) for edge in case["expect"])
        never = {_either(tuple(edge)) for edge in case["never"]}
        right = (found & expected).total()
        wrong = (found - expected).total()
        score.cases += 1
        score.expected += expected.total()
        score.found += right
        score.wrong += wrong
        is_perfect = right == expected.total() and not wrong and not never & found.keys()
        score.perfect += is_perfect
        if shows and not is_perfect:
            print(case["id"], case["half"], [m["text"] for m in case["messages"]])
            print("   missing", sorted((expected - found).elements()))
            print("   beside ", sorted((found - expected).elements()))
    return score


def _either(edge: Any) -> Edge:
    subject, name, object_ = edge
    symmetric = {
        "partner_of", "former_partner_of", "sibling_of", "relative_of", "friend_of",
        "colleague_of", "neighbour_of", "lives_with", "knows", "related_to",
    }  # fmt: skip
    if name in symmetric and object_ < subject:
        return (object_, name, subject)
    return (subject, name, object_)


def _read(memory: Memory, case: Mapping[str, Any]) -> Iterator[Edge]:
    turns = [
        {"role": "user", "content": message["text"], "timestamp": message["at"]}
        for message in case["messages"]
    ]
    for turn in turns:
        memory.add(turn, user_id=case["id"])
    yield from edges_of(graph_of(memory.facts.get(case["id"], status="all", limit=1000)))


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench graph", description=__doc__)
    parser.add_argument("--full", action="store_true", help="write into bench/results")
    parser.add_argument("--wrong", action="store_true", help="print the cases that are not right")
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")
    options = parser.parse_args(argv)
    read = cases()
    result = Result(name="graph", parameters={"cases": len(read)}, full=options.full)
    for half in ("tuned", "kept"):
        score = run([case for case in read if case["half"] == half], shows=options.wrong)
        for name, share in (("found", score.recall), ("expected", score.precision)):
            label = f"edges {name}, {half} half"
            result.add(Figure(label=label, values=[100 * share], unit="%", at_least=90.0))
    folder = options.out or (RESULTS if options.full else None)
    result.write(folder / f"{result.name}.json" if folder else None)
    return int(any(figure.met is False for figure in result.figures))


def cases() -> list[dict[str, Any]]:
    """All conversations."""
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
