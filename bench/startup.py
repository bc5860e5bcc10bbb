"""How long a new process takes until backstory is ready, against its bare libraries."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from backstory import Memory
from backstory.models.local import MODEL_FOLDER
from bench.filled import Conversations, RandomVectors, fill
from bench.latency import USER
from bench.measure import RESULTS, Figure, Result, positive

_IMPORT_BAR_S, _OPEN_BAR, _SEARCH_BAR = 0.25, 1.3, 1.5
_BARE = "import sqlalchemy, numpy"
_MODEL = f"""
import sqlalchemy, numpy, onnxruntime, tokenizers
folder = {str(MODEL_FOLDER)!r}
tokenizers.Tokenizer.from_file(folder + "/tokenizer.json")
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
options.add_session_config_entry("session.x64quantprecision", "1")
onnxruntime.InferenceSession(folder + "/model.onnx", options, providers=["CPUExecutionProvider"])
"""
_OPEN = "from backstory import Memory; memory = Memory({path!r})"
_SEARCH = _OPEN + "; assert len(memory.search({query!r}, user_id={user!r})) == 10"
_READY = "\nimport sys; sys.stdout.write('ready'); sys.stdout.close()"


def run(messages: int, rounds: int, *, warm_up: int = 1) -> Result:
    """Measure pairs of processes, ours and the bare one in turns.

    Args:
        messages: Messages in the file.
        rounds: Pairs of each kind that count.
        warm_up: Pairs of each kind before them, which do not.
    """
    parameters = {"messages": messages, "rounds": rounds}
    result = Result(name="startup", parameters=parameters, full=messages >= 10_000)
    result.notes.append(
        "Time from starting the process until it writes its first byte; bytecode is cached. The "
        "bare model is loaded with the options that it is used with."
    )
    with tempfile.TemporaryDirectory(prefix="backstory-bench-") as folder:
        path = str(Path(folder) / "memory.db")
        with Memory(path, embedder=RandomVectors()) as memory:
            fill(memory, USER, Conversations().turns(messages))
        query = Conversations(seed=5).queries(1)[0]
        ours = {
            "import backstory": "import backstory",
            "Memory(path) on a current file": _OPEN.format(path=path),
            f"first search, {messages:,} messages": _SEARCH.format(
                path=path, query=query, user=USER
            ),
        }
        bare = ("pass", _BARE, _MODEL)
        names = ("an empty program", "import sqlalchemy, numpy", "these, and loading the model")
        bars = (None, _OPEN_BAR, _SEARCH_BAR)
        for (label, program), other, name, bar in zip(ours.items(), bare, names, bars, strict=True):
            pairs = [(seconds(other), seconds(program)) for _ in range(warm_up + rounds)]
            _pair(result, label, pairs[warm_up:], name, bar)
    return result


def _pair(
    result: Result, label: str, pairs: Sequence[tuple[float, float]], name: str, bar: float | None
) -> None:
    result.add(Figure(label=name, values=[pair[0] for pair in pairs], unit="s"))
    result.add(Figure(label=label, values=[pair[1] for pair in pairs], unit="s"))
    if bar is None:
        alone = [with_it - without for without, with_it in pairs]
        what = f"{label}, more than {name}"
        result.add(Figure(label=what, values=alone, unit="s", at_most=_IMPORT_BAR_S))
    else:
        ratios = [with_it / without for without, with_it in pairs]
        result.add(
            Figure(label=f"{label}, ratio to {name}", values=ratios, unit="times", at_most=bar)
        )


def seconds(program: str) -> float:
    """How long a new Python takes until the program is done, its own start included.

    Raises:
        RuntimeError: The program failed.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", program + _READY],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    with process:
        ready = process.stdout.read(1) if process.stdout else b""
        took = time.perf_counter() - started
        _, errors = process.communicate()
    if process.returncode or not ready:
        raise RuntimeError(errors.decode())
    return took


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench startup", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--rounds", type=positive)
    parser.add_argument("--out", type=Path, help="default: bench/results/startup.json if --full")
    options = parser.parse_args(argv)
    rounds = options.rounds or (15 if options.full else 5)
    result = run(10_000 if options.full else 500, rounds)
    result.write(options.out or (RESULTS / "startup.json" if options.full else None))
    return int(options.full and any(figure.met is False for figure in result.figures))
