"""What callers ask of recall and of the context."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cached_property
from typing import TYPE_CHECKING, Any

from backstory.core.model.recall import Recall
from backstory.core.model.scope import Scope
from backstory.core.shape import Floors, Shape, for_context
from backstory.services.recalling.turns import LastTurns

if TYPE_CHECKING:
    from backstory.core.terms import QueryTerms


@dataclass(frozen=True, kw_only=True)
class Request:
    """What to look for, and where.

    Attributes:
        shape: How much is recalled.
        threshold: The least raw cosine that the caller set; None = the floor of the shape.
        floors: What cosines mean, instead of the calibration of the store's embedder.
        shown: Turns that are shown anyway, and therefore are no hits.
        filters_windows: Whether neighbouring turns must pass the filters too.
        valid_at: Facts that were true then.
        known_at: Only what was known then, as it read then.
        include_history: Past facts too.
        now: The time of asking, in the zone of who asks; None = days such as "last week" in the
            query mean nothing.
        terms: What ``query_terms`` says of the query, if that was asked before.
    """

    scope: Scope
    query: str
    shape: Shape
    threshold: float | None = None
    floors: Floors | None = None
    keyword: bool = True
    dense: bool = True
    filters: Mapping[str, Any] | None = None
    exclude_session_id: str | None = None
    shown: LastTurns | None = None
    filters_windows: bool = False
    valid_at: datetime | None = None
    known_at: datetime | None = None
    include_history: bool = False
    explain: bool = False
    now: datetime | None = None
    terms: "QueryTerms | None" = None


@dataclass(frozen=True, kw_only=True)
class Question:
    """What a context is asked for.

    Attributes:
        session_id: The current session, if the caller named it: nothing is recalled from it.
        timezone: Dates are rendered in it.
        now: The time of asking.
        floors: What cosines mean, instead of the calibration of the store's embedder.
        valid_at: Facts that were true then; None = now.
        known_at: What could be known then; None = now.
        include_history: Past facts too, marked.
        max_facts: Most facts.
        max_tokens: The budget of the context.
        turns: The current session's last turns; None if they are not asked for.
        terms: What ``query_terms`` says of the query, asked once for all sources.
        mode, speaker, channel: Of the current conversation; what is None is as in its session.
    """

    scope: Scope
    query: str | None
    recall: Recall
    filters: Mapping[str, Any] | None
    session_id: str | None
    timezone: tzinfo
    now: datetime
    floors: Floors | None = None
    valid_at: datetime | None = None
    known_at: datetime | None = None
    include_history: bool = False
    max_facts: int = 30
    max_tokens: int
    turns: LastTurns | None = None
    terms: "QueryTerms | None" = None
    mode: str | None = None
    speaker: str | None = None
    channel: str | None = None

    @cached_property
    def shape(self) -> Shape:
        """How much is recalled for it; found once for all sources."""
        return for_context(self.query or "", self.recall, self.max_tokens)
