"""What a decision about facts reads, and what it writes.

A transaction loads a ``FactBook``, a pure function makes a ``FactPlan`` of it, and the
transaction writes the plan. The same three steps serve statements, corrections, retractions,
undo, decisions on contradictions, expiry and the withdrawal of messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from backstory.core.facts.slots import is_verbatim
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.fact import Fact, FactCorrection, FactRevision
from backstory.core.model.reading import Act, Claim, ClaimRejection

if TYPE_CHECKING:
    from backstory.core.derived.book import DerivedBook, DerivedPlan

_MOST_SKEW: Final = timedelta(minutes=10)


@dataclass(frozen=True, kw_only=True)
class FactsWanted:
    """Which rows of one user a decision needs.

    Attributes:
        slots: (subject, key) pairs: all rows of them, past ones too, whatever their status.
        members: (subject, key, normal value) triples: of these slots only the rows that hold the
            value, with what hangs on them; in full where a contradiction of the slot is undecided.
        values: (subject, normal value) pairs: the slots of all current rows that hold the value
            (see ``normal_value``), in full.
        fact_ids: The slots of these rows, in full.
        contradiction_ids: These contradictions, with the slots they are about.
        message_ids: The slots of all rows, log lines and contradictions with evidence in these
            messages, in full.
        unread: (message id, revision) pairs that a reading was made of: the plan may use only
            what is still unread, and the transaction marks it as read.
        everything: All rows of the user.
    """

    slots: frozenset[tuple[str, str]] = frozenset()
    members: frozenset[tuple[str, str, str]] = frozenset()
    values: frozenset[tuple[str, str]] = frozenset()
    fact_ids: frozenset[str] = frozenset()
    contradiction_ids: frozenset[str] = frozenset()
    message_ids: frozenset[str] = frozenset()
    unread: frozenset[tuple[str, int]] = frozenset()
    everything: bool = False


@dataclass(frozen=True, kw_only=True)
class FactBook:
    """The rows that a decision reads, as they are inside its transaction.

    Attributes:
        facts: By id.
        revisions: Earlier states of these rows.
        corrections: The log lines of these rows.
        contradictions: All of these slots that are open or held, and those asked for by id.
        unread: The ids of the messages asked for that are still unread.
        erased: Of the claims that were announced (``FactStore.change``): the (subject, key, normal
            value) triples that were erased and must not come back.
    """

    facts: dict[str, Fact] = field(default_factory=dict)
    revisions: tuple[FactRevision, ...] = ()
    corrections: tuple[FactCorrection, ...] = ()
    contradictions: dict[str, Contradiction] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    erased: frozenset[tuple[str, str, str]] = frozenset()

    def slot(self, subject: str, key: str) -> list[Fact]:
        """All rows of one slot, oldest valid time first (no start comes first)."""
        rows = [f for f in self.facts.values() if (f.subject, f.key) == (subject, key)]
        return sorted(rows, key=_by_valid_time)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one claim.

    Attributes:
        what: "stored", "mentioned", "superseded", "late", "disputed", "ended", "retracted",
            "corrected", "unchanged" or "rejected".
        fact_id: The row that carries it now, or None.
    """

    claim: Claim
    what: str
    fact_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class FactPlan:
    """What a transaction writes. Rows and contradictions are given whole, as they are to be.

    Attributes:
        facts: New and changed rows, by id. Rows that leave a slot's current place are written
            before those that take it.
        revisions: Earlier states that changed rows had. One that has the fact and number of a
            stored one takes its place (a bulk import changes what was known in the past).
        corrections: New log lines, and old ones now marked as undone.
        contradictions: New and changed ones.
        removed: Ids of rows and of contradictions to be removed, with everything that hangs on them
            (withdrawal).
        outcomes: One for each claim, in order.
        rejections: What was refused inside the transaction, and why.
        derived: Plans what a reading found beside facts, of all derived records as they are inside
            the transaction: a pure function.
    """

    facts: dict[str, Fact] = field(default_factory=dict)
    revisions: tuple[FactRevision, ...] = ()
    corrections: tuple[FactCorrection, ...] = ()
    contradictions: dict[str, Contradiction] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    outcomes: tuple[Outcome, ...] = ()
    rejections: tuple[ClaimRejection, ...] = ()
    derived: Callable[[DerivedBook], DerivedPlan] | None = None


def commit_time(book: FactBook, now: datetime) -> datetime:
    """The time of a commit: not before those that the book shows.

    A writer that waited for its turn, or whose clock is behind another's, would else take what it
    finds for the future. What is ahead by more than ten minutes is no matter of waiting.
    """
    latest = max((fact.recorded_at for fact in book.facts.values()), default=now)
    return latest if now < latest <= now + _MOST_SKEW else now


def wanted_of(claims: Sequence[Claim], normal: Callable[[str], str]) -> FactsWanted:
    """The rows that claims are about."""
    named = [c for c in claims if c.key is None]
    alone = {i for i, c in enumerate(claims) if _concerns_one_value(c)}
    return FactsWanted(
        slots=frozenset(
            (c.subject, c.key) for i, c in enumerate(claims) if c.key is not None and i not in alone
        ),
        members=frozenset(
            (c.subject, c.key, normal(c.value))
            for i, c in enumerate(claims)
            if i in alone and c.key is not None and c.value is not None
        ),
        values=frozenset(
            (c.subject, normal(value)) for c in named if (value := c.replaces or c.value)
        ),
    )


def _concerns_one_value(claim: Claim) -> bool:
    """Whether a claim touches only the rows that hold its value, however many the slot has."""
    named = claim.key is not None and claim.value is not None and claim.replaces is None
    return named and claim.act in (Act.STATE, Act.END) and is_verbatim(str(claim.key))


def _by_valid_time(fact: Fact) -> tuple[bool, float, float]:
    start = fact.valid_from
    return (start is not None, start.timestamp() if start else 0.0, fact.recorded_at.timestamp())
