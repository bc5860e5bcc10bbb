"""How good a response is in itself: six parts and one number, without asking anybody.

The parts are named after what people are asked to rate in responses of dialogue systems (relevant
to what was said, coherent, true to what is known, moving the talk on, complete and honest: the
dimensions of human evaluation as surveyed by Finch and Choi 2020). Each is measured by signs
on the
surface of the text, as its module says. They find what has gone wrong visibly: an answer that is
cut off, that repeats itself, refuses, is beside the question, or says otherwise than the known
facts. They do not know whether an answer is right.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final

from backstory.core.inline.detecting import KeyedValue
from backstory.language.quality.coherence import coherence
from backstory.language.quality.completeness import completeness
from backstory.language.quality.content import content_of
from backstory.language.quality.fidelity import memory_fidelity
from backstory.language.quality.generativity import generativity
from backstory.language.quality.honesty import honesty
from backstory.language.quality.relevance import address, relevance

WEIGHTS: Final[Mapping[str, float]] = {
    "relevance": 0.25,
    "coherence": 0.2,
    "memory_fidelity": 0.2,
    "generativity": 0.1,
    "completeness": 0.15,
    "honesty": 0.1,
}
_FAILING: Final = ("coherence", "memory_fidelity", "completeness", "honesty")
"""Parts of which a single one that fails spoils a response."""

_LEAST: Final = 0.02


@dataclass(frozen=True, kw_only=True)
class Integrity:
    """The score of a response.

    Attributes:
        score: From 0 to 1: the geometric mean of the weighted geometric mean of the parts and the
            weakest of those that spoil a response, so that the others do not make up for it.
        parts: "relevance", "coherence", "memory_fidelity", "generativity", "completeness",
            "honesty", each from 0 to 1.
    """

    score: float
    parts: Mapping[str, float]


def score_integrity(
    response: str,
    *,
    prompt: str = "",
    facts: Collection[KeyedValue] = (),
    used_tools: bool = False,
) -> Integrity:
    """Score a response. The same arguments give the same score.

    Args:
        response: What the assistant said.
        prompt: What the user had said before it; empty = not known, then nothing is irrelevant.
        facts: What was known of the user at that time. Without any, nothing is against them.
        used_tools: Whether tools ran between the two, so that it may have done what it says.
    """
    said, asked = content_of(response), content_of(prompt)
    parts = {
        "relevance": relevance(said, asked) * address(response, prompt),
        "coherence": coherence(response, prompt, said, asked),
        "memory_fidelity": memory_fidelity(response, facts),
        "generativity": generativity(said, asked),
        "completeness": completeness(response, prompt, said, asked),
        "honesty": honesty(response, used_tools=used_tools),
    }
    rounded = {name: round(part, 4) for name, part in parts.items()}
    return Integrity(score=_whole(rounded) if response.strip() else 0.0, parts=rounded)


def _whole(parts: Mapping[str, float]) -> float:
    mean = exp(sum(WEIGHTS[name] * log(max(part, _LEAST)) for name, part in parts.items()))
    return round(sqrt(mean * min(parts[name] for name in _FAILING)), 4)
