"""The console script as a process: streams, exit codes, interruptions, locales, start-up."""

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

SCRIPT = str(Path(sys.executable).with_name("backstory"))


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSTORY_EMBEDDER", "none")
    for name in ("COLUMNS", "FORCE_COLOR", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)


def run(*args: str | Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run the script; keywords are put into its environment."""
    changes = ["env", *(f"{name}={value}" for name, value in more.items())] if more else []
    return subprocess.run(
        [*changes, SCRIPT, *map(str, args)],
        capture_output=True,
        timeout=50,
        check=False,
        stdin=subprocess.DEVNULL,
    )


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
    failed = run("context", "x", "--user", "vera", "-u", store, "--timezone", "Mars/Base")
    assert (failed.returncode, failed.stdout) == (1, b"")
    assert failed.stderr.startswith(b"backstory: ")
    assert failed.stderr.count(b"\n") == 1
    assert run("users", "--nonsense").returncode == 2
    assert run("users", "-u", tmp_path / "none.db").returncode == 3
    module = subprocess.run(
        [sys.executable, "-m", "backstory", "--version"], capture_output=True, text=True, check=True
    )
    assert module.stdout == f"backstory {__version__}\n"


@pytest.mark.parametrize("command", ["search", "context"])
def test_a_closed_pipe_is_quiet(store: Path, command: str) -> None:
    size = ["-k", "2000"] if command == "search" else ["-t", "100000"]
    process = subprocess.Popen(
        [SCRIPT, command, "bread", "--user", "vera", "-u", str(store), *size],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    # A context that fits into the pipe was written whole before the reader went away.
    assert process.wait(30) in ({141} if command == "search" else {0, 141})


def test_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    process = subprocess.Popen(
        [SCRIPT, "add", "--file", "-", "--session", "s", "--user", "vera", "-u", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    lines = b"".join(b'{"role": "user", "content": "line %d"}\n' % n for n in range(64))
    process.stdin.write(lines)
    process.stdin.flush()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not _stored(path):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert b"Run the same command again" in errors
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
    with open(master, "rb", buffering=0) as terminal:  # noqa: PTH123
        for command in ("search", "context"):
            done = subprocess.run(
                ["env", "TERM=xterm-256color", SCRIPT, command, *given],
                stdout=slave,
                stderr=slave,
                stdin=subprocess.DEVNULL,
                timeout=50,
                check=True,
            )
            assert done.returncode == 0
            shown = b"".join(iter(lambda: terminal.read(65_536), None))
            assert b"\x1b[31m" not in shown
            assert b"\x1b]" not in shown
            assert b"[bold]x[/]" in shown
            assert b"\x1b[1" in shown
        assert b"of 3,200 tokens" in shown
    os.close(slave)


def test_output_that_cannot_be_written(store: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [SCRIPT, "users", "-u", str(store)],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=50,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == b"backstory: reading or writing failed (No space left on device)\n"


ONE_AFTER_ANOTHER = """
import json, sys
from backstory.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["backstory", *words]
    print("exit code", main(), flush=True)
"""


def test_a_terminal_without_unicode(store: Path) -> None:
    """In one process: each new one spends more on its start than on its command."""
    ascii_only = {"LANG": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "TERM": "dumb"}
    of_vera = ["Malmö", "--user", "vera", "-u", str(store)]
    asked = [
        ["search", *of_vera, "-k", "1"],
        ["demo", "--embedder", "none"],
        ["--help"],
        ["doctor", "-u", str(store)],
        ["search", "--help"],
    ]
    names = [f"{name}={value}" for name, value in ascii_only.items()]
    done = subprocess.run(
        ["env", *names, sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(asked)],
        capture_output=True,
        timeout=50,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    searched, demo, *others = done.stdout.split(b"exit code 0\n")
    assert b"baked in Malm?. ?" in searched
    assert b"of 300 tokens ok" in demo
    assert [bool(other) for other in others] == [True, True, True, False]
    context = run("context", *of_vera, **ascii_only)
    assert "baked in Malmö. 🍞" in context.stdout.decode()


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
