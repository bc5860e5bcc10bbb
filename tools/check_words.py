"""Check that no file names a place of one machine or an open end.

    python tools/check_words.py

Looked at are the text files that git knows or would add. A line that needs such text for a
reason ends with ``words: allowed``.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = {".cfg", ".json", ".md", ".py", ".sh", ".toml", ".txt", ".yaml", ".yml", ""}
LARGEST_BYTES = 500_000
EXEMPT = "words: allowed"
BANNED = {
    "a path of one machine": re.compile(r"(?<![\w.~:/])/(work|root|farm|tmp|home)/"),
    "an open end": re.compile(r"\b(TO[D]O|FIX[M]E|XX[X])\b"),
    "an unresolved merge": re.compile(r"^(<{7}|>{7}) "),
    "a number of a tracker": re.compile(r"\bissue #?\d+", re.IGNORECASE),
}


def problems(path: str, text: str) -> Iterator[str]:
    """What is banned in the text of a file."""
    for number, line in enumerate(text.splitlines(), start=1):
        for what, pattern in BANNED.items():
            if pattern.search(line) and not line.endswith(EXEMPT):
                yield f"{path}:{number}: {what}: {line.strip()[:80]}"


def _texts() -> Iterator[tuple[str, str]]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        path = ROOT / name
        if path.suffix in SUFFIXES and path.is_file() and path.stat().st_size <= LARGEST_BYTES:
            yield name, path.read_text(encoding="utf-8")


def main() -> int:
    """Print what is banned; the exit code."""
    found = [problem for name, text in _texts() for problem in problems(name, text)]
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
