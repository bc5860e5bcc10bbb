"""The wheel holds what it should, and its demo runs where nothing else is installed."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

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


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_demo_runs_from_the_wheel_in_a_bare_environment(wheel: Path, tmp_path: Path) -> None:
    bare, programs = tmp_path / "bare", tmp_path / "bare" / "bin"
    _run(sys.executable, "-m", "venv", "--without-pip", bare)
    pip = (sys.executable, "-m", "pip", "--python", bare, "install", "--no-input", "--no-compile")
    _run(*pip, "--quiet", wheel)
    here = {"HERE": str(tmp_path), "BACKSTORY_HOME": str(tmp_path / "home")}
    origin = _run(programs / "python", "-c", "import backstory; print(backstory.__file__)", **here)
    assert origin.startswith(str(tmp_path))
    assert _run(programs / "backstory", "demo", **here).strip()
