"""Writes the figures of ``bench/results`` into README and docs, between their markers.

A block begins with ``<!-- bench:NAME -->`` and ends with ``<!-- /bench -->``. NAME is that of a
JSON file, or ``summary`` for every figure that has a bar. ``--check`` changes nothing and fails
when a block is not current.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.measure import RESULTS, ROOT

FILES = (ROOT / "README.md", ROOT / "docs" / "explanation" / "benchmarks.md")
_BLOCK = re.compile(r"(<!-- bench:([\w-]+) -->\n).*?(<!-- /bench -->)", re.DOTALL)
_FRAME = {"name", "parameters", "full", "notes", "commit", "date", "command", "machine"}
_HEAD = ("| what | median | lowest to highest | bar | |", "|---|---:|---:|---:|---|")
_NOT_MEASURED = "Not measured yet.\n"


def filled(text: str, results: Path) -> str:
    """The text with every block made anew."""
    return _BLOCK.sub(lambda block: block[1] + table(block[2], results) + block[3], text)


def table(name: str, results: Path) -> str:
    """The figures of one benchmark as Markdown; a figure without its JSON does not count."""
    if name == "summary":
        return _summary(results)
    path = results / f"{name}.json"
    if not path.exists():
        return _NOT_MEASURED
    facts = json.loads(path.read_text("utf-8"))
    if "figures" in facts:
        lines = [*_HEAD]
        lines += [_row(figure) for figure in facts["figures"]]
    else:
        lines = ["| what | value |", "|---|---:|"]
        lines += [f"| {label} | {value} |" for label, value in _leaves(facts)]
    return "\n".join([*lines, "", _source(facts), ""])


def _summary(results: Path) -> str:
    """Every figure with a bar, and where they come from."""
    found = [json.loads(path.read_text("utf-8")) for path in sorted(results.glob("*.json"))]
    rows = [_row(f) for facts in found for f in facts.get("figures", ()) if "met" in f]
    if not rows:
        return _NOT_MEASURED
    sources = sorted({_place(facts) for facts in found})
    return "\n".join([*_HEAD, *rows, "", *(f"{source}.  " for source in sources), ""])


def _place(facts: dict[str, Any]) -> str:
    machine = facts["machine"]
    python = f"Python {machine['python']}"
    where = f"{machine['cpu']}, {machine['cores']} cores"
    return f"{facts['date'][:10]}, commit {facts['commit']}, {where}, {python}"


def _row(figure: dict[str, Any]) -> str:
    unit = figure["unit"]
    spread = (
        "" if figure["rounds"] == 1 else f"{_number(figure['min'])} to {_number(figure['max'])}"
    )
    bar = ""
    for name, sign in (("at_most", "≤"), ("at_least", "≥")):
        if name in figure:
            bar = f"{sign} {_number(figure[name])} {unit}"
    met = {True: "met", False: "**missed**", None: ""}[figure.get("met")]
    label = figure["label"].replace("|", "\\|")
    return f"| {label} | {_number(figure['median'])} {unit} | {spread} | {bar} | {met} |"


def _leaves(facts: Any, label: str = "") -> Iterator[tuple[str, Any]]:
    """Every single value of nested results, with the path to it."""
    if isinstance(facts, dict):
        for name, value in facts.items():
            if label or name not in _FRAME:
                yield from _leaves(value, f"{label}, {name}" if label else name.replace("_", " "))
    elif not isinstance(facts, list):
        yield label.replace("_", " "), facts


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _source(facts: dict[str, Any]) -> str:
    machine, parameters = facts["machine"], facts.get("parameters", {})
    libraries = ", ".join(f"{name} {number}" for name, number in machine["libraries"].items())
    counts = ", ".join(f"{name} {value}" for name, value in parameters.items())
    notes = "".join(f" {note}" for note in facts.get("notes", ()))
    load = machine.get("load_before", ["not recorded"])[0]
    return (
        f"`{facts['command']}` on {facts['date'][:10]}, commit {facts['commit']}; "
        f"{machine['cpu']}, {machine['cores']} cores, load before {load}; "
        f"Python {machine['python']}, {libraries}; {counts}.{notes}"
    )


def main(argv: Sequence[str]) -> int:
    """Write the blocks, or check them; 1 when one is not current."""
    parser = argparse.ArgumentParser(prog="python -m bench report", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if not current")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("files", type=Path, nargs="*", default=FILES)
    options = parser.parse_args(argv)
    stale = []
    for path in options.files:
        text = path.read_text("utf-8")
        new = filled(text, options.results)
        if new != text:
            stale.append(path)
            if not options.check:
                path.write_text(new, "utf-8")
    for path in stale:
        sys.stdout.write(f"{path}: {'is not current' if options.check else 'written'}\n")
    return int(options.check and bool(stale))
