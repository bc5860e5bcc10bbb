"""Several things said with one "I am": "I'm 32 and single", "I'm Danish, vegan and a nurse".

Not for: enumerations that belong to the first of them ("allergic to nuts and milk").
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.peoples import NATIONALITIES
from backstory.reading.rules.lexicon.things import CONDITION_WORDS, DIETS
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word

_STARTS: Final = (
    word_set("a an half from allergic married single divorced widowed engaged lactose retired into")
    | DIETS
    | CONDITION_WORDS
    | NATIONALITIES
)
_CLOSED: Final = ("health.allergy", "preference.", "hobby.", "family.", "relationship.friend")


def further(scene: Scene, said: Predicate, made: int) -> Iterator[Predicate]:
    """The further complements, each as a predicate of its own.

    Args:
        scene: The message.
        said: The whole predicate.
        made: How many claims there were before it was read; without a new one nothing follows.
    """
    new = scene.claims[made:]
    if not new or any(claim.key is None or claim.key.startswith(_CLOSED) for claim in new):
        return
    part: list[Word] = []
    parts: list[list[Word]] = []
    for word in said.rest:
        if word.low in {",", "and", "\u00b7", "but"}:
            parts.append(part)
            part = []
        else:
            part.append(word)
    parts.append(part)
    for later in parts[1:]:
        if later and (later[0].low in _STARTS or later[0].low.isdigit()):
            yield replace(said, rest=tuple(later), adverbs=frozenset())
