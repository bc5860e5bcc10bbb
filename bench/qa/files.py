"""JSON Lines that grow, and survive a crash: a line that was cut off is taken away."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def as_line(facts: Mapping[str, object]) -> str:
    """One line of JSON."""
    return json.dumps(facts, ensure_ascii=False) + "\n"


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a file, none if it is not there; a torn end is cut off the file."""
    if not path.exists():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        path.write_bytes(whole)
    return [json.loads(line) for line in whole.split(b"\n") if line]
