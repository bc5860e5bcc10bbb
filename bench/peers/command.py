"""Other memories beside this one, in one run on the same conversations, with the same embedder.

Each peer runs without a network in an environment of its own, which is made at the first run and
kept in the cache folder. Its texts have the speaker's name before them, as peers find less without;
our defaults and BM25 are those of ``retrieval``.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.datasets import Conversation, load_beam, load_locomo
from bench.measure import RESULTS, ROOT, Figure, Result, positive, write_json
from bench.peers.environments import default_cache
from bench.peers.known import NOT_RUN, PEERS, Peer
from bench.peers.measuring import Row, measure
from bench.plot import lines
from bench.retrieval import AT

_COLUMNS = ["memory", *(f"recall@{k}" for k in AT), "adds/s", "search p50"]
_DEV = Path("data") / "locomo" / "locomo-dev.json.gz"
_PICTURE = ROOT / "docs" / "explanation" / "peers.svg"
NOTES = (
    "Turns and vectors are the same for all.",
    "A search asks for 50 hits.",
    "Of adds and searches only the time inside the peer's own process counts.",
)


def result_of(rows: Sequence[Row], parameters: dict[str, Any], *, full: bool) -> Result:
    """The figures of a run."""
    result = Result(name="peers", parameters=parameters, full=full, notes=list(NOTES))
    for row in rows:
        if row.failed is not None:
            result.notes.append(f"{row.name}: {row.failed}.")
            continue
        for k, share in zip(AT, row.recalls(), strict=True):
            result.add(Figure(label=f"{row.name}, recall@{k}", values=[share], unit="%"))
        rate = row.adds_per_second()
        if rate is not None:
            result.add(Figure(label=f"{row.name}, adds", values=[rate], unit="turns/s"))
        result.add(Figure(label=f"{row.name}, search of {AT[-1]}, p50", values=[row.p50_ms()]))
    return result


def table(rows: Sequence[Row], left_out: dict[str, str]) -> dict[str, Any]:
    """The rows as a table: who ran, who failed and why, who was not run and why."""
    lines_of = [_cells(row) for row in rows]
    empty = [""] * (len(_COLUMNS) - 2)
    lines_of += [[name, f"not run: {why}", *empty] for name, why in left_out.items()]
    return {"columns": _COLUMNS, "rows": lines_of}


def _cells(row: Row) -> list[str]:
    if row.failed is not None:
        return [row.name, f"**failed**: {row.failed}", *[""] * (len(_COLUMNS) - 2)]
    rate = row.adds_per_second()
    recalls = [f"{share:.1f}" for share in row.recalls()]
    return [row.name, *recalls, "" if rate is None else f"{rate:.0f}", f"{row.p50_ms():.1f} ms"]


def picture(path: Path, rows: Sequence[Row]) -> None:
    """Draw recall by k of those that ran."""
    series = {
        row.name: list(zip(map(float, AT), row.recalls(), strict=True))
        for row in rows
        if row.failed is None
    }
    lines(path, "Evidence among the first hits", "hits (k)", "recall, %", series, log_x=True)


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a peer failed."""
    options = _parser().parse_args(argv)
    conversations = _conversations(options)[: options.limit]
    chosen = [peer for peer in PEERS if _wanted(peer, options.only)]
    parameters = {
        "file": options.found.name,
        "conversations": len(conversations),
        "turns": sum(len(one.turns) for one in conversations),
        "questions": sum(len(one.questions) for one in conversations),
        "names before texts": "no" if options.without_names else "yes",
    }
    with tempfile.TemporaryDirectory(prefix="backstory-bench-") as folder:
        rows = measure(
            conversations,
            chosen,
            options.cache or default_cache(),
            Path(folder),
            named=not options.without_names,
        )
    result = result_of(rows, parameters, full=options.full)
    facts = table(rows, NOT_RUN)
    for line in facts["rows"]:
        print(" | ".join(line))
    out = options.out or (RESULTS if options.full else None)
    if out is not None:
        settings = {row.name: row.set_to for row in rows if row.set_to}
        more = {"by_kind": facts, "set_to": settings}
        write_json(out / "peers.json", {**result.to_dict(), **more})
        picture(out / "peers.svg" if options.out else _PICTURE, rows)
    return int(any(row.failed is not None for row in rows))


def _wanted(peer: Peer, only: Sequence[str] | None) -> bool:
    return not only or any(word.lower() in peer.label("").lower() for word in only)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench peers", description=__doc__)
    parser.add_argument("--full", action="store_true", help="write the published files")
    parser.add_argument(
        "--locomo",
        type=Path,
        help="a file in the format of locomo10.json; default: the one in the folder that "
        "BACKSTORY_SHARED names",
    )
    parser.add_argument("--beam", type=Path, help="an archive in the format of BEAM's chats")
    parser.add_argument("--limit", type=positive, default=2, help="conversations; default: 2")
    parser.add_argument("--only", nargs="+", help="peers whose names hold one of these words")
    parser.add_argument(
        "--without-names", action="store_true", help="give peers no names before the texts"
    )
    parser.add_argument("--cache", type=Path, help=f"default: {default_cache()}")
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")
    return parser


def _conversations(options: argparse.Namespace) -> list[Conversation]:
    shared = os.environ.get("BACKSTORY_SHARED")
    if options.beam:
        options.found = options.beam
        return load_beam(options.beam)
    options.found = options.locomo or (Path(shared) / _DEV if shared else None)
    if options.found is None:
        _parser().error("give the data: --locomo or --beam")
    return load_locomo(options.found)
