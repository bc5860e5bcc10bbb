"""A peer in a process of its own: one line of JSON in, one out, each with a time limit."""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any, Self

from bench.measure import ROOT
from bench.peers.environments import PeerError
from bench.peers.known import Peer

_REQUEST_S = 900.0
_END_S = 10.0
_OFFLINE = {
    "ANONYMIZED_TELEMETRY": "False",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "MEM0_TELEMETRY": "False",
    "OTEL_SDK_DISABLED": "true",
    "TRANSFORMERS_OFFLINE": "1",
}


class PeerProcess:
    """Starts a peer's program in its environment; ends with the ``with`` block.

    It gets no key, a home folder of its own that is removed, and may not connect to anything.
    """

    def __init__(self, peer: Peer, python: Path, limit_s: float = _REQUEST_S) -> None:
        """Prepare a process.

        Args:
            peer: Which.
            python: The interpreter of its environment.
            limit_s: Seconds for each request; then the process is killed.
        """
        self._peer, self._python, self._limit_s = peer, python, limit_s

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="backstory-peer-")
        home = Path(self._folder.name)
        self._log = (home / "stderr.txt").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [str(self._python), "-m", "bench.peers.programs.serve", self._peer.program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            cwd=home,
            env=self._environment(home),
            text=True,
            start_new_session=True,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()
        self._folder.cleanup()

    def open(self) -> list[float]:
        """Start the memory, and give the vector of a probe, to compare with ours.

        Raises:
            PeerError: It failed, or took too long.
        """
        options = {**self._peer.options, "folder": self._folder.name}
        vector: list[float] = self._ask("open", options=options)["vector"]
        return vector

    def add(self, user: str, turns: Sequence[dict[str, Any]]) -> float:
        """Store turns, and give the seconds it took in there.

        Raises:
            PeerError: It failed, or took too long.
        """
        return float(self._ask("add", user=user, turns=turns)["seconds"])

    def search(self, user: str, query: str, limit: int) -> tuple[list[str], float]:
        """The ids of the best turns, best first, and the seconds it took in there.

        Raises:
            PeerError: It failed, or took too long.
        """
        found = self._ask("search", user=user, query=query, limit=limit)
        return found["ids"], float(found["seconds"])

    def _ask(self, call: str, **arguments: object) -> dict[str, Any]:
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        if pipe_in is None or pipe_out is None:
            message = "the process has no pipes"
            raise PeerError(message)
        timer = Timer(self._limit_s, self._kill)
        timer.start()
        try:
            pipe_in.write(json.dumps({"call": call, **arguments}) + "\n")
            pipe_in.flush()
            line = pipe_out.readline()
        except OSError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            raise PeerError(self._why(call))
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            message = f"{call} failed: {answer['error']}"
            raise PeerError(message)
        return answer

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _why(self, call: str) -> str:
        self._log.flush()
        text = (Path(self._folder.name) / "stderr.txt").read_text("utf-8", errors="replace")
        last = (text.strip().splitlines() or ["it said nothing"])[-1]
        return f"{call} was not answered within {self._limit_s:g} s, or it ended: {last[:300]}"

    def _environment(self, home: Path) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}
        kept |= {name: value for name, value in os.environ.items() if name.startswith("OPENBLAS_")}
        places = {"HOME": str(home), "MEM0_DIR": str(home / "mem0"), "TMPDIR": str(home)}
        path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
        return kept | _OFFLINE | places | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
