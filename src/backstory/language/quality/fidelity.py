"""Whether a response keeps to what is known of the user."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from backstory.core.inline import detect_inline
from backstory.core.inline.detecting import KeyedValue
from backstory.core.keywords import key_words
from backstory.core.values import normal_value

_ONE: Final = 0.15
_MORE: Final = 0.05
_LOOKED_AT: Final = 6_000
_SECOND_PERSON: Final = re.compile(r"\byou(?:r|rs|'re|'ve|'d|'ll)?\b", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
# "your favourite band is Coldplay", "your dog's name is Rex"
_SLOT: Final = re.compile(
    r"\byour ([a-z][\w' -]{1,40}?) (?:is|are) (?:called |named |still )?([^.,;:!?\n]{1,60})",
    re.IGNORECASE,
)
_TO_FIRST: Final = (
    (re.compile(r"\byou are\b|\byou're\b", re.IGNORECASE), "I am"),
    (re.compile(r"\byou were\b", re.IGNORECASE), "I was"),
    (re.compile(r"\byou've\b", re.IGNORECASE), "I have"),
    (re.compile(r"\byours\b", re.IGNORECASE), "mine"),
    (re.compile(r"\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
)
_LOOSE: Final = frozenset({"name", "names", "own", "current", "new", "user"})


def memory_fidelity(text: str, facts: Collection[KeyedValue]) -> float:
    """One unless it says of the user what a known fact denies.

    What it says to "you" is read as if the user had said it of themselves, by the detector of
    contradictions (``detect_inline``), and "your X is Y" is held against the slot X. English
    only; of other languages, and where nothing is known, nothing is against the facts. That
    known facts go unmentioned costs nothing.

    Args:
        text: The response.
        facts: What was known at that time.
    """
    shown = text[:_LOOKED_AT].replace("\u2019", "'")
    if not facts or not _SECOND_PERSON.search(shown):
        return 1.0
    said = [part for part in _SENTENCE.split(shown) if _SECOND_PERSON.search(part)]
    against = {one.key for one in detect_inline(_first_person(" ".join(said)), facts)}
    if not against:
        against = {key for part in said for key in _slots_against(part, facts)}
    if not against:
        return 1.0
    return _ONE if len(against) == 1 else _MORE


def _first_person(text: str) -> str:
    for pattern, person in _TO_FIRST:
        text = pattern.sub(person, text)
    return text


def _slots_against(sentence: str, facts: Collection[KeyedValue]) -> set[str]:
    found = set()
    for match in _SLOT.finditer(sentence):
        slot = {word for word in key_words(match.group(1).replace("'s", "")) if word not in _LOOSE}
        value = normal_value(match.group(2))
        for fact in facts:
            key, known = fact if isinstance(fact, tuple) else (fact.key, fact.value)
            if slot and slot <= _slot_words(key) and _is_own(fact) and not _agrees(value, known):
                found.add(key)
    return found


@lru_cache(maxsize=4096)
def _slot_words(key: str) -> frozenset[str]:
    return frozenset(word for word in key_words(key) if word not in _LOOSE)


def _is_own(fact: KeyedValue) -> bool:
    """Whether a fact is the user's and has one value: another of many denies nothing."""
    of_user = getattr(fact, "subject", "user") in {None, "", "user"}
    return of_user and str(getattr(fact, "cardinality", "one")) == "one"


def _agrees(value: str, known: str) -> bool:
    stored = normal_value(str(known))
    return not stored or stored in value or value in stored or _shares_word(value, stored)


def _shares_word(value: str, stored: str) -> bool:
    return not set(value.split()).isdisjoint(word for word in stored.split() if len(word) > 2)
