"""Facts are written in one place: who may call the writer, and who the store's change."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "src" / "backstory"

# By method of ``FactWriter``: the modules that call it. A new caller states, changes or takes back
# facts: it has to be looked at before it is listed here.
WRITERS = {
    "write": {
        "services/facts/curating.py",
        "services/moving/foreign_import.py",
        "services/understanding.py",
    },
    "apply": {
        "services/consolidating/daily.py",
        "services/facts/contradictions.py",
        "services/facts/curating.py",
        "services/facts/writer.py",
    },
    "observe": {"services/understanding.py"},
}
# Whoever changes rows of facts: erasing and moving a whole memory are no statements.
CHANGERS = {
    "change": {"services/facts/writer.py"},
    "erase": {"services/facts/curating.py"},
}
GATE = {
    "services/facts/writer.py",
    "services/facts/curating.py",
    "services/moving/foreign_import.py",
}


def _calls(text: str) -> set[tuple[str | None, str]]:
    """Each call: the name of what it is called on (None: of a plain function), and its own."""
    called = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return {
        (_last(one.value), one.attr) if isinstance(one, ast.Attribute) else (None, one.id)
        for one in called
        if isinstance(one, ast.Attribute | ast.Name)
    }


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


@cache
def _calls_by_module() -> dict[str, set[tuple[str | None, str]]]:
    """The calls of each module, by its path in the package."""
    return {
        str(path.relative_to(ROOT)): _calls(path.read_text(encoding="utf-8"))
        for path in ROOT.rglob("*.py")
    }


def _callers(owners: set[str], method: str) -> set[str]:
    return {
        path
        for path, calls in _calls_by_module().items()
        if not path.startswith("testing/")
        if any(method == called and owner in owners for owner, called in calls)
    }


def _callers_of(function: str) -> set[str]:
    return {path for path, calls in _calls_by_module().items() if (None, function) in calls}


@pytest.mark.parametrize(("method", "modules"), WRITERS.items(), ids=WRITERS)
def test_the_callers_of_the_writer_are_known(method: str, modules: set[str]) -> None:
    named = _callers({"_writer", "writer", "fact_writer", "_fact_writer"}, method)
    own = _callers({"self"}, method) & {"services/facts/writer.py"}
    assert named | own == modules


@pytest.mark.parametrize(("method", "modules"), CHANGERS.items(), ids=CHANGERS)
def test_the_callers_of_the_store_are_known(method: str, modules: set[str]) -> None:
    assert _callers({"facts", "_facts", "fact_store"}, method) & _services() == modules


def test_the_callers_of_the_gate_are_known() -> None:
    """Where claims become rows; before it, a value by hand and a foreign memory are only tried."""
    assert _callers_of("admit") == GATE


def test_what_a_model_found_beside_claims_has_one_way_in() -> None:
    """Through the gate, into the transaction of the writer of facts."""
    recording = {"services/facts/recording.py"}
    assert _callers_of("admit_found") == recording
    assert _callers_of("plan_found") == recording
    assert _callers({"_recorder", "recorder"}, "admit") == {"services/facts/writer.py"}


def test_only_bootstrap_makes_a_writer() -> None:
    made = {path.partition("/")[0] for path in _callers_of("FactWriter")}
    assert {name.removesuffix(".py") for name in made} == {"bootstrap"}


@pytest.mark.parametrize(
    "text", ["self._writer.write(1)", "async def f():\n    await x.fact_writer.write(scope, [])"]
)
def test_a_call_is_seen(text: str) -> None:
    assert {method for _, method in _calls(text)} == {"write"}
    assert {owner for owner, _ in _calls(text)} <= {"_writer", "fact_writer"}


def _services() -> set[str]:
    return {path for path in _calls_by_module() if path.startswith("services/")}
