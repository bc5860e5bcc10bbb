"""What README and the documentation show works.

Blocks of ``python`` in one file share a namespace and run in order, together with the commands
after ``$ backstory`` in blocks of ``console``, in an empty folder. A block after a comment
``<!-- not run: reason -->`` is left out.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from backstory import Memory
from tests.acceptance.cli_runner import run as call

ROOT = Path(__file__).resolve().parents[2]
FILES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(path.relative_to(ROOT)) for path in FILES]
DEMOS = (["demo"], ["demo", "--book"])
SHELL = set("|<>&;$`*?~(){}\\")
QUOTED = re.compile(r"""'[^']*'|"[^"$`\\]*\"""")  # means the same to a shell and to shlex
NOT_RUN = re.compile(r"<!-- not run: \S.* -->")
LINK = re.compile(r"\]\((?!https?://|mailto:)([^)#\s]+)(?:#[^)\s]*)?\)")


@dataclass(frozen=True)
class Block:
    """A block of code in a file; ``line`` is the first of its text, from 1."""

    language: str
    line: int
    text: str
    runs: bool


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a Markdown text, in order."""
    runs, opened, lines = True, None, text.split("\n")
    for number, line in enumerate(lines, start=1):
        if opened is None:
            if line.startswith("```"):
                opened = number
            elif line.lstrip().startswith("```"):
                message = f"line {number}: an indented block cannot be run"
                raise ValueError(message)
            elif line.strip():
                runs = not NOT_RUN.fullmatch(line.strip())
        elif line.startswith("```"):
            body = "\n".join(lines[opened : number - 1])
            yield Block(lines[opened - 1][3:].strip(), opened + 1, body, runs)
            opened, runs = None, True


def commands(block: Block) -> list[str]:
    """The ``backstory`` commands of a console block; a backslash at the end continues a line."""
    joined = block.text.replace("\\\n", " ")
    lines = [line[2:] for line in joined.split("\n") if line.startswith("$ ")]
    return [line for line in lines if re.match(r"backstory\b", line)]


def run(path: Path, folder: Path) -> None:
    """Run what a file shows."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(path.read_text(encoding="utf-8")):
        if not block.runs:
            continue
        if block.language == "python":
            padding = "\n" * (block.line - 1)
            exec(compile(padding + block.text, str(path), "exec"), namespace)  # noqa: S102
        elif block.language == "console":
            for command in commands(block):
                _run_command(command, folder, f"{path.name}:{block.line}")
    for value in namespace.values():
        # A script's end closes what it left open; here the process goes on.
        if isinstance(value, Memory):
            value.close()


def _run_command(command: str, folder: Path, place: str) -> None:
    """Run a command here; one that a shell must read in a shell. Demos have tests of their own."""
    if not set(QUOTED.sub("", command)) & SHELL:
        _, *words = shlex.split(command)
        if words not in DEMOS:
            result = call(*words)
            assert result.exit_code == 0, f"{place}: {command}\n{result.output}"
        return
    programs = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, f"{place}: {command}\n{done.stdout}{done.stderr}"


@pytest.mark.timeout(240)
@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_what_is_shown_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = dict(os.environ)
    try:
        run(path, tmp_path)
    finally:  # what a page sets is for that page only
        os.environ.clear()
        os.environ.update(before)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_links_lead_to_files(path: Path) -> None:
    targets = LINK.findall(path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


SAMPLE = """
Text.

```python
value = 1
```

<!-- not run: needs a key -->
```python
raise SystemExit
```

```python
assert value == {expected}
```

```console
$ ls /nowhere
$ backstory_is_another_program
output
```
"""


def test_blocks_share_a_namespace_and_can_fail(tmp_path: Path) -> None:
    path = tmp_path / "sample.md"
    path.write_text(SAMPLE.replace("{expected}", "1"), encoding="utf-8")
    run(path, tmp_path)
    path.write_text(SAMPLE.replace("{expected}", "2"), encoding="utf-8")
    with pytest.raises(AssertionError) as caught:
        run(path, tmp_path)
    assert caught.traceback[-1].lineno + 1 == 14


def test_a_failing_command_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "sample.md"
    path.write_text("```console\n$ backstory \\\n  no-such-command\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"sample.md:2: backstory\s+no-such-command"):
        run(path, tmp_path)


def test_an_indented_block_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2"):
        list(blocks("- item\n  ```python\n  x = 1\n  ```\n"))
