"""Writes the figures of ``bench/results`` into README and docs, between their markers.

A block begins with ``<!-- bench:NAME -->`` and ends with ``<!-- /bench -->``. NAME is that of a
JSON file, or ``summary`` for every figure that has a bar. A file ``NAME-first.json`` adds the
column of the first scores; a table ``by_kind`` or ``side_by_side`` in a file is the block
``NAME-by-kind`` or ``NAME-side-by-side``. ``--check`` changes nothing and fails when a block is not
current.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.measure import RESULTS, ROOT

_EXPLANATION = ROOT / "docs" / "explanation"
FILES = (
    ROOT / "README.md",
    _EXPLANATION / "benchmarks.md",
    _EXPLANATION / "facts-quality.md",
    _EXPLANATION / "longform.md",
    _EXPLANATION / "longform-compatibility.md",
    _EXPLANATION / "recall.md",
)
_BLOCK = re.compile(r"(<!-- bench:([\w-]+) -->\n).*?(<!-- /bench -->)", re.DOTALL)
_FIRST = "-first"
_TABLES = {"-by-kind": "by_kind", "-side-by-side": "side_by_side"}
_FRAME = {"name", "parameters", "full", "notes", "commit", "date", "command", "machine"}
_FRAME |= set(_TABLES.values())
_HEAD = ("| what | median | lowest to highest | bar | |", "|---|---:|---:|---:|---|")
_NOT_MEASURED = "Not measured yet.\n"


def filled(text: str, results: Path) -> str:
    """The text with every block made anew."""
    return _BLOCK.sub(lambda block: block[1] + table(block[2], results) + block[3], text)


def table(name: str, results: Path) -> str:
    """The figures of one benchmark as Markdown; a figure without its JSON does not count."""
    if name == "summary":
        return _summary(results)
    ending = next((ending for ending in _TABLES if name.endswith(ending)), "")
    path = results / f"{name.removesuffix(ending)}.json"
    if not path.exists():
        return _NOT_MEASURED
    facts = json.loads(path.read_text("utf-8"))
    if ending and _TABLES[ending] not in facts:
        return _NOT_MEASURED
    first = results / f"{name}{_FIRST}.json"
    if ending:
        lines = list(_matrix(facts[_TABLES[ending]]))
    elif first.exists():
        lines = list(_compared(facts, json.loads(first.read_text("utf-8"))))
    elif "figures" in facts:
        lines = [*_HEAD]
        lines += [_row(figure) for figure in facts["figures"]]
    else:
        lines = ["| what | value |", "|---|---:|"]
        lines += [f"| {label} | {value} |" for label, value in _leaves(facts)]
    return "\n".join([*lines, "", _source(facts), ""])


def _summary(results: Path) -> str:
    """Every figure with a bar, and where they come from."""
    paths = [p for p in sorted(results.glob("*.json")) if not p.stem.endswith(_FIRST)]
    found = [json.loads(path.read_text("utf-8")) for path in paths]
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
    bar, met = _bar(figure)
    label = figure["label"].replace("|", "\\|")
    return f"| {label} | {_number(figure['median'])} {unit} | {spread} | {bar} | {met} |"


def _bar(figure: dict[str, Any]) -> tuple[str, str]:
    """The bar of a figure, and whether it is met."""
    bar = ""
    for name, sign in (("at_most", "≤"), ("at_least", "≥")):
        if name in figure:
            bar = f"{sign} {_number(figure[name])} {figure['unit']}"
    return bar, {True: "met", False: "**missed**", None: ""}[figure.get("met")]


def _matrix(rows: dict[str, Any]) -> Iterator[str]:
    """A table as it is: words to the left, numbers to the right."""
    yield _line(rows["columns"])
    yield "|---|" + "---:|" * (len(rows["columns"]) - 1)
    yield from map(_line, rows["rows"])


def _compared(facts: dict[str, Any], first: dict[str, Any]) -> Iterator[str]:
    """Figures beside the first ones, with what they were counted from."""
    before = {f["label"]: f for f in first["figures"]}
    yield _line(["what", "first", "now", "counted", "bar", ""])
    yield "|---|---:|---:|---|---:|---|"
    for figure in facts["figures"]:
        unit = figure["unit"]
        old = before.get(figure["label"])
        was = f"{_number(old['median'])} {unit}".strip() if old else ""
        now = f"{_number(figure['median'])} {unit}".strip()
        yield _line([figure["label"], was, now, figure.get("note", ""), *_bar(figure)])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


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
