"""One statement about a slot, made ready for its place in time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from backstory.core.facts.draft import CURRENT, Draft
from backstory.core.facts.slots import cardinality_of, is_verbatim, slot_of
from backstory.core.judging import Judgement, decide_compatible
from backstory.core.model.fact import Cardinality, Fact, FactKind
from backstory.core.model.reading import Claim
from backstory.core.values import normal_value

# How the reason of a verdict begins that no judge gave.
NO_VERDICT = "the judge gave none"
Verdicts = Mapping[tuple[str, str], Judgement]


@dataclass(frozen=True, kw_only=True)
class News:
    """A claim with what follows from its slot.

    Attributes:
        key, value: Never None here; the key is in its normal form.
        start, end: Its valid time as it was said; None = no bound.
        dated: A start was said.
        always: It is undated, and its slot is one whose values hold since ever.
        at: Knowledge time.
        can_change: The slot can change in the world.
        marked: The claim says, or its writer decides, that the world changed.
    """

    claim: Claim
    key: str
    value: str
    start: datetime | None
    end: datetime | None
    dated: bool
    always: bool
    at: datetime
    cardinality: Cardinality
    can_change: bool
    marked: bool
    verdicts: Verdicts

    @property
    def is_past(self) -> bool:
        """Whether it speaks of a period that was over when it was said."""
        return self.end is not None and self.end <= self.claim.said_at

    def is_same(self, fact: Fact) -> bool:
        """Whether a row holds the same value."""
        return same_value(fact, self.value, self.verdicts)

    def verdict(self, fact: Fact) -> Judgement | None:
        """What a judge said of a row and this claim, if it was asked."""
        return self.verdicts.get((fact.value, self.value))


def news_of(claim: Claim, key: str, value: str, now: datetime, verdicts: Verdicts) -> News:
    """Work out when a claim holds and what its slot allows."""
    slot = slot_of(key)
    by_hand = claim.actor in ("api", "import")
    start = claim.valid_from
    is_past = claim.valid_until is not None and claim.valid_until <= claim.said_at
    timeless = slot is not None and slot.timeless and not claim.changed
    if start is None and not is_past and not timeless:
        start = claim.said_at
    return News(
        claim=claim,
        key=key,
        value=value,
        start=start,
        end=claim.valid_until,
        dated=claim.valid_from is not None,
        always=start is None and timeless and not is_past,
        at=claim.known_from or now,
        cardinality=cardinality_of(key, claim.cardinality),
        can_change=slot is None or slot.changes,
        marked=claim.changed or by_hand,
        verdicts=verdicts,
    )


def same_value(fact: Fact, value: str, verdicts: Verdicts) -> bool:
    """Whether a row holds a value: equal in normal form, or judged to be the same claim.

    Sentences of a slot that keeps them verbatim are not judged.
    """
    if normal_value(fact.value) == normal_value(value):
        return True
    if is_verbatim(fact.key):
        return False
    given = verdicts.get((fact.value, value))
    judged = given if given is not None else decide_compatible(fact.value, value)
    return judged.compatible


def rows_for(draft: Draft, news: News) -> list[Fact]:
    """The believed rows among which a claim has its place.

    Permanent rows for a permanent claim, temporary ones for a temporary one; of a slot with
    several values only those of the same value.
    """
    rows = [r for r in draft.rows(news.claim.subject, news.key) if r.kind is news.claim.kind]
    if news.cardinality is Cardinality.ONE:
        return rows
    return [r for r in rows if news.is_same(r)]


def starts_by(fact: Fact, start: datetime | None) -> bool:
    """Whether a row begins no later than a time (None = before all times)."""
    return fact.valid_from is None or (start is not None and fact.valid_from <= start)


def covers(fact: Fact, start: datetime | None) -> bool:
    """Whether a row's valid time holds a time (None = before all times)."""
    if not starts_by(fact, start):
        return False
    if fact.valid_until is None:
        return True
    return fact.valid_until > start if start is not None else fact.valid_from is None


def earliest(*times: datetime | None) -> datetime | None:
    """The first of some ends, where None is no end."""
    given = [t for t in times if t is not None]
    return min(given) if given else None


def is_current_row(fact: Fact) -> bool:
    """Whether a row is active or disputed."""
    return fact.status in CURRENT


def is_temporary(news: News) -> bool:
    """Whether the claim passes by itself."""
    return news.claim.kind is FactKind.TEMPORARY
