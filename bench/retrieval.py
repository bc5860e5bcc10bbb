"""How much of the evidence for a question is among the first hits, beside baselines.

Compared are the library, each of its arms alone, BM25 and SQLite's FTS5. Recall at k: the share of
a question's evidence turns among the first k hits, averaged over all questions. The data is read
from files that are not part of this repository.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from backstory import Memory
from bench import plot
from bench.datasets import Conversation, Question, load_beam, load_lines, load_locomo
from bench.embedded import KeptVectors
from bench.filled import DATABASES, places
from bench.intervals import interval
from bench.measure import RESULTS, Figure, Result, percentile, positive, timed, write_json
from bench.searchers import ARMS, Bm25, Fts5, Ours, Searcher, remember

__all__ = ["AT", "Bm25", "Ours", "main", "remember", "run"]

AT = (5, 10, 25, 50)
_BARS: Mapping[str, Mapping[int, float]] = {
    "locomo": {5: 70.0, 10: 79.0, 25: 87.0, 50: 91.5},
    "beam": {10: 62.0, 50: 80.0},
}
_FILES = {"locomo": "locomo/locomo-dev.json.gz", "beam": "beam/beam-100k.tar.gz"}
LOADERS: Mapping[str, Callable[[Path], list[Conversation]]] = {
    "locomo": load_locomo,
    "beam": load_beam,
    "lines": load_lines,
}
_KINDS = {
    "locomo": {"1": "multi-hop", "2": "temporal", "3": "open domain", "4": "single-hop"},
}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question and where each searcher has its evidence.

    Attributes:
        places: For each searcher the place from 1 of each evidence turn that it found.
    """

    conversation: str
    question: Question
    places: dict[str, dict[str, int]] = field(default_factory=dict)

    def share(self, searcher: str, k: int) -> float:
        """Recall at k, in percent."""
        found = sum(place <= k for place in self.places[searcher].values())
        return 100 * found / len(self.question.evidence)

    def to_dict(self) -> dict[str, Any]:
        """Ids and places, and no text of the data set."""
        return {
            "conversation": self.conversation,
            "question": self.question.id,
            "kind": self.question.kind,
            "evidence": sorted(self.question.evidence),
            "places": self.places,
        }


@dataclass(kw_only=True)
class Measured:
    """The result with its tables, and each question."""

    result: Result
    asked: list[Asked]
    tables: dict[str, Any]


def run(
    name: str,
    path: Path,
    database: str,
    limit: int | None,
    full: bool,
    vectors: KeptVectors | None = None,
) -> Measured:
    """Measure one data set on one database.

    Args:
        name: "locomo", "beam" or "lines", the format.
        path: The file.
        database: "sqlite" or "postgresql".
        limit: Only so many conversations.
        full: Whether the bars apply.
        vectors: Embeds the messages; None embeds them anew.
    """
    conversations = LOADERS[name](path)[:limit]
    asked: list[Asked] = []
    times: list[float] = []
    with (
        places([database]) as found,
        Memory(found[database], embedder=vectors or KeptVectors(None)) as memory,
    ):
        for conversation in conversations:
            remember(memory, conversation.id, conversation)
            asked += _ask(memory, conversation, times)
    result = Result(
        name=f"retrieval-{name}-{database}",
        parameters={
            "set": name,
            "file": path.name,
            "database": database,
            "conversations": len(conversations),
            "questions": len(asked),
        },
        full=full,
    )
    for searcher in asked[0].places:
        for k in AT:
            bar = _BARS.get(name, {}).get(k) if full and searcher == "ours" else None
            result.add(_figure(f"{name}, {database}, {searcher}, recall@{k}", asked, k, bar))
    p50 = percentile(times, 50)
    result.add(Figure(label=f"{name}, {database}, search of {AT[-1]}, p50", values=[p50]))
    tables = {"side_by_side": _side_by_side(asked), "by_kind": _by_kind(name, asked)}
    return Measured(result=result, asked=asked, tables=tables)


def _ask(memory: Memory, conversation: Conversation, times: list[float]) -> list[Asked]:
    asked = [Asked(conversation=conversation.id, question=q) for q in conversation.questions]
    with closing(Fts5(conversation)) as fts5:
        searchers: dict[str, Searcher] = {"BM25": Bm25(conversation), "FTS5": fts5}
        for arm, recall in ARMS.items():
            searchers[arm] = Ours(memory, conversation.id, recall)
        for label, searcher in searchers.items():
            for one in asked:
                found: list[str] = []
                took = timed(_collect, found, searcher, one.question.text)
                times += [took] if label == "ours" else []
                one.places[label] = {
                    turn: place
                    for place, turn in enumerate(found, start=1)
                    if turn in one.question.evidence
                }
    return asked


def _collect(found: list[str], searcher: Searcher, query: str) -> None:
    found += searcher.search(query, AT[-1])


