"""The public names: what is exported is documented, and importing the package loads little."""

import re
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.main import get_command

import backstory
from backstory.cli import SUMMARIES, load

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
HEADING = re.compile(r"^#{2,5} `(?:backstory\.)?([\w.]+)", re.MULTILINE)
ROW = re.compile(r"^\| `(?:backstory\.)?([\w.]+)", re.MULTILINE)
COMMAND = re.compile(r"^#{2,5} `?(?:backstory )?(\w+)`?$", re.MULTILINE)
MODULES = [name for name in ("backstory", "backstory.functions") if find_spec(name)]
HEAVY = {
    "alembic", "asyncio", "httpx", "logging", "numpy", "onnxruntime", "pydantic", "psycopg", "rich",
    "snowballstemmer", "sqlalchemy", "sqlite3", "tokenizers", "typer",
}  # fmt: skip


def reference(name: str) -> str:
    path = REFERENCE / name
    if not path.exists():
        pytest.skip(f"docs/reference/{name} is not written yet")
    return path.read_text(encoding="utf-8")


def documented(prefix: str) -> tuple[set[str], set[str]]:
    """The names under a prefix that have a heading, and those with a heading or a table row.

    A heading is like ``### `Memory.add(messages, …)```, ``memory.add`` means the same.
    """
    text = re.sub(r"`(memory|session)\.", lambda m: m[0].title(), reference("api.md"))
    found = []
    for pattern in (HEADING, ROW):
        names = [name for name in pattern.findall(text) if name.startswith(prefix)]
        found.append({name.removeprefix(prefix) for name in names})
    headings, rows = ({name for name in names if "." not in name} for names in found)
    return headings, headings | rows


@pytest.mark.parametrize("name", MODULES)
def test_public_names_are_documented(name: str) -> None:
    headings, all_documented = documented("functions." if name.endswith(".functions") else "")
    public = set(import_module(name).__all__) - {"__version__"}
    assert public - all_documented == set()
    assert headings - public - {"functions"} == set()


@pytest.mark.parametrize("name", ["Memory", "Session"])
def test_public_methods_are_documented(name: str) -> None:
    headings, all_documented = documented(f"{name}.")
    methods = {method for method in vars(getattr(backstory, name)) if not method.startswith("_")}
    assert methods - all_documented == set()
    assert headings - methods == set()


def test_commands_and_their_options_are_documented() -> None:
    text = reference("cli.md")
    assert set(SUMMARIES) - set(COMMAND.findall(text)) == set()
    for name in SUMMARIES:
        command = get_command(load(name))
        commands = [command, *getattr(command, "commands", {}).values()]
        options = {o for c in commands for p in c.params for o in p.opts if o.startswith("--")}
        assert [option for option in sorted(options) if option not in text] == []


def test_settings_are_documented() -> None:
    names = {f"BACKSTORY_{field.name.upper()}" for field in fields(backstory.Settings)}
    known = names | {"BACKSTORY_SHARED", "BACKSTORY_BENCH_URL"}
    text = reference("settings.md")
    assert names - set(re.findall(r"BACKSTORY_[A-Z_]*[A-Z]", text)) == set()
    assert set(re.findall(r"BACKSTORY_[A-Z_]*[A-Z]", text)) - known == set()


@pytest.mark.parametrize("name", MODULES)
def test_public_names_are_sorted_and_there(name: str) -> None:
    module = import_module(name)
    assert module.__all__ == sorted(set(module.__all__))
    assert [public for public in module.__all__ if not hasattr(module, public)] == []


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
