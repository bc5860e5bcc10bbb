"""The console script as a process: streams, exit codes, interruptions, locales, start-up.

Where only the way that a process ends is tested, it is a fork of one that has the library loaded.
"""

import json
import os
import pty
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from backstory import Memory, __version__
from tools import forked

SCRIPT = str(Path(sys.executable).with_name("backstory"))
PROGRAM = """
import sys
from backstory.cli import main
sys.argv[0] = "backstory"
sys.exit(main())
"""
PATIENCE_S = 120
"""Of a slow machine that is busy with other things."""

pytestmark = pytest.mark.timeout(2 * PATIENCE_S)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSTORY_EMBEDDER", "none")
    for name in ("COLUMNS", "FORCE_COLOR", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)


def run(*args: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Run the script."""
    return subprocess.run(
        [SCRIPT, *map(str, args)],
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
        stdin=subprocess.DEVNULL,
    )


ONE_AFTER_ANOTHER = """
import json, sys
from backstory.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["backstory", *words]
    print("exit code", main(), flush=True)
"""


def one_after_another(commands: list[list[str]], **environment: str) -> list[str]:
    """Commands in one process: each new one spends more on its start than on its command."""
    names = [f"{name}={value}" for name, value in environment.items()]
    return ["env", *names, sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(commands)]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that the tests only read."""
    path = tmp_path_factory.mktemp("store") / "chat.db"
    with Memory(path, embedder=None) as memory:
        said = [f"Bread number {n}, baked in Malmö. 🍞" for n in range(2000)]
        memory.add(said, user_id="vera", infer=False)
    return path


def test_exit_codes_and_streams(store: Path, tmp_path: Path) -> None:
    users = run("users", "-u", store, "--json")
    assert (users.returncode, users.stderr) == (0, b"")
    assert json.loads(users.stdout)[0]["messages"] == 2000
    given = ("context", "x", "--user", "vera", "-u", str(store), "--timezone", "Mars/Base")
    failed = forked.run(PROGRAM, *given)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr.startswith("backstory: ")
    assert failed.stderr.count("\n") == 1
    assert forked.run(PROGRAM, "users", "--nonsense").returncode == 2
    assert forked.run(PROGRAM, "users", "-u", str(tmp_path / "none.db")).returncode == 3
    module = subprocess.run(
        [sys.executable, "-m", "backstory", "--version"], capture_output=True, text=True, check=True
    )
    assert module.stdout == f"backstory {__version__}\n"


@pytest.mark.parametrize("command", ["search", "context"])
def test_a_closed_pipe_is_quiet(store: Path, command: str) -> None:
    size = ["-k", "2000"] if command == "search" else ["-t", "100000"]
    process = forked.start(PROGRAM, command, "bread", "--user", "vera", "-u", str(store), *size)
    process.stdout.readline()
    process.stdout.close()
    # A context that fits into the pipe was written whole before the reader went away.
    ended = process.finish()
    assert ended.returncode in ({141} if command == "search" else {0, 141})
    assert ended.stderr == ""


CLOSED = """
import sys
from backstory.cli import main
said = sys.stderr
sys.stdin = sys.stdout = sys.stderr = None
sys.argv[0] = "backstory"
said.write(f"exit code {main()}")
"""


@pytest.mark.parametrize("command", ["users", "search bread --user vera", "chat --user vera"])
def test_closed_streams_are_empty_streams(store: Path, command: str) -> None:
    ended = forked.run(CLOSED, *command.split(), "-u", str(store))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "exit code 0")


def test_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    given = ("add", "--file", "-", "--session", "s", "--user", "vera", "-u", str(path))
    process = forked.start(PROGRAM, *given)
    process.stdin.writelines(f'{{"role": "user", "content": "line {n}"}}\n' for n in range(64))
    process.stdin.flush()
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and not _stored(path):
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    ended = process.finish()
    assert ended.returncode == 130
    assert "Traceback" not in ended.stderr
    assert "Run the same command again" in ended.stderr
    assert _stored(path) == 64


def _stored(path: Path) -> int:
    if not path.exists() or not path.stat().st_size:
        return 0
    with Memory(path, embedder=None) as memory:
        return memory.get_all(user_id="vera", limit=1).total


def test_a_terminal_gets_colours_and_no_stored_sequence(tmp_path: Path) -> None:
    path = tmp_path / "chat.db"
    with Memory(path, embedder=None) as memory:
        memory.add("bread \x1b[31mred\x1b]0;title\x07 [bold]x[/]", user_id="vera")
    master, slave = pty.openpty()
    os.set_blocking(master, False)
    given = ["--user", "vera", "-u", str(path), "bread"]
    asked = [["search", *given], ["context", *given]]
    with open(master, "rb", buffering=0) as terminal:  # noqa: PTH123
        subprocess.run(
            one_after_another(asked, TERM="xterm-256color"),
            stdout=slave,
            stderr=slave,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE_S,
            check=True,
        )
        seen = b"".join(iter(lambda: terminal.read(65_536), None))
    os.close(slave)
    searched, context, rest = seen.split(b"exit code 0\r\n")
    assert rest == b""
    for shown in (searched, context):
        assert b"\x1b[31m" not in shown
        assert b"\x1b]" not in shown
        assert b"[bold]x[/]" in shown
        assert b"\x1b[1" in shown
    assert b"of 3,200 tokens" in context


def test_output_that_cannot_be_written(store: Path) -> None:
    full = "import os\nos.dup2(os.open('/dev/full', os.O_WRONLY), 1)\n"
    done = forked.run(full + PROGRAM, "users", "-u", str(store))
    assert done.returncode == 1
    assert done.stderr == "backstory: reading or writing failed (No space left on device)\n"


def test_a_terminal_without_unicode(store: Path) -> None:
    ascii_only = {"LANG": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "TERM": "dumb"}
    of_vera = ["Malmö", "--user", "vera", "-u", str(store)]
    asked = [
        ["search", *of_vera, "-k", "1"],
        ["demo", "--embedder", "none"],
        ["--help"],
        ["doctor", "-u", str(store)],
        ["search", "--help"],
        ["context", *of_vera],
    ]
    done = subprocess.run(
        one_after_another(asked, **ascii_only),
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    searched, demo, *others, context, rest = done.stdout.split(b"exit code 0\n")
    assert rest == b""
    assert b"".join((searched, demo, *others)).isascii()
    assert b"baked in Malm?. ?" in searched
    assert b"of 300 tokens ok" in demo
    assert all(others)
    assert len(others) == 3
    assert "baked in Malmö. 🍞" in context.decode()  # what a program reads is never changed


@pytest.mark.parametrize(("option", "limit_s"), [("--version", 1.5), ("--help", 3.0)])
def test_start_up(option: str, limit_s: float) -> None:
    """A limit of sanity, in processor time: five times what it takes on a quiet machine."""

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    times = []
    for _ in range(3):
        before = spent()
        assert run(option).returncode == 0
        times.append(spent() - before)
    assert min(times) <= limit_s


def test_commands_are_loaded_when_they_run() -> None:
    code = (
        "import sys; from backstory.cli import main; sys.argv = ['backstory', '--help']; main();"
        "print([m for m in sys.modules if m.startswith(('backstory.api', 'backstory.cli.commands',"
        " 'numpy', 'sqlalchemy'))], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
