"""Scores in short."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from backstory.core.model.derived import Quality
from backstory.core.model.derived.quality import ModeStats, QualityStats, Spread

_DIGITS = 4


def stats_of(records: Iterable[Quality]) -> QualityStats:
    """Counts, means and spread. Integrity, vitality and checks are never added up together."""
    found = list(records)
    replied = [one for one in found if one.interaction_vitality is not None]
    modes: defaultdict[str, list[Quality]] = defaultdict(list)
    for one in found:
        modes[one.mode or ""].append(one)
    return QualityStats(
        responses=len(found),
        replies=len(replied),
        output_integrity=spread_of([one.output_integrity for one in found]),
        interaction_vitality=spread_of(_vitality(found)),
        self_check=spread_of([one.self_check for one in found if one.self_check is not None]),
        integrity_parts=_means([one.integrity_parts for one in found]),
        vitality_parts=_means([one.vitality_parts for one in replied]),
        feedback=dict(sorted(Counter(one.feedback for one in replied if one.feedback).items())),
        by_mode={name: _of_mode(some) for name, some in sorted(modes.items())},
    )


def spread_of(numbers: Sequence[float]) -> Spread | None:
    """Numbers in short; None if there are none."""
    if not numbers:
        return None
    mean = sum(numbers) / len(numbers)
    variance = sum((number - mean) ** 2 for number in numbers) / len(numbers)
    return Spread(
        count=len(numbers),
        mean=round(mean, _DIGITS),
        deviation=round(sqrt(variance), _DIGITS),
        least=min(numbers),
        most=max(numbers),
    )


def _of_mode(some: Sequence[Quality]) -> ModeStats:
    integrity = spread_of([one.output_integrity for one in some])
    vitality = spread_of(_vitality(some))
    return ModeStats(
        responses=len(some),
        output_integrity=integrity.mean if integrity else 0.0,
        interaction_vitality=vitality.mean if vitality else None,
    )


def _vitality(some: Iterable[Quality]) -> list[float]:
    return [one.interaction_vitality for one in some if one.interaction_vitality is not None]


def _means(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for some in parts for name in some)
    means = {}
    for name in sorted(names):
        values = [some[name] for some in parts if name in some]
        means[name] = round(sum(values) / len(values), _DIGITS)
    return means
