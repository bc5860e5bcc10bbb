"""How much is recalled for each kind of question, and what a caller may override. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Protocol

from backstory.core.model.recall import Recall
from backstory.core.routing import Profile, route

SEARCH_HITS: Final = 10
"""Hits of a search that names no number, or as many as the route has if these are fewer."""
SEARCH_WINDOW: Final = 1
"""Neighbouring turns on each side of a hit of a search: they cost no room there."""
WHOLE_SESSIONS: Final = 3
"""Sessions that ``expand_sessions=True`` gives whole."""
TRUSTED_HITS: Final = 25
"""The best candidates, which a calibrated floor lets pass: their neighbours and sessions speak for
them where a question is put in other words. A threshold of the caller holds for all."""
_POOL: Final = 5
"""Candidates for each hit from which diversification chooses."""
_LEAST_CANDIDATES: Final = 50
_TOKENS_EACH: Final = 20
"""Few lines of a context are shorter, so more candidates than budget / 20 find no room."""


class Floor(StrEnum):
    """Which of an embedder's calibrated cosines a message must reach."""

    LOW = "low"
    HIGH = "high"
    NONE = "none"


class Floors(Protocol):
    """What cosines of an embedder mean: unrelated texts lie below ``low``."""

    @property
    def low(self) -> float:
        """A cosine that few unrelated pairs reach."""
        ...

    @property
    def high(self) -> float:
        """A cosine from which on pairs are mostly related."""
        ...


@dataclass(frozen=True, kw_only=True)
class Shape:
    """How much one call recalls.

    Attributes:
        profile: The kind of question.
        reason: Why it is that kind.
        top_k: Most hits.
        pool: Candidates that the hits are chosen from, ``top_k`` or more.
        floor: The calibrated cosine below which a hit is left out unless it shares a word.
        per_session: Most hits of one session before those of others are used up; 0 = no limit.
        window: Neighbouring turns on each side of a hit.
        whole_sessions: How many of the best hits' sessions are given whole.
        summaries: Whether a context shows summaries of conversations.
        by_score: Whether the hits, once chosen, stand in the order of their scores.
        by_worth: Whether what is long must be better than what is short, as in a context.
    """

    profile: Profile
    reason: str = ""
    top_k: int
    pool: int = 0
    floor: Floor = Floor.NONE
    per_session: int = 0
    window: int = 0
    whole_sessions: int = 0
    summaries: bool = False
    by_score: bool = False
    by_worth: bool = False


# Measured by the evidence in the packed context, docs/adr/0018: a higher floor than the low one,
# fewer turns of a session and windows all lose evidence at every budget.
ROUTES: Final[Mapping[Profile, Shape]] = {
    Profile.GATHER: Shape(
        profile=Profile.GATHER, top_k=200, floor=Floor.LOW, per_session=8, summaries=True
    ),
    Profile.PINPOINT: Shape(profile=Profile.PINPOINT, top_k=100, floor=Floor.LOW),
    Profile.TEMPORAL: Shape(profile=Profile.TEMPORAL, top_k=200, floor=Floor.LOW),
}


def for_search(query: str, recall: Recall) -> Shape:
    """What a search recalls: never fewer hits than asked for, so there is no floor.

    Args:
        query: The query.
        recall: Checked overrides.
    """
    routed, reason = _routed(query, recall)
    return _shaped(
        routed,
        recall,
        reason=reason,
        top_k=min(routed.top_k, SEARCH_HITS) if recall.top_k is None else recall.top_k,
        window=SEARCH_WINDOW if recall.window is None else recall.window,
        floor=Floor.NONE,
        by_score=True,
    )


def for_context(query: str, recall: Recall, max_tokens: int) -> Shape:
    """What a context recalls: candidates that its budget has room for.

    Args:
        query: The query.
        recall: Checked overrides; ``top_k`` holds whatever the budget is.
        max_tokens: The budget of the context.
    """
    routed, reason = _routed(query, recall)
    room = max(_LEAST_CANDIDATES, max_tokens // _TOKENS_EACH)
    top_k = min(routed.top_k, room) if recall.top_k is None else recall.top_k
    return _shaped(routed, recall, reason=reason, top_k=top_k, by_worth=True)


def _routed(query: str, recall: Recall) -> tuple[Shape, str]:
    """The route of the query, or the profile that the caller names, and why it is that."""
    if recall.profile is not None:
        return ROUTES[Profile(recall.profile)], "named by the caller"
    routed = route(query)
    return ROUTES[routed.profile], routed.reason


def _shaped(routed: Shape, recall: Recall, *, top_k: int, **own: Any) -> Shape:
    """The route with what the caller overrides, and what the kind of call says by itself."""
    given = {
        name: value
        for name in ("per_session", "window", "summaries")
        if (value := getattr(recall, name)) is not None
    }
    values = given | own
    wide = min(routed.top_k, _POOL * top_k) if values.get("per_session", routed.per_session) else 0
    whole = WHOLE_SESSIONS if recall.expand_sessions is True else int(recall.expand_sessions)
    return replace(routed, **values, top_k=top_k, pool=max(top_k, wide), whole_sessions=whole)


def floor_of(shape: Shape, threshold: float | None, floors: Floors | None) -> float:
    """The cosine that a hit must reach unless it shares a word with the query; 0 = any.

    Args:
        shape: What is recalled.
        threshold: What the caller set; 0 = none, None = the calibrated floor of the shape.
        floors: The calibration of the embedder, if there is one.
    """
    if threshold is not None:
        return threshold
    if floors is None or shape.floor is Floor.NONE:
        return 0.0
    return floors.low if shape.floor is Floor.LOW else floors.high
