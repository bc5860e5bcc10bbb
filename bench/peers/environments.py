"""An environment of its own for each peer, kept in a cache folder and never in the repository."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from bench.peers.known import OUR_EMBEDDER, Peer

_INSTALL_S = 1200
_STAMP = "installed.json"


class PeerError(Exception):
    """A peer cannot be installed, or its process failed; the message says why."""


def default_cache() -> Path:
    """Where environments are kept unless another folder is named."""
    return platformdirs.user_cache_path("backstory") / "bench-peers"


def python_of(peer: Peer, cache: Path) -> Path:
    """The interpreter of a peer's environment, made and filled if it is not there yet.

    Raises:
        PeerError: It cannot be made or filled.
    """
    if not peer.requirements:
        return Path(sys.executable)
    folder = cache / peer.package
    python = folder / "bin" / "python"
    wanted = [*peer.requirements, *OUR_EMBEDDER]
    if _read(folder / _STAMP) != wanted:
        sys.stdout.write(f"  installing {peer.package} into {folder.name}\n")
        sys.stdout.flush()
        _run([sys.executable, "-m", "venv", "--clear", str(folder)])
        quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
        _run([str(python), "-m", "pip", "install", *quiet, *wanted])
        (folder / _STAMP).write_text(json.dumps(wanted), "utf-8")
    return python


def version_of(peer: Peer, python: Path) -> str:
    """The installed version of a peer.

    Raises:
        PeerError: The interpreter cannot say.
    """
    program = f"from importlib.metadata import version; print(version({peer.package!r}))"
    return _run([str(python), "-c", program]).strip()


def _read(path: Path) -> object:
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_INSTALL_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PeerError(str(error)) from error
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        last = (said or done.stderr.splitlines() or ["it gave no reason"])[-1]
        raise PeerError(last.strip()[:300])
    return done.stdout
