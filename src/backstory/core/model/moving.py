"""What forgetting, export and import return."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from backstory.core.model.record import Record

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many records are done and how many there are."""


@dataclass(frozen=True, kw_only=True)
class ForgetReceipt(Record):
    """That a user was forgotten.

    Attributes:
        rows: How many rows were removed, by table; all 0 if the user was unknown.
        ids_hash: SHA-256 over the ids of what was removed: the lines "table/id", sorted, with a
            line break after each. Whoever kept the ids can prove what was removed.
        forgotten_at: When (aware, UTC).
    """

    rows: Mapping[str, int]
    ids_hash: str
    forgotten_at: datetime

    @property
    def total(self) -> int:
        """How many rows were removed in all."""
        return sum(self.rows.values())


@dataclass(frozen=True, kw_only=True)
class ExportResult(Record):
    """What an export wrote.

    Attributes:
        path: The file.
        records: How many records of each kind it holds.
        size: Of the file, in bytes.
        sha256: Of the file, as 64 hexadecimal digits.
    """

    path: str
    records: Mapping[str, int]
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class ImportProblem(Record):
    """One record of a file that was not stored, or not in full, and why.

    Attributes:
        position: The line of a backstory file, from 1; else the place among the records, from 0.
        reason: Why, in words.
    """

    position: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class ImportResult(Record):
    """What an import did. Running it again goes on where it stopped and adds nothing twice.

    Attributes:
        user_id: Whose memory it is now.
        format: The format that was read.
        imported: How many records were stored, by kind.
        skipped: How many were there already, by kind.
        problems: What was not stored, the first 1,000.
        problem_count: How many problems there were in all.
        vectors: How many vectors were kept.
        pending: How many messages and facts wait for a vector: it was of another model, or there
            was none. ``flush`` makes them.
    """

    user_id: str
    format: str
    imported: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[ImportProblem, ...] = ()
    problem_count: int = 0
    vectors: int = 0
    pending: int = 0
