"""What the calls of the facade return."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from backstory.core.model.fact import Fact
from backstory.core.model.message import Message
from backstory.core.model.reading import ClaimRejection
from backstory.core.model.record import Record

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Rejection(Record):
    """Something of a call that was not stored, and why.

    Attributes:
        position: The place in the caller's list, from 0.
        reason: Why, in words.
    """

    position: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class AddResult(Record):
    """What an ``add`` stored. When it is returned, the messages are durable.

    Attributes:
        session_id: The session they went to; None if nothing was stored.
        messages: In the order given; ``created`` is False for one that was already there.
        rejected: What was skipped, with the reason (blank messages).
        facts: The facts that were read in them and stored, or said again.
        facts_rejected: Statements that were not stored as facts, with the guard and the reason.
        pending: How many of these messages still wait for their vector.
        degraded: Why vectors or facts are missing although they should be there, else None.
    """

    session_id: str | None
    messages: tuple[Message, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    facts: tuple[Fact, ...] = ()
    facts_rejected: tuple[ClaimRejection, ...] = ()
    pending: int = 0
    degraded: str | None = None


@dataclass(frozen=True, kw_only=True)
class FlushResult(Record):
    """What ``flush`` finished.

    Attributes:
        embedded: Vectors made by this call.
        read: Messages that were read for facts by this call.
        digested: Sessions that ended and were digested by this call.
        failed: Messages whose embedding or reading failed; the next flush tries them again.
        reasons: The distinct reasons of the failures, or why there is no embedder.
        pending: Messages, and sessions that ended, that still wait: the time limit was reached,
            another process is at them, or there is no embedder although the store has one.
    """

    embedded: int = 0
    read: int = 0
    digested: int = 0
    failed: int = 0
    reasons: tuple[str, ...] = ()
    pending: int = 0


@dataclass(frozen=True, kw_only=True)
class DeleteResult(Record):
    """How much ``delete_all`` deleted."""

    messages: int
    sessions: int


@dataclass(frozen=True, kw_only=True)
class Page(Record, Generic[T]):
    """One page of a list.

    Attributes:
        items: In order of recording.
        next_cursor: Pass it as ``cursor`` for the next page; None on the last.
        total: How many records match in all.
    """

    items: tuple[T, ...]
    next_cursor: str | None
    total: int


@dataclass(frozen=True, kw_only=True)
class Check(Record):
    """One line of ``doctor``: a part, whether it works, and what to do if not."""

    name: str
    ok: bool
    detail: str
    fix: str | None = None


@dataclass(frozen=True, kw_only=True)
class DoctorReport(Record):
    """What works, what is missing, and how to fix it."""

    checks: tuple[Check, ...]
    facts: Mapping[str, Any]

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(check.ok for check in self.checks)
