"""Which summaries and observations are in force, and whether a new one says anything new. Pure."""

import hashlib
from collections.abc import Iterable
from datetime import datetime

from backstory.core.derived.book import DerivedBook
from backstory.core.model.derived import (
    Observation,
    ObservationStatus,
    Summary,
    SummaryKind,
)
from backstory.core.model.scope import Scope

EXTRACTIVE = "extractive"
MODEL = "model:"


def summary_slot(kind: SummaryKind, name: str) -> str:
    """The slot of a summary: the id of its session, or the first day of its period."""
    return f"{kind}:{name}"


def summary_id(scope: Scope, slot: str) -> str:
    """The id of the first summary of a slot: the same in every run and on every machine."""
    parts = ("summary", scope.tenant_id, scope.user_id, slot)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def known_summaries(
    book: DerivedBook, known_at: datetime | None = None, kinds: Iterable[SummaryKind] | None = None
) -> list[Summary]:
    """One summary for each slot as it was known at a time (None = now), in order of ``at``.

    Of an import two versions may count as known at the same time, because both count from the
    messages' own times: the later one holds.
    """
    wanted = None if kinds is None else frozenset(kinds)
    found: dict[str, Summary] = {}
    for summary in book.of(Summary, known_at):
        if wanted is None or summary.kind in wanted:
            before = found.get(summary.slot)
            if before is None or before.recorded_at <= summary.recorded_at:
                found[summary.slot] = summary
    return sorted(found.values(), key=lambda summary: (summary.at, summary.id))


def active_observations(book: DerivedBook, known_at: datetime | None = None) -> list[Observation]:
    """The patterns that held at a time of knowing (None = now), the surest first."""
    latest: dict[str, Observation] = {}
    for one in book.of(Observation, known_at):
        before = latest.get(one.pattern)
        if before is None or before.recorded_at <= one.recorded_at:
            latest[one.pattern] = one
    held = [one for one in latest.values() if one.status is ObservationStatus.ACTIVE]
    return sorted(held, key=lambda one: (-one.confidence, one.pattern))


def says_the_same(one: Summary, other: Summary) -> bool:
    """Whether two versions of a summary differ in nothing but when they were recorded."""
    return _content(one) == _content(other)


def _content(summary: Summary) -> tuple[object, ...]:
    return (
        summary.slot,
        summary.text,
        summary.starts_on,
        summary.ends_on,
        summary.messages,
        summary.sessions,
        summary.made_by,
        summary.at,
        summary.known_from,
        summary.evidence,
    )
