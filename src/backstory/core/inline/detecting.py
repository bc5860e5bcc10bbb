"""The inline detector: synchronous, without a store, a model or a clock."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from backstory.core.guards.keys import is_speaker_fact, is_volatile_fact_key
from backstory.core.inline.concepts import concept_of
from backstory.core.inline.dates import birthday_of, says_birthday
from backstory.core.inline.patterns import Concept
from backstory.core.inline.statements import clauses
from backstory.core.judging import decide_compatible
from backstory.core.keywords import key_words
from backstory.core.values import normal_value

MAX_SUSPICIONS: Final = 3

_DIGITS: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"\w+")
_LIST: Final = re.compile(r"\s*(?:,|;|/|\band\b|&)\s*")
_SMALL: Final = frozenset({"a", "an", "the", "my", "of"})
_CAPITALS: Final = frozenset({"I", "GP"})
_SHORTEST_NICKNAME: Final = 3


class Keyed(Protocol):
    """Anything with a key and a value, such as a fact."""

    @property
    def key(self) -> str: ...  # noqa: D102

    @property
    def value(self) -> str: ...  # noqa: D102


KeyedValue: TypeAlias = Keyed | tuple[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Suspicion:
    """A message seems to give another answer than a stored fact.

    Attributes:
        key: The fact's key, as it was given.
        stored: The stored value.
        suspected: The other value, spelled as in the message.
    """

    key: str
    stored: str
    suspected: str


def detect_inline(message: str, facts: Iterable[KeyedValue]) -> list[Suspicion]:
    """Find what a message seems to contradict among the user's facts.

    The other value must stand in the same clause as the word for what the key asks ("my wife
    Leonora"). Questions, denials, conditions, wishes, the past, quotes and what is said of other
    people do not count, nor does a capital at the start of a sentence. Volatile keys, facts
    about others and slots that hold several values are skipped. English only.

    Args:
        message: What the user says now.
        facts: ``Fact``s or (key, value) pairs: what is current.

    Returns:
        At most three suspicions, in the order of the facts, no key twice.
    """
    stored = _grouped(facts)
    said = [clause for clause in clauses(message) if clause.strip()] if stored else []
    found: list[Suspicion] = []
    for key, values in stored.items():
        suspected = _suspected(key, values, said)
        if suspected is not None:
            found.append(Suspicion(key=key, stored=values[0], suspected=suspected))
            if len(found) == MAX_SUSPICIONS:
                break
    return found


def _grouped(facts: Iterable[KeyedValue]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for fact in facts:
        key, value = fact if isinstance(fact, tuple) else (fact.key, fact.value)
        about_user = getattr(fact, "subject", "user") in {None, "", "user"}
        single = str(getattr(fact, "cardinality", "one")) == "one"
        if about_user and single and not is_volatile_fact_key(key) and not is_speaker_fact(key):
            grouped.setdefault(key, []).append(str(value))
    return grouped


def _suspected(key: str, values: list[str], said: list[str]) -> str | None:
    if says_birthday(key_words(key)):
        candidates = [found for clause in said for found in birthday_of(clause, values)]
        return candidates[0] if candidates else None
    concept = concept_of(key)
    if concept is None:
        return None
    for clause in said:
        candidates = list(_candidates(concept, clause))
        if concept.alike:
            candidates = [
                one for one in candidates if any(_shape(one) == _shape(v) for v in values)
            ]
        if any(_is_stored(concept, values, candidate) for candidate in candidates):
            return None
        if candidates:
            return candidates[0]
    return None


def _candidates(concept: Concept, clause: str) -> Iterable[str]:
    for pattern in concept.patterns:
        for match in pattern.lead.finditer(clause):
            if not _is_plain(match.group()):
                continue
            named = match.groupdict().get("value")
            value = pattern.take(named if named is not None else clause[match.end() :])
            if value:
                yield value


def _is_plain(lead: str) -> bool:
    """Whether capitals behind a lead-in can tell names: it has none but at its start and in "I"."""
    return not any(word[0].isupper() and word not in _CAPITALS for word in _WORD.findall(lead)[1:])


def _shape(value: str) -> str:
    first = value.lstrip()[:1]
    return "number" if first.isdigit() else "name" if first.isupper() else "words"


def _is_stored(concept: Concept, values: list[str], candidate: str) -> bool:
    return any(_is_same(concept, value, candidate) for value in values)


def _is_same(concept: Concept, stored: str, candidate: str) -> bool:
    if concept.digits:
        return _DIGITS.findall(stored) == _DIGITS.findall(candidate)
    said, words = _words(candidate), _words(stored)
    if not said or not words or said <= words or words <= said:
        return True
    if any(
        decide_compatible(item, candidate).compatible for item in (stored, *_LIST.split(stored))
    ):
        return True
    return concept.person and _is_nickname(stored, candidate)


def _words(value: str) -> frozenset[str]:
    return frozenset(_WORD.findall(normal_value(value))) - _SMALL


def _is_nickname(stored: str, candidate: str) -> bool:
    """Whether one first name begins with the other: a short form, or too near to tell."""
    firsts = [normal_value(name).split(" ")[0] for name in (stored, candidate)]
    short, long = sorted(firsts, key=len)
    return len(short) >= _SHORTEST_NICKNAME and long.startswith(short)
