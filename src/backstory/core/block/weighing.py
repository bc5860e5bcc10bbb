"""Which entities matter for the next chapter."""

import math
from collections.abc import Iterable, Mapping
from typing import Final

# One step back counts so much less: of the twentieth chapter before a third is left.
_FADING: Final = 0.945
_FIRED: Final = 3.0
MOST_ENTITIES: Final = 40


def entity_weights(
    sightings: Mapping[int, Mapping[str, int]], before: int, fired: Iterable[Mapping[str, int]] = ()
) -> dict[str, float]:
    """How much each entity matters, by id.

    Args:
        sightings: How often each occurs, by chapter.
        before: The chapter to be written.
        fired: What the query, the owed threads and the last summaries name, how often.
    """
    weights: dict[str, float] = {}
    for number, times in sightings.items():
        fading = _FADING ** max(0, before - 1 - number)
        for name, count in times.items():
            weights[name] = weights.get(name, 0.0) + fading * (1 + math.log2(max(1, count)))
    for named in fired:
        for name, count in named.items():
            weights[name] = weights.get(name, 0.0) + _FIRED * (1 + math.log2(max(1, count)))
    return weights


def heaviest(weights: Mapping[str, float], most: int = MOST_ENTITIES) -> list[str]:
    """The ids that matter most, the first of them first; equal ones in the order of their ids."""
    return sorted(weights, key=lambda name: (-weights[name], name))[:most]