def _figure(label: str, asked: Sequence[Asked], k: int, bar: float | None) -> Figure:
    searcher = label.split(", ")[2]
    shares = [one.share(searcher, k) for one in asked]
    low, high = interval(shares, [one.conversation for one in asked])
    note = f"95 % interval {low:.1f} to {high:.1f}"
    return Figure(label=label, values=[mean(shares)], unit="%", at_least=bar, note=note)


def _side_by_side(asked: Sequence[Asked]) -> dict[str, Any]:
    """One row for each searcher, with intervals."""
    groups = [one.conversation for one in asked]
    rows = []
    for searcher in asked[0].places:
        row = [searcher]
        for k in AT:
            shares = [one.share(searcher, k) for one in asked]
            low, high = interval(shares, groups)
            row.append(f"{mean(shares):.1f} ({low:.1f} to {high:.1f})")
        rows.append(row)
    return {"columns": ["", *(f"recall@{k}" for k in AT)], "rows": rows}


def _by_kind(name: str, asked: Sequence[Asked]) -> dict[str, Any]:
    """One row for each kind of question; of the baselines recall at 10 only."""
    kinds: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        kind = one.question.kind
        kinds[_KINDS.get(name, {}).get(kind, kind.replace("_", " "))].append(one)
    others = [searcher for searcher in asked[0].places if searcher != "ours"]
    columns = ["kind", "questions", *(f"ours, @{k}" for k in AT), *(f"{s}, @10" for s in others)]
    rows = []
    for kind, of_kind in sorted(kinds.items()):
        shares = [("ours", k) for k in AT] + [(searcher, 10) for searcher in others]
        means = [mean(one.share(s, k) for one in of_kind) for s, k in shares]
        rows.append([kind, str(len(of_kind)), *(f"{value:.1f}" for value in means)])
    return {"columns": columns, "rows": rows}


def _write(measured: Measured, folder: Path) -> None:
    result = measured.result
    write_json(folder / f"{result.name}.json", {**result.to_dict(), **measured.tables})
    series = {
        searcher: [(float(k), mean(one.share(searcher, k) for one in measured.asked)) for k in AT]
        for searcher in measured.asked[0].places
    }
    title = f"Evidence among the first k hits: {result.parameters['set']}"
    path = folder / f"{result.name}.svg"
    plot.lines(path, title, "k", "recall, %", series, log_x=True)


def _append(measured: Measured, path: Path) -> None:
    facts = {name: measured.result.parameters[name] for name in ("set", "database")}
    with path.open("a", encoding="utf-8") as file:
        for one in measured.asked:
            file.write(json.dumps({**facts, **one.to_dict()}, ensure_ascii=False) + "\n")


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """The options that name the data."""
    parser.add_argument(
        "--data",
        type=Path,
        help=f"a folder with {' and '.join(_FILES.values())}; "
        "default: the folder data in the one that BACKSTORY_SHARED names",
    )
    parser.add_argument("--locomo", type=Path, help="a file in the format of locomo10.json")
    parser.add_argument("--beam", type=Path, help="an archive in the format of BEAM's chats")
    parser.add_argument("--lines", type=Path, help="JSON Lines; see bench/datasets.py")
    parser.add_argument("--limit", type=positive, help="only so many conversations")
    parser.add_argument(
        "--vectors", type=Path, help="a file that keeps the vectors of messages from run to run"
    )
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")


def data_files(parser: argparse.ArgumentParser, options: argparse.Namespace) -> dict[str, Path]:
    """The format and the file of each data set asked for; without one the program ends."""
    named = {name: path for name in LOADERS if (path := getattr(options, name))}
    shared = os.environ.get("BACKSTORY_SHARED")
    folder = options.data or (Path(shared) / "data" if shared else None)
    files = {name: folder / place for name, place in _FILES.items()} if folder else {}
    if not (named or files):
        parser.error("give the data: --data, --locomo, --beam or --lines")
    return named or files


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench retrieval", description=__doc__)
    parser.add_argument("--full", action="store_true", help="all conversations, and the bars")
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument(
        "--per-question", type=Path, help="append ids and places of evidence, one question a line"
    )
    add_data_options(parser)
    options = parser.parse_args(argv)
    vectors = KeptVectors(options.vectors)
    failed = False
    for name, path in data_files(parser, options).items():
        for database in options.database or DATABASES:
            limit = options.limit or (None if options.full else 1)
            full = options.full and not options.limit
            measured = run(name, path, database, limit, full, vectors)
            vectors.save()
            folder = options.out or (RESULTS if options.full else None)
            if folder is not None:
                _write(measured, folder)
            if options.per_question is not None:
                _append(measured, options.per_question)
            for row in measured.tables["by_kind"]["rows"]:
                sys.stdout.write(f"    {' | '.join(row)}\n")
            failed |= any(figure.met is False for figure in measured.result.figures)
    return int(failed)
