"""The wheel holds what it should, and its demo runs beside what it requires and nothing else."""

import os
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "backstory"


def _run(*command: str | Path, **environment: str) -> str:
    """Run a program without the variables that lead it back to this environment."""
    unwanted = ("PYTHON", "VIRTUAL_ENV", "BACKSTORY_")
    kept = {name: v for name, v in os.environ.items() if not name.startswith(unwanted)}
    done = subprocess.run(
        [str(part) for part in command],
        env={**kept, **environment},
        cwd=environment.get("HERE", ROOT),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ("-m", "build", "--wheel", "--no-isolation", "--outdir")
    _run(sys.executable, *build, folder, ROOT)
    (path,) = folder.glob("backstory-*-py3-none-any.whl")
    return path


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    expected = {
        f"backstory/{path.relative_to(PACKAGE).as_posix()}"
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if ".dist-info/" not in name} == expected
    assert {"backstory/py.typed", "backstory/data/minilm/model.onnx"} <= names
    licences = {name.partition("/licenses/")[2] for name in names if "/licenses/" in name}
    assert {"LICENSE", "src/backstory/data/minilm/LICENSE"} <= licences


def _required(found: Distribution) -> set[str]:
    """The names of what a distribution requires, and of what that requires in turn."""
    waiting, seen = [(found, frozenset({""}))], set[tuple[str, frozenset[str]]]()
    while waiting:
        found, extras = waiting.pop()
        for wanted in map(Requirement, found.requires or ()):
            marker = wanted.marker
            if marker is not None and not any(marker.evaluate({"extra": e}) for e in extras):
                continue
            needed = distribution(wanted.name)
            assert wanted.specifier.contains(needed.version, prereleases=True), str(wanted)
            step = (wanted.name, frozenset({"", *wanted.extras}))
            if step not in seen:
                seen.add(step)
                waiting.append((needed, step[1]))
    return {name for name, _ in seen}


def _link(name: str, folder: Path) -> None:
    """Put links to the files of an installed distribution into a folder."""
    found = distribution(name)
    for first in {path.parts[0] for path in found.files or ()} - {"..", "__pycache__"}:
        link = folder / first
        if not link.exists():
            link.symlink_to(Path(str(found.locate_file(first))))


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_demo_runs_from_the_wheel_in_a_bare_environment(wheel: Path, tmp_path: Path) -> None:
    """What it requires is linked from this environment: to install it anew takes long."""
    bare, programs = tmp_path / "bare", tmp_path / "bare" / "bin"
    _run(sys.executable, "-m", "venv", "--without-pip", bare)
    pip = (sys.executable, "-m", "pip", "--python", bare, "install", "--no-input", "--no-compile")
    _run(*pip, "--quiet", "--no-deps", "--no-index", wheel)
    (information,) = bare.glob("lib/*/site-packages/backstory-*.dist-info")
    for name in _required(PathDistribution(information)):
        _link(name, information.parent)
    here = {"HERE": str(tmp_path), "BACKSTORY_HOME": str(tmp_path / "home")}
    # without the libraries of the model the demo works, too, but searches by words only
    shown = "import onnxruntime, tokenizers, backstory; print(backstory.__file__)"
    origin = _run(programs / "python", "-c", shown, **here)
    assert origin.startswith(str(tmp_path))
    assert _run(programs / "backstory", "demo", **here).strip()
