"""Whether a response holds together: it does not repeat itself, and keeps to the language."""

import re
from collections import Counter
from itertools import pairwise
from typing import Final

from backstory.core.scripts.letters import count_scripts
from backstory.language.quality.content import MOST_CHARS, Content

_SENTENCE: Final = re.compile(r"[.!?\n\u3002\uff01\uff1f\u061f]+")
_LEAST_WORDS: Final = 6
_OFTEN: Final = 0.25
_TWICE: Final = 2
_USUAL: Final = 0.15
_PER_PAIR: Final = 1.6
_PER_SENTENCE: Final = 0.8
_OTHER_LANGUAGE: Final = 0.3
_NAMES_LANGUAGE: Final = re.compile(
    r"\b(?:translat\w+|übersetz\w+|översätt\w*|tradu\w+|vertaal\w*|english|german|french|spanish"
    r"|swedish|italian|dutch|polish|russian|chinese|japanese|korean|arabic|hebrew|englisch"
    r"|engelsk\w*|anglais|inglés|inglese|inglês|deutsch|auf \w+isch|på \w+ska|en español)\b"
    r"|英語|英文|翻译|翻訳|영어",
    re.IGNORECASE,
)
_CLEAR: Final = 2


def coherence(text: str, prompt: str, said: Content, asked: Content) -> float:
    """One, less for sentences and runs of words that come again, and for another language.

    Repetition is the share of pairs of words that are not new (distinct-2 of Li et al. 2016), of
    sentences that were there already, and of the most frequent content word. Another language
    than that of the question counts unless the question names a language.
    """
    steady = _steadiness(text, said)
    return steady if _keeps_language(text, prompt, said, asked) else steady * _OTHER_LANGUAGE


def _steadiness(text: str, said: Content) -> float:
    if len(said.words) < _LEAST_WORDS:
        return 1.0
    pairs = list(pairwise(said.words))
    again = 1 - len(set(pairs)) / len(pairs)
    # long texts come back to pairs of small words
    repeated = min(1.0, _PER_PAIR * max(0.0, again - _USUAL))
    return (1 - repeated) * (1 - _PER_SENTENCE * _doubled(text)) * (1 - _most_frequent(said))


def _doubled(text: str) -> float:
    """The share of sentences that were there already."""
    spoken = [s.strip().lower() for s in _SENTENCE.split(text[:MOST_CHARS]) if len(s.strip()) > 1]
    return 1 - len(set(spoken)) / len(spoken) if spoken else 0.0


def _most_frequent(said: Content) -> float:
    """How much of the text is one word, above what a topic takes."""
    if len(said.terms) < _LEAST_WORDS:
        return 0.0
    most = max(Counter(said.terms).values())
    share = most / len(said.terms)
    return max(0.0, (share - _OFTEN) / (1 - _OFTEN)) if most > _TWICE else 0.0


def _keeps_language(text: str, prompt: str, said: Content, asked: Content) -> bool:
    if not prompt or _NAMES_LANGUAGE.search(prompt):
        return True
    if not (text.isascii() and prompt.isascii()):
        spoken, answered = main_scripts(prompt), main_scripts(text)
        if spoken and answered and spoken.isdisjoint(answered):
            return False
    own, other = asked.languages, said.languages
    if not own or not other:
        return True
    most, answered_most = max(own.values()), max(other.values())
    shared = max(other.get(name, 0) for name, count in own.items() if count == most)
    return most < _CLEAR or answered_most <= _CLEAR or shared * 3 > answered_most


def main_scripts(text: str) -> set[str]:
    """The scripts that a text is mostly in: a fifth of its letters or more."""
    counts = count_scripts(text[:MOST_CHARS])
    least = sum(counts.values()) / 5
    return {name for name, count in counts.items() if count >= least}
