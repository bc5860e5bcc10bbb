"""What callers ask of recall and of the context."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from backstory.core.model.recall import Recall
from backstory.core.model.scope import Scope
from backstory.services.turns import LastTurns


@dataclass(frozen=True, kw_only=True)
class Request:
    """What to look for, and where."""

    scope: Scope
    query: str
    top_k: int
    threshold: float | None = None
    window: int = 0
    keyword: bool = True
    dense: bool = True
    filters: Mapping[str, Any] | None = None
    exclude_session_id: str | None = None
    exclude_ids: frozenset[str] = frozenset()
    explain: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """What a context is asked for.

    Attributes:
        session_id: The current session, if the caller named it: nothing is recalled from it.
        timezone: Dates are rendered in it.
        turns: The current session's last turns; None if they are not asked for.
    """

    scope: Scope
    query: str | None
    recall: Recall
    filters: Mapping[str, Any] | None
    session_id: str | None
    timezone: tzinfo
    turns: LastTurns | None = None
