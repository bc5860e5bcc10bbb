"""Reads an export from its file, record by record: JSON, JSON Lines, or the archive of a service.

Nothing is unpacked to disk, and no name in an archive is used as a path.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from backstory.core.foreign.formats import FORMATS, OWN, described, formats_of
from backstory.core.foreign.model import Foreign, ForeignProblem
from backstory.errors import InvalidInputError
from backstory.services.moving.foreign_records import Damage, Record, document, first_line, records

_LOOKED_AT: Final = 20


@dataclass(kw_only=True)
class Survey:
    """What a file holds, by owner; None is nobody in particular."""

    turns: Counter[str | None] = field(default_factory=Counter)
    memories: Counter[str | None] = field(default_factory=Counter)

    @property
    def owners(self) -> list[str]:
        """The users that records name, each once, in order."""
        named = dict.fromkeys([*self.memories, *self.turns])
        return [owner for owner in named if owner is not None]


class ForeignFile:
    """An export that can be read several times. It blocks.

    Args:
        path: Where it is.
        name: Its format.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.format = FORMATS[name]

    def survey(self) -> Survey:
        """Read all of it, and count.

        Raises:
            FileError: It cannot be read.
            InvalidInputError: It is not of this format.
        """
        found = Survey()
        some = False
        for part in self.parts():
            some = some or bool(part.turns or part.memories or part.left_out)
            found.turns.update(turn.owner for turn in part.turns)
            found.memories.update(memory.owner for memory in part.memories)
        if not some and self.format.reader is not None:
            raise InvalidInputError(f"{self.path} holds nothing in the format {self.format.name}")
        return found

    def parts(self) -> Iterator[Foreign]:
        """What each record holds. One that cannot be read is a problem and costs no other.

        Raises:
            FileError: It cannot be read.
            InvalidInputError: It is not of this format.
        """
        if self.format.whole is not None:
            yield self.format.whole(document(self.path))
            return
        if self.format.reader is None:
            return
        read = self.format.reader(self.path.name)
        for record in records(self.path, self.format.lists):
            yield _part(record, read)


def _part(record: Record, read: Any) -> Foreign:
    if isinstance(record.value, Damage):
        return _problem(record.position, record.value.reason)
    try:
        found: Foreign = read(record.position, record.value)
    except InvalidInputError as error:
        return _problem(record.position, str(error))
    return found


def _problem(position: int, reason: str) -> Foreign:
    return Foreign(problems=(ForeignProblem(position=position, reason=reason),))


def format_of(path: Path) -> str:
    """Tell the format of a file by what is in it. It blocks.

    Raises:
        FileError: It cannot be read.
        InvalidInputError: It looks like none, or like several.
    """
    names = " ".join(["backstory", *FORMATS])
    if _is_own(first_line(path)):
        return OWN
    found = [one.value for one in islice(records(path, ("conversations",)), _LOOKED_AT)]
    some = [value for value in found if not isinstance(value, Damage)]
    if found and isinstance(found[0], Damage) and not some:
        raise InvalidInputError(f"nothing in {path} can be read: {found[0].reason}")
    fitting = formats_of(some)
    if len(fitting) == 1:
        return fitting[0]
    seen = f"it looks like {' and '.join(fitting)}" if fitting else described(some)
    raise InvalidInputError(
        f"the format of {path} cannot be told: {seen}; say which it is: {names}"
    )


def _is_own(line: bytes) -> bool:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and (head.get("kind"), head.get("format")) == ("header", OWN)
