"""Reads an export of another memory from its file."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from backstory.core.foreign.langmem import read_langmem
from backstory.core.foreign.mem0 import read_mem0
from backstory.core.foreign.model import Foreign
from backstory.core.foreign.zep import read_zep
from backstory.errors import FileError, InvalidInputError

_READERS: Final[Mapping[str, Callable[[Any], Foreign]]] = {
    "mem0": read_mem0,
    "langmem": read_langmem,
    "zep": read_zep,
}


def read_foreign(path: Path, name: str) -> Foreign:
    """Read a file: one JSON document, or JSON Lines with one record each. It blocks.

    Raises:
        FileError: It cannot be read.
        InvalidInputError: It is no JSON, or not of this format.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise InvalidInputError(f"{path} is no text in UTF-8") from error
    return _READERS[name](_document(text, path))


def _document(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise InvalidInputError(f"{path} is no JSON ({error})") from error
    # a damaged line becomes a record that cannot be read, and is reported as one
    found = [_line(line) for line in lines]
    if all(record is None for record in found):
        raise InvalidInputError(f"{path} is neither JSON nor JSON Lines")
    return found


def _line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
