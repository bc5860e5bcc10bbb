"""Facts that are held twice: under two keys, or in two words. One of the two is taken back."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import combinations, pairwise
from typing import Final

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.draft import By, Draft, is_held
from backstory.core.facts.retracting import take_back
from backstory.core.judging import decide_compatible
from backstory.core.model.fact import Change, Fact, FactKind, FactStatus
from backstory.core.values import normal_value

ACTOR: Final = "consolidation"
# In a slot of more values each is compared with its neighbours in order of recording only.
_MOST_IN_SLOT: Final = 60
_MOST_EVIDENCE: Final = 50
_DIVISION: Final = re.compile(r"[\W_]+")


def doubles(facts: Iterable[Fact], now: datetime) -> list[tuple[str, str]]:
    """Pairs of current facts that rules find to be one claim.

    Their slots have one name, however it is divided (``work.employer``, ``work_employer``), and
    their values are equal after normalisation.

    Returns:
        Ids of the fact to keep, which is the older one, and of its double.
    """
    slots: dict[tuple[str, str], list[Fact]] = {}
    for fact in _current(facts, now):
        slots.setdefault((fact.subject, _DIVISION.sub("", fact.key)), []).append(fact)
    found: list[tuple[str, str]] = []
    for rows in slots.values():
        gone: set[str] = set()
        for one, other in _pairs(rows):
            if {one.id, other.id} & gone or one.cardinality is not other.cardinality:
                continue
            if decide_compatible(one.value, other.value).compatible:
                found.append((one.id, other.id))
                gone.add(other.id)
    return found


def doubled_keys(
    facts: Iterable[Fact], now: datetime, since: datetime | None, limit: int
) -> list[tuple[Fact, Fact]]:
    """Pairs of current facts that hold one value under two keys: a judge may be asked about them.

    Args:
        facts: All facts of a user.
        now: The time.
        since: Only pairs of which one is as it is since then; None = all.
        limit: Most pairs.

    Returns:
        The fact to keep, which is the older one, and its possible double.
    """
    values: dict[tuple[str, str], list[Fact]] = {}
    for fact in _current(facts, now):
        values.setdefault((fact.subject, normal_value(fact.value)), []).append(fact)
    found = [
        (one, other)
        for rows in values.values()
        for one, other in _pairs(rows)
        if one.key != other.key
        and (since is None or max(one.believed_at, other.believed_at) > since)
    ]
    return found[:limit]


def merge(
    book: FactBook,
    pairs: Sequence[tuple[str, str]],
    *,
    user_id: str,
    now: datetime,
    new_ids: Sequence[str],
) -> FactPlan:
    """Take back the doubles of facts; the facts that are kept get their mentions and evidence.

    A pair that somebody has put apart again (``undo``) stays apart, and so does one that has
    changed since it was found.

    Args:
        book: The rows of the slots.
        pairs: Ids of the fact to keep and of its double.
        user_id: Whose facts.
        now: The time of the commit.
        new_ids: At least one id that is not in use.
    """
    draft = Draft(book, user_id=user_id, now=now, new_ids=new_ids)
    apart = {(x.other_id, x.fact_id) for x in book.corrections if x.undone and x.actor == ACTOR}
    for kept_id, double_id in pairs:
        kept, double = draft.facts.get(kept_id), draft.facts.get(double_id)
        if kept is None or double is None or (kept_id, double_id) in apart:
            continue
        if not (_is_plain(kept, now) and _is_plain(double, now)):
            continue
        draft.start(By(actor=ACTOR, reason=f"the same claim as {kept.key}", at=now))
        _take_over(draft, kept, double)
        take_back(draft, double, Change.RETRACTED, instead=draft.facts[kept_id])
    return draft.plan()


def _take_over(draft: Draft, kept: Fact, double: Fact) -> None:
    """Let a fact stand for its double as well."""
    mentions = [at for at in (kept.last_mention_at, double.last_mention_at) if at is not None]
    evidence = dict.fromkeys((*kept.evidence, *double.evidence))
    draft.touch(
        kept.id,
        mentions=kept.mentions + double.mentions,
        last_mention_at=max(mentions, default=None),
        confidence=max(kept.confidence, double.confidence),
        evidence=tuple(evidence)[:_MOST_EVIDENCE],
    )
    start, earlier = kept.valid_from, double.valid_from
    if start is not None and earlier is not None and earlier < start:
        draft.change(kept.id, Change.UPDATED, other_id=double.id, valid_from=earlier)


def _current(facts: Iterable[Fact], now: datetime) -> list[Fact]:
    rows = [fact for fact in facts if _is_plain(fact, now)]
    return sorted(rows, key=lambda fact: (fact.recorded_at, fact.id))


def _is_plain(fact: Fact, now: datetime) -> bool:
    """Whether a fact is current, undisputed, and does not pass by itself."""
    begun = fact.valid_from is None or fact.valid_from <= now
    lasts = fact.kind is FactKind.PERMANENT and fact.valid_until is None
    return fact.status is FactStatus.ACTIVE and begun and lasts and is_held(fact, now)


def _pairs(rows: Sequence[Fact]) -> Iterator[tuple[Fact, Fact]]:
    if len(rows) <= _MOST_IN_SLOT:
        return combinations(rows, 2)
    return pairwise(rows)
