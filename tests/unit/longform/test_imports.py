"""Importing longform loads the standard library only; it works where numpy is not installed."""

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import assert_type

import longform_memory
import pytest

from backstory import longform
from backstory.longform import (
    Fitted,
    KnownThread,
    OwedThread,
    ScoredRow,
    SectionInput,
    ThreadUrgency,
    compare_thread_urgency,
    encode_vector,
    fit_items,
    fit_sections,
    plan_owed_payoff,
    search_top_k,
)

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "longform.md"


def output(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=50, check=True
    )
    return done.stdout.strip()


def test_importing_it_loads_only_the_standard_library() -> None:
    modules = output(
        "import sys; before = set(sys.modules); import backstory.longform; "
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    assert set(modules.split()) - sys.stdlib_module_names == {"backstory"}


def test_few_products_do_not_load_numpy() -> None:
    program = (
        "import sys; from backstory.longform import encode_vector, search_top_k; "
        "rows = [encode_vector([1.0, n]) for n in range({rows})]; "
        "found = search_top_k([1.0] * 2, rows, str, k=3, relative_floor=0); "
        "print('numpy' in sys.modules, [round(hit.score, 6) for hit in found])"
    )
    scores = "[1.0, 0.948683, 0.894427]"
    assert output(program.format(rows=50)) == f"False {scores}"
    # batches of 32 rows of 2 numbers stay below the limit for any number of rows
    assert output(program.format(rows=5_000)) == f"False {scores}"


def test_without_numpy_the_results_are_the_same() -> None:
    program = (
        "import sys; {before}; from backstory.longform import encode_vector, search_top_k; "
        "value = lambda n: (n * 2654435761 % 4294967296) / 2147483648 - 1; "
        "rows = [encode_vector([value(r * 300 + n) for n in range(300)]) for r in range(70)]; "
        "found = search_top_k([value(n) for n in range(300)], rows, str, 9, -1.0, -9.0); "
        "print([(rows.index(hit.row), hit.score) for hit in found]); "
        "print(bool(sys.modules.get('numpy')))"
    )
    with_it = output(program.format(before="pass"))
    without = output(program.format(before="sys.modules['numpy'] = None"))
    assert with_it.splitlines()[1] == "True"
    assert without.splitlines()[1] == "False"
    assert with_it.splitlines()[0] == without.splitlines()[0]


def test_the_names_are_those_of_the_published_package() -> None:
    assert sorted(longform.__all__) == sorted(longform_memory.__all__)
    assert len(longform.__all__) == 37
    assert all(hasattr(longform, name) for name in longform.__all__)


@pytest.mark.parametrize("name", [name for name in longform.__all__ if name[0] != "_"])
def test_each_name_is_documented(name: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.search(rf"^(\| `{name}[`(]|### `{name}[`(])", text, re.MULTILINE)


@pytest.mark.parametrize(
    "name", [name for name in longform.__all__ if inspect.isfunction(getattr(longform, name))]
)
def test_signatures_are_those_of_the_reference(name: str) -> None:
    found = inspect.signature(getattr(longform, name))
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in found.parameters.values()
    ]
    shown = str(found.replace(parameters=parameters, return_annotation=inspect.Signature.empty))
    labels = repr(longform.DEFAULT_THREAD_LABELS)
    wanted = f"{name}{shown}".replace(labels, "DEFAULT_THREAD_LABELS")
    assert f"### `{name}`\n\n```text\n{wanted}\n```" in PAGE.read_text(encoding="utf-8")


def test_types_of_items_are_kept() -> None:
    assert_type(fit_items([1, 2], str, 9), Fitted[int])
    numbers, words = SectionInput([1, 2], str), SectionInput(["a"], str)
    block = fit_sections(entity=numbers, recent=words, skeleton=words, retrieval=numbers)
    assert_type(block.entity.kept, list[int])
    assert_type(block.recent.kept, list[str])
    rows = [(encode_vector([1]), KnownThread("a", "open"))]
    assert_type(
        search_top_k([1], rows, lambda row: row[0]), list[ScoredRow[tuple[str, KnownThread]]]
    )
    assert_type(plan_owed_payoff([], 1, 2), tuple[OwedThread | None, list[OwedThread]])
    key = compare_thread_urgency(ThreadUrgency(1, 2, 3), 4)
    assert_type(key, tuple[int, int, int, int, int])
    assert (block.entity.kept, key) == ([1, 2], (0, 0, 1, 2, 3))
