"""The recorded cases of the published package, where the folder that holds them is given."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from backstory import longform


def is_deviation(case: dict[str, Any]) -> bool:
    """Whether a recorded outcome is one that deviations.py lists."""
    function, error = case["fn"], case.get("error")
    given = json.dumps(case["args"])
    return (
        (function == "constant" and "__version__" in given)
        or (function == "resolve_thread_deadline" and error == "OverflowError")
        or (function == "plan_thread_ops" and error in ("OverflowError", "ValueError"))
        or (function == "encode_vector" and "$gen" in given)
        or (function == "search_top_k" and re.search(r'"-?inf"|"nan"|\$gen', given) is not None)
    )


@pytest.fixture
def conformance(shared: Path) -> ModuleType:
    """The runner of the cases."""
    path = shared / "conformance" / "conformance.py"
    spec = importlib.util.spec_from_file_location("conformance", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def cases(shared: Path) -> list[dict[str, Any]]:
    path = shared / "conformance" / "longform-cases.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return found


def test_all_well_typed_cases_match(conformance: ModuleType, cases: list[dict[str, Any]]) -> None:
    chosen = [case for case in cases if case["tier"] in ("core", "edge")]
    *_, failures = conformance.check(longform, chosen, tol=1e-9)
    assert [(case["id"], got) for case, got in failures] == []
    assert len(chosen) > 100


def test_of_the_quirks_only_the_listed_differ(
    conformance: ModuleType, cases: list[dict[str, Any]]
) -> None:
    chosen = [case for case in cases if case["tier"] == "quirk"]
    *_, failures = conformance.check(longform, chosen)
    differing = [case for case, _ in failures]
    assert [case["id"] for case in differing if not is_deviation(case)] == []
    assert len(differing) < len(chosen) / 10
