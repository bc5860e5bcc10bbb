"""What callers ask of the search over facts."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from backstory.core.model.scope import Scope

if TYPE_CHECKING:
    from backstory.core.terms import QueryTerms


@dataclass(frozen=True, kw_only=True)
class FactRequest:
    """Which facts to look for.

    Attributes:
        now: What is current is measured by it.
        valid_at, known_at: As of these times; None = now.
        include_history: Past facts too, marked by their status; retracted ones never.
        terms: What ``query_terms`` says of the query, if that was asked before.
    """

    scope: Scope
    query: str
    top_k: int
    now: datetime
    threshold: float | None = None
    keyword: bool = True
    dense: bool = True
    valid_at: datetime | None = None
    known_at: datetime | None = None
    include_history: bool = False
    explain: bool = False
    terms: "QueryTerms | None" = None

    @property
    def is_as_of(self) -> bool:
        """Whether another time than now is asked about."""
        return self.valid_at is not None or self.known_at is not None
