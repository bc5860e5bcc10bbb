"""Counts what an import did, and tells of each item."""

from collections import Counter
from typing import Final

from backstory.core.foreign.model import ForeignProblem
from backstory.core.model.moving import (
    EachItem,
    ImportItem,
    ImportOutcome,
    ImportProblem,
    ImportResult,
)

MOST_PROBLEMS: Final = 1000


class Tally:
    """What was stored, what was there already, what was left out, and what was wrong.

    Args:
        each: Called with each item.
        dry_run: Whether nothing is stored.
    """

    def __init__(self, each: EachItem | None = None, *, dry_run: bool = False) -> None:
        self._each = each
        self.dry_run = dry_run
        self._imported: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()
        self.undated = 0
        self.vectors = 0
        self.pending = 0
        self._problems: list[ImportProblem] = []
        self._count = 0

    def stored(self, kind: str, place: int, name: str | None, session: str | None = None) -> None:
        """Count an item that is stored now."""
        self._imported[kind] += 1
        self._tell(kind, ImportOutcome.STORED, place, name, session)

    def present(self, kind: str, place: int, name: str | None, session: str | None = None) -> None:
        """Count an item that was there already."""
        self._skipped[kind] += 1
        self._tell(kind, ImportOutcome.PRESENT, place, name, session)

    def leave(self, item: ForeignProblem) -> None:
        """Count a message that is not taken over by rule; details stand behind a colon."""
        self._left_out[item.reason.partition(": ")[0]] += 1
        outcome = ImportOutcome.LEFT_OUT
        self._tell("message", outcome, item.position, item.id, item.session, item.reason)

    def note(
        self,
        position: int,
        reason: str,
        *,
        kind: str = "record",
        name: str | None = None,
        session: str | None = None,
    ) -> None:
        """Note a problem; the first ones are kept in full."""
        self._count += 1
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(ImportProblem(position=position, reason=reason))
        self._tell(kind, ImportOutcome.REFUSED, position, name, session, reason)

    def result(self, user_id: str, name: str) -> ImportResult:
        """Everything, for the caller."""
        return ImportResult(
            user_id=user_id,
            format=name,
            imported=dict(self._imported),
            skipped=dict(self._skipped),
            left_out=dict(self._left_out),
            undated=self.undated,
            problems=tuple(sorted(self._problems, key=lambda problem: problem.position)),
            problem_count=self._count,
            vectors=self.vectors,
            pending=self.pending,
            dry_run=self.dry_run,
        )

    def _tell(
        self,
        kind: str,
        outcome: ImportOutcome,
        position: int,
        name: str | None,
        session: str | None,
        reason: str | None = None,
    ) -> None:
        if self._each is not None:
            self._each(
                ImportItem(
                    position=position,
                    kind=kind,
                    outcome=outcome,
                    session_id=session,
                    id=name,
                    reason=reason,
                )
            )
