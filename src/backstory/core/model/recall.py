"""Search: what to recall, and what was found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from backstory.core.model.derived.event import Event
from backstory.core.model.derived.summary import Summary
from backstory.core.model.fact import Fact
from backstory.core.model.message import Message
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class Recall(Record):
    """Overrides of the defaults of recall, for one call of ``search`` or ``context``.

    None = what the route of the query says, see ``core.shape``.

    Attributes:
        profile: "gather", "pinpoint" or "temporal": the route, instead of the query's own.
        top_k: How many hits, or candidates of a context (1 to 10,000).
        threshold: Least raw cosine of a hit, 0 to 1; a hit of the keyword arm passes. None = in a
            context the embedder's calibrated floor of the route, in search none; 0 = none.
        per_session: Most hits of one session before those of the other sessions are used up (1 to
            10,000); 0 = no limit.
        window: How many neighbouring turns on each side a hit brings along (0 to 20).
        expand_sessions: How many of the best hits' sessions come whole (0 to 20), at most 500 turns
            of each; True = 3.
        keyword: Whether the keyword arm is used.
        dense: Whether the vector arm is used.
        summaries: Whether a context shows summaries of conversations; None = where the route says.
        clip_chars: Recalled text in a context is cut to this many characters; 0 = never.
        order: In a context: "oldest first" or "best first".
    """

    profile: str | None = None
    top_k: int | None = None
    threshold: float | None = None
    per_session: int | None = None
    window: int | None = None
    expand_sessions: bool | int = False
    keyword: bool = True
    dense: bool = True
    summaries: bool | None = None
    clip_chars: int = 0
    order: str = "oldest first"


@dataclass(frozen=True, kw_only=True)
class ArmScore(Record):
    """What one arm of the search said about a hit."""

    arm: str
    rank: int | None
    score: float


@dataclass(frozen=True, kw_only=True)
class Why(Record):
    """Why a hit is there.

    Attributes:
        arms: The rank and score of each arm that found it.
        bonuses: What the score is made of, by name: their sum, of which "answer factor" multiplies
            "keyword", "dense" and "session", divided by ``out_of``, and at most 1.
        out_of: What the best thinkable hit for the query would reach; above 0.
        terms: The words of the query that the text holds.
        cosine: The raw cosine to the query, or None without a vector.
        moved: Its place by score and its place after diversification, from 1; None if not moved.
    """

    arms: tuple[ArmScore, ...] = ()
    bonuses: Mapping[str, float] = field(default_factory=dict)
    out_of: float = 1.0
    terms: tuple[str, ...] = ()
    cosine: float | None = None
    moved: tuple[int, int] | None = None

    def __str__(self) -> str:
        parts = [f"{arm.arm} #{arm.rank} ({arm.score:.2f})" for arm in self.arms if arm.rank]
        parts += [f"{name} {value:+.2f}" for name, value in self.bonuses.items() if value]
        if self.terms:
            parts.append("words: " + ", ".join(self.terms))
        if self.moved:
            parts.append("moved from #{} to #{}".format(*self.moved))
        return " · ".join(parts) or "no arm found it; it fills the list"


def shown(parts: Mapping[str, float]) -> dict[str, float]:
    """The parts of a score for ``Why.bonuses``, to a millionth."""
    return {name: round(value, 6) for name, value in parts.items()}


@dataclass(frozen=True, kw_only=True)
class Hit(Record):
    """One search result.

    Attributes:
        kind: "message", "fact", "conversation" or "event".
        text: What was said, the sentence of the fact, the event with its date, or the summary of
            the conversation; of one without a summary the turn that is nearest to the query.
        score: In [0, 1], higher is better, comparable within one search on every backend.
        created_at: When the message was said, the fact was last said, the event was told, or the
            conversation ended.
        message, fact, summary, event: The record itself, by its kind. The id of a conversation is
            that of its session; its ``summary`` is None before it was digested.
        window: Neighbouring turns of the same session, in order, without the hit itself.
        why: Ranks and scores of each arm; None unless ``explain=True`` was asked for.
    """

    kind: str
    id: str
    text: str
    score: float
    created_at: datetime
    message: Message | None = None
    fact: Fact | None = None
    summary: Summary | None = None
    event: Event | None = None
    window: tuple[Message, ...] = ()
    why: Why | None = None


class Hits(list[Hit]):
    """A list of hits, best first, that also says what was missing.

    Attributes:
        degraded: Why the answer is poorer than it should be (an embedder that failed), else None.
        explanation: With ``explain=True``: how the search went (profile and why, counts, floor,
            generation).
    """

    def __init__(
        self,
        hits: list[Hit] | None = None,
        *,
        degraded: str | None = None,
        explanation: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(hits or [])
        self.degraded = degraded
        self.explanation = explanation

    def to_dict(self) -> dict[str, Any]:
        """Give JSON-ready data: ``hits``, ``degraded`` and ``explanation``."""
        return {
            "hits": [hit.to_dict() for hit in self],
            "degraded": self.degraded,
            "explanation": None if self.explanation is None else dict(self.explanation),
        }
