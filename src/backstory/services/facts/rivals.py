"""Which claims a judge is asked about: those that share a slot with another value, or are near.

Similarity only prunes: it never decides.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from backstory.core.facts.slots import cardinality_of
from backstory.core.judging import Judgement, decide_compatible
from backstory.core.model.fact import Cardinality
from backstory.core.model.reading import Act, Claim
from backstory.core.model.scope import Scope
from backstory.core.values import normal_value
from backstory.ports.facts import FactFilter
from backstory.ports.judge import Pair
from backstory.ports.store import Store
from backstory.services.facts.near import NearFacts

# On the built-in model a paraphrase scores about 0.80, a negation 0.85, a changed value 0.87:
# what is nearer than this is worth a question, nothing more.
NEAR: Final = 0.8
_MOST_PAIRS: Final = 12
_MOST_OF_MANY: Final = 30


@dataclass(frozen=True)
class Rival:
    """A claim and a stored fact, or an earlier claim, that may be the same claim."""

    place: int
    key: str
    value: str
    pair: Pair

    @property
    def same_slot(self) -> bool:
        """Whether the two differ in the value only."""
        return self.pair.stored.partition(":")[0] == self.pair.stated.partition(":")[0]


class Rivals:
    """Finds rivals among the current facts of a user.

    Args:
        store: Where facts are.
        near: Finds near facts.
    """

    def __init__(self, store: Store, near: NearFacts) -> None:
        self._store = store
        self._nearby = near

    async def of(
        self, scope: Scope, claims: Sequence[Claim], now: datetime, *, many: bool = False
    ) -> list[Rival]:
        """The rivals of claims, at most twelve: one call judges them all.

        Args:
            scope: Whose facts.
            claims: In order.
            now: What is current then.
            many: They are of several batches: earlier claims count as stored ones, and there are
                at most thirty rivals.
        """
        found: list[Rival] = []
        said: dict[tuple[str, str], dict[str, None]] = {}
        for place, claim in enumerate(claims):
            if claim.act is not Act.STATE or claim.key is None or claim.value is None:
                continue
            if claim.actor in ("api", "import"):
                continue  # a person chose the key, or it is that of all memories from elsewhere
            found += await self._in_slot(scope, place, claim, now)
            found += await self._near(scope, place, claim, now)
            if many:
                earlier = said.setdefault((claim.subject, claim.key), {})
                found += _among(place, claim, earlier)
                earlier.setdefault(claim.value)
        return found[: _MOST_OF_MANY if many else _MOST_PAIRS]

    async def _in_slot(self, scope: Scope, place: int, claim: Claim, now: datetime) -> list[Rival]:
        if claim.key is None or claim.value is None or not _may_clash(claim):
            return []
        slot = FactFilter(subject=claim.subject, key=claim.key, current_at=now)
        rows = [fact for _, fact in await self._store.facts.listed(scope, slot, limit=2)]
        return [
            _rival(place, claim, fact.key, fact.value, None)
            for fact in rows
            if not decide_compatible(fact.value, claim.value).compatible
        ]

    async def _near(self, scope: Scope, place: int, claim: Claim, now: datetime) -> list[Rival]:
        if claim.key is None or claim.value is None:
            return []
        text = f"{claim.key}: {claim.value}"
        near = await self._nearby.similar(scope, text, NEAR, now, limit=2)
        return [
            _rival(place, claim, fact.key, fact.value, cosine)
            for fact, cosine in near
            if fact.subject == claim.subject
            and fact.key != claim.key
            and normal_value(fact.value) == normal_value(claim.value)
        ]


def with_verdicts(
    claims: Sequence[Claim], rivals: Sequence[Rival], judged: Sequence[Judgement]
) -> tuple[tuple[Claim, ...], dict[tuple[str, str], Judgement]]:
    """Claims under the key that the judge found them to be, and verdicts on values."""
    renamed: dict[int, str] = {}
    verdicts: dict[tuple[str, str], Judgement] = {}
    for rival, judgement in zip(rivals, judged, strict=True):
        claim = claims[rival.place]
        if rival.same_slot and claim.value is not None:
            verdicts[rival.value, claim.value] = judgement
        elif judgement.compatible:
            renamed.setdefault(rival.place, rival.key)
    return _renamed(claims, renamed), verdicts


def _renamed(claims: Sequence[Claim], keys: Mapping[int, str]) -> tuple[Claim, ...]:
    return tuple(
        replace(claim, key=keys[place]) if place in keys else claim
        for place, claim in enumerate(claims)
    )


def _may_clash(claim: Claim) -> bool:
    """Whether another value of its slot would be another answer to the same question."""
    one = cardinality_of(str(claim.key), claim.cardinality) is not Cardinality.MANY
    return one and not claim.changed


def _among(place: int, claim: Claim, earlier: Iterable[str]) -> list[Rival]:
    """The latest of the earlier claims of the same slot, if it says something else."""
    value = next(reversed(list(earlier)), None)
    if value is None or not _may_clash(claim):
        return []
    if decide_compatible(value, str(claim.value)).compatible:
        return []
    return [_rival(place, claim, str(claim.key), value, None)]


def _rival(place: int, claim: Claim, key: str, value: str, cosine: float | None) -> Rival:
    pair = Pair(stored=f"{key}: {value}", stated=f"{claim.key}: {claim.value}", similarity=cosine)
    return Rival(place, key, value, pair)
