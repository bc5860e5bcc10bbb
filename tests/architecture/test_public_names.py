"""The public names: what is exported is documented, and importing the package loads little."""

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import backstory
from backstory import functions

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference" / "api.md"
HEADING = re.compile(r"^#{2,5} `([\w.]+)", re.MULTILINE)
HEAVY = {
    "alembic", "asyncio", "httpx", "logging", "numpy", "onnxruntime", "pydantic", "psycopg", "rich",
    "snowballstemmer", "sqlalchemy", "sqlite3", "tokenizers", "typer",
}  # fmt: skip


def documented(prefix: str) -> set[str]:
    """The names that a heading of the reference gives, like ``### `backstory.Memory(url, …)```."""
    names = HEADING.findall(REFERENCE.read_text(encoding="utf-8"))
    found = {name.removeprefix(prefix) for name in names if name.startswith(prefix)}
    return {name for name in found if "." not in name}


@pytest.mark.parametrize("module", [backstory, functions], ids=lambda module: module.__name__)
def test_public_names_are_documented(module: ModuleType) -> None:
    names = [name for name in module.__all__ if name != "__version__"]
    assert names == sorted(set(names))
    assert all(hasattr(module, name) for name in names)
    submodules = {"functions"} if module is backstory else set()
    assert documented(f"{module.__name__}.") - submodules == set(names) - submodules


@pytest.mark.parametrize("name", ["Memory", "Session"])
def test_public_methods_are_documented(name: str) -> None:
    methods = {m for m in vars(getattr(backstory, name)) if not m.startswith("_")}
    assert documented(f"backstory.{name}.") == methods


def test_dir_gives_the_public_names() -> None:
    assert set(backstory.__all__) <= set(dir(backstory))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Memmory"):
        backstory.Memmory  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = "import sys, backstory; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True
    )
    loaded = set(done.stdout.split())
    assert "backstory" in loaded
    assert loaded & HEAVY == set()
