"""The checks of sizes and words can fail."""

import pytest

from tools.check_size import problems as size_problems
from tools.check_size import read_allowed
from tools.check_words import problems as word_problems


def _lines(count: int, indent: str = "") -> str:
    return "".join(f"{indent}x{number} = 0\n" for number in range(count))


LONG_FUNCTION = "def long():\n" + _lines(60, "    ")
LONG_CLASS = "class Long:\n" + _lines(300, "    ")
LONG_METHOD = "class Short:\n    async def long(self):\n" + _lines(60, "        ")


@pytest.mark.parametrize(
    ("text", "place", "lines"),
    [
        (_lines(401), "a.py", 401),
        (LONG_FUNCTION, "a.py::long", 61),
        (LONG_CLASS, "a.py::Long", 301),
        (LONG_METHOD, "a.py::Short.long", 61),
        ("if True:\n    def long():\n" + _lines(60, "        "), "a.py::long", 61),
    ],
)
def test_names_what_is_too_long(text: str, place: str, lines: int) -> None:
    assert [p.split(",")[0] for p in size_problems({"a.py": text}, {})] == [
        f"{place}: {lines} lines"
    ]
    assert size_problems({"a.py": text}, {place: lines}) == []


def test_accepts_what_is_at_the_limit() -> None:
    function = "def f():\n" + _lines(59, "    ")
    klass = "class C:\n" + _lines(299, "    ")
    assert size_problems({"a.py": function, "b.py": klass, "c.py": _lines(400)}, {}) == []


def test_the_docstring_of_a_function_is_free() -> None:
    documented = 'def f():\n    """Say.\n' + "    more\n" * 80 + '    """\n'
    assert size_problems({"a.py": documented + _lines(59, "    ")}, {}) == []
    found = size_problems({"a.py": documented + _lines(60, "    ")}, {})
    assert found == ["a.py::f: 61 lines, at most 60 are allowed"]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("a.py::long 62", "the allow-list says 62"),
        ("a.py::long 60", "the allow-list says 60"),
        ("a.py 61", "take it off"),
        ("gone.py 500", "does not exist"),
    ],
)
def test_the_allow_list_only_shrinks(entry: str, reason: str) -> None:
    allowed = read_allowed(f"# a comment\n\n{entry}\n")
    found = size_problems({"a.py": LONG_FUNCTION}, allowed)
    assert any(reason in problem for problem in found)


@pytest.mark.parametrize(
    "line",
    [
        'open("/{}/x")'.format("tmp"),
        "see /{}/main/README.md".format("work"),
        "# {}: later".format("TO" + "DO"),
        "<<<<<<< HEAD",
        "fixes {} 12".format("issue"),
    ],
)
def test_names_banned_words(line: str) -> None:
    assert len(list(word_problems("a.py", f"fine\n{line}\n"))) == 1


@pytest.mark.parametrize(
    "line",
    ["https://example.org/home/page", "~/.cache/tmp/x", "tmp_path / 'x'", "the issue is 12 files"],
)
def test_accepts_other_words(line: str) -> None:
    assert list(word_problems("a.py", line)) == []
