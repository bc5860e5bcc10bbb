"""What all benchmarks share: figures with their spread, facts of the machine, the JSON files."""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

P = ParamSpec("P")
ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).resolve().parent / "results"
LIBRARIES = ("sqlalchemy", "numpy", "onnxruntime", "tokenizers", "psycopg", "snowballstemmer")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One measured quantity.

    Attributes:
        label: What it is.
        values: One value for each round, at least one; the median stands for the figure.
        unit: Of the values.
        at_most: The bar, where less is better.
        at_least: The bar, where more is better.
        note: What has to be known to read it.
    """

    label: str
    values: Sequence[float]
    unit: str = "ms"
    at_most: float | None = None
    at_least: float | None = None
    note: str | None = None

    @property
    def value(self) -> float:
        """The median of the rounds."""
        return median(self.values)

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None where there is none."""
        if self.at_most is not None:
            return self.value <= self.at_most
        if self.at_least is not None:
            return self.value >= self.at_least
        return None

    def to_dict(self) -> dict[str, Any]:
        """The figure for JSON."""
        facts: dict[str, Any] = {
            "label": self.label,
            "unit": self.unit,
            "median": _short(self.value),
            "min": _short(min(self.values)),
            "max": _short(max(self.values)),
            "rounds": len(self.values),
        }
        extra = {"at_most": self.at_most, "at_least": self.at_least, "met": self.met}
        return facts | {k: v for k, v in (extra | {"note": self.note}).items() if v is not None}

    def __str__(self) -> str:
        facts = self.to_dict()
        bar = ""
        if self.met is not None:
            sign = "<=" if self.at_most is not None else ">="
            limit = self.at_most if self.at_most is not None else self.at_least
            bar = f"   bar {sign} {limit:g}: {'met' if self.met else 'MISSED'}"
        spread = f"({facts['min']:g} to {facts['max']:g}, {facts['rounds']} rounds)"
        return f"{self.label:72} {facts['median']:>9g} {self.unit} {spread}{bar}"


@dataclass(kw_only=True)
class Result:
    """What one benchmark found.

    Attributes:
        name: Of the benchmark; it names the file.
        parameters: Counts and sizes.
        full: Whether the full counts were used.
        figures: The figures, as they come.
        notes: What the figures do not show.
    """

    name: str
    parameters: Mapping[str, Any]
    full: bool
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, figure: Figure) -> None:
        """Keep a figure and show it."""
        self.figures.append(figure)
        sys.stdout.write(f"  {figure}\n")
        sys.stdout.flush()

    def to_dict(self) -> dict[str, Any]:
        """All of it for JSON."""
        return {
            "name": self.name,
            "parameters": dict(self.parameters),
            "full": self.full,
            "figures": [figure.to_dict() for figure in self.figures],
            "notes": self.notes,
        }

    def write(self, path: Path | None) -> None:
        """Write the JSON file with the commit and the machine; None writes nothing."""
        if path is not None:
            write_json(path, self.to_dict())


def write_json(path: Path, facts: Mapping[str, Any]) -> None:
    """Write facts with where they come from: commit, machine, date, command."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps({**facts, **provenance()}, indent=2, ensure_ascii=False)
    path.write_text(f"{content}\n", "utf-8")


def provenance() -> dict[str, Any]:
    """Commit, date, command and machine."""
    return {
        "commit": commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": _command(),
        "machine": machine(),
    }


def _command() -> str:
    """The command line, without the folders of this machine."""
    shared = os.environ.get("BACKSTORY_SHARED")
    words = [word.replace(f"{ROOT}/", "") for word in sys.argv[1:]]
    if shared:
        words = [word.replace(shared, "$BACKSTORY_SHARED") for word in words]
    return " ".join(["python -m bench", *(re.sub(r"(^|=)/.*/", r"\1", word) for word in words)])


def commit() -> str:
    """The commit, with "+changes" if files under src or bench differ from it."""
    found = _output("git", "rev-parse", "--short=12", "HEAD")
    changed = _output("git", "status", "--porcelain", "--", "src", "bench/*.py")
    return (found or "unknown") + ("+changes" if changed else "")


def machine() -> dict[str, Any]:
    """Processor, cores, load, Python and the libraries that matter for speed."""
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "load_before": [round(value, 1) for value in os.getloadavg()],
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "libraries": dict(_versions()),
    }


def _versions() -> Iterator[tuple[str, str]]:
    for name in LIBRARIES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def _cpu() -> str:
    try:
        found = re.search(
            r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE
        )
    except OSError:
        found = None
    return found.group(1) if found else platform.processor() or "unknown"


def _output(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def positive(text: str) -> int:
    """A number of 1 or more from the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def timed(call: Callable[P, object], *args: P.args, **options: P.kwargs) -> float:
    """How many milliseconds one call takes."""
    started = time.perf_counter()
    call(*args, **options)
    return (time.perf_counter() - started) * 1000


def yardstick() -> float:
    """How many milliseconds a fixed piece of work takes now: counting, and reading 16 MB.

    Other guests of the same host slow a virtual machine down without a trace in its load. Beside
    the rounds of a figure, this tells how fast the machine was in that moment.
    """
    return timed(_fixed_work)


def _fixed_work() -> None:
    for _ in range(100_000):
        pass
    _floats().sum()


@cache
def _floats() -> NDArray[np.float32]:
    return np.ones(4 * 2**20, dtype=np.float32)


def percentile(values: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def rate(count: int, call: Callable[P, object], *args: P.args, **options: P.kwargs) -> float:
    """How many a second, when one call deals with ``count``."""
    return count / (timed(call, *args, **options) / 1000)


def _short(value: float) -> float:
    return float(f"{value:.4g}")
