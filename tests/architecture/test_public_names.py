"""The public names: what is exported is documented, and importing the package loads little."""

import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import backstory

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference" / "api.md"
HEADING = re.compile(r"^#{2,5} `([\w.]+)", re.MULTILINE)
MODULES = [name for name in ("backstory", "backstory.functions") if find_spec(name)]
HEAVY = {
    "alembic", "asyncio", "httpx", "logging", "numpy", "onnxruntime", "pydantic", "psycopg", "rich",
    "snowballstemmer", "sqlalchemy", "sqlite3", "tokenizers", "typer",
}  # fmt: skip


def documented(prefix: str) -> set[str]:
    """The names under a prefix that have a heading in the reference.

    A heading is like ``### `backstory.Memory(url=None, …)```.
    """
    if not REFERENCE.exists():
        pytest.skip("docs/reference/api.md is not written yet")
    names = HEADING.findall(REFERENCE.read_text(encoding="utf-8"))
    found = {name.removeprefix(prefix) for name in names if name.startswith(prefix)}
    return {name for name in found if "." not in name}


@pytest.mark.parametrize("name", MODULES)
def test_public_names_are_documented(name: str) -> None:
    module = import_module(name)
    names = [public for public in module.__all__ if public != "__version__"]
    modules = {other.rpartition(".")[2] for other in MODULES}
    assert documented(f"{name}.") - modules == set(names) - modules


@pytest.mark.parametrize("name", MODULES)
def test_public_names_are_sorted_and_there(name: str) -> None:
    module = import_module(name)
    assert module.__all__ == sorted(set(module.__all__))
    assert [public for public in module.__all__ if not hasattr(module, public)] == []


@pytest.mark.parametrize("name", ["Memory", "Session"])
def test_public_methods_are_documented(name: str) -> None:
    methods = {method for method in vars(getattr(backstory, name)) if not method.startswith("_")}
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
