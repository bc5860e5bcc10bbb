"""What forgetting, export and import return."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
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
        position: The line, from 1, of a file of backstory or of messages in JSON Lines; else the
            place among the records of the file, from 0. A conversation is one record.
        reason: Why, in words.
    """

    position: int
    reason: str


class ImportOutcome(StrEnum):
    """What became of one item of a file."""

    STORED = "stored"
    PRESENT = "present"
    LEFT_OUT = "left out"
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True)
class ImportItem(Record):
    """What became of one item of a file: a message, a fact, or another record.

    Attributes:
        position: See ``ImportProblem``.
        kind: "message", "fact" and so on; "record" where that cannot be told.
        outcome: Stored, there already, left out by rule, or refused.
        session_id: The conversation of a message.
        id: Its id in the file, or the one that was made for it.
        reason: Why it was not stored.
    """

    position: int
    kind: str
    outcome: ImportOutcome
    session_id: str | None = None
    id: str | None = None
    reason: str | None = None


EachItem: TypeAlias = Callable[[ImportItem], None]
"""Called with what became of each item."""


@dataclass(frozen=True, kw_only=True)
class ImportRequest:
    """What an import is asked for.

    Attributes:
        user_id: Whose memory it becomes; None = whom the file names.
        infer: Whether facts are read in messages.
        dry_run: Only count what would be done.
        progress, each: Called with what is done.
    """

    user_id: str | None = None
    infer: bool = True
    dry_run: bool = False
    progress: Progress | None = None
    each: EachItem | None = None


@dataclass(frozen=True, kw_only=True)
class ImportResult(Record):
    """What an import did. Running it again goes on where it stopped and adds nothing twice.

    Attributes:
        user_id: Whose memory it is now.
        format: The format that was read.
        imported: How many records were stored, by kind; of a trial run, would be.
        skipped: How many were there already, by kind.
        left_out: How many messages were left out by rule, by reason: hidden ones, other branches.
        undated: How many of the messages that were stored had no time of their own.
        dry_run: Whether it was a trial, which stores nothing.
        problems: What was not stored, the first 1,000.
        problem_count: How many problems there were in all.
        vectors: How many vectors were kept.
        pending: How many messages wait for a model that reads them, and how many messages and
            facts for a vector: it was of another model, or there
            was none. ``flush`` makes them.
    """

    user_id: str
    format: str
    imported: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    undated: int = 0
    problems: tuple[ImportProblem, ...] = ()
    problem_count: int = 0
    vectors: int = 0
    pending: int = 0
    dry_run: bool = False
