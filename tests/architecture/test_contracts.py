"""Each import rule of pyproject.toml holds, and is seen to fail on code that breaks it."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")

# By contract: pairs of (module that gets an import, what it imports) that break it.
VIOLATIONS = {
    "layers": [
        ("core.violation1", "backstory.api"),
        ("errors", "backstory.core"),
        ("packing.violation10", "backstory.core"),
        ("language.violation2", "backstory.ports"),
        ("longform.violation11", "backstory.core"),
        ("ports.violation3", "backstory.services"),
        ("services.violation4", "backstory.storage"),
        ("threads", "backstory.ports"),
        ("storage.violation5", "backstory.models"),
        ("models.violation6", "backstory.services"),
        ("services.violation7", "backstory.jobs"),
        ("jobs.violation8", "backstory.api"),
        ("api.violation9", "backstory.cli"),
    ],
    "acyclic": [
        ("storage.engines.violation1", "backstory.storage.violation2"),
        ("storage.violation2", "backstory.storage.engines.violation1"),
    ],
    "pure": [
        ("core.violation1", "os"),
        ("core.violation2", "time"),
        ("core.violation3", "random"),
        ("core.violation4", "asyncio"),
        ("core.violation5", "logging"),
        ("core.violation6", "sqlalchemy"),
        ("core.violation7", "pydantic"),
        ("language.violation8", "io"),
        ("longform.violation9", "os"),
    ],
    "core-only-numpy": [("core.violation1", "snowballstemmer")],
    "packing-alone": [("packing.violation1", "numpy")],
    "longform-alone": [("longform.violation1", "numpy")],
    "facade": [
        ("cli.violation1", "backstory.services"),
        ("cli.violation2", "backstory.storage"),
        ("cli.violation3", "backstory.core"),
        ("cli.violation4", "backstory.ports"),
        ("cli.violation5", "backstory.testing"),
    ],
    "sqlalchemy": [("services.violation1", "sqlalchemy"), ("api.violation2", "sqlalchemy")],
    "alembic": [("services.violation1", "alembic")],
    "drivers": [
        ("storage.violation1", "psycopg"),
        ("storage.violation2", "sqlite3"),
        ("cli.violation3", "sqlite3"),
    ],
    "graph-drivers": [("services.violation1", "neo4j"), ("storage.violation2", "neo4j")],
    "queue": [("jobs.violation1", "procrastinate"), ("storage.violation2", "procrastinate")],
    "model-libraries": [
        ("services.violation1", "onnxruntime"),
        ("api.violation2", "tokenizers"),
        ("ports.violation3", "pydantic_ai"),
    ],
    "terminal": [("api.violation1", "rich"), ("services.violation2", "typer")],
    "language-libraries": [
        ("services.violation1", "snowballstemmer"),
        ("api.violation2", "vaderSentiment"),
        ("language.violation3", "vaderSentiment"),
        ("core.violation4", "cronsim"),
    ],
    "book-libraries": [("core.violation1", "bs4"), ("services.violation2", "markdown_it")],
}


def _lint(folder: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    options = [f"--contract={contract}" for contract in contracts]
    return subprocess.run(
        [str(LINT_IMPORTS), "--no-logo", "--no-cache", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"},  # names of contracts fit
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
    )


def _copy(folder: Path) -> Path:
    """A copy of the package that can be broken."""
    ignore = shutil.ignore_patterns("__pycache__", "data")
    shutil.copytree(ROOT / "src" / "backstory", folder / "backstory", ignore=ignore)
    shutil.copy2(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy for one test."""
    return _copy(tmp_path)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is said of each contract, by its id, where all but cycles are broken at once."""
    folder = _copy(tmp_path_factory.mktemp("broken"))
    chosen = {contract: cases for contract, cases in VIOLATIONS.items() if contract != "acyclic"}
    for importer, imported in (case for cases in chosen.values() for case in cases):
        _add_import(folder, importer, imported)
    done = _lint(folder, *chosen)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"0 kept, {len(chosen)} broken" in done.stdout
    # each has its name as a heading, underlined
    parts = re.split(r"^(.+)\n-+$", done.stdout, flags=re.MULTILINE)
    said = dict(zip(parts[1::2], parts[2::2], strict=True))
    names = {contract["id"]: contract["name"] for contract in _contracts()}
    return {contract: said[names[contract]] for contract in chosen}


def _contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return contracts


def test_every_contract_has_violations() -> None:
    assert {contract["id"] for contract in _contracts()} == set(VIOLATIONS)


def test_the_package_keeps_every_contract(copy: Path) -> None:
    done = _lint(copy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(VIOLATIONS)} kept, 0 broken" in done.stdout


@pytest.mark.parametrize("contract", [name for name in VIOLATIONS if name != "acyclic"])
def test_violations_break_their_contract(broken: dict[str, str], contract: str) -> None:
    missed = [
        f"{importer} -> {imported}"
        for importer, imported in VIOLATIONS[contract]
        if f"backstory.{importer} -> {imported} (l." not in broken[contract]
    ]
    assert missed == [], broken[contract]


def test_a_cycle_breaks_its_contract(copy: Path) -> None:
    for importer, imported in VIOLATIONS["acyclic"]:
        _add_import(copy, importer, imported)
    done = _lint(copy, "acyclic")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "0 kept, 1 broken" in done.stdout


def test_a_package_without_a_layer_breaks_the_layers(copy: Path) -> None:
    (copy / "backstory" / "unplanned").mkdir()
    _add_import(copy, "unplanned.__init__", "backstory.errors")
    done = _lint(copy, "layers")
    assert done.returncode == 1
    assert "unplanned" in done.stdout


def _add_import(folder: Path, importer: str, imported: str) -> None:
    path = folder.joinpath("backstory", *importer.split(".")).with_suffix(".py")
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(f"{before}\nimport {imported}\n", encoding="utf-8")


def _impure(text: str) -> list[str]:
    """Uses of files and of the network that need no import of a forbidden module."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            roots = {alias.name for alias in node.names}
            found += sorted(roots & {"pathlib", "urllib", "urllib.request"})
        elif isinstance(node, ast.ImportFrom) and node.module == "pathlib":
            found += [a.name for a in node.names if not a.name.startswith("Pure")]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("urllib"):
            found += [] if node.module == "urllib.parse" else [str(node.module)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found += [node.func.id] if node.func.id in {"open", "print", "input"} else []
    return found


@pytest.mark.parametrize(
    "text",
    [
        "import pathlib",
        "from pathlib import Path",
        "import urllib.request",
        "from urllib import request",
        "from urllib.request import urlopen",
        "open('x')",
        "print(1)",
    ],
)
def test_impure_code_is_seen(text: str) -> None:
    assert _impure(text)


def test_pure_layers_touch_no_file_and_no_network() -> None:
    found = {
        str(path.relative_to(ROOT)): impure
        for layer in ("core", "longform", "language", "packing")
        for path in (ROOT / "src" / "backstory" / layer).rglob("*.py")
        if (impure := _impure(path.read_text(encoding="utf-8")))
    }
    assert found == {}
