"""Check that files, classes and functions stay short.

    python tools/check_size.py

Exempt are generated files and database migrations. What is listed in ``size_allowed.txt`` may be
as long as it says there; the list may only shrink, and ``MOST_ENTRIES`` is lowered with it.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = ROOT / "tools" / "size_allowed.txt"
FOLDERS = ("src", "tests", "tools", "bench", "examples")
MOST_ENTRIES = 0
FILE_LINES = 400
CLASS_LINES = 300
FUNCTION_LINES = 60


def measure(text: str) -> Iterator[tuple[str, int, int]]:
    """The name, the lines and the limit of a file (named ""), and of all in it.

    Lines of decorators are not counted, those of docstrings are.
    """
    yield "", len(text.splitlines()), FILE_LINES
    yield from _definitions(ast.parse(text), "")


def _definitions(parent: ast.AST, prefix: str) -> Iterator[tuple[str, int, int]]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{prefix}.{node.name}" if prefix else node.name
            limit = CLASS_LINES if isinstance(node, ast.ClassDef) else FUNCTION_LINES
            yield name, (node.end_lineno or node.lineno) - node.lineno + 1, limit
            yield from _definitions(node, name)
        else:
            yield from _definitions(node, prefix)


def read_allowed(text: str) -> dict[str, int]:
    """The entries of the allow-list: lines by ``path`` or ``path::name``."""
    entries = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {place: int(lines) for place, lines in entries}


def problems(texts: Mapping[str, str], allowed: Mapping[str, int]) -> list[str]:
    """What is wrong with the sizes of files, given by path, under an allow-list."""
    found, unused = [], dict(allowed)
    for path, text in texts.items():
        for name, lines, limit in measure(text):
            place = f"{path}::{name}" if name else path
            permitted = unused.pop(place, None)
            if permitted is None and lines > limit:
                found.append(f"{place}: {lines} lines, at most {limit} are allowed")
            elif permitted is not None and lines <= limit:
                found.append(f"{place}: short enough now; take it off the allow-list")
            elif permitted is not None and lines != permitted:
                found.append(f"{place}: {lines} lines, the allow-list says {permitted}")
    found += [f"{place}: on the allow-list, but it does not exist" for place in unused]
    return found


def is_exempt(path: str) -> bool:
    """Whether a file is generated or a migration, and so may have any size."""
    return path == "src/backstory/api/blocking.py" or "/migrations/versions/" in path


def main() -> int:
    """Print what is too long; the exit code."""
    texts = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not is_exempt(path.relative_to(ROOT).as_posix())
    }
    allowed = read_allowed(ALLOWED.read_text(encoding="utf-8"))
    found = problems(texts, allowed)
    if len(allowed) != MOST_ENTRIES:
        found.append(f"the allow-list has {len(allowed)} entries, MOST_ENTRIES is {MOST_ENTRIES}")
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
