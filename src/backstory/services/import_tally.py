"""Counts what an import did."""

from collections import Counter
from typing import Final

from backstory.core.model.moving import ImportProblem, ImportResult

MOST_PROBLEMS: Final = 1000


class Tally:
    """What was stored, what was there already, and what was wrong."""

    def __init__(self) -> None:
        self.imported: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.vectors = 0
        self.pending = 0
        self._problems: list[ImportProblem] = []
        self._count = 0

    def note(self, position: int, reason: str) -> None:
        """Note a problem; the first ones are kept in full."""
        self._count += 1
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(ImportProblem(position=position, reason=reason))

    def result(self, user_id: str, name: str) -> ImportResult:
        """Everything, for the caller."""
        return ImportResult(
            user_id=user_id,
            format=name,
            imported=dict(self.imported),
            skipped=dict(self.skipped),
            problems=tuple(sorted(self._problems, key=lambda problem: problem.position)),
            problem_count=self._count,
            vectors=self.vectors,
            pending=self.pending,
        )
