"""Where the writer lives and comes from.

For: "I live in Ghent", "we're based in Tallinn these days", "been living out in Tucson", "I reside
in Harrogate", "home for me is …". Not for: where others live, where one would like to live.
"""

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.values import place_at

_SKIPPED = frozenset(
    ["out", "up", "over", "down", "back", "alone", "together", "right", "just", "still", "here"]
)


def live(scene: Scene, said: Predicate) -> None:
    """Read "live in PLACE"."""
    words = said.rest
    at = 0
    while at < len(words) and words[at].low in _SKIPPED:
        at += 1
    if at >= len(words) or words[at].low not in {"in", "near", "at", "on"}:
        return
    end = place_at(words, at + 1)
    if end > at + 1:
        scene.claim("home.place", scene.span(words[at + 1 : end]))


VERBS = {"live": (live,), "reside": (live,), "base": (live,)}
